/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/index.h"

/* The index is made when culling bodies one by one, because there was none, has cost as much as making it costs (the
 * ski-rental rule: rent until the rents add up to the price, then buy). So the total cost is at most twice that of the
 * best decision made with foresight, both in a world in which all bodies move and that is seldom culled, and in one at
 * rest that is culled often.
 *
 * Threads may cull at the same time: one of them makes the index, and until it is complete the others cull without it.
 * They read nothing that the making thread writes. */

enum {
    COST_PER_BODY = 8, /* making the index costs as much per body as culling this many bodies one by one */
    STALE_SHARE = 4    /* an index is dropped when more than 1 / STALE_SHARE of the bodies have no valid entry */
};

static bool is_due(const abut_world *world) {
    uint32_t live = world->ids.live_count;
    return live > 0 && abut_atomic_load(&world->scan_cost) >= (uint64_t)COST_PER_BODY * live;
}

/* Hulls are culled by their OBBs, which may extend beyond the bounds that the index was made from. So the boxes around
 * the entry of a hull are enlarged to contain its OBB, grown by its radius. One large hull enlarges only the boxes that
 * it is in. */
static abut_bp_box bounds_of_obb(const abut_collider *collider) {
    abut_collider core = *collider;
    core.radius = 0;
    const abut_obb obb = abut_collider_obb(&core);
    const abut_aabb b = abut_obb_bounds(&obb);
    const float *low = &b.min.x, *high = &b.max.x;
    abut_bp_box box;
    for (int i = 0; i < 3; i++) {
        box.min[i] = abut_bits_round_down((double)low[i] - collider->radius);
        box.max[i] = abut_bits_round_up((double)high[i] + collider->radius);
    }
    return box;
}

static void enclose_obbs(abut_world *world) {
    enum { AHEAD = 16 };
    const uint32_t *slot = abut_bp_index_keys(&world->bp), end = abut_bp_index_key_end(&world->bp);
    for (uint32_t entry = 0; entry < end && world->non_box_count > 0;
         entry++) { /* also the repeated entries at the end */
        if (entry + AHEAD < end) {
            ABUT_PREFETCH(&world->collider[slot[entry + AHEAD]].hull);
        }
        const abut_collider *collider = &world->collider[slot[entry]];
        if (collider->hull) {
            const abut_bp_box box = bounds_of_obb(collider);
            abut_bp_index_enclose(&world->bp, entry, &box);
        }
    }
}

bool abut_w_index(const abut_world *world) {
    abut_world *own = (abut_world *)world; /* const to the caller, but the index is made on demand */
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

/* If two threads add at the same moment, one of the sums may be lost; that only delays the index. */
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
