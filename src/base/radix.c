/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/radix.h"
#include "base/compiler.h"
#include <assert.h>
#include <stdbool.h>
#include <string.h>

/* Two passes, least significant digit first, put the leading bits of key - least in order, as many as make it unlikely
 * that two rows differ only below them; insertion does the rest, mostly nothing. Where it would do too much (keys
 * crowded together, and a few far off), a radix sort of all bits takes over: O(n) whatever the keys are. All of it is
 * stable, so that it does not matter which part did the work. */

enum {
    FEW = 16,        /* so many rows are only inserted */
    DIGIT_LEAST = 6, /* bits */
    DIGIT_MOST = 11, /* bits: two tables of so many counters are on the stack */
    MANY = 4096,     /* with so many rows, few bits must be left over */
    LEFT_MOST = 8,   /* so few */
    MOVES_A_ROW = 4  /* what insertion may do */
};

/* False, and the rows in some order that keeps that of equal keys, if more than `budget` moves are needed. */
static bool insert(abut_radix_item *rows, size_t n, size_t budget) {
    uint32_t last = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t key = rows[i].key;
        if (key >= last) {
            last = key;
            continue;
        }
        abut_radix_item row = rows[i];
        size_t at = i;
        do {
            rows[at] = rows[at - 1];
            at--;
        } while (at > 0 && rows[at - 1].key > key);
        rows[at] = row;
        if (i - at > budget) {
            return false;
        }
        budget -= i - at;
    }
    return true;
}

/* A histogram becomes the place where each digit starts. */
static void starts(uint32_t *table, uint32_t digits) {
    uint32_t sum = 0;
    for (uint32_t d = 0; d < digits; d++) {
        uint32_t count = table[d];
        table[d] = sum;
        sum += count;
    }
}

/* Two passes over the bits of key - least above the lowest `left`, by way of `spare`, back to `rows`. */
static void sort_leading(abut_radix_item *rows, abut_radix_item *spare, size_t n, uint32_t least, uint32_t left,
                         uint32_t bits) {
    uint32_t table[2][1 << DIGIT_MOST]; /* [pass][digit] */
    uint32_t width = (bits - left + 1) / 2, above = left + width, digits = 1u << width, mask = digits - 1;
    memset(table[0], 0, digits * sizeof table[0][0]);
    memset(table[1], 0, digits * sizeof table[1][0]);
    for (size_t i = 0; i < n; i++) {
        table[0][(rows[i].key - least) >> left & mask]++;
        table[1][(rows[i].key - least) >> above]++;
    }
    starts(table[0], digits);
    for (size_t i = 0; i < n; i++) {
        spare[table[0][(rows[i].key - least) >> left & mask]++] = rows[i];
    }
    starts(table[1], digits);
    for (size_t i = 0; i < n; i++) {
        rows[table[1][(spare[i].key - least) >> above]++] = spare[i];
    }
}

static void sort_exactly(abut_radix_item *rows, abut_radix_item *spare, size_t n, uint32_t least, uint32_t bits) {
    uint32_t table[1 << DIGIT_MOST];
    uint32_t passes = (bits + DIGIT_MOST - 1) / DIGIT_MOST, width = (bits + passes - 1) / passes;
    uint32_t mask = (1u << width) - 1;
    abut_radix_item *from = rows, *to = spare;
    for (uint32_t shift = 0; shift < bits; shift += width) {
        memset(table, 0, (mask + 1) * sizeof table[0]);
        for (size_t i = 0; i < n; i++) {
            table[(from[i].key - least) >> shift & mask]++;
        }
        starts(table, mask + 1);
        for (size_t i = 0; i < n; i++) {
            to[table[(from[i].key - least) >> shift & mask]++] = from[i];
        }
        abut_radix_item *swap = from;
        from = to;
        to = swap;
    }
    if (from != rows) {
        memcpy(rows, from, n * sizeof *rows);
    }
}

/* How many of the lowest bits are left to insertion. Digits are as wide as clearing their counters is cheap beside n
 * rows. Floats of both signs, which differ in the highest bit, are crowded at both ends: they need one bit more. */
static uint32_t bits_left(size_t n, uint32_t bits) {
    uint32_t digit = ABUT_BIT_WIDTH((uint32_t)n) - 2;
    digit = (digit < DIGIT_LEAST ? DIGIT_LEAST : digit) + (bits == 32);
    digit = digit < DIGIT_MOST ? digit : DIGIT_MOST;
    return bits > 2 * digit ? bits - 2 * digit : 0;
}

void abut_radix_sort(abut_radix_item *rows, abut_radix_item *spare, size_t n) {
    assert(n <= UINT32_MAX);
    if (n <= FEW) {
        insert(rows, n, SIZE_MAX);
        return;
    }
    uint32_t least = rows[0].key, most = least;
    for (size_t i = 1; i < n; i++) {
        least = rows[i].key < least ? rows[i].key : least;
        most = rows[i].key > most ? rows[i].key : most;
    }
    uint32_t bits = ABUT_BIT_WIDTH(most - least), left = bits_left(n, bits);
    if (bits == 0) {
        return;
    }
    if (bits <= DIGIT_MOST || (n > MANY && left > LEFT_MOST)) {
        sort_exactly(rows, spare, n, least, bits);
        return;
    }
    sort_leading(rows, spare, n, least, left, bits);
    if (left > 0 && !insert(rows, n, MOVES_A_ROW * n)) {
        sort_exactly(rows, spare, n, least, bits);
    }
}
