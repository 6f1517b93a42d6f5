/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: two spheres, and a sphere and a box. */
#include "narrowphase/round/contact.inc"

/* Only what a sphere has is loaded. */
static ABUT_INLINE void load_spheres(const void *at, size_t stride, const uint32_t *index, vd center[3], vd *radius) {
    const float *first = at;
    vd c[4], h[4];
    abut_vd_load4(first, stride, index, c);
    abut_vd_load4(first + 7, stride, index, h);
    center[0] = c[0], center[1] = c[1], center[2] = c[2];
    *radius = h[3];
}

/* As set_limits, without half extents. */
static ABUT_INLINE void set_sphere_limits(vd radii, const vd apart[3], double margin, lane_limits *out) {
    vd slack = times(sum(norm1(apart), radii), constant(ABUT_NP_ROUND_SLACK));
    out->radii = radii;
    out->overlap = sum(radii, slack);
    out->limit = sum(sum(radii, constant(margin)), slack);
    out->nearest = constant(0);
}

void ABUT_KERNEL(abut_np_round_spheres)(const abut_np_round_job *job) {
    for (size_t first = 0; first < job->pairs.n; first += LANES) {
        lane_round r;
        lane_limits limits;
        vd a[3], b[3], radius_a, radius_b, zero = constant(0);
        begin_round(job, first, &r);
        load_spheres(job->pairs.a, job->pairs.stride_a, r.a, a, &radius_a);
        load_spheres(job->pairs.b, job->pairs.stride_b, r.b, b, &radius_b);
        const vd apart[3] = {minus(b[0], a[0]), minus(b[1], a[1]), minus(b[2], a[2])};
        vd distance = root(dot(apart, apart));
        set_sphere_limits(sum(radius_a, radius_b), apart, (double)job->margin, &limits);
        md touching = at_most(distance, limits.limit), none = less(zero, zero);
        write_verdicts(job, &r, touching, none);
        uint32_t which = wanted(job, &r, touching, none);
        if (which) {
            lane_contact c = no_contact(false);
            md same = equal(distance, zero);
            vd over = quotient(constant(1), choose(same, constant(1), distance));
            for (int i = 0; i < 3; i++) {
                c.normal[i] = times(apart[i], over);
            }
            midway(a, radius_a, b, radius_b, c.normal, c.position[0]);
            c.normal[1] = choose(same, constant(1), c.normal[1]); /* whichever sphere is the first */
            c.separation[0] = separation_of(distance, &limits, (double)job->margin);
            write_contacts(job, &r, &c, which);
        }
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

/* Where the centre of the sphere is related to the box, in the box's frame. */
typedef struct lane_place {
    vd excess[3]; /* of the sphere's centre over the box */
    vd on_box[3]; /* the nearest point of the box */
    vd out[3];    /* unit, from the box to the sphere */
    vd distance;  /* negative inside */
} lane_place;

/* Lanes in which the centre x is in the box, or too near to it for a direction: the nearest face counts. */
static ABUT_INLINE void use_nearest_face(const lane_shape *box, const vd x[3], md inside, lane_place *p) {
    vd zero = constant(0), one = constant(1), depth[3];
    for (int i = 0; i < 3; i++) {
        depth[i] = minus(box->half[i], absolute(x[i]));
    }
    md is_one = less(depth[1], depth[0]);
    vd least = choose(is_one, depth[1], depth[0]);
    md is_two = less(depth[2], least);
    least = choose(is_two, depth[2], least);
    const md is[3] = {but_not(inside, either(is_one, is_two)), both(inside, but_not(is_one, is_two)),
                      both(inside, is_two)};
    for (int i = 0; i < 3; i++) {
        vd out = choose(is[i], positive_where(less(zero, x[i]), one), zero);
        p->out[i] = choose(inside, out, p->out[i]);
        p->on_box[i] = choose(inside, sum(x[i], times(out, least)), p->on_box[i]);
        p->excess[i] = choose(inside, out, p->excess[i]);
    }
    p->distance = choose(inside, negated(least), p->distance);
}

static ABUT_INLINE void set_contact(const abut_np_round_job *job, const lane_shape *a, const lane_shape *b, vd m[3][3],
                                    const vd x[3], const lane_limits *limits, lane_place *p, lane_contact *c) {
    vd zero = constant(0), core[3];
    md inside = at_most(p->distance, limits->nearest);
    vd over = quotient(constant(1), choose(inside, constant(1), p->distance));
    for (int i = 0; i < 3; i++) {
        p->out[i] = times(p->excess[i], over);
    }
    if (bits_of(inside)) {
        use_nearest_face(b, x, inside, p);
    }
    for (int i = 0; i < 3; i++) {
        const vd row[3] = {m[i][0], m[i][1], m[i][2]};
        c->normal[i] = negated(dot(row, p->out));
        core[i] = sum(b->center[i], dot(row, p->on_box));
    }
    midway(a->center, a->radius, core, b->radius, c->normal, c->position[0]);
    md same = both(equal(norm1(x), zero), equal(norm1(b->half), zero)); /* two centres, as in the kernel above */
    for (int i = 0; i < 3; i++) {
        c->position[0][i] = choose(same, a->center[i], c->position[0][i]);
    }
    c->normal[0] = choose(same, zero, c->normal[0]);
    c->normal[1] = choose(same, constant(job->flip ? -1 : 1), c->normal[1]);
    c->normal[2] = choose(same, zero, c->normal[2]);
    c->separation[0] = separation_of(p->distance, limits, (double)job->margin);
    c->code_second[0] = box_code(p->excess);
}

void ABUT_KERNEL(abut_np_round_sphere_box)(const abut_np_round_job *job) {
    for (size_t first = 0; first < job->pairs.n; first += LANES) {
        lane_round r;
        lane_shape a, b;
        lane_limits limits;
        lane_place p;
        vd m[3][3], x[3];
        begin_round(job, first, &r);
        load_round(job, &r, &a, &b);
        const vd apart[3] = {minus(a.center[0], b.center[0]), minus(a.center[1], b.center[1]),
                             minus(a.center[2], b.center[2])};
        set_limits(&a, &b, apart, (double)job->margin, &limits);
        rotation_matrix(b.q, squared_norm4(b.q), m);
        into_frame(m, apart, x);
        for (int i = 0; i < 3; i++) {
            p.on_box[i] = clamp(x[i], b.half[i]);
            p.excess[i] = minus(x[i], p.on_box[i]);
        }
        p.distance = root(dot(p.excess, p.excess));
        md touching = at_most(p.distance, limits.limit), none = less(limits.limit, limits.limit);
        write_verdicts(job, &r, touching, none);
        uint32_t which = wanted(job, &r, touching, none);
        if (which) {
            lane_contact c = no_contact(true);
            set_contact(job, &a, &b, m, x, &limits, &p, &c);
            write_contacts(job, &r, &c, which);
        }
    }
    abut_lanes_done();
}
