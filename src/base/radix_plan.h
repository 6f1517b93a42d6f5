/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Sorts elements by one number each. This header is part of the file that includes it, which first defines
 *   enum { LEADING_DIGIT_MOST = ... };                 bits; two tables with a counter per digit are on the stack
 *   typedef ... element;
 *   typedef ... number;                                unsigned
 *   number number_of(const element *e, number by);     the number by which elements are sorted
 *   number rank_of(const element *e);                  another number, by which they have the same order
 *
 * Two passes, least significant digit first, sort by the leading bits of the number, as many as make it unlikely that
 * two elements differ only below them. Insertion does the rest, which is little in most cases. Where insertion would do
 * too much (numbers crowded together, and a few far away), a radix sort by all bits takes over: O(n) whatever the
 * numbers are. All parts are stable, so the result does not depend on which of them did the work. */
#ifndef ABUT_BASE_RADIX_PLAN_H
#define ABUT_BASE_RADIX_PLAN_H

#include "base/radix.h"
#include <stdbool.h>
#include <string.h>

enum {
    EXACT_DIGIT_MOST = 11, /* bits */
    MOVES_EACH = 4         /* per element, that insertion may do */
};

/* False if more than `budget` moves are needed: the elements are then partly sorted, and equal ones still in order. */
static bool insert(element *elements, size_t n, size_t budget) {
    number last = 0;
    for (size_t i = 0; i < n; i++) {
        number rank = rank_of(&elements[i]);
        if (rank >= last) {
            last = rank;
            continue;
        }
        element e = elements[i];
        size_t at = i;
        do {
            elements[at] = elements[at - 1];
            at--;
        } while (at > 0 && rank_of(&elements[at - 1]) > rank);
        elements[at] = e;
        if (i - at > budget) {
            return false;
        }
        budget -= i - at;
    }
    return true;
}

/* Two passes over the bits of numbers above the lowest `left`, at most two digits, by way of `spare`. Numbers have
 * `bits` bits. */
static void sort_leading(element *elements, element *spare, size_t n, number by, uint32_t bits, uint32_t left) {
    uint32_t low[1 << LEADING_DIGIT_MOST], high[1 << LEADING_DIGIT_MOST];
    uint32_t width = (bits - left + 1) / 2, above = left + width;
    const number digits = (number)1 << width, mask = digits - 1;
    memset(low, 0, (size_t)digits * sizeof *low);
    memset(high, 0, (size_t)digits * sizeof *high);
    for (size_t i = 0; i < n; i++) {
        number own = number_of(&elements[i], by);
        low[own >> left & mask]++;
        high[own >> above]++;
    }
    (void)abut_radix_starts(low, (size_t)digits);
    for (size_t i = 0; i < n; i++) {
        spare[low[number_of(&elements[i], by) >> left & mask]++] = elements[i];
    }
    (void)abut_radix_starts(high, (size_t)digits);
    for (size_t i = 0; i < n; i++) {
        elements[high[number_of(&spare[i], by) >> above]++] = spare[i];
    }
}

static void sort_exactly(element *elements, element *spare, size_t n, number by, uint32_t bits) {
    uint32_t table[1 << EXACT_DIGIT_MOST];
    uint32_t passes = (bits + EXACT_DIGIT_MOST - 1) / EXACT_DIGIT_MOST, width = (bits + passes - 1) / passes;
    const number digits = (number)1 << width, mask = digits - 1;
    element *from = elements, *to = spare;
    for (uint32_t shift = 0; shift < bits; shift += width) {
        memset(table, 0, (size_t)digits * sizeof *table);
        for (size_t i = 0; i < n; i++) {
            table[number_of(&from[i], by) >> shift & mask]++;
        }
        (void)abut_radix_starts(table, (size_t)digits);
        for (size_t i = 0; i < n; i++) {
            to[table[number_of(&from[i], by) >> shift & mask]++] = from[i];
        }
        element *swap = from;
        from = to;
        to = swap;
    }
    if (from != elements) {
        memcpy(elements, from, n * sizeof *elements);
    }
}

/* Sorts by all but the lowest `left` bits with sort_leading, and by the rest as described above. */
static void sort_by_plan(element *elements, element *spare, size_t n, number by, uint32_t bits, uint32_t left) {
    sort_leading(elements, spare, n, by, bits, left);
    if (left > 0 && !insert(elements, n, MOVES_EACH * n)) {
        sort_exactly(elements, spare, n, by, bits);
    }
}

#endif
