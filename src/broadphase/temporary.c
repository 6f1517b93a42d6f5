/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "broadphase/blocks.h"
#include "broadphase/kernels.h"
#include <string.h>

/* Points the arrays of the broad phase at those of the struct around it. */
static void point_into(abut_bp_temporary *t) {
    abut_bp *bp = &t->bp;
    bp->box = t->box;
    bp->role = t->role;
    bp->order = t->order;
    bp->scratch = t->scratch;
    bp->copies.key = t->key;
    for (int k = 0; k < 3; k++) {
        bp->copies.min[k] = t->copy[k];
        bp->copies.max[k] = t->copy[3 + k];
        bp->blocks.min[k] = t->block[k];
        bp->blocks.max[k] = t->block[3 + k];
        bp->superblocks.min[k] = t->superblock[k];
        bp->superblocks.max[k] = t->superblock[3 + k];
    }
}

void abut_bp_temporary_prepare(abut_bp_temporary *t, uint32_t n, int axis) {
    abut_bp *bp = &t->bp;
    memset(bp, 0, sizeof *bp);
    point_into(t);
    bp->grid.axis = axis < 0 ? 0 : axis;
    bp->key_end = bp->active_copies = bp->copy_capacity = n;
    bp->active_ungridded = true;
    memset(t->role, ABUT_BP_ACTIVE, n);
    for (uint32_t k = 0; k < n; k++) {
        t->order[k] = (abut_radix_item){abut_bits_ordered(t->box[k].min[bp->grid.axis]), k};
    }
    if (axis >= 0) {
        abut_radix_sort(t->order, t->scratch, n);
    }
    if (n > 0) {
        abut_bp_kernels_active()->gather(t->box, t->order, n, bp->grid.axis, 0, &bp->copies);
        abut_bp_enclose_copies(bp, abut_bp_active_copies(bp));
    }
}
