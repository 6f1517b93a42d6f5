/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The oracle of rectangles on the ground, and of the shadows of points, in arithmetic of 113 bits. It shares no code
 * with the library. It is accurate to 1e-32 S; values below 1e-29 S count as 0. */
#ifndef ABUT_TESTS_SUPPORT_GROUND_ORACLE_H
#define ABUT_TESTS_SUPPORT_GROUND_ORACLE_H

#include <abut/footprint.h>

typedef struct ground_truth {
    double gap;  /* how far they are from touching, relative to `size`: the distance between the two, less by how much
                    they  are grown; where they overlap, less than 0: the length of the shortest way out; 0 for shapes
                    that  just touch */
    double size; /* S: |D|_1 plus the extents of both */
} ground_truth;

/* False where the compiler has no such arithmetic; then skip the test. */
bool ground_oracle_available(void);

ground_truth ground_rectangles(const abut_obb2 *a, const abut_obb2 *b);

/* The rectangle and the shadow of the convex hull of n points at a pose, grown by two discs, of the radii `clearance`
 * and `radius`. It tries lines along the rectangle's sides and through every two points, whether that is a side of the
 * shadow or not, O(n^3); where one of them separates the two, it takes the least distance between any two of the sides
 * and lines, O(n^2). */
ground_truth ground_shadow(const abut_obb2 *rectangle, float clearance, float radius, const abut_vec3 *points,
                           uint32_t n, const abut_pose *pose, const int ground[2]);

#endif
