/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The oracle of rectangles on the ground, and of the shadows of points, in arithmetic of 113 bits. It shares no code
 * with the library. It is accurate to 1e-32 S; values below 1e-29 S count as 0. */
#ifndef ABUT_TESTS_SUPPORT_GROUND_ORACLE_H
#define ABUT_TESTS_SUPPORT_GROUND_ORACLE_H

#include <abut/footprint.h>

typedef struct ground_truth {
    double gap;  /* the largest separation over all lines, relative to `size`; negative: the least depth; 0 for shapes
                    that just touch */
    double size; /* S: |D|_1 plus the extents of both */
} ground_truth;

/* False where the compiler has no such arithmetic; then skip the test. */
bool ground_oracle_available(void);

ground_truth ground_rectangles(const abut_obb2 *a, const abut_obb2 *b);

/* The rectangle, `clearance` wider on all sides, and the shadow of the convex hull of n points at a pose. It tries
 * lines along the rectangle's sides and through every two points, whether that is a side of the shadow or not: O(n^3).
 */
ground_truth ground_shadow(const abut_obb2 *rectangle, float clearance, const abut_vec3 *points, uint32_t n,
                           const abut_pose *pose, const int ground[2]);

#endif
