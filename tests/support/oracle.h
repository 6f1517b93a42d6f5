/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The oracle of box pairs: the 15 axes in arithmetic of at least 113 bits, straight from the definition (two rotation
 * matrices and their product), without any epsilon that could decide. It shares no code with the library.
 *
 * Two distinct float rotations differ by at least 2^-48, so a gap of 1e-12 S shows on the cross product of two nearly
 * parallel edges as at least 3e-27 S; the arithmetic is accurate to 1e-32 S. Gaps below 1e-30 S count as touching. */
#ifndef ABUT_TESTS_SUPPORT_ORACLE_H
#define ABUT_TESTS_SUPPORT_ORACLE_H

#include <abut/obb.h>

typedef struct oracle_gap {
    bool touch;   /* the closed boxes share a point */
    double gap;   /* largest separation over all unit axes, relative to `size`; negative: the least depth */
    double face;  /* largest separation over the six face axes, a length */
    double edge;  /* the same over the edge axes (those longer than 1e-25); -INFINITY without any */
    double size;  /* S: |D|_1 plus the sum of all half extents */
    double slope; /* length of the cross product that `edge` belongs to: sine of the angle between the edges */
} oracle_gap;

/* False where the compiler has no such arithmetic; then skip the test. */
bool oracle_available(void);

/* The boxes are valid; an all-zero quaternion is the identity. */
oracle_gap oracle_obb_pair(const abut_obb *a, const abut_obb *b);

/* `touch` alone, quicker. */
bool oracle_obb_touch(const abut_obb *a, const abut_obb *b);

/* The exact axis-aligned bounds of the corners against given ones: how far `bounds` lies outside of them at each of the
 * six faces (min x, y, z, max x, y, z), negative where a corner is outside. Rounded to double once. */
void oracle_obb_bounds_excess(const abut_obb *box, const abut_aabb *bounds, double excess[6]);

/* How far `given` is from the exact corner (bit k of `corner`: the positive end of axis k), per coordinate. */
void oracle_obb_corner_error(const abut_obb *box, int corner, abut_vec3 given, double error[3]);

#endif
