/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* When the culling index is made and dropped. (The index itself belongs to the broad phase: bodies along a curve
 * through space, with boxes around 8 and 64 of them, so that all bodies of a box can be culled together.) It outlives
 * steps in which few bodies change: an entry is valid until its body changes or is destroyed, and bodies without a
 * valid entry are culled one by one. */
#ifndef ABUT_WORLD_QUERY_INDEX_H
#define ABUT_WORLD_QUERY_INDEX_H

#include "world/world.h"

/* Whether there is an index. Makes it if that pays by now (see index.c), in O(bodies). Any number of threads may call
 * it. */
bool abut_w_index(const abut_world *world);
/* Reports that this many bodies were culled one by one. */
void abut_w_index_count_scan(const abut_world *world, uint32_t bodies);
/* Invalidates the entry of a body that has changed or is destroyed. */
void abut_w_index_remove(abut_world *world, uint32_t slot);
/* Called at the end of a successful step, before which `changed` bodies had changed: drops an index that is out of
 * date. */
void abut_w_index_review(abut_world *world, size_t changed);

/* Whether the index lists all bodies, each where it is now, and has no other entries. */
bool abut_w_index_is_complete(const abut_world *world);

/* Whether the slot has a valid entry: its body lives, and is where the index says. */
static inline bool abut_w_index_has(const abut_world *world, uint32_t slot) {
    return abut_bp_index_lists(&world->bp, slot) && !(world->flags[slot] & ABUT_W_DIRTY);
}

/* The same for slots first .. first + 63, one bit each; first is a multiple of 64. */
uint64_t abut_w_index_has_64(const abut_world *world, uint32_t first);
/* Which of the slots first .. first + 63 have a living body, one bit each. */
uint64_t abut_w_living_64(const abut_world *world, uint32_t first);

#endif
