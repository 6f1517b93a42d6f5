/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The axis of least depth, or widest gap, in each lane. Part of a kernel. */
#ifndef ABUT_NARROWPHASE_BOX_LANES_AXIS_H
#define ABUT_NARROWPHASE_BOX_LANES_AXIS_H

#include "narrowphase/box/lanes.h"

/* Edges closer to parallel than this (the sine) name no axis: where the boxes overlap, a face is then within 1.5 times
 * this times S of the least depth. */
static const double PARALLEL = 1e-7;

/* EDGE_NOISE times S over the sine covers the rounding of an edge pair's separation in double. */
static const double EDGE_NOISE = 0x1p-48;

/* The best face of one box. */
typedef struct lane_face {
    lanes separation;
    lane_axis axis;
} lane_face;

/* The best pair of edges, axis i of a and j of b; separation -INFINITY where all are parallel. */
typedef struct lane_edges {
    lanes separation, noise; /* noise: what rounding may have added or taken */
    lanes over_sine;         /* of the angle between them */
    lane_axis i, j;
} lane_edges;

/* All axes of one box lie along axes of the other, to within ALIGNED: then an axis of edges is one of faces, and its
 * separation that of a face to within 4 * ALIGNED * S, which is less than NOISE. */
static const double ALIGNED = 0x1p-48;

static ABUT_INLINE abut_md aligned(const lane_pair *p) {
    lanes off = constant(0), one = constant(1);
    for (int e = 0; e < 9; e++) {
        lanes along = p->seen.f[e / 3][e % 3];
        off = sum(off, abut_vd_min(along, minus(one, along)));
    }
    return abut_vd_le(off, constant(ALIGNED));
}

static ABUT_INLINE lane_edges no_edges(void) {
    lanes none = constant(-INFINITY), zero = constant(0);
    lane_axis first = {nothing(), nothing()};
    return (lane_edges){.separation = none, .noise = zero, .over_sine = zero, .i = first, .j = first};
}

/* Edges are judged by the worse end of what rounding leaves open. Both it and the separation have the sine as divisor,
 * so x / sine is compared as x |x| / sine^2, and that crosswise: no division, no root. */
static ABUT_INLINE lane_edges best_edges(const lane_pair *p) {
    lanes doubt = times(constant(EDGE_NOISE), p->seen.size), shortest = constant(PARALLEL * PARALLEL), gap[3][3];
    lanes best_x = constant(-1), best_square = best_x, best_length2 = constant(0), best = best_length2;
    edges(&p->seen, false, best, gap);
    for (int e = 0; e < 9; e++) {
        int i = e / 3, j = e % 3, k = (i + 1) % 3, l = (i + 2) % 3;
        lanes rk = p->seen.r[k][j], rl = p->seen.r[l][j], length2 = sum(times(rk, rk), times(rl, rl));
        lanes x = minus(gap[i][j], doubt), square = times(x, absolute(x));
        abut_md better = abut_md_and(abut_vd_le(shortest, length2),
                                     abut_vd_lt(times(best_square, length2), times(square, best_length2)));
        best_x = choose(better, x, best_x);
        best_square = choose(better, square, best_square);
        best_length2 = choose(better, length2, best_length2);
        best = choose(better, constant(e), best);
    }
    lane_edges found;
    found.over_sine = quotient(constant(1), root(best_length2));
    found.separation = times(sum(best_x, doubt), found.over_sine);
    found.noise = times(doubt, found.over_sine);
    found.i.two = abut_vd_le(constant(6), best);
    found.i.one = abut_md_and_not(abut_vd_le(constant(3), best), found.i.two);
    lanes j = minus(best, times(constant(3), axis_number(found.i)));
    found.j.one = abut_vd_eq(j, constant(1));
    found.j.two = abut_vd_eq(j, constant(2));
    return found;
}

#endif
