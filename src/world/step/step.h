/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The step: bounds, candidates, contacts, events. Candidates pass through classify.c, resolve.c and merge.c a block at
 * a time (block.h). */
#ifndef ABUT_WORLD_STEP_STEP_H
#define ABUT_WORLD_STEP_STEP_H

#include "world/body/body.h"

/* --- bounds.c --- */

/* Recomputes the bounds of bodies with ABUT_W_STALE and makes dirty bodies active in the broad phase. Returns the flags
 * of dirty bodies, or-ed together. */
uint8_t abut_w_refresh_bounds(abut_world *world);
/* The bounds of n bodies at their current poses, as the broad phase would have them after the next refresh. */
void abut_w_bounds_of(const abut_world *world, const uint32_t *slot, uint32_t n, abut_bp_box *box);

/* --- classify.c --- */

/* Whether the rules of motion, compounds and filters let two bodies touch. */
bool abut_w_may_touch(const abut_world *world, uint32_t a, uint32_t b);

/* --- resolve.c --- */

/* The coarser of two details: the detail of their pair. */
static inline abut_detail abut_w_pair_detail(uint8_t a, uint8_t b) {
    return (abut_detail)(a > b ? a : b);
}
/* Whether one pair touches, with the same bits as in a step. The manifold is all zero below ABUT_DETAIL_MANIFOLD and
 * where they do not touch. */
bool abut_w_resolve_pair(const abut_collider *a, const abut_collider *b, abut_detail detail, float margin,
                         abut_manifold *manifold);

/* --- merge.c --- */

/* Instead of a merge, when every contact is as it was in the last step. */
void abut_w_persist_all(abut_world *world);
/* Writes the phases that abut_w_persist_all left for the first reader of contacts. */
void abut_w_make_phases(const abut_world *world);

/* --- events.c --- */

/* Calls the listener for each event of the last step, in order. */
void abut_w_dispatch(abut_world *world, const abut_listener *listener, const abut_step_report *report);

/* --- contacts.c --- */

/* Makes current.by_b unless it is there. */
void abut_w_index_by_b(const abut_world *world);

#endif
