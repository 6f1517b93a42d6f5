/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/columns.h"
#include "broadphase/crowd.h"
#include "broadphase/grid.h"
#include "broadphase/keys.h"
#include "broadphase/rest.h"

/* One find: list active keys, distribute their boxes to columns, sort and sweep each column, sort the pairs. */

static void list_active(abut_bp *bp) {
    bp->active_count = abut_bp_keys_with(bp, ABUT_BP_ACTIVE, bp->active);
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
static void distribute(abut_bp *bp) {
    list_active(bp);
    if (bp->resting_count > 0 && (abut_bp_few_rest(bp) || !distribute_active(bp))) {
        abut_bp_back_off(bp);
        abut_bp_activate_all(bp);
        list_active(bp);
    }
    if (bp->resting_count > 0) {
        return;
    }
    bp->resting_copies = bp->active_copies = 0;
    if (bp->active_count == 0) {
        return;
    }
    abut_bp_choose_grid(bp->box, bp->active, bp->active_count, abut_bp_columns_max(bp), &bp->grid);
    while (!distribute_active(bp) && abut_bp_coarsen_grid(&bp->grid)) {
    }
}

/* Pairs of two static keys are never made, not even to be dropped later: there might be no room for them. */
static void sweep_column(abut_bp *bp, uint32_t c, uint32_t at, bool any_static, abut_bp_sink *sink) {
    uint32_t from = bp->active_start[c], n = bp->active_start[c + 1] - from, moving = n;
    if (n == 0) {
        return;
    }
    if (any_static) {
        moving = abut_bp_sort_column_statics_last(bp, at + from, n, at);
    } else {
        abut_bp_sort_column(bp, at + from, n, at);
    }
    const abut_bp_kernels *kernels = abut_bp_kernels_active();
    abut_bp_column column = abut_bp_column_of(bp, c);
    abut_bp_span movers = {at, at + moving}, all = {at, at + n}, statics = {at + moving, at + n};
    if (bp->resting_count > 0) {
        abut_bp_span resting = {bp->resting_start[c], bp->resting_start[c + 1]};
        kernels->cross_resting(&column, all, resting, &bp->superblocks, bp->role, sink);
    }
    if (moving < n) { /* before sweeping, which may reorder the movers */
        kernels->cross(&column, movers, statics, sink);
    }
    abut_bp_sweep_column(bp, &column, movers, moving == n, sink);
}

/* Every column is gathered at the same copy indices, so that they stay in the cache. */
static void sweep(abut_bp *bp, abut_bp_sink *sink) {
    uint32_t at = first_active_copy(bp), columns = abut_bp_grid_columns(&bp->grid);
    bool any_static = abut_bp_any_static(bp);
    for (uint32_t c = 0; bp->active_count > 0 && c < columns; c++) {
        sweep_column(bp, c, at, any_static, sink);
    }
}

size_t abut_bp_find(abut_bp *bp, uint32_t key_end) {
    bp->key_end = key_end;
    abut_bp_drop_woken_pairs(bp);
    distribute(bp);
    size_t room = bp->pool_capacity > bp->resting_pairs + ABUT_BP_SLACK
                      ? (bp->pool_capacity - bp->resting_pairs - ABUT_BP_SLACK) / 2
                      : 0;
    abut_bp_pair none[ABUT_BP_SLACK], *pairs = room > 0 ? bp->pool + bp->resting_pairs : none;
    abut_bp_sink sink = {.pair = pairs, .capacity = 2 * room};
    sweep(bp, &sink);
    bp->tests = sink.tests;
    bp->active_pairs = sink.count <= room ? sink.count : 0;
    abut_bp_sort_pairs(pairs, pairs + bp->active_pairs, bp->active_pairs, bp->key_end);
    return bp->resting_pairs + sink.count;
}
