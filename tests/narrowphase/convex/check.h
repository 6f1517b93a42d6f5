/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What must hold for every manifold of a pair with a hull in it. */
#ifndef ABUT_TESTS_NARROWPHASE_HULL_CHECK_H
#define ABUT_TESTS_NARROWPHASE_HULL_CHECK_H

#include "narrowphase/convex/pairs.h"

/* The worst of many manifolds, over S: how far the reported depth is from that along the normal, and how much deeper
 * that is than the least depth over all axes, beyond the 5 % that a face is preferred by. */
typedef struct hull_errors {
    double depth, least;
} hull_errors;

/* NULL when all of it holds, else what does not. */
const char *hull_manifold_fault(const hull_pair *pair, const hull_truth *truth, float margin, const abut_manifold *m,
                                hull_errors *errors);

float hull_manifold_least(const abut_manifold *m);

/* Whether y is what x must become when a and b are swapped: the normal negated, every other bit the same. */
bool hull_manifold_is_swapped(const abut_manifold *x, const abut_manifold *y);

/* An upper bound of the distance of the bodies, close to it. */
double hull_distance_at_most(const hull_placed *p);

#endif
