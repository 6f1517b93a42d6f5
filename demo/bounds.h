/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Compares the two kinds of bounds of hulls: of the corners of a box round the hull, and of all vertices. */
#ifndef ABUT_DEMO_BOUNDS_H
#define ABUT_DEMO_BOUNDS_H

#include <abut/abut.h>

typedef enum bounds_kind { BOUNDS_FAST, BOUNDS_TIGHT, BOUNDS_KIND_COUNT } bounds_kind;

typedef struct bounds_cost {
    double ns[BOUNDS_KIND_COUNT];         /* per body */
    size_t candidates[BOUNDS_KIND_COUNT]; /* pairs whose bounds meet */
    double volume_mean, volume_most;      /* of the fast ones, in tight ones */
} bounds_cost;

/* Of n > 0 hulls at their poses. false: out of memory. */
bool bounds_measure(bounds_cost *cost, const abut_hull *const *hulls, const abut_pose *poses, size_t n);

#endif
