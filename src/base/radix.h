/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Stable sort of (key, value) rows by their 32-bit keys: least significant digit first, 4 passes of 8 bits. A pass
 * whose digit is the same in all keys is skipped. O(n), no allocation. */
#ifndef ABUT_BASE_RADIX_H
#define ABUT_BASE_RADIX_H

#include <stddef.h>
#include <stdint.h>

typedef struct abut_radix_row {
    uint32_t key, value;
} abut_radix_row;

/* Sorts rows[0..n) ascending by key, equal keys in their present order; `spare` has room for n. */
void abut_radix_sort(abut_radix_row *rows, abut_radix_row *spare, size_t n);

#endif
