/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: a capsule and a box. In the frame of the box the capsule's segment
 * is c + s e, -1 <= s <= 1, and the squared distance to the box is the sum of the squares by which each coordinate
 * exceeds the box: a convex function of s, a parabola between the at most six values of s where the segment enters or
 * leaves one of the slabs of the box. Its derivative there shows between which two the least distance lies. The
 * function is also compared at all of these, so that an error in the sign of a tiny derivative does no harm. */
#include "narrowphase/round/capsule_box_contact.inc"

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

static ABUT_INLINE void set_contact(const abut_np_round_job *job, const lane_shape *capsule, const lane_shape *box,
                                    lane_segment *g, vd m[3][3], const lane_limits *limits, const lane_point *nearest,
                                    lane_contact *c) {
    lane_result r;
    md inside = at_most(nearest->square, times(limits->nearest, limits->nearest));
    outside_contact(g, limits, nearest, &r);
    if (bits_of(inside)) {
        inside_contact(g, limits, nearest, inside, &r);
    }
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
        c->code_first[k] = r.code_first[k];
        c->code_second[k] = r.code_second[k];
        if (k == 0 && !bits_of(r.two)) {
            break;
        }
    }
    c->two = r.two;
}

void ABUT_KERNEL(abut_np_round_capsule_box)(const abut_np_round_job *job) {
    for (size_t first = 0; first < job->pairs.n; first += LANES) {
        lane_round r;
        lane_shape a, b;
        lane_segment g;
        lane_limits limits;
        vd m[3][3];
        begin_round(job, first, &r);
        load_round(job, &r, &a, &b);
        const vd apart[3] = {minus(a.center[0], b.center[0]), minus(a.center[1], b.center[1]),
                             minus(a.center[2], b.center[2])};
        set_limits(&a, &b, apart, (double)job->margin, &limits);
        rotation_matrix(b.q, squared_norm4(b.q), m);
        set_segment(&a, &b, apart, m, &g);
        const lane_point nearest = nearest_point(&g);
        md touching = at_most(nearest.square, times(limits.limit, limits.limit)),
           none = less(limits.limit, limits.limit);
        write_verdicts(job, &r, touching, none);
        uint32_t which = wanted(job, &r, touching, none);
        if (which) {
            lane_contact c = no_contact(true);
            set_contact(job, &a, &b, &g, m, &limits, &nearest, &c);
            write_contacts(job, &r, &c, which);
        }
    }
    abut_lanes_done();
}
