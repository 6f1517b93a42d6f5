/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/sweep_columns.h"
#include "broadphase/columns.h"
#include "broadphase/crowd.h"
#include "broadphase/grid.h"
#include "broadphase/keys.h"
#include <string.h>

/* Sweeps column c: its items are in bp->order, those of all columns from `first` on, and its boxes are gathered at
 * `at`. Pairs of two static keys are never made, not even to be dropped later: there might be no room for them. */
static void sweep_one(abut_bp *bp, uint32_t c, uint32_t first, uint32_t at, bool any_static, abut_bp_sink *sink) {
    uint32_t from = bp->active_start[c], n = bp->active_start[c + 1] - from, moving = n;
    if (n == 0) {
        return;
    }
    if (any_static) {
        moving = abut_bp_sort_column_statics_last(bp, first + from, n, at);
    } else {
        abut_bp_sort_column(bp, first + from, n, at);
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
static void sweep_alone(abut_bp *bp, uint32_t first, bool any_static, abut_bp_sink *sink) {
    uint32_t columns = abut_bp_grid_columns(&bp->grid);
    for (uint32_t c = 0; c < columns; c++) {
        sweep_one(bp, c, first, first, any_static, sink);
    }
}

/* --- side by side ---
 *
 * All memory that one thread uses is cut into one piece for each worker: the copies from `first` on, which all columns
 * share one after the other; the scratch memory; and the room for pairs. A column that is too large for a piece waits
 * until the others are done. If a piece has too little room for pairs, all is swept again by one thread: whether there
 * is room for all pairs must not depend on who found how many. */

enum {
    BLOCK = 2048,    /* copies: some 20 microseconds */
    BLOCKS_LEAST = 4 /* for this to pay */
};

typedef struct sweeping {
    abut_bp *bp;
    uint32_t first;
    bool any_static;
    uint32_t copies_each, items_each, largest; /* of the pieces; and the largest column that fits one */
    abut_bp_sink sink[ABUT_WORKERS_MAX];
    bool too_large[ABUT_WORKERS_MAX]; /* it has met a column that is */
} sweeping;

/* The first column whose copies begin at or after this one. */
static uint32_t column_from(const abut_bp *bp, uint32_t copy) {
    uint32_t low = 0, high = abut_bp_grid_columns(&bp->grid);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (bp->active_start[middle] < copy) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void sweep_block(void *context, uint32_t block, uint32_t worker) {
    sweeping *s = context;
    const abut_bp *bp = s->bp;
    abut_bp own = *bp; /* with a piece of the scratch memory */
    uint32_t at = s->first + worker * s->copies_each, end = column_from(bp, (block + 1) * BLOCK);
    own.scratch += (size_t)worker * s->items_each;
    for (uint32_t c = column_from(bp, block * BLOCK); c < end; c++) {
        if (bp->active_start[c + 1] - bp->active_start[c] > s->largest) {
            s->too_large[worker] = true;
        } else {
            sweep_one(&own, c, s->first, at, s->any_static, &s->sink[worker]);
        }
    }
}

/* Moves the pairs of all pieces together, and adds up the counts. False: a piece had too little room. */
static bool collect(const sweeping *s, uint32_t workers, abut_bp_sink *sink) {
    sink->count = 0;
    sink->tests = 0;
    for (uint32_t k = 0; k < workers; k++) {
        const abut_bp_sink *piece = &s->sink[k];
        if (piece->count > piece->capacity) {
            return false;
        }
        if (piece->count > 0 && sink->count > 0) {
            memmove(sink->pair + sink->count, piece->pair, piece->count * sizeof *piece->pair);
        } else if (piece->count > 0 && piece->pair != sink->pair) {
            memmove(sink->pair, piece->pair, piece->count * sizeof *piece->pair);
        }
        sink->count += piece->count;
        sink->tests += piece->tests;
    }
    return true;
}

static void sweep_large(const sweeping *s, abut_bp_sink *sink) {
    abut_bp *bp = s->bp;
    uint32_t columns = abut_bp_grid_columns(&bp->grid);
    for (uint32_t c = 0; c < columns; c++) {
        if (bp->active_start[c + 1] - bp->active_start[c] > s->largest) {
            sweep_one(bp, c, s->first, s->first, s->any_static, sink);
        }
    }
}

/* False: there is too little memory for as many pieces. */
static bool sweep_side_by_side(abut_bp *bp, uint32_t first, bool any_static, abut_workers *workers,
                               abut_bp_sink *sink) {
    uint32_t count = abut_workers_count(workers), blocks = abut_workers_blocks(bp->active_copies, BLOCK);
    count = count < blocks ? count : blocks; /* a loop has no more workers than blocks */
    sweeping s = {.bp = bp, .first = first, .any_static = any_static};
    size_t pairs_each = sink->capacity / count;
    s.copies_each = (bp->copy_capacity - first) / count / ABUT_BP_SLACK * ABUT_BP_SLACK;
    s.items_each = bp->storage.keys.capacity / count;
    if (pairs_each < 4 * ABUT_BP_SLACK || s.copies_each < 2 * ABUT_BP_SLACK || s.items_each < ABUT_BP_SLACK) {
        return false;
    }
    s.largest = s.copies_each - ABUT_BP_SLACK < s.items_each ? s.copies_each - ABUT_BP_SLACK : s.items_each;
    for (uint32_t k = 0; k < count; k++) {
        s.sink[k] = (abut_bp_sink){.pair = sink->pair + k * pairs_each, .capacity = pairs_each - ABUT_BP_SLACK};
    }
    abut_workers_loop(workers, blocks, sweep_block, &s);
    if (!collect(&s, count, sink)) {
        sink->count = 0;
        sink->tests = 0;
        return false;
    }
    bool any_too_large = false;
    for (uint32_t k = 0; k < count; k++) {
        any_too_large = any_too_large || s.too_large[k];
    }
    if (any_too_large) {
        sweep_large(&s, sink);
    }
    return true;
}

void abut_bp_sweep_columns(abut_bp *bp, uint32_t first, abut_workers *workers, abut_bp_sink *sink) {
    bool any_static = abut_bp_any_static(bp);
    bool pays = abut_workers_count(workers) > 1 && bp->active_copies >= BLOCKS_LEAST * BLOCK;
    if (bp->active_count > 0 && !(pays && sweep_side_by_side(bp, first, any_static, workers, sink))) {
        sweep_alone(bp, first, any_static, sink);
    }
}
