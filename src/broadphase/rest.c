/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/rest.h"
#include "broadphase/columns.h"
#include "broadphase/grid.h"
#include "broadphase/keys.h"
#include <string.h>

/* Putting a key to rest costs about as much as sweeping it once and taking one of its pairs through a step. So keys are
 * put to rest when sweeping them although they did not move, and taking their pairs through steps, has cost half of
 * that (the ski-rental rule: buy when the rent paid equals the price); then the total cost is at most a few times that
 * of the best decisions. Each time many resting keys wake at once, the cost at which keys are put to rest is doubled;
 * after some quiet finds it is halved again. */

enum {
    BACK_OFF_MAX = 6,
    QUIET_FINDS = 16, /* after this many, back_off falls by one */
    MOVING_SHARE = 4  /* keys are put to rest only if at most one key in MOVING_SHARE moves: testing a box against
                         resting columns costs three or four times as much as sweeping it */
};

static bool is_resting_pair(const abut_bp *bp, abut_bp_pair pair) {
    return abut_bp_both_resting(bp, pair.low, pair.high) != 0;
}

/* How many of the pairs from the first one on are of two resting keys: four at a time without a branch, since nearly
 * all are where there are many. */
static size_t resting_run(const uint8_t *role, const abut_bp_pair *pair, size_t n) {
    size_t i = 0;
    while (n - i >= 4 && (role[pair[i].low] & role[pair[i].high] & role[pair[i + 1].low] & role[pair[i + 1].high] &
                          role[pair[i + 2].low] & role[pair[i + 2].high] & role[pair[i + 3].low] &
                          role[pair[i + 3].high] & ABUT_BP_RESTING)) {
        i += 4;
    }
    while (i < n && role[pair[i].low] & role[pair[i].high] & ABUT_BP_RESTING) {
        i++;
    }
    return i;
}

void abut_bp_drop_woken_pairs(abut_bp *bp) {
    if (bp->woken > bp->woken_seen) {
        abut_bp_pair *pool = bp->pool;
        size_t kept = 0, end = bp->resting_pairs;
        for (size_t i = 0; i < end; i++) { /* a run, and a pair that is dropped */
            size_t run = resting_run(bp->role, pool + i, end - i);
            memmove(pool + kept, pool + i, run * sizeof *pool);
            kept += run;
            i += run;
        }
        bp->resting_pairs = kept;
    }
    bp->woken_seen = bp->woken;
}

bool abut_bp_few_rest(const abut_bp *bp) {
    return bp->woken > bp->resting_count / 2 || bp->active_count > bp->resting_count / 2;
}

void abut_bp_back_off(abut_bp *bp) {
    bp->back_off = bp->back_off < BACK_OFF_MAX ? bp->back_off + 1 : BACK_OFF_MAX;
}

void abut_bp_activate_all(abut_bp *bp) {
    for (uint32_t key = 0; key < bp->key_end && bp->resting_count > 0; key++) {
        if (bp->role[key] & ABUT_BP_RESTING) {
            abut_bp_activate(bp, key, bp->role[key] & ABUT_BP_STATIC);
        }
    }
    bp->resting_copies = bp->active_copies = bp->woken = bp->woken_seen = bp->quiet_finds = 0;
    bp->resting_pairs = 0;
    bp->rest_cost = 0;
}

/* Moves pairs of the last find whose keys now both rest to the resting pairs. Both lists ascend, so they are merged
 * from the end. The joining pairs are first copied to the memory that the find used for sorting. */
static void keep_pairs(abut_bp *bp) {
    abut_bp_pair *pool = bp->pool, *fresh = pool + bp->resting_pairs + bp->active_pairs;
    size_t joining = 0, old = bp->resting_pairs;
    for (size_t i = 0; i < bp->active_pairs; i++) {
        fresh[joining] = pool[old + i];
        joining += is_resting_pair(bp, pool[old + i]);
    }
    bp->resting_pairs += joining;
    while (joining > 0) {
        const abut_bp_pair next = fresh[--joining];
        for (; old > 0 && abut_bp_pair_order(&next) < abut_bp_pair_order(&pool[old - 1]); old--) {
            pool[old + joining] = pool[old - 1];
        }
        pool[old + joining] = next;
    }
}

/* Makes the resting columns. They get at most 1.5 copies per key, so that room is left for the copies of other keys;
 * one column has one copy of each. */
