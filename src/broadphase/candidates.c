/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/columns.h"
#include "broadphase/grid.h"
#include "broadphase/keys.h"
#include "broadphase/rest.h"
#include "broadphase/sweep.h"

/* One find: list active keys, distribute their boxes to columns, sort and sweep each column, sort the pairs. */

/* Keys that make no pair with any other are left out: they stay active and cost nothing more. */
static void list_active(abut_bp *bp, const abut_bp_groups *groups) {
    uint32_t n = abut_bp_keys_with(bp, ABUT_BP_ACTIVE, bp->active);
    bp->active_count = groups->any_idle ? 0 : n;
    for (uint32_t k = 0; groups->any_idle && k < n; k++) {
        uint32_t key = bp->active[k];
        bp->active[bp->active_count] = key;
        bp->active_count += groups->of_kind[abut_bp_kind_of(bp->role[key])] != ABUT_BP_NO_GROUP;
    }
}

/* Active copies begin at a superblock. */
static uint32_t first_active_copy(const abut_bp *bp) {
    return (bp->resting_copies + ABUT_BP_SUPERBLOCK - 1) / ABUT_BP_SUPERBLOCK * ABUT_BP_SUPERBLOCK;
}

/* False: there is no room for the copies. */
static bool distribute_active(abut_bp *bp) {
    uint32_t first = first_active_copy(bp), room = bp->copy_capacity > first ? bp->copy_capacity - first : 0;
    if (bp->active_count > room) {
        return false;
    }
    uint64_t copies = abut_bp_distribute(bp, bp->active, bp->active_count, first, room, bp->active_start);
    bp->active_copies = copies > room ? 0 : (uint32_t)copies;
    return copies <= room;
}

/* Resting columns are kept, so the grid must stay the same as long as any key rests. */
static void distribute(abut_bp *bp, const abut_bp_groups *groups) {
    list_active(bp, groups);
    if (bp->resting_count > 0 && (abut_bp_few_rest(bp) || !distribute_active(bp))) {
        abut_bp_back_off(bp);
        abut_bp_activate_all(bp);
        list_active(bp, groups);
    }
    if (bp->resting_count > 0) {
        return;
    }
    bp->resting_copies = bp->active_copies = 0;
    if (bp->active_count == 0) {
        return;
    }
    abut_bp_choose_grid(bp->box, bp->active, bp->active_count, abut_bp_columns_max(bp), &bp->grid);
    while (!distribute_active(bp)) {
        abut_bp_coarsen_grid(&bp->grid); /* one column has one copy of each, and there is room for these */
    }
}

size_t abut_bp_find(abut_bp *bp, uint32_t key_end, abut_workers *workers) {
    bp->key_end = key_end;
    abut_bp_drop_woken_pairs(bp);
    abut_bp_groups groups;
    abut_bp_choose_groups(bp, &groups);
    distribute(bp, &groups);
    size_t room = bp->pool_capacity > bp->resting_pairs + ABUT_BP_SLACK
                      ? (bp->pool_capacity - bp->resting_pairs - ABUT_BP_SLACK) / 2
                      : 0;
    abut_bp_pair none[ABUT_BP_SLACK], *pairs = room > 0 ? bp->pool + bp->resting_pairs : none;
    abut_bp_sink sink = {.pair = pairs, .capacity = 2 * room};
    abut_bp_sweep(bp, first_active_copy(bp), &groups, workers, &sink);
    bp->tests = sink.tests;
    bp->active_pairs = sink.count <= room ? sink.count : 0;
    abut_bp_sort_pairs_with(bp, pairs, pairs + bp->active_pairs, bp->active_pairs, workers);
    return bp->resting_pairs + sink.count;
}
