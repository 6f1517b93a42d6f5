/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/broadphase.h"
#include <string.h>

/* Two stable counting sorts, the minor key first. */

static void to_starts(uint32_t *start, uint32_t key_end) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k <= key_end; k++) {
        uint32_t count = start[k];
        start[k] = sum;
        sum += count;
    }
}

void abut_bp_sort_pairs(abut_bp_pairs *pairs, size_t count, uint32_t *start, uint32_t key_end) {
    size_t bytes = ((size_t)key_end + 1) * sizeof *start;
    memset(start, 0, bytes);
    for (size_t i = 0; i < count; i++) {
        start[pairs->pair[i].high]++;
    }
    to_starts(start, key_end);
    for (size_t i = 0; i < count; i++) {
        pairs->spare[start[pairs->pair[i].high]++] = pairs->pair[i];
    }
    memset(start, 0, bytes);
    for (size_t i = 0; i < count; i++) {
        start[pairs->spare[i].low]++;
    }
    to_starts(start, key_end);
    for (size_t i = 0; i < count; i++) {
        pairs->pair[start[pairs->spare[i].low]++] = pairs->spare[i];
    }
}
