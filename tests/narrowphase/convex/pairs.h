/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* For tests of pairs with hulls in them: a random pair (support/near_hulls.h) as the library takes it. */
#ifndef ABUT_TESTS_NARROWPHASE_HULL_PAIRS_H
#define ABUT_TESTS_NARROWPHASE_HULL_PAIRS_H

#include "support/hull_oracle.h"
#include "support/near_hulls.h"
#include <abut/hull.h>

typedef struct hull_body {
    const abut_hull *hull; /* NULL: a box */
    abut_pose pose;
    abut_obb box;
} hull_body;

typedef struct hull_pair {
    near_hulls made;
    abut_hull *hull[2]; /* NULL for a box */
    hull_body a, b;
} hull_pair;

/* Makes the hulls, too. Fails the test when the library refuses the points. */
void hull_pair_make(uint64_t seed, uint64_t index, hull_pair *out);
void hull_pair_release(hull_pair *pair);

/* The public functions for whatever the two bodies are. */
bool hull_body_overlap(const hull_body *a, const hull_body *b);
bool hull_body_collide(const hull_body *a, const hull_body *b, float margin, abut_manifold *manifold);

void hull_pair_report(uint64_t index, const char *fault, const hull_pair *pair, const hull_truth *truth);

#endif
