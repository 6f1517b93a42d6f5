/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/blocks.h"

enum { SIZE = ABUT_BP_BLOCK, SUPERSIZE = ABUT_BP_SUPERBLOCK };
_Static_assert(SUPERSIZE % SIZE == 0, "a superblock is whole blocks");

static void take_in(abut_bp_box *all, const abut_bp_box *box) {
    for (int k = 0; k < 3; k++) {
        all->min[k] = box->min[k] < all->min[k] ? box->min[k] : all->min[k];
        all->max[k] = box->max[k] > all->max[k] ? box->max[k] : all->max[k];
    }
}

static void put(const abut_bp_blocks *blocks, uint32_t number, const abut_bp_box *box, int axis) {
    for (int k = 0; k < 3; k++) {
        blocks->min[k][number] = box->min[(axis + k) % 3];
        blocks->max[k][number] = box->max[(axis + k) % 3];
    }
}

void abut_bp_enclose_places(const abut_bp *bp, abut_bp_span places) {
    for (uint32_t super = places.first; super < places.end; super += SUPERSIZE) {
        abut_bp_box round_all = bp->box[bp->order[super].value];
        for (uint32_t from = super; from < super + SUPERSIZE && from < places.end; from += SIZE) {
            abut_bp_box round_some = bp->box[bp->order[from].value];
            for (uint32_t place = from + 1; place < from + SIZE && place < places.end; place++) {
                take_in(&round_some, &bp->box[bp->order[place].value]);
            }
            put(&bp->blocks, from / SIZE, &round_some, bp->grid.axis);
            take_in(&round_all, &round_some);
        }
        put(&bp->superblocks, super / SUPERSIZE, &round_all, bp->grid.axis);
    }
}

/* After a settling the others have no columns: their keys follow each other. */
static void list_plainly(abut_bp *bp, uint32_t first) {
    uint32_t n = abut_bp_list_role(bp, ABUT_BP_ACTIVE, bp->active);
    for (uint32_t k = 0; k < n; k++) {
        bp->order[first + k].value = bp->active[k];
    }
    bp->active_copies = n;
}

void abut_bp_enclose(abut_bp *bp) {
    uint32_t first = abut_bp_active_places(bp).first;
    if (bp->active_copies == 0) {
        list_plainly(bp, first);
    }
    abut_bp_enclose_places(bp, abut_bp_active_places(bp));
}
