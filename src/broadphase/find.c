/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "broadphase/broadphase.h"

void abut_bp_unsettle(abut_bp *bp) {
    for (uint32_t key = 0; key < bp->key_end && bp->settled_count > 0; key++) {
        if (bp->role[key] & ABUT_BP_SETTLED) {
            abut_bp_activate(bp, key, bp->role[key] & ABUT_BP_STATIC);
        }
    }
    bp->settled_copies = bp->woken = 0;
    bp->settled_rows = 0;
}

void abut_bp_settle(abut_bp *bp, const uint8_t *flags, uint8_t changed) {
    (void)bp, (void)flags, (void)changed;
}

size_t abut_bp_find(abut_bp *bp) {
    size_t found = 0, capacity = bp->pool_capacity > ABUT_BP_SLACK ? (bp->pool_capacity - ABUT_BP_SLACK) / 2 : 0;
    bp->active_count = 0;
    for (uint32_t key = 0; key < bp->key_end; key++) {
        if (bp->role[key] & ABUT_BP_ACTIVE) {
            bp->order[bp->active_count] = (abut_radix_row){abut_bits_ordered(bp->box[key].min[0]), key};
            bp->active[bp->active_count++] = key;
        }
    }
    abut_radix_sort(bp->order, bp->spare, bp->active_count);
    for (uint32_t i = 0; i < bp->active_count; i++) {
        uint32_t a = bp->order[i].value;
        const abut_bp_box *p = &bp->box[a];
        for (uint32_t j = i + 1; j < bp->active_count; j++) {
            uint32_t b = bp->order[j].value;
            const abut_bp_box *q = &bp->box[b];
            if (q->min[0] > p->max[0]) {
                break;
            }
            bool hit = q->min[1] <= p->max[1] && p->min[1] <= q->max[1] && q->min[2] <= p->max[2] &&
                       p->min[2] <= q->max[2] && !(bp->role[a] & bp->role[b] & ABUT_BP_STATIC);
            if (hit && found < capacity) {
                bp->pool[found] = a < b ? (abut_bp_pair){a, b} : (abut_bp_pair){b, a};
            }
            found += hit;
        }
    }
    if (found <= capacity) {
        abut_bp_sort_pairs(bp->pool, bp->pool + found, found, bp->key_end);
        bp->active_rows = found;
    }
    return found;
}
