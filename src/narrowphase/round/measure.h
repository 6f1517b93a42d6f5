/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* How far apart two shapes are. */
#ifndef ABUT_NARROWPHASE_ROUND_MEASURE_H
#define ABUT_NARROWPHASE_ROUND_MEASURE_H

#include "narrowphase/distance/distance.h"
#include "narrowphase/narrowphase.h"

typedef struct abut_np_measured {
    double distance; /* 0 exactly where abut_np_overlap is true */
    abut_d3 on[2];   /* the closest points of the first and the second shape, in the world; where they touch, one point
                        that they share */
    abut_d3 normal;  /* unit, from the first to the second; zero where they touch */
} abut_np_measured;

/* Swapping the shapes swaps the points, negates the normal and changes no bit of them. False, and *out undefined: the
 * distance is certainly over `limit` (>= 0). Any larger limit gives the same bits. */
bool abut_np_measure(const abut_collider *a, const abut_collider *b, double limit, abut_np_measured *out);

/* The closest points of a point or sphere and a core that is a box; features are left out. The distance, less the
 * radii, has the bits of the kernel point_boxes. */
void abut_np_closest_of_point(const abut_collider *point, const abut_collider *box, abut_np_closest *out);

#endif
