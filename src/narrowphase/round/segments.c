/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: two capsules, or a capsule and a sphere, by the closest points of
 * two segments. The point where the lines are closest is one candidate, the ends of the segments with the nearest
 * points of the other one are four more; every candidate is a pair of points of the segments, so the least of their
 * distances errs by no more than rounding. Lines that are nearly parallel need care (Eberly, "Robust computation of
 * distance between line segments", 2015): here the part w of one direction that is perpendicular to the other one is
 * formed first, and the candidate is corrected once, so that an angle costs no accuracy. */
#include "narrowphase/round/contact.inc"

/* The sine, squared, of 2 degrees: segments that are parallel to within this share a stretch. */
static const double PARALLEL = 0x1.3f48e8f00098cp-10;

/* Whether spheres take the way of capsules, with the same bits: so in WebAssembly, for its size. */
#if defined(ABUT_LANES_WASM)
enum { WITHOUT_POINTS = true };
#else
enum { WITHOUT_POINTS = false };
#endif

/* Two segments, center +- along, the second relative to the first. */
typedef struct lane_segments {
    vd a[3], b[3], apart[3];         /* half of each segment; from the middle of the first to that of the second */
    vd aa, bb, ab, over_aa, over_bb; /* products, and reciprocals (0 for a point) */
    vd a_apart, b_apart;             /* a . apart, b . apart */
} lane_segments;

/* A point of each segment, s and t in -1..1, and their distance. */
typedef struct lane_closest {
    vd s, t, between[3], square;
} lane_closest;

static ABUT_INLINE vd reciprocal_or_zero(vd x) {
    md some = less(constant(0), x);
    return choose(some, quotient(constant(1), choose(some, x, constant(1))), constant(0));
}

static ABUT_INLINE void set_segments(const lane_shape *a, const lane_shape *b, lane_segments *g) {
    vd zero = constant(0);
    g->a[0] = g->a[1] = g->a[2] = zero;
    if (WITHOUT_POINTS || bits_of(less(zero, sum3(a->half[0], a->half[1], a->half[2])))) {
        rotate(a->q, squared_norm4(a->q), a->half, g->a);
    }
    rotate(b->q, squared_norm4(b->q), b->half, g->b);
    g->aa = dot(g->a, g->a), g->bb = dot(g->b, g->b), g->ab = dot(g->a, g->b);
    g->over_aa = reciprocal_or_zero(g->aa), g->over_bb = reciprocal_or_zero(g->bb);
    g->a_apart = dot(g->a, g->apart), g->b_apart = dot(g->b, g->apart);
}

/* The points of the lines that are nearest to a point of the other. */
static ABUT_INLINE vd nearest_t(const lane_segments *g, vd s) {
    return times(minus(times(s, g->ab), g->b_apart), g->over_bb);
}

static ABUT_INLINE vd nearest_s(const lane_segments *g, vd t) {
    return times(sum(times(t, g->ab), g->a_apart), g->over_aa);
}

static ABUT_INLINE void between_points(const lane_segments *g, vd s, vd t, vd out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = sum(g->apart[i], minus(times(t, g->b[i]), times(s, g->a[i])));
    }
}

static ABUT_INLINE lane_closest points_at(const lane_segments *g, vd s, vd t) {
    lane_closest c = {.s = s, .t = t};
    between_points(g, s, t, c.between);
    c.square = dot(c.between, c.between);
    return c;
}

static ABUT_INLINE void keep_nearer(lane_closest *best, lane_closest other) {
    md nearer = less(other.square, best->square);
    best->s = choose(nearer, other.s, best->s);
    best->t = choose(nearer, other.t, best->t);
    best->square = choose(nearer, other.square, best->square);
    for (int i = 0; i < 3; i++) {
        best->between[i] = choose(nearer, other.between[i], best->between[i]);
    }
}

/* Where the first line is closest to the second, clamped to the segment. *sine2: the squared sine between them, times a
 * . a. */
static ABUT_INLINE vd closest_of_lines(const lane_segments *g, vd *sine2) {
    vd one = constant(1), k = times(g->ab, g->over_bb), w[3], r[3];
    for (int i = 0; i < 3; i++) {
        w[i] = minus(g->a[i], times(k, g->b[i]));
    }
    *sine2 = dot(w, w);
    md skew = less(times(g->aa, constant(0x1p-100)), *sine2);
    vd over = quotient(one, choose(skew, *sine2, one)), zero = constant(0);
    vd s = choose(skew, times(dot(g->apart, w), over), zero);
    between_points(g, s, nearest_t(g, s), r);
    s = sum(s, choose(skew, times(dot(r, w), over), zero));
    return clamp(s, one);
}

