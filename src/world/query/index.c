/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/index.h"

/* When the index is made: when culling bodies one by one, for want of it, has cost as much as making it does (the
 * ski-rental rule: rent until the rents add up to the price, then buy). So nobody pays more than twice what foresight
 * would, neither in a world in which all bodies move and that is seldom culled, nor in one at rest that is culled
 * often.
 *
 * Threads may cull at the same time; one of them makes it, and until it is there the others do without. They read
 * nothing that its maker writes. */

enum {
    PRICE = 8,      /* of making it, for each body, in bodies culled one by one */
    STALE_SHARE = 4 /* an index of which one in so many entries is out of date is given up */
};

static bool is_due(const abut_world *world) {
    uint32_t live = world->ids.live_count;
    return live > 0 && abut_atomic_load(&world->scan_cost) >= (uint64_t)PRICE * live;
}

/* Bodies are culled as their OBBs. Those of hulls stick out of the bounds that the index was made from: its boxes shall
 * contain them, too. So one large hull enlarges only the boxes that it is in. */
static void enclose_obbs(abut_world *world) {
    enum { AHEAD = 16 };
    const uint32_t *slot = abut_bp_index_keys(&world->bp), end = abut_bp_index_key_end(&world->bp);
    for (uint32_t entry = 0; entry < end && world->non_box_count > 0;
         entry++) { /* also those that repeat the last one */
        if (entry + AHEAD < end) {
            ABUT_PREFETCH(&world->collider[slot[entry + AHEAD]].type);
        }
        const abut_collider *collider = &world->collider[slot[entry]];
        if (!abut_shape_of(collider)->is_obb) {
            const abut_obb obb = abut_collider_obb(collider);
            const abut_aabb b = abut_obb_bounds(&obb);
            abut_bp_index_enclose(&world->bp, entry,
                                  &(abut_bp_box){{b.min.x, b.min.y, b.min.z}, {b.max.x, b.max.y, b.max.z}});
        }
    }
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
    enclose_obbs(own);
    abut_atomic_store(&own->scan_cost, 0);
    abut_once_end(&own->index_made);
    return true;
}

/* What two threads pay at the same moment may count once. */
void abut_w_index_count_scan(const abut_world *world, uint32_t bodies) {
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

bool abut_w_index_is_complete(const abut_world *world) {
    uint32_t entries = abut_bp_index_count(&world->bp), listed = abut_bp_index_listed_count(&world->bp);
    return !world->changed && listed == entries && entries == world->ids.live_count;
}

/* --- 64 slots at a time --- */

uint64_t abut_w_index_has_64(const abut_world *world, uint32_t first) {
    uint64_t listed = abut_bp_index_listed(&world->bp, first);
    return world->changed && listed ? listed & ~abut_bits_of_64_bytes(world->flags + first, ABUT_W_DIRTY) : listed;
}

uint64_t abut_w_living_64(const abut_world *world, uint32_t first) {
    return abut_bp_present(&world->bp, first);
}
