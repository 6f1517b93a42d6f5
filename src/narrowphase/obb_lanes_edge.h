/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The contact of two edges in each lane. Part of a kernel. */
#ifndef ABUT_NARROWPHASE_OBB_LANES_EDGE_H
#define ABUT_NARROWPHASE_OBB_LANES_EDGE_H

#include "narrowphase/obb_lanes_axis.h"

typedef struct lane_edge_contact {
    abut_vd normal[3], middle[3]; /* in the world */
    abut_vd feature_a, feature_b; /* as feature.h numbers edges */
} lane_edge_contact;

static inline abut_vd edge_feature(lane_axis axis, abut_md first, abut_md second) {
    abut_vd zero = abut_vd_set(0), place = choose(first, abut_vd_set(1), zero);
    place = add(place, choose(second, abut_vd_set(2), zero));
    return add(add(abut_vd_set(8), mul(abut_vd_set(4), axis_number(axis))), place);
}

/* Halfway between the points where two edges, given by their middles p and q and directions e_0 and d, come closest.
 * One edge's point is clamped to its ends before the other edge's point nearest to it is looked for, and once back. */
static inline void midway(const abut_vd p[3], abut_vd half_p, const abut_vd q[3], const abut_vd d[3], abut_vd half_q,
                          abut_vd out[3]) {
    const abut_vd w[3] = {sub(q[0], p[0]), sub(q[1], p[1]), sub(q[2], p[2])};
    abut_vd along = dot(w, d), cosine = d[0], sine2 = add(mul(d[1], d[1]), mul(d[2], d[2]));
    abut_vd on_p = clamp(abut_vd_div(sub(w[0], mul(cosine, along)), sine2), half_p);
    abut_vd on_q = clamp(sub(mul(cosine, on_p), along), half_q);
    on_p = clamp(add(w[0], mul(cosine, on_q)), half_p);
    for (int i = 0; i < 3; i++) {
        abut_vd sum = add(add(p[i], q[i]), mul(on_q, d[i]));
        out[i] = mul(i == 0 ? add(sum, on_p) : sum, abut_vd_set(0.5));
    }
}

/* All axes are counted from the two edges' own. */
static inline void edge_contact(const lane_pair *pair, const lane_edges *edges, lane_edge_contact *out) {
    abut_vd rows[3][3], r[3][3], t[3], a[3], b[3];
    for (int j = 0; j < 3; j++) {
        const abut_vd column[3] = {pair->r[0][j], pair->r[1][j], pair->r[2][j]};
        abut_vd turned[3];
        turn(edges->i, column, turned);
        rows[0][j] = turned[0], rows[1][j] = turned[1], rows[2][j] = turned[2];
    }
    for (int i = 0; i < 3; i++) {
        turn(edges->j, rows[i], r[i]);
    }
    turn(edges->i, pair->t, t);
    turn(edges->i, pair->a.half, a);
    turn(edges->j, pair->b.half, b);
    abut_vd zero = abut_vd_set(0), length2 = add(mul(r[1][0], r[1][0]), mul(r[2][0], r[2][0]));
    abut_vd over_length = abut_vd_div(abut_vd_set(1), abut_vd_sqrt(length2));
    abut_md back = abut_vd_lt(sub(mul(t[2], r[1][0]), mul(t[1], r[2][0])), zero);
    abut_vd scale = positive_where(back, abut_vd_neg(over_length));
    const abut_vd n[3] = {zero, abut_vd_neg(mul(scale, r[2][0])), mul(scale, r[1][0])};
    abut_md on_a[3] = {nothing()}, on_b[3] = {nothing()};
    abut_vd p[3] = {zero}, q[3] = {t[0], t[1], t[2]};
    for (int m = 1; m < 3; m++) {
        on_a[m] = abut_vd_lt(zero, n[m]);
        on_b[m] = abut_vd_lt(add(mul(n[1], r[1][m]), mul(n[2], r[2][m])), zero);
        p[m] = positive_where(on_a[m], a[m]);
        abut_vd step = positive_where(on_b[m], b[m]);
        for (int i = 0; i < 3; i++) {
            q[i] = add(q[i], mul(step, r[i][m]));
        }
    }
    const abut_vd d[3] = {r[0][0], r[1][0], r[2][0]};
    abut_vd middle[3];
    midway(p, a[0], q, d, b[0], middle);
    lane_frame frame;
    turned_frame(pair->axes_a, pair->a.center, edges->i, &frame);
    place_point(&frame, middle, out->middle);
    for (int i = 0; i < 3; i++) {
        out->normal[i] = dot(frame.axes[i], n);
    }
    out->feature_a = edge_feature(edges->i, on_a[1], on_a[2]);
    out->feature_b = edge_feature(edges->j, on_b[1], on_b[2]);
}

#endif
