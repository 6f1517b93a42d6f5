/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Culling as one would write it oneself, in floats and without a margin for rounding: yardsticks. All of them write the
 * indices of the boxes that they keep, ascending, and return how many there are. */
#ifndef ABUT_BENCH_CULL_LOOPS_H
#define ABUT_BENCH_CULL_LOOPS_H

#include "cull_view.h"
#include "scalar.h"

/* A box along the world's axes against the six planes: what most engines do. */
size_t cull_plain_bounds(const cull_view *view, const abut_aabb *boxes, size_t n, uint32_t *visible);
/* An oriented box against the six planes. */
size_t cull_plain_planes(const cull_view *view, const scalar_box *boxes, size_t n, uint32_t *visible);
/* All axes, one at a time, leaving at the first that parts them: Eberly, "Intersection of Orthogonal View Frustum and
 * Oriented Bounding Box using Separation Axis Testing" (2001). */
size_t cull_plain_axes(const cull_view *view, const scalar_box *boxes, size_t n, uint32_t *visible);

/* The same planes many boxes at once, straight from abut_obb, whose rotations are taken for unit quaternions. */
typedef struct cull_wide {
    uint32_t (*read)(const abut_obb *boxes, size_t n); /* reads them, and no more: a sum of all bits */
    size_t (*planes)(const cull_view *view, const abut_obb *boxes, size_t n, uint32_t *visible);
    /* The spheres round the boxes first; what they leave is packed and then tested. */
    size_t (*spheres)(const cull_view *view, const abut_obb *boxes, size_t n, uint32_t *visible);
} cull_wide;

/* The widest that abut_isa_active allows; NULL if this was built without vectors. */
const cull_wide *cull_wide_active(void);

#endif
