/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The contact of two edges in each lane. Part of a kernel. */
#ifndef ABUT_NARROWPHASE_BOX_LANES_EDGE_H
#define ABUT_NARROWPHASE_BOX_LANES_EDGE_H

#include "narrowphase/box/lanes_axis.h"

typedef struct lane_edge_contact {
    lanes normal[3], middle[3]; /* in the world */
    lanes feature_a, feature_b; /* as feature.h numbers edges */
} lane_edge_contact;

static inline lanes edge_feature(lane_axis axis, abut_md first, abut_md second) {
    lanes zero = constant(0), place = choose(first, constant(1), zero);
    place = sum(place, choose(second, constant(2), zero));
    return sum(sum(constant(8), times(constant(4), axis_number(axis))), place);
}

/* Halfway between the points where two edges, given by their middles p and q and directions e_0 and d, come closest.
 * One edge's point is clamped to its ends before the other edge's point nearest to it is looked for, and once back. */
static inline void midway(const lanes p[3], lanes half_p, const lanes q[3], const lanes d[3], lanes half_q,
                          lanes over_sine, lanes out[3]) {
    const lanes w[3] = {minus(q[0], p[0]), minus(q[1], p[1]), minus(q[2], p[2])};
    lanes along = product(w, d), cosine = d[0];
    lanes on_p = clamp(times(minus(w[0], times(cosine, along)), times(over_sine, over_sine)), half_p);
    lanes on_q = clamp(minus(times(cosine, on_p), along), half_q);
    on_p = clamp(sum(w[0], times(cosine, on_q)), half_p);
    for (int i = 0; i < 3; i++) {
        lanes both = sum(sum(p[i], q[i]), times(on_q, d[i]));
        out[i] = times(i == 0 ? sum(both, on_p) : both, constant(0.5));
    }
}

/* All axes are counted from the two edges' own. */
static inline void edge_contact(const lane_pair *pair, const lane_edges *edges, lane_edge_contact *out) {
    lanes axes[3][3], rows[3][3], r[3][3], t[3], a[3], b[3];
    for (int j = 0; j < 3; j++) {
        const lanes column[3] = {pair->seen.r[0][j], pair->seen.r[1][j], pair->seen.r[2][j]};
        lanes turned[3];
        turn(edges->i, column, turned);
        rows[0][j] = turned[0], rows[1][j] = turned[1], rows[2][j] = turned[2];
    }
    for (int i = 0; i < 3; i++) {
        turn(edges->j, rows[i], r[i]);
    }
    turn(edges->i, pair->seen.t, t);
    turn(edges->i, pair->a.half, a);
    turn(edges->j, pair->b.half, b);
    lanes zero = constant(0);
    abut_md back = abut_vd_lt(minus(times(t[2], r[1][0]), times(t[1], r[2][0])), zero);
    lanes scale = positive_where(back, abut_vd_neg(edges->over_sine));
    const lanes n[3] = {zero, abut_vd_neg(times(scale, r[2][0])), times(scale, r[1][0])};
    abut_md on_a[3] = {nothing()}, on_b[3] = {nothing()};
    lanes p[3] = {zero}, q[3] = {t[0], t[1], t[2]};
    for (int m = 1; m < 3; m++) {
        on_a[m] = abut_vd_lt(zero, n[m]);
        on_b[m] = abut_vd_lt(sum(times(n[1], r[1][m]), times(n[2], r[2][m])), zero);
        p[m] = positive_where(on_a[m], a[m]);
        lanes step = positive_where(on_b[m], b[m]);
        for (int i = 0; i < 3; i++) {
            q[i] = sum(q[i], times(step, r[i][m]));
        }
    }
    const lanes d[3] = {r[0][0], r[1][0], r[2][0]};
    lanes middle[3];
    midway(p, a[0], q, d, b[0], edges->over_sine, middle);
    lane_frame frame;
    world_axes(pair->a.q, pair->seen.n_a, axes);
    turned_frame(axes, pair->a.center, edges->i, &frame);
    place_point(&frame, middle, out->middle);
    for (int i = 0; i < 3; i++) {
        out->normal[i] = product(frame.axes[i], n);
    }
    out->feature_a = edge_feature(edges->i, on_a[1], on_a[2]);
    out->feature_b = edge_feature(edges->j, on_b[1], on_b[2]);
}

#endif
