/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* All pairs of a sweep, one by one, with the functions of the narrow phase. */
#ifndef ABUT_TESTS_CAST_SWEEP_PAIRS_H
#define ABUT_TESTS_CAST_SWEEP_PAIRS_H

#include "narrowphase/narrowphase.h"
#include "world/cast/judge.h"

/* A mover and a body that meet: slots. */
typedef struct sweep_met {
    uint32_t element, mover, body;
    uint32_t swapped; /* the body was asked about first */
    abut_np_met met;  /* as seen by the mover */
} sweep_met;

typedef struct sweep_pairs sweep_pairs;

/* The pairs of a call on the world of a->s as it was read. error[k] becomes what is wrong with target k. There is one
 * list at a time. */
sweep_pairs *sweep_pairs_begin(const asking *a, const abut_body_id *ids, const abut_pose *targets, size_t n,
                               abut_result *error);
/* The next pair that meets; `accept` is not asked. False: there are no more. */
bool sweep_pairs_next(sweep_pairs *p, abut_initial initial, float allowance, sweep_met *met);
/* As callers see it. */
abut_hit sweep_hit(const sweep_pairs *p, const sweep_met *met);

#endif
