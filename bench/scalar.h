/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A baseline: the 15-axis test of textbooks (Gottschalk 1996, Gomez 1999), in floats, one axis at a time, until one
 * separates the boxes. It may be wrong where boxes nearly touch. */
#ifndef ABUT_BENCH_SCALAR_H
#define ABUT_BENCH_SCALAR_H

#include <abut/obb.h>

typedef struct scalar_box {
    float center[3], axis[3][3], half[3]; /* axis[i]: the box's own axis i in the world */
} scalar_box;

scalar_box scalar_box_of(const abut_obb *box); /* the rotation must be a unit quaternion */
bool scalar_overlap(const scalar_box *a, const scalar_box *b);

/* |R| h around the centre, in floats: corners may lie outside by some roundings. */
abut_aabb scalar_bounds(const abut_obb *box);

/* The overlap test in loops over arrays: from quaternions, and from precomputed matrices. */
void scalar_overlap_boxes(const abut_obb *a, const abut_obb *b, size_t n, uint8_t *overlap);
void scalar_overlap_matrices(const scalar_box *a, const scalar_box *b, size_t n, uint8_t *overlap);

#endif
