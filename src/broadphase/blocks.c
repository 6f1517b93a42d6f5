/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/blocks.h"
#include "broadphase/kernels.h"

enum { SIZE = ABUT_BP_BLOCK };
_Static_assert(ABUT_BP_SUPERBLOCK == SIZE * SIZE, "a superblock has as many blocks as a block has copies");

/* Repeats the last box until its block is full. Returns how many blocks there are. */
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

void abut_bp_enclose_copies(const abut_bp *bp, abut_bp_span span) {
    if (span.first == span.end) {
        return;
    }
    const abut_bp_kernels *kernels = abut_bp_kernels_active();
    const abut_bp_copies *c = &bp->copies;
    const abut_bp_blocks copies = {{c->min[0], c->min[1], c->min[2]}, {c->max[0], c->max[1], c->max[2]}};
    uint32_t block = span.first / SIZE, super = block / SIZE;
    uint32_t blocks = fill_last(&copies, span.end);
    kernels->enclose(&copies, block, blocks - block, &bp->blocks);
    uint32_t supers = fill_last(&bp->blocks, blocks);
    kernels->enclose(&bp->blocks, super, supers - super, &bp->superblocks);
}
