/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "broadphase/blocks.h"
#include "broadphase/kernels.h"
#include <string.h>

static void point_into(abut_bp_temporary *few) {
    abut_bp *bp = &few->bp;
    bp->box = few->box;
    bp->role = few->role;
    bp->order = few->order;
    bp->spare = few->spare;
    bp->copies.key = few->key;
    for (int k = 0; k < 3; k++) {
        bp->copies.min[k] = few->copy[k];
        bp->copies.max[k] = few->copy[3 + k];
        bp->blocks.min[k] = few->block[k];
        bp->blocks.max[k] = few->block[3 + k];
        bp->superblocks.min[k] = few->superblock[k];
        bp->superblocks.max[k] = few->superblock[3 + k];
    }
}

void abut_bp_temporary_prepare(abut_bp_temporary *few, uint32_t n, int axis) {
    abut_bp *bp = &few->bp;
    memset(bp, 0, sizeof *bp);
    point_into(few);
    bp->grid.axis = axis < 0 ? 0 : axis;
    bp->key_end = bp->active_copies = bp->copy_capacity = n;
    bp->active_listed = true;
    memset(few->role, ABUT_BP_ACTIVE, n);
    for (uint32_t k = 0; k < n; k++) {
        few->order[k] = (abut_radix_item){abut_bits_ordered(few->box[k].min[bp->grid.axis]), k};
    }
    if (axis >= 0) {
        abut_radix_sort(few->order, few->spare, n);
    }
    if (n > 0) {
        abut_bp_kernels_active()->gather(few->box, few->order, n, bp->grid.axis, 0, &bp->copies);
        abut_bp_enclose_copies(bp, abut_bp_active_copies(bp));
    }
}