static void distribute(abut_bp *bp, const uint32_t *key, uint32_t n) {
    uint32_t room = n + n / 2;
    room = room < bp->copy_capacity ? room : bp->copy_capacity;
    abut_bp_choose_grid(bp->box, key, n, abut_bp_columns_max(bp), &bp->grid);
    uint64_t copies;
    while (copies = abut_bp_distribute(bp, key, n, 0, room, bp->resting_start), copies > room) {
        abut_bp_coarsen_grid(&bp->grid);
    }
    bp->resting_copies = (uint32_t)copies;
}

/* Makes the superblocks; there are copies. The last one is filled with the last copy. */
static void enclose_copies(const abut_bp *bp) {
    uint32_t end = bp->resting_copies, superblocks = (end + ABUT_BP_SUPERBLOCK - 1) / ABUT_BP_SUPERBLOCK;
    for (uint32_t i = end; i < superblocks * ABUT_BP_SUPERBLOCK; i++) {
        for (int axis = 0; axis < 3; axis++) {
            bp->copies.min[axis][i] = bp->copies.min[axis][end - 1];
            bp->copies.max[axis][i] = bp->copies.max[axis][end - 1];
        }
    }
    abut_bp_kernels_active()->enclose(&bp->copies, superblocks, &bp->superblocks);
}

static void sort_columns(abut_bp *bp) {
    uint32_t columns = abut_bp_grid_columns(&bp->grid);
    for (uint32_t c = 0; c < columns; c++) {
        uint32_t from = bp->resting_start[c];
        abut_bp_sort_column(bp, from, bp->resting_start[c + 1] - from, from);
    }
    enclose_copies(bp);
}

static inline bool may_rest(const abut_bp *bp, uint32_t key, const uint8_t *flags, uint8_t changed) {
    return (bp->role[key] & ABUT_BP_ACTIVE) && !(flags[key] & changed);
}

/* Whether copies of active boxes may soon have no room beside the resting ones. A key that wakes leaves its copies
 * there and gets new ones, and where there is no room for these, all keys become active again. Putting keys to rest
 * takes the old ones away. As many keys as move now may wake in the next find, and twice as many in a bad one. */
static bool room_ends(const abut_bp *bp, uint32_t moving) {
    uint64_t taken = (uint64_t)bp->resting_copies + ABUT_BP_SUPERBLOCK + bp->active_copies;
    uint64_t each = bp->active_copies / bp->active_count + 1;
    return bp->resting_count > 0 && taken + 2 * each * moving > bp->copy_capacity;
}

/* Adds what this find has cost for keys that could have rested. Returns whether the sum is enough to put them to
 * rest. */
static bool resting_pays(abut_bp *bp, const uint8_t *flags, uint8_t changed) {
    uint32_t unmoved = 0;
    for (uint32_t k = 0; k < bp->active_count; k++) {
        unmoved += may_rest(bp, bp->active[k], flags, changed);
    }
    bp->quiet_finds += bp->resting_count > 0;
    if (bp->quiet_finds >= QUIET_FINDS) {
        bp->back_off -= bp->back_off > 0;
        bp->quiet_finds = 0;
    }
    uint32_t moving = bp->active_count - unmoved;
    if (unmoved == 0 || moving > (bp->resting_count + unmoved) / MOVING_SHARE) {
        return false;
    }
    bp->rest_cost += unmoved + unmoved * (uint64_t)bp->active_pairs / bp->active_count;
    return bp->rest_cost >= ((uint64_t)bp->resting_count + unmoved) / 2 << bp->back_off || room_ends(bp, moving);
}

void abut_bp_put_to_rest(abut_bp *bp, const uint8_t *flags, uint8_t changed) {
    if (!resting_pays(bp, flags, changed)) {
        return;
    }
    for (uint32_t k = 0; k < bp->active_count; k++) {
        uint32_t key = bp->active[k];
        if (may_rest(bp, key, flags, changed)) {
            bp->role[key] = (uint8_t)((bp->role[key] & ~ABUT_BP_ACTIVE) | ABUT_BP_RESTING);
            bp->resting_count++;
        }
    }
    keep_pairs(bp);
    bp->woken = bp->woken > bp->woken_seen; /* a key removed since the find has pairs to be dropped by the next one */
    bp->woken_seen = 0;
    bp->rest_cost = 0;
    bp->active_copies = 0;
    uint32_t n = abut_bp_keys_with(bp, ABUT_BP_RESTING, bp->active);
    distribute(bp, bp->active, n);
    sort_columns(bp);
    bp->active_count = 0;
    bp->active_pairs = 0;
}
