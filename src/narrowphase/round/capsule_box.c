/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: a capsule and a box. In the frame of the box the capsule's segment
 * is c + s e, -1 <= s <= 1, and the squared distance to the box is the sum of the squares by which each coordinate
 * exceeds the box: a convex function of s, a parabola between the at most six values of s where the segment enters or
 * leaves one of the slabs of the box. Its derivative there shows between which two the least distance lies. The
 * function is also compared at all of these, so that an error in the sign of a tiny derivative does no harm. */
#include "narrowphase/round/contact.inc"

/* The cosine and the squared sine of 2 degrees: a capsule that is parallel to a face to within this lies on it. */
static const double COSINE = 0x1.ffb0278bf0567p-1, SINE2 = 0x1.3f48e8f00098cp-10;

/* The segment of the capsule in the frame of the box. */
typedef struct lane_segment {
    vd c[3], e[3], half[3]; /* half: of the box */
    vd cut[3][2];           /* where it crosses the planes at -half and half of each axis, in order; any s */
    md along[3];            /* it is parallel to both */
} lane_segment;

/* A point of the segment: its excess over the box, the squared distance and half of its derivative. */
typedef struct lane_point {
    vd s, excess[3], square, slope;
} lane_point;

/* The search for the least distance: the interval in which the slope changes its sign, and the best point so far. */
typedef struct lane_search {
    vd low, low_slope, high, high_slope;
    lane_point best;
} lane_search;

static ABUT_INLINE void set_segment(const lane_shape *capsule, const lane_shape *box, const vd apart[3], vd m[3][3],
                                    lane_segment *g) {
    vd along[3];
    rotate(capsule->q, squared_norm4(capsule->q), capsule->half, along);
    for (int j = 0; j < 3; j++) {
        const vd axis[3] = {m[0][j], m[1][j], m[2][j]};
        g->c[j] = dot(axis, apart);
        g->e[j] = dot(axis, along);
        g->half[j] = box->half[j];
        g->along[j] = equal(g->e[j], constant(0));
        vd over = quotient(constant(1), choose(g->along[j], constant(1), g->e[j]));
        vd p = times(minus(negated(g->half[j]), g->c[j]), over), q = times(minus(g->half[j], g->c[j]), over);
        g->cut[j][0] = smaller(p, q);
        g->cut[j][1] = larger(p, q);
    }
}

/* axis: at s the segment crosses a plane of this axis where `exact`, so its excess there is 0; or -1. */
static ABUT_INLINE lane_point point_at(const lane_segment *g, vd s, int axis, md exact) {
    lane_point p = {.s = s};
    vd zero = constant(0);
    for (int j = 0; j < 3; j++) {
        vd x = sum(g->c[j], times(s, g->e[j]));
        vd excess = minus(x, clamp(x, g->half[j]));
        p.excess[j] = j == axis ? choose(exact, zero, excess) : excess;
    }
    p.square = dot(p.excess, p.excess);
    p.slope = dot(p.excess, g->e);
    return p;
}

static ABUT_INLINE void keep_nearer(lane_point *best, const lane_point *other, md where) {
    md nearer = both(where, less(other->square, best->square));
    best->s = choose(nearer, other->s, best->s);
    best->square = choose(nearer, other->square, best->square);
    for (int j = 0; j < 3; j++) {
        best->excess[j] = choose(nearer, other->excess[j], best->excess[j]);
    }
}

/* The plane of an axis that is crossed at `cut`, if it is crossed between the ends of the segment. */
static ABUT_INLINE void visit_cut(const lane_segment *g, int axis, vd cut, lane_search *search) {
    md inside = but_not(in_range(cut, -1, 1), g->along[axis]);
    if (!bits_of(inside)) {
        return;
    }
    const lane_point p = point_at(g, choose(inside, cut, constant(0)), axis, inside);
    md falls = both(inside, less(p.slope, constant(0)));
    md lower = both(falls, less(search->low, p.s)), higher = both(but_not(inside, falls), less(p.s, search->high));
    search->low = choose(lower, p.s, search->low);
    search->low_slope = choose(lower, p.slope, search->low_slope);
    search->high = choose(higher, p.s, search->high);
    search->high_slope = choose(higher, p.slope, search->high_slope);
    keep_nearer(&search->best, &p, inside);
}

