/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/query.h"
#include "world/state/state.h"
#include "world/step/block.h"

abut_result abut_w_find_candidates(abut_world *world) {
    abut_bp *bp = &world->bp;
    abut_w_query_reset(world);
    bp->key_end = world->ids.used;
    for (size_t pairs; pairs = abut_bp_find(bp), abut_bp_pool_for(pairs) > bp->pool_capacity;) {
        abut_result result = abut_w_reserve_pairs(world, pairs);
        if (result) {
            return result;
        }
    }
    return ABUT_OK;
}

static bool is_before(abut_bp_pair p, abut_bp_pair q) {
    return p.low < q.low || (p.low == q.low && p.high < q.high);
}

uint32_t abut_w_next_candidates(const abut_world *world, abut_w_candidates *walk, const abut_bp_pair **pairs) {
    const abut_bp *bp = &world->bp;
    const abut_bp_pair *active = abut_bp_active_pairs(bp), *resting = abut_bp_resting_pairs(bp);
    size_t resting_count = world->should_collide ? bp->resting_pairs : 0;
    uint32_t n = 0;
    if (walk->resting == resting_count) {
        size_t left = bp->active_pairs - walk->active;
        n = left < ABUT_W_BLOCK ? (uint32_t)left : ABUT_W_BLOCK;
        *pairs = active + walk->active;
        walk->active += n;
        return n;
    }
    *pairs = walk->merged;
    while (n < ABUT_W_BLOCK && (walk->resting < resting_count || walk->active < bp->active_pairs)) {
        bool rests = walk->resting < resting_count &&
                     (walk->active == bp->active_pairs || is_before(resting[walk->resting], active[walk->active]));
        walk->merged[n++] = rests ? resting[walk->resting++] : active[walk->active++];
    }
    return n;
}
