/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/broadphase.h"
#include <string.h>

/* Least significant digit first, digits of both keys alike. */

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

static void scatter(const abut_bp_pair *from, abut_bp_pair *to, size_t n, bool high, uint32_t shift) {
    size_t start[DIGITS] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++) {
        start[(high ? from[i].high : from[i].low) >> shift & (DIGITS - 1)]++;
    }
    for (int d = 0; d < DIGITS; d++) {
        size_t count = start[d];
        start[d] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++) {
        to[start[(high ? from[i].high : from[i].low) >> shift & (DIGITS - 1)]++] = from[i];
    }
}

void abut_bp_sort_pairs(abut_bp_pair *pairs, abut_bp_pair *spare, size_t count, uint32_t key_end) {
    abut_bp_pair *from = pairs, *to = spare;
    for (int high = 1; high >= 0; high--) {
        for (uint32_t shift = 0; shift < 32 && (key_end - 1) >> shift > 0; shift += DIGIT_BITS) {
            scatter(from, to, count, high, shift);
            abut_bp_pair *swap = from;
            from = to;
            to = swap;
        }
    }
    if (from != pairs) {
        memcpy(pairs, from, count * sizeof *pairs);
    }
}
