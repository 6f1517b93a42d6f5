/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random pairs of convex bodies that nearly touch, or exactly do.
 *
 * 4 to 64 points: in balls and ellipsoids, on spheres and cubes, prisms, cylinders, plates, wedges with tiny angles,
 * needles, hulls of lattice points, boxes, half of them rotated in their own frame; sizes 1e-4 to 1e5, aspect ratios to
 * 1e3, positions to 1e6; rotations identical, quarter turns, 1e-8 to 1 apart, or unrelated; now and then b is a mirror
 * image of a, so that every feature faces its own image. The gap along one chosen axis is 0 or +-(1e-16 to 1e-2) of the
 * size, at times a depth of up to the size. Most pairs have the origin of each frame on a vertex and meet there, so
 * that their gap is as fine as the floats near 0. */
#ifndef ABUT_TESTS_SUPPORT_NEAR_HULLS_H
#define ABUT_TESTS_SUPPORT_NEAR_HULLS_H

#include "support/convex.h"
#include "support/rng.h"
#include <abut/hull.h>

typedef enum near_hulls_kind {
    NEAR_HULLS_FACE_A,
    NEAR_HULLS_FACE_B,
    NEAR_HULLS_EDGES,
    NEAR_HULLS_VERTICES,
    NEAR_HULLS_KINDS
} near_hulls_kind;

enum { NEAR_HULLS_FAMILIES = 12 };

typedef struct near_hulls {
    convex a, b;
    abut_pose pose_a, pose_b;
    near_hulls_kind kind; /* the features that the chosen axis belongs to */
    bool exact;           /* they share a point of the surface of each, exactly */
    bool box_a;           /* a is the box with these half extents, which may be 0 */
    abut_vec3 half;
    uint32_t family[2];
} near_hulls;

/* Depends on its arguments alone, up to the rounding of libm. */
void near_hulls_pair(uint64_t seed, uint64_t index, near_hulls *out);

/* A hull of random points at 0.5 from the origin, two in each octant. */
abut_hull *near_stone(rng *r);

#endif
