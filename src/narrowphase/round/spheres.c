/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: two spheres, and a sphere and a box. */
#include "narrowphase/round/contact.inc"

void ABUT_KERNEL(abut_np_round_spheres)(const abut_np_round_job *job) {
    for (size_t first = 0; first < job->pairs.n; first += LANES) {
        lane_round r;
        lane_shape a, b;
        lane_limits limits;
        lane_contact c;
        begin_round(job, first, &r);
        load_round(job, &r, &a, &b);
        const vd apart[3] = {minus(b.center[0], a.center[0]), minus(b.center[1], a.center[1]),
                             minus(b.center[2], a.center[2])};
        vd zero = constant(0), distance = root(dot(apart, apart));
        set_limits(&a, &b, apart, (double)job->margin, &limits);
        md touching = at_most(distance, limits.limit), none = less(zero, zero);
        md same = equal(distance, zero);
        vd over = quotient(constant(1), choose(same, constant(1), distance));
        for (int i = 0; i < 3; i++) {
            c.normal[i] = times(apart[i], over);
            c.position[1][i] = zero;
        }
        midway(a.center, a.radius, b.center, b.radius, c.normal, c.position[0]);
        c.normal[1] = choose(same, constant(1), c.normal[1]); /* whichever sphere is the first */
        c.separation[0] = separation_of(distance, &limits, (double)job->margin);
        c.separation[1] = c.feature_first[0] = c.feature_first[1] = c.feature_second[0] = c.feature_second[1] = zero;
        c.two = none;
        end_round(job, &r, &c, touching, none);
    }
    abut_lanes_done();
}

/* A frame, in each lane: column j of m is where axis j points. */
static ABUT_INLINE void into_frame(vd m[3][3], const vd v[3], vd out[3]) {
    for (int j = 0; j < 3; j++) {
        const vd axis[3] = {m[0][j], m[1][j], m[2][j]};
        out[j] = dot(axis, v);
    }
}

/* The sphere's centre x, in the frame of the box, is in the box, or too near for a direction: the nearest face. */
static ABUT_INLINE void nearest_face(const lane_shape *box, const vd x[3], vd out[3], vd *depth, vd *face) {
    vd zero = constant(0), one = constant(1);
    *depth = minus(box->half[0], absolute(x[0]));
    md is_one = less(minus(box->half[1], absolute(x[1])), *depth);
    *depth = choose(is_one, minus(box->half[1], absolute(x[1])), *depth);
    md is_two = less(minus(box->half[2], absolute(x[2])), *depth);
    *depth = choose(is_two, minus(box->half[2], absolute(x[2])), *depth);
    const md is[3] = {but_not(equal(zero, zero), either(is_one, is_two)), but_not(is_one, is_two), is_two};
    *face = zero;
    for (int i = 0; i < 3; i++) {
        md up = less(zero, x[i]);
        out[i] = choose(is[i], positive_where(up, one), zero);
        *face = choose(is[i], sum(constant(20 + 2 * i), choose(up, one, zero)), *face);
    }
}

/* The contact of sphere a, whose centre is x in the frame of the box, and box b. Returns where they touch. */
static ABUT_INLINE md contact_of(const abut_np_round_job *job, const lane_shape *a, const lane_shape *b, vd m[3][3],
                                 const vd x[3], const lane_limits *limits, lane_contact *c) {
    vd excess[3], on_box[3], out[3], face_out[3], depth, face, zero = constant(0);
    for (int i = 0; i < 3; i++) {
        on_box[i] = clamp(x[i], b->half[i]);
        excess[i] = minus(x[i], on_box[i]);
    }
    vd distance = root(dot(excess, excess));
    md inside = at_most(distance, limits->nearest);
    vd over = quotient(constant(1), choose(inside, constant(1), distance));
    nearest_face(b, x, face_out, &depth, &face);
    for (int i = 0; i < 3; i++) {
        out[i] = choose(inside, face_out[i], times(excess[i], over));
        vd to_face = times(face_out[i], depth);
        on_box[i] = choose(inside, sum(x[i], to_face), on_box[i]);
    }
    distance = choose(inside, negated(depth), distance);
    vd core[3];
    for (int i = 0; i < 3; i++) {
        const vd row[3] = {m[i][0], m[i][1], m[i][2]};
        c->normal[i] = negated(dot(row, out));
        core[i] = sum(b->center[i], dot(row, on_box));
        c->position[1][i] = zero;
    }
    midway(a->center, a->radius, core, b->radius, c->normal, c->position[0]);
    c->separation[0] = separation_of(distance, limits, (double)job->margin);
    c->feature_first[0] = c->feature_first[1] = c->feature_second[1] = c->separation[1] = zero;
    c->feature_second[0] = choose(inside, face, box_feature(excess));
    c->two = less(zero, zero);
    return at_most(distance, limits->limit);
}

void ABUT_KERNEL(abut_np_round_sphere_box)(const abut_np_round_job *job) {
    for (size_t first = 0; first < job->pairs.n; first += LANES) {
        lane_round r;
        lane_shape a, b;
        lane_limits limits;
        lane_contact c;
        vd m[3][3], x[3];
        begin_round(job, first, &r);
        load_round(job, &r, &a, &b);
        const vd apart[3] = {minus(a.center[0], b.center[0]), minus(a.center[1], b.center[1]),
                             minus(a.center[2], b.center[2])};
        set_limits(&a, &b, apart, (double)job->margin, &limits);
        rotation_matrix(b.q, squared_norm4(b.q), m);
        into_frame(m, apart, x);
        md touching = contact_of(job, &a, &b, m, x, &limits, &c);
        end_round(job, &r, &c, touching, c.two);
    }
    abut_lanes_done();
}