/* The first segments may all be points: then three of the candidates are one. */
static ABUT_INLINE lane_closest closest_of_segments(const lane_segments *g, vd *sine2) {
    vd one = constant(1), back = constant(-1), s = constant(0);
    bool lines = WITHOUT_POINTS || bits_of(less(s, g->aa));
    *sine2 = s;
    s = lines ? closest_of_lines(g, sine2) : s;
    lane_closest best = points_at(g, s, clamp(nearest_t(g, s), one));
    if (lines) {
        keep_nearer(&best, points_at(g, one, clamp(nearest_t(g, one), one)));
        keep_nearer(&best, points_at(g, back, clamp(nearest_t(g, back), one)));
    }
    keep_nearer(&best, points_at(g, clamp(nearest_s(g, one), one), one));
    keep_nearer(&best, points_at(g, clamp(nearest_s(g, back), one), back));
    return best;
}

/* One end of the stretch that two parallel segments share: that of the first segment (s = end) or, if the second ends
 * before it at s = other, of the second. Ends that are beside each other to within `near` are both meant, so that the
 * feature does not flicker. */
static ABUT_INLINE lane_closest stretch_end(const lane_segments *g, double end, vd other, vd near) {
    vd one = constant(1), s_end = constant(end), t_end = positive_where(less(constant(0), g->ab), s_end);
    md first = end > 0 ? at_most(constant(end), sum(other, near)) : at_most(minus(other, near), constant(end));
    md second = end > 0 ? at_most(minus(other, near), constant(end)) : at_most(constant(end), sum(other, near));
    vd s = choose(first, s_end, other);
    return points_at(g, s, choose(second, t_end, clamp(nearest_t(g, s), one)));
}

/* Both ends of that stretch as contact points. Returns where there is one and the surfaces are within the margin at
 * both of its ends. */
static ABUT_INLINE md stretch(const lane_segments *g, const lane_limits *limits, md parallel, lane_closest end[2]) {
    vd length_a = root(g->aa), length_b = root(g->bb), over = reciprocal_or_zero(length_a);
    vd tolerance = times(sum(length_a, length_b), constant(ABUT_NP_RESTING)), near = times(tolerance, over);
    vd up = nearest_s(g, constant(1)), down = nearest_s(g, constant(-1));
    end[0] = stretch_end(g, -1, smaller(up, down), near);
    end[1] = stretch_end(g, 1, larger(up, down), near);
    vd limit = times(limits->limit, limits->limit);
    md wide = less(tolerance, times(minus(end[1].s, end[0].s), length_a));
    return both(both(parallel, wide), both(at_most(end[0].square, limit), at_most(end[1].square, limit)));
}

static ABUT_INLINE void set_point(const lane_shape *a, const lane_shape *b, const lane_segments *g, vd s, vd t, int k,
                                  lane_contact *c) {
    vd p[3], q[3];
    for (int i = 0; i < 3; i++) {
        p[i] = sum(a->center[i], times(s, g->a[i]));
        q[i] = sum(b->center[i], times(t, g->b[i]));
    }
    midway(p, a->radius, q, b->radius, c->normal, c->position[k]);
    c->code_first[k] = segment_code(s);
    c->code_second[k] = segment_code(t);
}

/* Capsules that lie along each other. The depths at the two ends are measured along the normal; the deeper one is that
 * of the closest points. */
static ABUT_INLINE void set_two(const lane_shape *a, const lane_shape *b, const lane_segments *g,
                                const lane_limits *limits, vd distance, md parallel, double margin, lane_contact *c) {
    lane_closest end[2];
    lane_contact ends = *c;
    c->two = stretch(g, limits, parallel, end);
    const vd along[2] = {dot(end[0].between, c->normal), dot(end[1].between, c->normal)};
    vd shift = minus(distance, smaller(along[0], along[1]));
    for (int k = 0; k < 2; k++) {
        set_point(a, b, g, end[k].s, end[k].t, k, &ends);
        ends.separation[k] = separation_of(sum(along[k], shift), limits, margin);
    }
    c->code_first[0] = choose(c->two, ends.code_first[0], c->code_first[0]);
    c->code_second[0] = choose(c->two, ends.code_second[0], c->code_second[0]);
    c->separation[0] = choose(c->two, ends.separation[0], c->separation[0]);
    for (int i = 0; i < 3; i++) {
        c->position[0][i] = choose(c->two, ends.position[0][i], c->position[0][i]);
        c->position[1][i] = ends.position[1][i];
    }
    c->code_first[1] = ends.code_first[1];
    c->code_second[1] = ends.code_second[1];
    c->separation[1] = ends.separation[1];
}

