/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/resting.h"
#include "broadphase/blocks.h"
#include "broadphase/columns.h"
#include "broadphase/grid.h"
#include <string.h>

/* Settling costs about as much as a sweep, so keys settle when their resting has cost half of that already (the rule
 * of those who rent skis until they could have bought them); then nobody pays more than a few times what foresight
 * would. Where settled keys wake in masses, patience grows. */

enum {
    PATIENCE_MAX = 6,
    CALM = 16,
    MOVERS_MOST = 4 /* a box that is held against settled columns costs some three or four times one that is swept */
};

uint32_t abut_bp_list_role(const abut_bp *bp, uint8_t role, uint32_t *key) {
    uint32_t n = 0, k = 0;
    for (; k + 8 <= bp->key_end; k += 8) {
        uint64_t eight;
        memcpy(&eight, bp->role + k, sizeof eight);
        eight &= UINT64_C(0x0101010101010101) * role;
        if (eight == 0) {
            continue;
        }
        if (eight == UINT64_C(0x0101010101010101) * role) {
            for (uint32_t i = 0; i < 8; i++) {
                key[n + i] = k + i;
            }
            n += 8;
            continue;
        }
        for (uint32_t i = k; i < k + 8; i++) {
            key[n] = i;
            n += (bp->role[i] & role) != 0;
        }
    }
    for (; k < bp->key_end; k++) {
        key[n] = k;
        n += (bp->role[k] & role) != 0;
    }
    return n;
}

uint32_t abut_bp_columns_max(const abut_bp *bp) {
    return bp->copy_capacity / (uint32_t)sizeof(uint32_t) - 1;
}

static bool is_settled_row(const abut_bp *bp, abut_bp_pair row) {
    return bp->role[row.low] & bp->role[row.high] & ABUT_BP_RESTING;
}

void abut_bp_forget_woken(abut_bp *bp) {
    size_t kept = 0;
    for (size_t i = 0; bp->woken > bp->woken_seen && i < bp->resting_pairs; i++) {
        bp->pool[kept] = bp->pool[i];
        kept += is_settled_row(bp, bp->pool[i]);
    }
    bp->resting_pairs = bp->woken > bp->woken_seen ? kept : bp->resting_pairs;
    bp->woken_seen = bp->woken;
}

bool abut_bp_is_restless(const abut_bp *bp) {
    return bp->woken > bp->resting_count / 2 || bp->active_count > bp->resting_count / 2;
}

void abut_bp_lose_patience(abut_bp *bp) {
    bp->patience = bp->patience < PATIENCE_MAX ? bp->patience + 1 : PATIENCE_MAX;
}

void abut_bp_activate_all(abut_bp *bp) {
    for (uint32_t key = 0; key < bp->key_end && bp->resting_count > 0; key++) {
        if (bp->role[key] & ABUT_BP_RESTING) {
            abut_bp_activate(bp, key, bp->role[key] & ABUT_BP_STATIC);
        }
    }
    bp->resting_copies = bp->active_copies = bp->woken = bp->woken_seen = bp->calm = 0;
    bp->resting_pairs = 0;
    bp->unrest = 0;
}

/* The rows of the last find between settled keys join the settled rows: both ascend, so they are merged from the end,
 * the new ones read from where the find had its spare rows. */
static void keep_rows(abut_bp *bp) {
    abut_bp_pair *pool = bp->pool, *fresh = pool + bp->resting_pairs + bp->active_pairs;
    size_t joining = 0, old = bp->resting_pairs;
    for (size_t i = 0; i < bp->active_pairs; i++) {
        fresh[joining] = pool[old + i];
        joining += is_settled_row(bp, pool[old + i]);
    }
    bp->resting_pairs += joining;
    for (size_t to = bp->resting_pairs; joining > 0; to--) {
        const abut_bp_pair *a = old > 0 ? &pool[old - 1] : NULL, *b = &fresh[joining - 1];
        bool take_old = a && (a->low > b->low || (a->low == b->low && a->high > b->high));
        pool[to - 1] = take_old ? *a : *b;
        old -= take_old;
        joining -= !take_old;
    }
}

/* Copies of settled boxes may take so much room that there is as much for each of the others. */
static bool deal_settled(abut_bp *bp, const uint32_t *key, uint32_t n) {
    uint32_t room = n + n / 2;
    room = room < bp->copy_capacity ? room : bp->copy_capacity;
    abut_bp_choose_grid(bp->box, key, n, abut_bp_columns_max(bp), &bp->grid);
    for (;;) {
        uint64_t copies = abut_bp_deal(bp, key, n, 0, room, bp->resting_start);
        if (copies <= room) {
            bp->resting_copies = (uint32_t)copies;
            return true;
        }
        if (!abut_bp_coarsen_grid(&bp->grid)) {
            return false;
        }
    }
}

static void sort_settled(abut_bp *bp) {
    uint32_t columns = abut_bp_grid_columns(&bp->grid);
    for (uint32_t c = 0; c < columns; c++) {
        uint32_t from = bp->resting_start[c];
        abut_bp_sort_column(bp, from, bp->resting_start[c + 1] - from, from);
    }
    abut_bp_enclose_copies(bp, abut_bp_resting_copies(bp));
}

void abut_bp_put_to_rest(abut_bp *bp, const uint8_t *flags, uint8_t changed) {
    uint32_t rested = 0;
    for (uint32_t k = 0; k < bp->active_count; k++) {
        uint32_t key = bp->active[k];
        rested += (bp->role[key] & ABUT_BP_ACTIVE) && !(flags[key] & changed);
    }
    bp->calm += bp->resting_count > 0;
    if (bp->calm >= CALM) {
        bp->patience -= bp->patience > 0;
        bp->calm = 0;
    }
    uint32_t moving = bp->active_count - rested;
    if (rested == 0 || moving > (bp->resting_count + rested) / MOVERS_MOST) {
        return;
    }
    bp->unrest += rested;
    if (bp->unrest < ((uint64_t)bp->resting_count + rested) / 2 << bp->patience) {
        return;
    }
    for (uint32_t k = 0; k < bp->active_count; k++) {
        uint32_t key = bp->active[k];
        if ((bp->role[key] & ABUT_BP_ACTIVE) && !(flags[key] & changed)) {
            bp->role[key] = (uint8_t)((bp->role[key] & ABUT_BP_STATIC) | ABUT_BP_RESTING);
            bp->resting_count++;
        }
    }
    keep_rows(bp);
    bp->woken = bp->woken_seen = 0;
    bp->unrest = 0;
    bp->active_copies = 0;
    uint32_t n = abut_bp_list_role(bp, ABUT_BP_RESTING, bp->active);
    if (deal_settled(bp, bp->active, n)) {
        sort_settled(bp);
    } else {
        abut_bp_activate_all(bp);
    }
    bp->active_count = 0;
    bp->active_pairs = 0;
}
