/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/radix.h"
#include "base/compiler.h"
#include <assert.h>

enum { LEADING_DIGIT_MOST = 11 };
typedef abut_radix_item element;
typedef uint32_t number;

static inline number number_of(const element *e, number least) {
    return e->key - least;
}

static inline number rank_of(const element *e) {
    return e->key;
}

#include "base/radix_plan.inc"

enum {
    INSERTION_MOST = 16, /* up to this many items are sorted by insertion alone */
    DIGIT_LEAST = 6,     /* bits */
    MANY = 4096,         /* with more items than this, at most LEFT_MOST bits are left to insertion */
    LEFT_MOST = 8
};

/* How many of the lowest bits are left to insertion. Digits are so wide that clearing their counters is cheap beside n
 * items. Keys of floats of both signs use all 32 bits and are crowded at both ends, so they need digits one bit wider.
 */
static uint32_t bits_left(size_t n, uint32_t bits) {
    uint32_t digit = ABUT_BIT_WIDTH((uint32_t)n) - 2;
    digit = (digit < DIGIT_LEAST ? DIGIT_LEAST : digit) + (bits == 32);
    digit = digit < LEADING_DIGIT_MOST ? digit : LEADING_DIGIT_MOST;
    return bits > 2 * digit ? bits - 2 * digit : 0;
}

void abut_radix_sort(abut_radix_item *item, abut_radix_item *spare, size_t n) {
    assert(n <= UINT32_MAX);
    if (n <= INSERTION_MOST) {
        insert(item, n, SIZE_MAX);
        return;
    }
    uint32_t least = item[0].key, most = least;
    for (size_t i = 1; i < n; i++) {
        least = item[i].key < least ? item[i].key : least;
        most = item[i].key > most ? item[i].key : most;
    }
    uint32_t bits = ABUT_BIT_WIDTH(most - least), left = bits_left(n, bits);
    if (bits == 0) {
        return;
    }
    if (bits <= EXACT_DIGIT_MOST || (n > MANY && left > LEFT_MOST)) {
        sort_exactly(item, spare, n, least, bits);
    } else {
        sort_by_plan(item, spare, n, least, bits, left);
    }
}
