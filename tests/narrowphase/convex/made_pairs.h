/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Pairs of boxes and hulls, and hints, for searches whose answers are pinned: made with nothing but + - * / and sqrt.
 */
#ifndef ABUT_TESTS_NARROWPHASE_CONVEX_MADE_PAIRS_H
#define ABUT_TESTS_NARROWPHASE_CONVEX_MADE_PAIRS_H

#include "narrowphase/convex/ordered.h"
#include "support/lattice.h"

typedef struct made_hulls {
    wild_hulls wild;
    lattice_hulls lattice;
    abut_hull *large[2]; /* of more facets than a search bounds at a time */
    abut_hull *forty;    /* of just so many facets that few edges may be listed */
} made_hulls;
void made_hulls_create(made_hulls *hulls);
void made_hulls_destroy(made_hulls *hulls);

/* Many consist of whole numbers, and many lie flat on each other, or nearly. */
wild_pair made_pair_of(rng *r, const made_hulls *hulls);
/* With a large hull; the other one is a large one, too, or a prism, or a box, by `k`. */
wild_pair made_pair_of_large(rng *r, const made_hulls *hulls, uint32_t k);

/* The colliders of a pair, and the pair as a search sees it. */
typedef struct made_pair {
    abut_collider a, b;
    abut_np_ordered_pair ordered;
} made_pair;
void made_pair_place(const wild_pair *from, made_pair *p);

abut_np_hint made_hint(rng *r); /* any numbers: of features that the hulls have, and of some that they do not have */

#endif
