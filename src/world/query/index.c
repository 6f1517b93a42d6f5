/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/query.h"

/* When the index is made: when looking at bodies one by one, for want of it, has cost as much as making it does (the
 * rule of those who scan_cost skis until they could have bought them). So nobody pays more than twice what foresight
 * would, neither in a world in which all move and that is seldom looked at, nor in one at rest that is looked at often.
 *
 * Threads may cull at the same time; one of them makes it, and as long as it is not there the others do without. What
 * they read then is not written by the one who makes it. */

enum {
    PRICE = 8,      /* for each body, in bodies that are looked at one by one */
    STALE_SHARE = 4 /* an index of which one in so many is out of date is given up */
};

static bool is_due(const abut_world *world) {
    uint32_t live = world->ids.live_count;
    return live > 0 && abut_atomic_load(&world->scan_cost) >= (uint64_t)PRICE * live;
}

bool abut_w_index(const abut_world *world) {
    abut_world *own = (abut_world *)world; /* the world is const to the caller, not in itself */
    if (abut_once_is_made(&world->index_made)) {
        return true;
    }
    if (!is_due(world) || !abut_once_try(&own->index_made)) {
        return false;
    }
    abut_lock_take(&own->scratch);
    abut_bp_index_make(&own->bp, world->flags, ABUT_W_DIRTY);
    abut_lock_release(&own->scratch);
    abut_atomic_store(&own->scan_cost, 0);
    abut_once_end(&own->index_made);
    return true;
}

/* What two threads pay at the same moment may count once. */
void abut_w_count_scan(const abut_world *world, uint32_t bodies) {
    abut_world *own = (abut_world *)world;
    uint32_t paid = abut_atomic_load(&world->scan_cost);
    abut_atomic_store(&own->scan_cost, bodies < UINT32_MAX - paid ? paid + bodies : UINT32_MAX);
}

void abut_w_index_remove(abut_world *world, uint32_t slot) {
    if (abut_once_is_made(&world->index_made)) {
        abut_bp_index_drop(&world->bp, slot);
    }
}

void abut_w_index_review(abut_world *world, size_t changed) {
    uint32_t live = world->ids.live_count;
    bool made = abut_once_is_made(&world->index_made);
    if (changed > live / STALE_SHARE) {
        abut_atomic_store(&world->scan_cost, 0);
        abut_once_reset(&world->index_made);
    } else if (made && (live - abut_bp_index_listed_count(&world->bp) > live / STALE_SHARE || is_due(world))) {
        abut_once_reset(&world->index_made);
    }
}

void abut_w_index_reset(abut_world *world) {
    abut_once_reset(&world->index_made);
}
