/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Stable sort of (key, value) rows by their 32-bit keys: radix by the leading bits, insertion for the rest, radix by
 * all bits where that would be slow. O(n), no allocation; at most 16 KB of stack. */
#ifndef ABUT_BASE_RADIX_H
#define ABUT_BASE_RADIX_H

#include <stddef.h>
#include <stdint.h>

typedef struct abut_radix_item {
    uint32_t key, value;
} abut_radix_item;

/* Sorts rows[0..n) ascending by key, equal keys in their present order; `spare` has room for n. n < 2^32. */
void abut_radix_sort(abut_radix_item *rows, abut_radix_item *spare, size_t n);

#endif
