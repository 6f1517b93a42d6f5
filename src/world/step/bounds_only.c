/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/state/state.h"
#include "world/step/block.h"
#include <string.h>

bool abut_w_bounds_suffice(const abut_world *world) {
    bool unfiltered = world->filters.live == 0 && world->attachments.live == 0 && !world->should_collide;
    /* A slot that had a body in the last step and has another now is one that was destroyed in between. Where only keys
     * are written, there are no meshes, of which two never touch. */
    return !world->next.direct && world->bounds_count == world->ids.live_count && unfiltered && world->margin <= 0 &&
           !world->had_destroy;
}

/* The order of a candidate among pairs. */
static abut_w_pair pair_of(abut_bp_pair candidate) {
    return abut_w_pair_of(candidate.low, candidate.high);
}

/* How many candidates, of n, are the next contacts of the last step. Most are: between two steps little changes. */
static uint32_t same_as_before(const abut_world *world, const abut_w_merge *merge, const abut_bp_pair *candidate,
                               uint32_t n) {
    const abut_w_pair *old = world->current.pair + merge->passed;
    uint32_t left = merge->end - merge->passed, most = n < left ? n : left, i = 0;
    while (i < most && old[i].order == pair_of(candidate[i]).order) {
        i++;
    }
    return i;
}

static void append_new(abut_world *world, abut_w_merge *merge, abut_w_pair pair) {
    abut_w_contacts *next = &world->next;
    next->pair[merge->contacts] = pair;
    next->previous1[merge->contacts] = 0;
    next->at[merge->contacts++] = ABUT_W_NOT_STORED;
}

abut_result abut_w_make_keys(abut_world *world, abut_w_merge *merge) {
    const abut_bp_pair_list active = abut_bp_active_pairs(&world->bp);
    const abut_w_contacts *old = &world->current;
    uint32_t n = (uint32_t)active.count;
    const abut_w_merge end = {.contacts = n};
    abut_result result = abut_w_merge_reserve(world, merge, &end, n);
    for (uint32_t i = 0; i < n && !result;) {
        abut_w_pair pair = pair_of(active.pair[i]);
        if (merge->passed < merge->end && old->pair[merge->passed].order < pair.order) {
            result = abut_w_merge_pass(world, merge, pair, n - i);
        }
        if (!result) {
            uint32_t same = same_as_before(world, merge, active.pair + i, n - i);
            if (same > 0) {
                abut_w_copy_keys(world, merge, same);
            } else {
                append_new(world, merge, pair);
            }
            i += same > 0 ? same : 1;
        }
    }
    return result;
}
