/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/radix.h"
#include <string.h>

enum { DIGITS = 4, BUCKETS = 256 };

static uint32_t digit_of(uint32_t key, int digit) {
    return key >> (8 * digit) & (BUCKETS - 1);
}

/* Moves the rows to `to` in order of one digit. `start` comes in as a histogram. */
static void scatter(const abut_radix_row *from, abut_radix_row *to, size_t n, int digit, size_t start[BUCKETS]) {
    size_t sum = 0;
    for (int b = 0; b < BUCKETS; b++) {
        size_t count = start[b];
        start[b] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++) {
        to[start[digit_of(from[i].key, digit)]++] = from[i];
    }
}

void abut_radix_sort(abut_radix_row *rows, abut_radix_row *spare, size_t n) {
    if (n < 2) {
        return;
    }
    size_t histogram[DIGITS][BUCKETS] = {{0}};
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < DIGITS; d++) {
            histogram[d][digit_of(rows[i].key, d)]++;
        }
    }
    abut_radix_row *from = rows, *to = spare;
    for (int d = 0; d < DIGITS; d++) {
        if (histogram[d][digit_of(rows[0].key, d)] == n) {
            continue;
        }
        scatter(from, to, n, d, histogram[d]);
        abut_radix_row *swap = from;
        from = to;
        to = swap;
    }
    if (from != rows) {
        memcpy(rows, from, n * sizeof *rows);
    }
}
