/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Shapes and pairs of every kind, made with nothing but + - * / and sqrt (and what abut answers), so that they are the
 * same on every machine: for answers that are pinned. Sizes of 2^-12 to 2^12, aspect ratios to 2^10, plates, rods and
 * points, radii; rotations that are none, quarter turns, 2^-26 to 1 apart from these, or any, of quaternions of any
 * length. */
#ifndef ABUT_TESTS_SUPPORT_WILD_H
#define ABUT_TESTS_SUPPORT_WILD_H

#include "support/rng.h"
#include <abut/shape.h>

enum { WILD_HULLS = 24 };

/* Random hulls, and some of whole coordinates; the first are small, the last have 64 vertices and more. */
typedef struct wild_hulls {
    abut_hull *hull[WILD_HULLS];
} wild_hulls;
void wild_hulls_create(wild_hulls *hulls);
void wild_hulls_destroy(wild_hulls *hulls);

double wild_size(rng *r, int low, int high); /* in [2^low, 2^high) */
abut_quat wild_rotation(rng *r);
abut_vec3 wild_half(rng *r, double size);                            /* extents of up to about `size`; some are 0 */
abut_shape wild_shape(rng *r, const wild_hulls *hulls, double size); /* hulls have the size that they have */
abut_shape wild_sharp(rng *r, const wild_hulls *hulls, double size); /* without a radius */
double wild_reach(const abut_shape *shape);                          /* the radius of a ball that surely holds it */

typedef struct wild_pair {
    abut_shape a, b;
    abut_pose pose_a, pose_b;
    double size;
} wild_pair;

/* A third overlap somehow, a third nearly touch, by 0 or 2^-40 to 2^-4 of the size, and the others are some way apart.
 * Some of them are far from the origin. */
void wild_pair_make(rng *r, const abut_shape *a, const abut_shape *b, wild_pair *out);

#endif
