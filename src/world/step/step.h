/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The step: bounds, candidates, contacts, events. */
#ifndef ABUT_WORLD_STEP_STEP_H
#define ABUT_WORLD_STEP_STEP_H

#include "world/body/body.h"

/* pairs.c: which pairs touch. */
bool abut_w_may_touch(const abut_world *world, uint32_t a, uint32_t b);
/* Whether they do, and at manifold detail where; otherwise the manifold is all zero. */
bool abut_w_touch(const abut_world *world, uint32_t a, uint32_t b, abut_manifold *manifold);
/* Boxes of bodies that moved; those with a changed bit become active. Returns which flags there are. */
uint8_t abut_w_refresh_bounds(abut_world *world);
/* Boxes of n bodies as they are now, wherever the broad phase saw them last. */
void abut_w_bounds_of(const abut_world *world, const uint32_t *slot, uint32_t n, abut_bp_box *box);
abut_result abut_w_find_candidates(abut_world *world);
/* Fills world->next with the candidates that touch, and with what goes on as it was. */
abut_result abut_w_resolve(abut_world *world, abut_step_report *report);

/* hints.c: hints are a luxury. Without room for them, and in worlds of fixed capacity, there are none. */
void abut_w_begin_hints(abut_world *world);
/* Makes room for `count` more. False when there is none. */
bool abut_w_reserve_hints(abut_world *world, uint32_t count);
/* The hint of a candidate, taken over from the last step; candidates come in ascending order. *from is where the last
 * step's list is. There is room. */
abut_np_hint *abut_w_take_hint(abut_world *world, uint32_t low, uint32_t high, uint32_t *from);
void abut_w_keep_hints(abut_world *world);

/* merge.c: begin, persist and end, from this list and the last. Contacts are appended to `next` in ascending order. */
typedef struct abut_w_merge {
    uint32_t old;   /* so far have the last contacts been walked along */
    uint32_t ended; /* of which so many have ended */
    uint32_t persisting;
} abut_w_merge;

/* Two bodies that touch. */
typedef struct abut_w_hit {
    uint32_t low, high;
    const abut_manifold *manifold;
} abut_w_hit;

/* Appends those that should_collide lets pass, and before each what goes on between bodies at rest. */
abut_result abut_w_append(abut_world *world, abut_w_merge *merge, const abut_w_hit *hit, uint32_t n);
/* After the last ones. Swaps the lists; nothing can fail afterwards. */
abut_result abut_w_close(abut_world *world, abut_w_merge *merge, abut_step_report *report);
/* Instead, when all is as it was in the last step. */
void abut_w_persist(abut_world *world);
/* What that owes, when the contacts are asked for. */
void abut_w_make_phases(const abut_world *world);

/* events.c: telling of them. */
void abut_w_dispatch(abut_world *world, const abut_listener *listener, const abut_step_report *report);

/* contacts.c: makes current.by_b. */
void abut_w_index_by_b(const abut_world *world);

#endif