/* The point of the segment that is nearest to the box. */
static ABUT_INLINE lane_point nearest_point(const lane_segment *g) {
    vd zero = constant(0), one = constant(1);
    md none = less(zero, zero), all = equal(zero, zero);
    const lane_point end = point_at(g, one, -1, none);
    lane_search search = {.best = point_at(g, constant(-1), -1, none)};
    search.low = constant(-1), search.low_slope = search.best.slope;
    search.high = one, search.high_slope = end.slope;
    keep_nearer(&search.best, &end, all);
    for (int j = 0; j < 3; j++) {
        visit_cut(g, j, g->cut[j][0], &search);
        visit_cut(g, j, g->cut[j][1], &search);
    }
    md between = both(less(search.low_slope, zero), at_most(zero, search.high_slope));
    vd rise = minus(search.high_slope, search.low_slope);
    vd share = quotient(negated(search.low_slope), choose(between, rise, one));
    vd s = sum(search.low, times(minus(search.high, search.low), share));
    s = choose(between, clamp(s, one), search.best.s);
    const lane_point p = point_at(g, s, -1, none);
    keep_nearer(&search.best, &p, between);
    return search.best;
}

/* The part of the segment that lies over a face of the box, if it is parallel to it within 2 degrees and the face looks
 * along the way to it. */
typedef struct lane_stretch {
    vd s[2], feature[2], s_feature[2];
    md valid;
} lane_stretch;

/* Narrows the stretch by the two planes of axis j beside the face of axis k. Ends of the segment up to `near` beside a
 * plane are kept. The feature of the box where it is cut is an edge of the face. */
static ABUT_INLINE void cut_stretch(const lane_segment *g, int j, vd near, const vd edge[2], md where,
                                    lane_stretch *out) {
    md beside = both(g->along[j], less(g->half[j], absolute(g->c[j])));
    md up = less(constant(0), g->e[j]);
    md crossed = but_not(where, g->along[j]);
    md low = both(crossed, less(sum(out->s[0], near), g->cut[j][0]));
    md high = both(crossed, less(g->cut[j][1], minus(out->s[1], near)));
    out->s[0] = choose(low, g->cut[j][0], out->s[0]);
    out->s[1] = choose(high, g->cut[j][1], out->s[1]);
    out->s_feature[0] = choose(low, constant(0), out->s_feature[0]);
    out->s_feature[1] = choose(high, constant(0), out->s_feature[1]);
    out->feature[0] = choose(low, choose(up, edge[0], edge[1]), out->feature[0]);
    out->feature[1] = choose(high, choose(up, edge[1], edge[0]), out->feature[1]);
    out->valid = but_not(out->valid, both(where, beside));
}

/* over: the face's axis in each lane; up: the face at its positive end. */
static ABUT_INLINE void set_stretch(const lane_segment *g, const md over[3], md up, md valid, vd near,
                                    lane_stretch *out) {
    vd one = constant(1), zero = constant(0), end = choose(up, one, zero);
    *out = (lane_stretch){.s = {constant(-1), one}, .s_feature = {constant(-1), one}, .valid = valid};
    for (int k = 0; k < 3; k++) {
        vd face = sum(constant(20 + 2 * k), end);
        out->feature[0] = choose(over[k], face, out->feature[0]);
        out->feature[1] = choose(over[k], face, out->feature[1]);
    }
    for (int k = 0; k < 3; k++) {
        int j = (k + 1) % 3, l = (k + 2) % 3; /* edges along l lie at the ends of k (as its second) and j ... */
        const vd along_l[2] = {sum(constant(8 + 4 * l), end), sum(constant(10 + 4 * l), end)};
        const vd along_j[2] = {sum(constant(8 + 4 * j), sum(end, end)), sum(constant(9 + 4 * j), sum(end, end))};
        cut_stretch(g, j, near, along_l, over[k], out);
        cut_stretch(g, l, near, along_j, over[k], out);
    }
}

static ABUT_INLINE vd of_axis(const md over[3], const vd x[3]) {
    return choose(over[2], x[2], choose(over[1], x[1], x[0]));
}

/* Everything in the frame of the box; out: the unit vector from the box to the capsule. */
typedef struct lane_result {
    vd p[2][3], q[2][3], distance[2], out[3];
    vd feature_first[2], feature_second[2];
    md two;
} lane_result;

