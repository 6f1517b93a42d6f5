/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/columns.h"
#include "broadphase/grid.h"
#include "broadphase/settled.h"

/* One call: who is active, which column, sort, sweep, rows. */

static void list_active(abut_bp *bp) {
    bp->active_count = abut_bp_list_role(bp, ABUT_BP_ACTIVE, bp->active);
}

/* Places of active copies begin at a whole superblock. */
static uint32_t first_active(const abut_bp *bp) {
    return (bp->settled_copies + 63) / 64 * 64;
}

static bool deal_active(abut_bp *bp) {
    uint32_t first = first_active(bp), room = bp->copy_capacity > first ? bp->copy_capacity - first : 0;
    if (bp->active_count > room) {
        return false;
    }
    uint64_t copies = abut_bp_deal(bp, bp->active, bp->active_count, first, room, bp->active_start);
    bp->active_copies = copies > room ? 0 : (uint32_t)copies;
    return copies <= room;
}

/* Settled columns stand as they were dealt, so the grid is that of the settled ones where there are some. */
static void deal(abut_bp *bp) {
    list_active(bp);
    if (bp->settled_count > 0 && (abut_bp_is_restless(bp) || !deal_active(bp))) {
        abut_bp_unsettle(bp);
        list_active(bp);
    }
    if (bp->settled_count > 0) {
        return;
    }
    bp->settled_copies = bp->active_copies = 0;
    if (bp->active_count == 0) {
        return;
    }
    abut_bp_choose_grid(bp->box, bp->active, bp->active_count, abut_bp_columns_max(bp), &bp->grid);
    while (!deal_active(bp) && abut_bp_coarsen_grid(&bp->grid)) {
    }
}

static bool any_static(const abut_bp *bp) {
    uint8_t all = 0;
    for (uint32_t k = 0; k < bp->active_count; k++) {
        all |= bp->role[bp->active[k]];
    }
    return all & ABUT_BP_STATIC;
}

/* All columns are gathered at the same places, which so stay in the cache. */
static void sweep(abut_bp *bp, abut_bp_sink *sink) {
    uint32_t at = first_active(bp), columns = abut_bp_grid_columns(&bp->grid);
    for (uint32_t c = 0; bp->active_count > 0 && c < columns; c++) {
        uint32_t from = bp->active_start[c], n = bp->active_start[c + 1] - from;
        if (n == 0) {
            continue;
        }
        abut_bp_span span = abut_bp_sort_column(bp, at + from, n, at);
        abut_bp_column column = abut_bp_column_of(bp, c);
        if (bp->settled_count > 0) {
            abut_bp_span settled = {bp->settled_start[c], bp->settled_start[c + 1]};
            abut_bp_kernels_active()->among(&column, span, settled, &bp->superblocks, bp->role, sink);
        }
        abut_bp_sweep_column(bp, &column, span, sink);
    }
}

size_t abut_bp_find(abut_bp *bp) {
    abut_bp_forget_woken(bp);
    deal(bp);
    size_t room = bp->pool_capacity > bp->settled_rows + ABUT_BP_SLACK
                      ? (bp->pool_capacity - bp->settled_rows - ABUT_BP_SLACK) / 2
                      : 0;
    abut_bp_pair none[ABUT_BP_SLACK], *rows = room > 0 ? bp->pool + bp->settled_rows : none;
    abut_bp_sink sink = {.pair = rows, .capacity = 2 * room, .role = any_static(bp) ? bp->role : NULL};
    sweep(bp, &sink);
    abut_bp_sift(&sink);
    bp->tests = sink.tests;
    bp->active_rows = sink.count <= room ? sink.count : 0;
    abut_bp_sort_pairs(rows, rows + bp->active_rows, bp->active_rows, bp->key_end);
    return bp->settled_rows + sink.count;
}
