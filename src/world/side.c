/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/world.h"

/* Tables of what few bodies have, so that the others need not carry it. */

uint32_t abut_w_side_take(abut_w_side *side, uint32_t *entry1, uint32_t slot) {
    uint32_t entry = side->used;
    if (side->first_free1) {
        entry = side->first_free1 - 1;
        side->first_free1 = side->owner[entry];
    } else {
        side->used++;
    }
    side->owner[entry] = slot;
    side->live++;
    *entry1 = entry + 1;
    return entry;
}

void abut_w_side_give_back(abut_w_side *side, uint32_t *entry1) {
    if (*entry1) {
        side->owner[*entry1 - 1] = side->first_free1;
        side->first_free1 = *entry1;
        side->live--;
        *entry1 = 0;
    }
}

bool abut_w_side_valid(const abut_w_side *side) {
    uint32_t free = 0;
    for (uint32_t next1 = side->first_free1; next1; next1 = side->owner[next1 - 1]) {
        if (next1 > side->used || ++free > side->used) {
            return false;
        }
    }
    return side->live + free == side->used && side->used <= side->block.capacity;
}

bool abut_w_side_owns(const abut_w_side *side, uint32_t entry1, uint32_t slot) {
    return !entry1 || (entry1 <= side->used && side->owner[entry1 - 1] == slot);
}
