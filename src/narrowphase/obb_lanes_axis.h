/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The axis of least depth, or widest gap, in each lane. Part of a kernel. */
#ifndef ABUT_NARROWPHASE_OBB_LANES_AXIS_H
#define ABUT_NARROWPHASE_OBB_LANES_AXIS_H

#include "narrowphase/obb_lanes.h"

/* Edges closer to parallel than this (the sine) name no axis: where the boxes overlap, a face is then within 1.5 times
 * this times S of the least depth. */
static const double PARALLEL = 1e-7;

/* NOISE times S covers the rounding of a face's separation in double, EDGE_NOISE times S over the sine that of an edge
 * pair's. */
static const double NOISE = 1e-12, EDGE_NOISE = 0x1p-48;

/* The best face of one box. */
typedef struct lane_face {
    abut_vd separation;
    lane_axis axis;
} lane_face;

/* The best pair of edges, axis i of a and j of b; separation -INFINITY where all are parallel. */
typedef struct lane_edges {
    abut_vd separation, noise; /* noise: what rounding may have added or taken */
    lane_axis i, j;
} lane_edges;

static inline lane_face best_face_of_a(const lane_pair *p) {
    abut_vd s[3];
    lane_face best;
    for (int i = 0; i < 3; i++) {
        const abut_vd along[3] = {abut_vd_abs(p->r[i][0]), abut_vd_abs(p->r[i][1]), abut_vd_abs(p->r[i][2])};
        s[i] = sub(abut_vd_abs(p->t[i]), add(p->a.half[i], dot(along, p->b.half)));
    }
    best.axis = largest(s, &best.separation);
    return best;
}

static inline lane_face best_face_of_b(const lane_pair *p) {
    abut_vd s[3];
    lane_face best;
    for (int j = 0; j < 3; j++) {
        const abut_vd along[3] = {abut_vd_abs(p->r[0][j]), abut_vd_abs(p->r[1][j]), abut_vd_abs(p->r[2][j])};
        s[j] = sub(abut_vd_abs(p->back[j]), add(p->b.half[j], dot(along, p->a.half)));
    }
    best.axis = largest(s, &best.separation);
    return best;
}

/* Edges are judged by the worse end of what rounding leaves open. Both it and the separation have the sine as divisor,
 * so x / sine is compared as x |x| / sine^2, and that crosswise: no division, no root. */
static inline lane_edges best_edges(const lane_pair *p) {
    abut_vd doubt = mul(abut_vd_set(EDGE_NOISE), p->size), shortest = abut_vd_set(PARALLEL * PARALLEL);
    abut_vd best_x = abut_vd_set(-1), best_square = best_x, best_length2 = abut_vd_set(0), best = best_length2;
    for (int e = 0; e < 9; e++) {
        int i = e / 3, j = e % 3, k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
        abut_vd rk = p->r[k][j], rl = p->r[l][j], length2 = add(mul(rk, rk), mul(rl, rl));
        abut_vd reach_a = add(mul(p->a.half[k], abut_vd_abs(rl)), mul(p->a.half[l], abut_vd_abs(rk)));
        abut_vd reach_b =
            add(mul(p->b.half[m], abut_vd_abs(p->r[i][n])), mul(p->b.half[n], abut_vd_abs(p->r[i][m])));
        abut_vd centers = abut_vd_abs(sub(mul(p->t[l], rk), mul(p->t[k], rl)));
        abut_vd x = sub(sub(centers, add(reach_a, reach_b)), doubt), square = mul(x, abut_vd_abs(x));
        abut_md better = abut_md_and(abut_vd_le(shortest, length2),
                                     abut_vd_lt(mul(best_square, length2), mul(square, best_length2)));
        best_x = choose(better, x, best_x);
        best_square = choose(better, square, best_square);
        best_length2 = choose(better, length2, best_length2);
        best = choose(better, abut_vd_set(e), best);
    }
    lane_edges edges;
    abut_vd over_length = abut_vd_div(abut_vd_set(1), abut_vd_sqrt(best_length2));
    edges.separation = mul(add(best_x, doubt), over_length);
    edges.noise = mul(doubt, over_length);
    edges.i.two = abut_vd_le(abut_vd_set(6), best);
    edges.i.one = abut_md_and_not(abut_vd_le(abut_vd_set(3), best), edges.i.two);
    abut_vd j = sub(best, mul(abut_vd_set(3), axis_number(edges.i)));
    edges.j.one = abut_vd_eq(j, abut_vd_set(1));
    edges.j.two = abut_vd_eq(j, abut_vd_set(2));
    return edges;
}

#endif
