/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Baselines: culling as most programmers would write it, in floats and without a margin for rounding. Each function
 * writes the indices of the boxes that it keeps, ascending, and returns their number. */
#ifndef ABUT_BENCH_CULL_LOOPS_H
#define ABUT_BENCH_CULL_LOOPS_H

#include "cull_view.h"
#include "scalar.h"

/* An axis-aligned box against the six planes: the method of most engines. */
size_t cull_plain_bounds(const cull_view *view, const abut_aabb *boxes, size_t n, uint32_t *visible);
/* An oriented box against the six planes. */
size_t cull_plain_planes(const cull_view *view, const scalar_box *boxes, size_t n, uint32_t *visible);
/* All axes, one at a time, until one separates the two: Eberly, "Intersection of Orthogonal View Frustum and
 * Oriented Bounding Box using Separation Axis Testing" (2001). */
size_t cull_plain_axes(const cull_view *view, const scalar_box *boxes, size_t n, uint32_t *visible);

/* The same planes against many boxes at once, directly from abut_obb, whose rotations must be unit quaternions. */
typedef struct cull_wide {
    uint32_t (*read)(const abut_obb *boxes, size_t n); /* only reads the boxes: a sum of all bits */
    size_t (*planes)(const cull_view *view, const abut_obb *boxes, size_t n, uint32_t *visible);
    /* Tests bounding spheres first; packs the boxes that remain, and tests those. */
    size_t (*spheres)(const cull_view *view, const abut_obb *boxes, size_t n, uint32_t *visible);
} cull_wide;

/* The widest that abut_isa_active allows; NULL if this was built without vectors. */
const cull_wide *cull_wide_active(void);

#endif
