/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes with given axes around the affine image of a box. */
#ifndef ABUT_SHAPE_BOX_AROUND_H
#define ABUT_SHAPE_BOX_AROUND_H

#include "base/dd.h"
#include <abut/obb.h>

/* The affine image of a box: all points center + t0 edge[0] + t1 edge[1] + t2 edge[2] with |t| <= 1. Every coordinate
 * is accurate to its error; 0 means exact. */
typedef struct abut_parallelepiped {
    abut_dd center[3], edge[3][3];
    double center_error[3], edge_error[3][3];
} abut_parallelepiped;

/* A box with this rotation (of any length > 0) that certainly contains the parallelepiped: its centre and half extents
 * are rounded to floats, the latter upward. Where no rounding is needed, it is no larger. Extents stay below 2^127. */
abut_obb abut_obb_around(const abut_parallelepiped *of, abut_quat rotation);

#endif
