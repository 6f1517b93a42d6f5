/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/state/state.h"
#include "world/step/block.h"
#include <string.h>

void abut_w_begin_hints(abut_world *world) {
    world->next_hints.count = 0;
}

abut_w_hint *abut_w_reserve_hints(abut_world *world, uint32_t count) {
    abut_w_hints *next = &world->next_hints;
    if (!world->hinted || world->fixed || !abut_w_reserve_hint_list(world, next, (uint64_t)next->count + count)) {
        return NULL;
    }
    return &next->entry[next->count];
}

abut_np_hint *abut_w_take_hint(const abut_world *world, abut_w_pair pair, uint32_t *from, abut_w_block *block) {
    const abut_w_hints *last = &world->hints;
    while (*from < last->count && last->entry[*from].pair.order < pair.order) {
        ++*from;
    }
    abut_w_hint *out = &block->hint[block->hints++];
    if (*from < last->count && last->entry[*from].pair.order == pair.order) {
        *out = last->entry[*from];
    } else {
        memset(out, 0, sizeof *out);
        out->pair = pair;
    }
    return &out->hint;
}

void abut_w_swap_hints(abut_world *world) {
    abut_w_hints last = world->hints;
    world->hints = world->next_hints;
    world->next_hints = last;
}
