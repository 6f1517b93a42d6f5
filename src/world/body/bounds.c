/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "world/body/body.h"
#include <string.h>

/* By how many margins bounds are widened, so that every pair whose gaps along its separating axes are at most the
 * margin is a candidate: half the square root of 3, rounded up. If the gaps along all axes of a pair of boxes are at
 * most m, the gap along any other axis is at most sqrt(3) m (docs/numerics.md), and each of the two bounds contributes
 * half. */
static const double WIDENING = 0.8661;

_Static_assert(sizeof(abut_bp_box) == sizeof(float[6]), "a box is its six numbers");

/* Slots whose bounds must be recomputed; [1]: those whose bounds are widened by the margin. */
enum { SLOTS = 256 };
typedef struct stale_list {
    uint32_t slot[2][SLOTS];
    size_t n[2];
} stale_list;

/* What a walk over some slots has met. */
typedef struct dirty_bodies {
    uint8_t flags;  /* of all dirty ones, or-ed together */
    uint32_t woken; /* were resting */
} dirty_bodies;

static bool is_widened(const abut_world *world, uint32_t slot) {
    return world->traits[slot].detail == ABUT_DETAIL_MANIFOLD && world->margin > 0;
}

void abut_w_bounds_of(const abut_world *world, const uint32_t *slot, uint32_t n, abut_bp_box *box) {
    enum { AT_ONCE = 64 };
    abut_collider collider[AT_ONCE];
    uint32_t index[2][AT_ONCE];
    for (uint32_t from = 0; from < n; from += AT_ONCE) {
        uint32_t batch_count = n - from < AT_ONCE ? n - from : AT_ONCE, count[2] = {0, 0};
        for (uint32_t k = 0; k < batch_count; k++) {
            bool widened = is_widened(world, slot[from + k]);
            collider[k] = world->collider[slot[from + k]];
            index[widened][count[widened]++] = k;
        }
        for (int widened = 0; widened < 2; widened++) {
            abut_collider_bounds_many(collider, index[widened], count[widened],
                                      widened ? WIDENING * (double)world->margin : 0,
                                      (float(*)[6])(void *)(box + from));
        }
    }
}

static void refresh_listed(abut_world *world, stale_list *list, bool widened) {
    float(*box)[6] = (float(*)[6])(void *)abut_bp_boxes(&world->bp);
    abut_collider_bounds_many(world->collider, list->slot[widened], list->n[widened],
                              widened ? WIDENING * (double)world->margin : 0, box);
    list->n[widened] = 0;
}

/* The first dirty slot of slot .. end - 1, or `end`. Most bodies of most worlds are not dirty, so eight are skipped at
 * once. */
static inline uint32_t next_dirty(const abut_world *world, uint32_t slot, uint32_t end) {
    static const uint64_t dirty = UINT64_C(0x0101010101010101) * ABUT_W_DIRTY;
    const uint8_t *flags = world->flags;
    uint64_t eight = 0;
    while (end - slot >= 8 && (memcpy(&eight, flags + slot, sizeof eight), (eight & dirty) == 0)) {
        slot += 8;
    }
    while (slot < end && !(flags[slot] & ABUT_W_DIRTY)) {
        slot++;
    }
    return slot;
}

/* Lists eight bodies at once if all of them are dirty and stale and none was resting, which is the most frequent case.
 * Otherwise returns false and changes nothing. There is room for eight. */
static bool list_eight_dirty(abut_world *world, uint32_t slot, uint32_t end, stale_list *list, dirty_bodies *dirty) {
    static const uint64_t each = UINT64_C(0x0101010101010101), moved = each * ABUT_W_DIRTY;
    uint64_t flags;
    abut_bp_box *box = abut_bp_boxes(&world->bp);
    if (world->margin > 0 || end - slot < 8) {
        return false;
    }
    memcpy(&flags, world->flags + slot, sizeof flags);
    if ((flags & moved) != moved || abut_bp_any_of_eight_resting(&world->bp, slot)) {
        return false;
    }
    for (uint32_t i = 0; i < 8; i++) {
        ABUT_PREFETCH(&world->collider[slot + i]);
        ABUT_PREFETCH_TO_WRITE(&box[slot + i]);
        list->slot[0][list->n[0]++] = slot + i;
        dirty->flags |= world->flags[slot + i];
    }
    flags &= ~(each * ABUT_W_STALE);
    memcpy(world->flags + slot, &flags, sizeof flags);
    return true;
}

static void list_one(abut_world *world, uint32_t slot, stale_list *list, dirty_bodies *dirty) {
    uint8_t flags = world->flags[slot];
    bool widened = is_widened(world, slot);
    dirty->woken += abut_bp_activate_uncounted(&world->bp, slot, world->traits[slot].motion == ABUT_STATIC);
    ABUT_PREFETCH(&world->collider[slot]);
    ABUT_PREFETCH_TO_WRITE(&abut_bp_boxes(&world->bp)[slot]);
    list->slot[widened][list->n[widened]] = slot;
    list->n[widened] += (flags & ABUT_W_STALE) != 0;
    world->flags[slot] = (uint8_t)(flags & ~ABUT_W_STALE);
    dirty->flags |= flags;
}

static dirty_bodies refresh_slots(abut_world *world, uint32_t slot, uint32_t end) {
    stale_list list;
    dirty_bodies dirty = {0, 0};
    list.n[0] = list.n[1] = 0;
    while ((slot = next_dirty(world, slot, end)) < end) {
        if (list_eight_dirty(world, slot, end, &list, &dirty)) {
            slot += 8;
        } else {
            list_one(world, slot++, &list, &dirty);
        }
        for (int widened = 0; widened < 2; widened++) {
            if (list.n[widened] + 8 > SLOTS) {
                refresh_listed(world, &list, widened);
            }
        }
    }
    refresh_listed(world, &list, false);
    refresh_listed(world, &list, true);
    return dirty;
}

/* Side by side, a block takes some 30 microseconds if all its bodies moved. */
enum { BLOCK = 4096 };
typedef struct refreshing {
    abut_world *world;
    dirty_bodies dirty[ABUT_WORKERS_MAX]; /* by worker; sums and or do not depend on who met whom */
} refreshing;

static void refresh_block(void *context, uint32_t block, uint32_t worker) {
    refreshing *r = context;
    uint32_t first = block * BLOCK, left = r->world->ids.used - first;
    dirty_bodies dirty = refresh_slots(r->world, first, first + (left < BLOCK ? left : BLOCK));
    r->dirty[worker].flags |= dirty.flags;
    r->dirty[worker].woken += dirty.woken;
}

static dirty_bodies refresh_side_by_side(abut_world *world, uint32_t workers) {
    refreshing r = {.world = world};
    dirty_bodies all = {0, 0};
    abut_workers_loop(&world->workers, abut_workers_blocks(world->ids.used, BLOCK), refresh_block, &r);
    for (uint32_t k = 0; k < workers; k++) {
        all.flags |= r.dirty[k].flags;
        all.woken += r.dirty[k].woken;
    }
    return all;
}

uint8_t abut_w_refresh_bounds(abut_world *world) {
    uint32_t workers = abut_workers_count(&world->workers);
    dirty_bodies dirty = workers > 1 && world->ids.used > BLOCK ? refresh_side_by_side(world, workers)
                                                                : refresh_slots(world, 0, world->ids.used);
    abut_bp_count_woken(&world->bp, dirty.woken);
    return dirty.flags;
}
