/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/state/state.h"
#include "world/step/block.h"

/* One block. */
static abut_result make_contacts_of(abut_world *world, const abut_bp_pair *pair, uint32_t n, abut_w_last *last,
                                    abut_w_merge *merge, size_t done, size_t *second_stage) {
    abut_w_block *block = world->single.in_flight;
    abut_w_part_room parts = {NULL, 0, world->found.block.capacity};
    block->hint = abut_w_reserve_hints(world, n);
    abut_w_classify(world, pair, n, last, block);
    world->next_hints.count += block->hints;
    abut_w_merge_choose_output(world, merge, block);
    abut_result result = abut_w_resolve_meshes(world, block, &parts);
    if (result) {
        return result;
    }
    abut_w_resolve(world->collider, world->margin, block, second_stage);
    world->state = ABUT_W_FROZEN;
    abut_w_merge_filter(world, block);
    world->state = ABUT_W_IDLE;
    world->blocks++;
    world->moved_blocks += block->moved;
    abut_w_merge end = *merge;
    end.contacts += block->n;
    result = abut_w_merge_reserve(world, merge, &end, done);
    return result ? result : abut_w_merge_block(world, merge, block);
}

abut_result abut_w_make_contacts_of(abut_world *world, const abut_bp_pair *pair, uint32_t n, abut_w_last *last,
                                    abut_w_merge *merge, size_t *done, size_t *second_stage) {
    abut_result result = abut_w_reserve_single(world);
    for (uint32_t at = 0, each; at < n && !result; at += each) {
        each = n - at < ABUT_W_BLOCK ? n - at : ABUT_W_BLOCK;
        *done += each;
        result = make_contacts_of(world, pair + at, each, last, merge, *done, second_stage);
    }
    return result;
}
