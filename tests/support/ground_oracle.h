/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The judge of rectangles on the ground, and of the shadows of points, in arithmetic of 113 bits. It shares no code
 * with the library. It is good to 1e-32 S; what is below 1e-29 S counts as 0. */
#ifndef ABUT_TESTS_SUPPORT_GROUND_ORACLE_H
#define ABUT_TESTS_SUPPORT_GROUND_ORACLE_H

#include <abut/footprint.h>

typedef struct ground_truth {
    double gap;  /* the largest over all lines, over `size`; negative: the least depth; 0 for shapes that just touch */
    double size; /* S: |D|_1 plus how far both reach */
} ground_truth;

/* False where the compiler has no such arithmetic: skip the test then. */
bool ground_oracle_available(void);

ground_truth ground_rectangles(const abut_obb2 *a, const abut_obb2 *b);

/* The rectangle, `clearance` wider on all sides, and the shadow of the convex hull of n points at a pose. Lines are
 * tried along the rectangle's sides and through every two points, whether that is a side of the shadow or not: n
 * cubed. */
ground_truth ground_shadow(const abut_obb2 *rectangle, float clearance, const abut_vec3 *points, uint32_t n,
                           const abut_pose *pose, const int ground[2]);

#endif
