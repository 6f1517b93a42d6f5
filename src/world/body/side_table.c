/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/body/body.h"

/* Tables for data that few bodies have, so that other bodies need no memory for it. */

uint32_t abut_w_side_table_take(abut_w_side_table *side, uint32_t *entry_plus_one, uint32_t slot) {
    uint32_t entry = side->used;
    if (side->first_free_plus_one) {
        entry = side->first_free_plus_one - 1;
        side->first_free_plus_one = side->owner[entry];
    } else {
        side->used++;
    }
    side->owner[entry] = slot;
    side->live++;
    *entry_plus_one = entry + 1;
    return entry;
}

void abut_w_side_table_release(abut_w_side_table *side, uint32_t *entry_plus_one) {
    if (*entry_plus_one) {
        side->owner[*entry_plus_one - 1] = side->first_free_plus_one;
        side->first_free_plus_one = *entry_plus_one;
        side->live--;
        *entry_plus_one = 0;
    }
}

bool abut_w_side_table_valid(const abut_w_side_table *side) {
    uint32_t free = 0;
    for (uint32_t next_plus_one = side->first_free_plus_one; next_plus_one;
         next_plus_one = side->owner[next_plus_one - 1]) {
        if (next_plus_one > side->used || ++free > side->used) {
            return false;
        }
    }
    return side->live + free == side->used && side->used <= side->block.capacity;
}

bool abut_w_side_table_owns(const abut_w_side_table *side, uint32_t entry_plus_one, uint32_t slot) {
    return !entry_plus_one || (entry_plus_one <= side->used && side->owner[entry_plus_one - 1] == slot);
}
