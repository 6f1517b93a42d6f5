/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* From many contact points to the at most four of a manifold. */
#ifndef ABUT_NARROWPHASE_REDUCE_H
#define ABUT_NARROWPHASE_REDUCE_H

#include <abut/contact.h>

enum { ABUT_NP_CANDIDATE_MAX = 8 };

typedef struct abut_np_candidate {
    abut_contact_point point; /* its separation is filled in at the end */
    double separation;
    double across[2]; /* where it lies in the contact plane */
} abut_np_candidate;

typedef struct abut_np_candidates {
    abut_np_candidate candidate[ABUT_NP_CANDIDATE_MAX];
    int count;
    double same_place; /* points this close together are one */
} abut_np_candidates;

/* Keeps the deepest point, the one farthest from it, and the two that span the largest areas to either side of the line
 * between them, in their present order. Of points with one feature id, or in one place, the deepest stays. */
void abut_np_reduce(abut_np_candidates *candidates, abut_manifold *manifold);

#endif
