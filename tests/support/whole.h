/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Shapes and places of small whole numbers: much touches exactly, grazes, or lies in one plane. And shapes a hair
 * apart, by less than rounding tells: a large one that ends at the origin, and a tiny one beside it. For answers that
 * are pinned: made with nothing but + - * / and sqrt. */
#ifndef ABUT_TESTS_SUPPORT_WHOLE_H
#define ABUT_TESTS_SUPPORT_WHOLE_H

#include "support/rng.h"
#include <abut/hull.h>
#include <abut/shape.h>

enum { WHOLE_HULLS = 12 };

/* A cube, an octahedron, random ones on a lattice; the same far from the origin of their frame, where coordinates are
 * 16 to 4096 times as large as the hull. */
typedef struct whole_hulls {
    abut_hull *hull[WHOLE_HULLS];
} whole_hulls;
void whole_hulls_create(whole_hulls *hulls);
void whole_hulls_destroy(whole_hulls *hulls);

abut_vec3 whole_vec3(rng *r, uint32_t most);              /* each coordinate from -most to most; often 0 */
abut_shape whole_shape(rng *r, const whole_hulls *hulls); /* of any type; extents and radius up to 2 */
abut_pose whole_pose(rng *r, uint32_t most);              /* a quarter turn about an axis, or none */
abut_pose whole_pose_of(rng *r, const abut_shape *shape, uint32_t most); /* the middle of a far hull is near, too */

/* *large and *small are a hair apart, or overlap by as little. `hair` is about how much that is; sizes are near 1. */
typedef struct whole_hair {
    abut_shape large, small;
    abut_pose pose_large, pose_small;
    double hair;
} whole_hair;
void whole_hair_make(rng *r, const whole_hulls *hulls, whole_hair *out);

#endif
