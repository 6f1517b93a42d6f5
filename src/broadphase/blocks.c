/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/blocks.h"
#include "broadphase/columns.h"
#include "broadphase/grid.h"

enum { SIZE = ABUT_BP_BLOCK };
_Static_assert(ABUT_BP_SUPERBLOCK == SIZE * SIZE, "a superblock is as many blocks as a block is places");

/* How many blocks so many elements take. What follows the last element, up to the end of its block, becomes like it. */
static uint32_t fill_last(const abut_bp_blocks *boxes, uint32_t end) {
    uint32_t blocks = (end + SIZE - 1) / SIZE;
    for (uint32_t i = end; i < blocks * SIZE; i++) {
        for (int k = 0; k < 3; k++) {
            boxes->min[k][i] = boxes->min[k][end - 1];
            boxes->max[k][i] = boxes->max[k][end - 1];
        }
    }
    return blocks;
}

void abut_bp_enclose_copies(const abut_bp *bp, abut_bp_span places) {
    if (places.first == places.end) {
        return;
    }
    const abut_bp_kernels *kernels = abut_bp_kernels_active();
    const abut_bp_copies *c = &bp->copies;
    const abut_bp_blocks copies = {{c->min[0], c->min[1], c->min[2]}, {c->max[0], c->max[1], c->max[2]}};
    uint32_t block = places.first / SIZE, super = block / SIZE;
    uint32_t blocks = fill_last(&copies, places.end);
    kernels->enclose(&copies, block, blocks - block, &bp->blocks);
    uint32_t supers = fill_last(&bp->blocks, blocks);
    kernels->enclose(&bp->blocks, super, supers - super, &bp->superblocks);
}

/* Keys of which copies would take too much room follow each other. */
static void list_plainly(const abut_bp *bp, uint32_t first, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        bp->order[first + k].value = bp->active[k];
    }
}

static void sort_columns(const abut_bp *bp, uint32_t first) {
    uint32_t columns = abut_bp_grid_columns(&bp->grid);
    for (uint32_t c = 0; c < columns; c++) {
        uint32_t from = bp->active_start[c], n = bp->active_start[c + 1] - from;
        if (n > 1) {
            abut_radix_sort(bp->order + first + from, bp->spare, n);
        }
    }
}

/* After a settling, and after all were made active, active keys have no places yet. */
static void find_places(abut_bp *bp, uint32_t first) {
    uint32_t n = abut_bp_list_role(bp, ABUT_BP_ACTIVE, bp->active);
    uint32_t room = bp->copy_capacity > first ? bp->copy_capacity - first : 0;
    if (n == 0) {
        return;
    }
    if (bp->resting_copies == 0) {
        abut_bp_choose_grid(bp->box, bp->active, n, abut_bp_columns_max(bp), &bp->grid);
    }
    uint64_t copies = abut_bp_deal(bp, bp->active, n, first, room, bp->active_start);
    bp->active_listed = copies > room;
    bp->active_copies = bp->active_listed ? n : (uint32_t)copies;
    if (bp->active_listed) {
        list_plainly(bp, first, n);
    } else {
        sort_columns(bp, first);
    }
}

void abut_bp_query_prepare(abut_bp *bp) {
    uint32_t first = abut_bp_active_copies(bp).first;
    if (bp->active_copies == 0) {
        find_places(bp, first);
    }
    if (bp->active_copies > 0) {
        abut_bp_kernels_active()->gather(bp->box, bp->order + first, bp->active_copies, bp->grid.axis, first,
                                         &bp->copies);
    }
    abut_bp_enclose_copies(bp, abut_bp_active_copies(bp));
}
