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

#include "base/radix_plan.h"

enum {
    FEW = 16,        /* so many items are only inserted */
    DIGIT_LEAST = 6, /* bits */
    MANY = 4096,     /* with more items than this, */
    LEFT_MOST = 8    /* at most so many bits may be left to insertion */
};

/* How many of the lowest bits are left to insertion. Digits are so wide that clearing their counters is cheap beside n
 * items. Floats of both signs, which differ in the highest bit, are crowded at both ends: they need one bit more. */
static uint32_t bits_left(size_t n, uint32_t bits) {
    uint32_t digit = ABUT_BIT_WIDTH((uint32_t)n) - 2;
    digit = (digit < DIGIT_LEAST ? DIGIT_LEAST : digit) + (bits == 32);
    digit = digit < LEADING_DIGIT_MOST ? digit : LEADING_DIGIT_MOST;
    return bits > 2 * digit ? bits - 2 * digit : 0;
}

void abut_radix_sort(abut_radix_item *item, abut_radix_item *spare, size_t n) {
    assert(n <= UINT32_MAX);
    if (n <= FEW) {
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
