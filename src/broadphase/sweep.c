/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/sweep.h"
#include "broadphase/columns.h"
#include "broadphase/crowd.h"
#include "broadphase/grid.h"
#include <string.h>

/* Finds the pairs of each two groups that make any; end[g]: where group g ends. */
static void sweep_groups(abut_bp *bp, abut_bp_column *column, uint32_t at, const uint32_t *end,
                         const abut_bp_groups *groups, abut_bp_sink *sink) {
    for (uint32_t b = 1; b < groups->count; b++) { /* before sweeping, which may reorder a group */
        abut_bp_span second = {at + end[b - 1], at + end[b]};
        for (uint32_t a = 0; a < b && second.first < second.end; a++) {
            abut_bp_span first = {a > 0 ? at + end[a - 1] : at, at + end[a]};
            column->ask = groups->relation[a][b] == ABUT_BP_SOME_PAIRS;
            if (groups->relation[a][b] != ABUT_BP_NO_PAIRS && first.first < first.end) {
                abut_bp_kernels_active()->cross(column, first, second, sink);
            }
        }
    }
    for (uint32_t a = 0; a < groups->count; a++) {
        abut_bp_span span = {a > 0 ? at + end[a - 1] : at, at + end[a]};
        column->ask = groups->relation[a][a] == ABUT_BP_SOME_PAIRS;
        bool whole = !column->ask && span.first == at && end[a] == end[groups->count - 1];
        if (groups->relation[a][a] != ABUT_BP_NO_PAIRS) {
            abut_bp_sweep_column(bp, column, span, whole, sink);
        }
    }
}

/* Sweeps column c: its items are in bp->order, those of all columns from `first` on, and its boxes are gathered at
 * `at`. Pairs of keys that are apart are never made, not even to be dropped later: there might be no room for them. */
static void sweep_one(abut_bp *bp, uint32_t c, uint32_t first, uint32_t at, const abut_bp_groups *groups,
                      abut_bp_sink *sink) {
    uint32_t from = bp->active_start[c], n = bp->active_start[c + 1] - from, end[ABUT_BP_GROUPS_MOST] = {n};
    if (n == 0) {
        return;
    }
    if (groups->count > 1) {
        abut_bp_sort_column_by_group(bp, first + from, n, at, groups, end);
    } else {
        abut_bp_sort_column(bp, first + from, n, at);
    }
    abut_bp_column column = abut_bp_column_of(bp, c);
    if (bp->resting_count > 0) {
        abut_bp_span resting = {bp->resting_start[c], bp->resting_start[c + 1]};
        abut_bp_kernels_active()->cross_resting(&column, (abut_bp_span){at, at + n}, resting, &bp->superblocks, sink);
    }
    sweep_groups(bp, &column, at, end, groups, sink);
}

/* Every column is gathered at the same copy indices, so that they stay in the cache. */
static void sweep_alone(abut_bp *bp, uint32_t first, const abut_bp_groups *groups, abut_bp_sink *sink) {
    uint32_t columns = abut_bp_grid_columns(&bp->grid);
    for (uint32_t c = 0; c < columns; c++) {
        sweep_one(bp, c, first, first, groups, sink);
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
    const abut_bp_groups *groups;
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
            sweep_one(&own, c, s->first, at, s->groups, &s->sink[worker]);
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
        if (piece->pair != sink->pair + sink->count) { /* those of the first are in place */
            memmove(sink->pair + sink->count, piece->pair, piece->count * sizeof *piece->pair);
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
            sweep_one(bp, c, s->first, s->first, s->groups, sink);
        }
    }
}

/* False: there is too little room for pairs. There are no more workers than blocks of copies, so pieces have room for
 * some 1,600 copies at least. */
static bool sweep_side_by_side(abut_bp *bp, uint32_t first, const abut_bp_groups *groups, abut_workers *workers,
                               abut_bp_sink *sink) {
    uint32_t count = abut_workers_count(workers), blocks = abut_workers_blocks(bp->active_copies, BLOCK);
    count = count < blocks ? count : blocks; /* a loop has no more workers than blocks */
    sweeping s = {.bp = bp, .first = first, .groups = groups};
    size_t pairs_each = sink->capacity / count;
    s.copies_each = (bp->copy_capacity - first) / count / ABUT_BP_SLACK * ABUT_BP_SLACK;
    s.items_each = bp->storage.keys.capacity / count;
    if (pairs_each < 4 * ABUT_BP_SLACK) {
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

void abut_bp_sweep(abut_bp *bp, uint32_t first, const abut_bp_groups *groups, abut_workers *workers,
                   abut_bp_sink *sink) {
    bool pays = abut_workers_count(workers) > 1 && bp->active_copies >= BLOCKS_LEAST * BLOCK;
    if (bp->active_count > 0 && !(pays && sweep_side_by_side(bp, first, groups, workers, sink))) {
        sweep_alone(bp, first, groups, sink);
    }
}