static ABUT_INLINE void set_contact(const abut_np_round_job *job, const lane_shape *a, const lane_shape *b,
                                    const lane_segments *g, const lane_limits *limits, const lane_closest *best,
                                    vd sine2, lane_contact *c) {
    vd zero = constant(0), distance = root(best->square), over = reciprocal_or_zero(distance);
    for (int i = 0; i < 3; i++) {
        c->normal[i] = times(best->between[i], over);
    }
    c->separation[0] = separation_of(distance, limits, (double)job->margin);
    set_point(a, b, g, best->s, best->t, 0, c);
    md parallel = both(at_most(sine2, times(g->aa, constant(PARALLEL))), both(less(zero, g->aa), less(zero, g->bb)));
    c->two = parallel;
    if (bits_of(parallel)) {
        set_two(a, b, g, limits, distance, parallel, (double)job->margin, c);
    }
}

static ABUT_INLINE void swap(md where, vd *x, vd *y) {
    vd old = *x;
    *x = choose(where, *y, *x);
    *y = choose(where, old, *y);
}

/* Puts a and b in an order that does not depend on the caller's: by half extents, then by position along the axis along
 * which the centres are farthest apart. Where that leaves them equal the cores overlap. Returns where they were
 * swapped.
 */
static ABUT_INLINE md put_in_order(lane_shape *a, lane_shape *b) {
    vd zero = constant(0), of_a = sum3(a->half[0], a->half[1], a->half[2]);
    vd of_b = sum3(b->half[0], b->half[1], b->half[2]), d[3];
    for (int i = 0; i < 3; i++) {
        d[i] = minus(b->center[i], a->center[i]);
    }
    md one = less(absolute(d[0]), absolute(d[1]));
    vd widest = choose(one, d[1], d[0]);
    widest = choose(less(absolute(widest), absolute(d[2])), d[2], widest);
    md swapped = either(less(of_b, of_a), both(equal(of_a, of_b), less(widest, zero)));
    for (int i = 0; i < 3; i++) {
        swap(swapped, &a->center[i], &b->center[i]);
        swap(swapped, &a->half[i], &b->half[i]);
    }
    for (int i = 0; i < 4; i++) {
        swap(swapped, &a->q[i], &b->q[i]);
    }
    swap(swapped, &a->radius, &b->radius);
    return swapped;
}

void ABUT_KERNEL(abut_np_round_segments)(const abut_np_round_job *job) {
    for (size_t first = 0; first < job->pairs.n; first += LANES) {
        lane_round r;
        lane_shape a, b;
        lane_segments g;
        lane_limits limits;
        vd sine2;
        begin_round(job, first, &r);
        load_round(job, &r, &a, &b);
        md swapped = put_in_order(&a, &b);
        for (int i = 0; i < 3; i++) {
            g.apart[i] = minus(b.center[i], a.center[i]);
        }
        set_limits(&a, &b, g.apart, (double)job->margin, &limits);
        set_segments(&a, &b, &g);
        const lane_closest best = closest_of_segments(&g, &sine2);
        md touching = at_most(best.square, times(limits.limit, limits.limit));
        md cores = at_most(best.square, times(limits.nearest, limits.nearest));
        write_verdicts(job, &r, touching, cores);
        uint32_t which = wanted(job, &r, touching, cores);
        if (which) {
            lane_contact c = no_contact(false);
            set_contact(job, &a, &b, &g, &limits, &best, sine2, &c);
            for (int i = 0; i < 3; i++) {
                c.normal[i] = choose(swapped, negated(c.normal[i]), c.normal[i]);
            }
            c.swapped = bits_of(swapped);
            write_contacts(job, &r, &c, which);
        }
    }
    abut_lanes_done();
}
