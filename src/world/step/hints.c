/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/state/state.h"
#include "world/step/step.h"
#include <string.h>

void abut_w_begin_hints(abut_world *world) {
    world->next_hints.count = 0;
}

bool abut_w_reserve_hints(abut_world *world, uint32_t count) {
    if (!world->has_hulls || world->fixed) {
        return false;
    }
    return abut_w_reserve_hint_list(world, &world->next_hints, (uint64_t)world->next_hints.count + count);
}

static bool stands_before(const abut_w_hint *h, uint32_t low, uint32_t high) {
    return h->low < low || (h->low == low && h->high < high);
}

abut_np_hint *abut_w_take_hint(abut_world *world, uint32_t low, uint32_t high, uint32_t *from) {
    const abut_w_hints *last = &world->hints;
    while (*from < last->count && stands_before(&last->entry[*from], low, high)) {
        ++*from;
    }
    bool known = *from < last->count && last->entry[*from].low == low && last->entry[*from].high == high;
    abut_w_hint *out = &world->next_hints.entry[world->next_hints.count++];
    if (known) {
        *out = last->entry[*from];
    } else {
        memset(out, 0, sizeof *out);
        out->low = low;
        out->high = high;
    }
    return &out->hint;
}

void abut_w_keep_hints(abut_world *world) {
    abut_w_hints last = world->hints;
    world->hints = world->next_hints;
    world->next_hints = last;
}
