/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What must hold for every pair of shapes: touching, distance, manifolds, against support/distance_oracle.h. */
#ifndef ABUT_TESTS_NARROWPHASE_ROUND_CHECK_H
#define ABUT_TESTS_NARROWPHASE_ROUND_CHECK_H

#include "support/near_round.h"

typedef struct round_truth {
    distance_truth cores;
    double radii, size; /* of both; S */
    double gap;         /* distance of the cores less the radii; of overlapping cores: less than 0 by the radii */
} round_truth;

round_truth round_truth_of(const round_pair *pair);

/* Largest errors so far, over what is allowed: below 1 for all of them. */
typedef struct round_errors {
    double distance, on_surface, apart, separation, normal, middle;
} round_errors;

/* NULL when all of it holds, else what does not. */
const char *round_overlap_fault(const round_pair *pair, const round_truth *truth);
const char *round_distance_fault(const round_pair *pair, const round_truth *truth, round_errors *errors);
const char *round_collide_fault(const round_pair *pair, const round_truth *truth, float margin, round_errors *errors);

/* The answer without a radius of the functions that know boxes and hulls only. False for a point: no such function. */
bool round_sharp_collide(const round_body *a, const round_body *b, float margin, abut_manifold *out);

/* Whether y is x with a and b swapped: the normal negated, every other bit the same. */
bool round_manifold_is_swapped(const abut_manifold *x, const abut_manifold *y);
float round_manifold_least(const abut_manifold *m);

/* Prints the pair so that it can be pasted into a program. */
void round_report(uint64_t index, const char *fault, const round_pair *pair, const round_truth *truth, float margin);

#endif
