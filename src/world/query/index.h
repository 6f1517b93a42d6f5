/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The culling index: bodies along a curve through space, with boxes round 8 and 64 of them. The bodies of a box are
 * culled together. It outlives steps in which few bodies change: entries of bodies that have changed no longer count,
 * and those bodies are culled one by one. */
#ifndef ABUT_WORLD_QUERY_INDEX_H
#define ABUT_WORLD_QUERY_INDEX_H

#include "world/world.h"

/* Whether there is an index. Makes it if that pays by now: see index.c. From any number of threads. */
bool abut_w_index(const abut_world *world);
/* So many bodies were culled one by one. */
void abut_w_index_count_scan(const abut_world *world, uint32_t bodies);
/* The body has changed, or was destroyed. */
void abut_w_index_remove(abut_world *world, uint32_t slot);
/* At the end of a successful step, in which so many bodies had changed. */
void abut_w_index_review(abut_world *world, size_t changed);

/* Whether the index has every body and no other, each where it is now. */
bool abut_w_index_is_complete(const abut_world *world);

/* Whether a slot's entry counts: the body lives, and is where the index says. */
static inline bool abut_w_index_has(const abut_world *world, uint32_t slot) {
    return abut_bp_index_lists(&world->bp, slot) && !(world->flags[slot] & ABUT_W_DIRTY);
}

/* The same of slots first .. first + 63, bit by bit; first is a multiple of 64. */
uint64_t abut_w_index_has_64(const abut_world *world, uint32_t first);
/* Bodies live in these of slots first .. first + 63. */
uint64_t abut_w_living_64(const abut_world *world, uint32_t first);

#endif
