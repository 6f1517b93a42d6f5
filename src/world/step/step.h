/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The step: candidates, contacts, events, after bounds (world/body/bounds.c). Candidates pass through classify.c,
 * resolve.c and merge.c a block at a time (block.h). */
#ifndef ABUT_WORLD_STEP_STEP_H
#define ABUT_WORLD_STEP_STEP_H

#include "world/body/body.h"

/* --- classify.c --- */

/* Whether the rules of motion, compounds and filters let two bodies touch. Two meshes never do. */
bool abut_w_may_touch(const abut_world *world, uint32_t a, uint32_t b);

/* --- resolve.c --- */

/* The coarser of two details: the detail of their pair. */
static inline abut_detail abut_w_pair_detail(uint8_t a, uint8_t b) {
    return (abut_detail)(a > b ? a : b);
}
/* Whether one pair touches, with the same bits as in a step. The manifold is all zero if they do not touch, and for a
 * detail other than ABUT_DETAIL_MANIFOLD, for which `visit` may be NULL. Otherwise it gets the parts of a contact with
 * a mesh, in no fixed order. */
bool abut_w_resolve_pair(const abut_collider *a, const abut_collider *b, abut_detail detail, float margin,
                         abut_np_part_visit *visit, void *context, abut_manifold *manifold);

/* --- merge.c --- */

/* The new contacts become those of the last step, stored at their own indices; what was made of the old ones on demand
 * is out of date. */
void abut_w_swap_lists(abut_world *world);
/* Replaces the merge when every contact is the same as in the last step. */
void abut_w_persist_all(abut_world *world);

/* --- events.c --- */

/* Calls the listener for each event of the last step, in order. */
void abut_w_dispatch(abut_world *world, const abut_listener *listener, const abut_step_report *report);

/* --- contacts.c --- */

/* Makes index.by_b if it has not been made since the last step. Any number of threads may call it. */
void abut_w_index_by_b(const abut_world *world);

#endif
