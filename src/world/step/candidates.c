/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/state/state.h"
#include "world/step/block.h"

abut_result abut_w_find_candidates(abut_world *world) {
    abut_bp *bp = &world->bp;
    for (size_t pairs;
         pairs = abut_bp_find(bp, abut_w_key_end(world), &world->workers), !abut_bp_has_room(bp, pairs);) {
        abut_result result = abut_w_reserve_pairs(world, pairs);
        if (result) {
            return result;
        }
    }
    return ABUT_OK;
}

static size_t resting_count_of(const abut_world *world) {
    return world->should_collide ? abut_bp_resting_pairs(&world->bp).count : 0;
}

size_t abut_w_candidate_count(const abut_world *world) {
    return abut_bp_active_pairs(&world->bp).count + resting_count_of(world);
}

uint32_t abut_w_next_candidates(const abut_world *world, abut_w_candidates *walk, uint32_t most, abut_bp_pair *merged,
                                const abut_bp_pair **pairs) {
    const abut_bp *bp = &world->bp;
    const abut_bp_pair_list active = abut_bp_active_pairs(bp), resting = abut_bp_resting_pairs(bp);
    size_t resting_count = resting_count_of(world);
    uint32_t n = 0;
    if (walk->resting == resting_count) {
        size_t left = active.count - walk->active;
        n = left < most ? (uint32_t)left : most;
        *pairs = active.pair + walk->active;
        walk->active += n;
        return n;
    }
    *pairs = merged;
    while (n < most && (walk->resting < resting_count || walk->active < active.count)) {
        bool take_resting = walk->resting < resting_count &&
                            (walk->active == active.count || abut_bp_pair_order(&resting.pair[walk->resting]) <
                                                                 abut_bp_pair_order(&active.pair[walk->active]));
        merged[n++] = take_resting ? resting.pair[walk->resting++] : active.pair[walk->active++];
    }
    return n;
}