/* The two ends of the stretch: points of the segment, and of the face below them. */
static ABUT_INLINE void two_points(const lane_shape *capsule, const lane_segment *g, const lane_limits *limits,
                                   const lane_point *nearest, lane_result *r) {
    vd zero = constant(0), largest = larger(larger(absolute(r->out[0]), absolute(r->out[1])), absolute(r->out[2]));
    md is0 = equal(absolute(r->out[0]), largest), is1 = but_not(equal(absolute(r->out[1]), largest), is0);
    const md over[3] = {is0, is1, but_not(but_not(equal(zero, zero), is0), is1)};
    vd ee = dot(g->e, g->e), rise = of_axis(over, g->e), length = root(ee);
    md up = less(zero, of_axis(over, r->out));
    vd sizes = sum3(g->half[0], g->half[1], g->half[2]);
    vd tolerance = times(smaller(length, sizes), constant(ABUT_NP_RESTING));
    md valid = both(at_most(constant(COSINE), largest), at_most(times(rise, rise), times(ee, constant(SINE2))));
    lane_stretch stretch;
    set_stretch(g, over, up, valid, quotient(tolerance, length), &stretch);
    valid = both(stretch.valid, less(tolerance, times(minus(stretch.s[1], stretch.s[0]), length)));
    vd height[2], p[2][3], q[2][3];
    for (int i = 0; i < 2; i++) {
        height[i] = zero;
        for (int j = 0; j < 3; j++) {
            vd face = positive_where(up, g->half[j]);
            p[i][j] = sum(g->c[j], times(stretch.s[i], g->e[j]));
            q[i][j] = choose(over[j], face, clamp(p[i][j], g->half[j]));
            height[i] = choose(over[j], minus(p[i][j], face), height[i]);
        }
        height[i] = absolute(height[i]);
        valid = both(valid, at_most(height[i], limits->limit));
    }
    /* Where the normal is not that of the face, the closest points are beside one of the ends, and stand for it. */
    md tilted = less(largest, constant(1 - 0x1p-40));
    vd to_first = absolute(minus(nearest->s, stretch.s[0])), to_second = absolute(minus(stretch.s[1], nearest->s));
    const md closest[2] = {both(tilted, at_most(to_first, to_second)), both(tilted, less(to_second, to_first))};
    for (int i = 0; i < 2; i++) {
        md here = but_not(valid, closest[i]);
        r->distance[i] = choose(here, height[i], r->distance[i]);
        r->feature_first[i] = choose(valid, segment_feature(capsule->half, stretch.s_feature[i]), r->feature_first[i]);
        r->feature_second[i] = choose(valid, stretch.feature[i], r->feature_second[i]);
        for (int j = 0; j < 3; j++) {
            r->p[i][j] = choose(here, p[i][j], r->p[i][j]);
            r->q[i][j] = choose(here, q[i][j], r->q[i][j]);
        }
    }
    r->two = valid;
}

static ABUT_INLINE void set_contact(const abut_np_round_job *job, const lane_shape *capsule, const lane_shape *box,
                                    const lane_segment *g, vd m[3][3], const lane_limits *limits,
                                    const lane_point *nearest, lane_contact *c) {
    lane_result r;
    vd distance = root(nearest->square), zero = constant(0);
    vd over = quotient(constant(1), choose(less(zero, distance), distance, constant(1)));
    for (int j = 0; j < 3; j++) {
        r.out[j] = times(nearest->excess[j], over);
        r.p[0][j] = r.p[1][j] = sum(g->c[j], times(nearest->s, g->e[j]));
        r.q[0][j] = r.q[1][j] = minus(r.p[0][j], nearest->excess[j]);
    }
    r.distance[0] = r.distance[1] = distance;
    r.feature_first[0] = r.feature_first[1] = segment_feature(capsule->half, nearest->s);
    r.feature_second[0] = r.feature_second[1] = box_feature(nearest->excess);
    two_points(capsule, g, limits, nearest, &r);
    for (int i = 0; i < 3; i++) {
        const vd row[3] = {m[i][0], m[i][1], m[i][2]};
        c->normal[i] = negated(dot(row, r.out));
    }
    for (int k = 0; k < 2; k++) {
        vd p[3], q[3];
        for (int i = 0; i < 3; i++) {
            const vd row[3] = {m[i][0], m[i][1], m[i][2]};
            p[i] = sum(box->center[i], dot(row, r.p[k]));
            q[i] = sum(box->center[i], dot(row, r.q[k]));
        }
        midway(p, capsule->radius, q, box->radius, c->normal, c->position[k]);
        c->separation[k] = separation_of(r.distance[k], limits, (double)job->margin);
        c->feature_first[k] = r.feature_first[k];
        c->feature_second[k] = r.feature_second[k];
    }
    c->two = r.two;
}

void ABUT_KERNEL(abut_np_round_capsule_box)(const abut_np_round_job *job) {
    for (size_t first = 0; first < job->pairs.n; first += LANES) {
        lane_round r;
        lane_shape a, b;
        lane_segment g;
        lane_limits limits;
        lane_contact c;
        vd m[3][3];
        begin_round(job, first, &r);
        load_round(job, &r, &a, &b);
        const vd apart[3] = {minus(a.center[0], b.center[0]), minus(a.center[1], b.center[1]),
                             minus(a.center[2], b.center[2])};
        set_limits(&a, &b, apart, (double)job->margin, &limits);
        rotation_matrix(b.q, squared_norm4(b.q), m);
        set_segment(&a, &b, apart, m, &g);
        const lane_point nearest = nearest_point(&g);
        md touching = at_most(nearest.square, times(limits.limit, limits.limit));
        md cores = at_most(nearest.square, times(limits.nearest, limits.nearest));
        if (job->to.first && bits_of(but_not(touching, cores))) {
            set_contact(job, &a, &b, &g, m, &limits, &nearest, &c);
        }
        end_round(job, &r, &c, touching, cores);
    }
    abut_lanes_done();
}
