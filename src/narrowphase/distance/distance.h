/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The closest points of two cores: boxes with any half extents >= 0 (points, rods and plates, too) or hulls. Radii are
 * not read. An iteration proposes and a certificate decides (docs/numerics.md, "Distance"). */
#ifndef ABUT_NARROWPHASE_DISTANCE_DISTANCE_H
#define ABUT_NARROWPHASE_DISTANCE_DISTANCE_H

#include "base/spatial.h"
#include "shape/shape.h"

/* S, the size of a pair, is the L1 distance of the centres plus all half extents of boxes and the radii of hulls. */
typedef struct abut_np_closest {
    double distance; /* |on_b - on_a|, within 2^-46 S of the truth; 0 where the cores overlap */
    double lower;    /* no point of b is nearer to a, rounding included; <= 0 if nothing is certain */
    abut_d3 on_a;    /* the closest point of a, along the world's axes, relative to the centre of a */
    abut_d3 on_b;    /* that of b, relative to the centre of a, too; equal to on_a where the cores overlap */
    abut_d3 normal;  /* a unit vector from a to b; zero where the cores overlap */
    uint32_t count;  /* of the corners of the difference b - a that the closest point is a combination of: 1 to 4 */
    uint8_t count_a, count_b;          /* of the corners below */
    uint16_t corner_a[4], corner_b[4]; /* whose combination the points are, ascending. Of a hull: the vertex. Of a box:
                                          bit k set is the positive end of axis k; clear where the extent is 0 */
    bool overlap;                      /* the cores share a point, or come within 2^-47 S of that */
    double size;                       /* S */
} abut_np_closest;

/* Swapping a and b may change last bits: order them first. Valid colliders only. */
void abut_np_closest_points(const abut_collider *a, const abut_collider *b, abut_np_closest *out);

/* The same, but it stops as soon as it is certain that the distance is over `limit` (>= 0). True then, and *out holds
 * only `lower` (> limit) and `size`. */
bool abut_np_farther_than(const abut_collider *a, const abut_collider *b, double limit, abut_np_closest *out);

#endif
