/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A stable sort of items by their 32-bit keys: radix by the leading bits, insertion for the rest, radix by all bits
 * where insertion would be slow (radix_plan.inc). O(n), no allocation; at most 16 KB of stack. */
#ifndef ABUT_BASE_RADIX_H
#define ABUT_BASE_RADIX_H

#include <stddef.h>
#include <stdint.h>

typedef struct abut_radix_item {
    uint32_t key, value;
} abut_radix_item;

/* Sorts item[0 .. n - 1] ascending by key; items with equal keys keep their order. `spare` has room for n. n < 2^32. */
void abut_radix_sort(abut_radix_item *item, abut_radix_item *spare, size_t n);

/* Turns counts into starts: table[d] becomes the sum of the counts before it. Returns the sum of all. */
static inline uint32_t abut_radix_starts(uint32_t *table, size_t digits) {
    uint32_t sum = 0;
    for (size_t d = 0; d < digits; d++) {
        uint32_t count = table[d];
        table[d] = sum;
        sum += count;
    }
    return sum;
}

#endif
