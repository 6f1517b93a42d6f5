/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random box pairs that nearly or exactly touch: the pairs that a wrong box test gets wrong first.
 *
 * Sizes 1e-4 to 1e5, aspect ratios to 1e4 and zero extents (plates, rods, points), centres to 1e6 from the origin,
 * quaternions of any length; rotations identical, exactly parallel, 1e-8 to 1 apart, or unrelated. Box b is placed so
 * that along one chosen axis the gap is 0 or +-(1e-16 to 1e-2) of the size, before rounding to floats; half of the
 * pairs then absorb that rounding in one half extent. About a quarter are built from small integers and touch exactly.
 */
#ifndef ABUT_TESTS_SUPPORT_NEAR_TOUCH_H
#define ABUT_TESTS_SUPPORT_NEAR_TOUCH_H

#include <abut/obb.h>

/* The axis that decides the pair: 0-2 face of a, 3-5 face of b, 6 + 3 i + j edges i of a and j of b. */
enum { NEAR_TOUCH_VERTICES = 15, NEAR_TOUCH_KINDS = 16 };

typedef struct near_touch {
    abut_obb a, b;
    int kind;   /* an axis, or NEAR_TOUCH_VERTICES: vertex to vertex, along any direction */
    bool exact; /* the boxes share a point of the surface of each, exactly */
} near_touch;

/* Depends on its arguments alone, but for the rounding of libm. */
near_touch near_touch_pair(uint64_t seed, uint64_t index);

#endif
