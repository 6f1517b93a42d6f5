/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/radix.h"
#include "base/compiler.h"
#include <assert.h>
#include <stdbool.h>
#include <string.h>

/* Two passes, least significant digit first, sort by the leading bits of a number, as many as make it unlikely that two
 * elements differ only below them. Insertion does the rest, mostly nothing. Where insertion would do too much (numbers
 * crowded together, and a few far away), a radix sort by all bits takes over: O(n) whatever the numbers are. All of it
 * is stable, so it does not matter which part did the work.
 *
 * An item's number is key - least. A pair's number is first * 2^b + (second - first), where b bits hold every
 * difference: keys that touch often have near numbers, so differences may need fewer bits than keys. */

enum {
    ITEMS_INSERTED = 16, /* so many items are only inserted */
    PAIRS_INSERTED = 19,
    DIGIT_LEAST = 6,      /* bits of a digit of items */
    DIGIT_MOST = 11,      /* two tables of so many counters are on the stack */
    PAIR_DIGIT_MOST = 12, /* the same for pairs */
    PAIR_SPARE_BITS = 8,  /* leading bits of pairs beyond those of their count */
    MANY = 4096,          /* with more items than this, */
    LEFT_MOST = 8,        /* at most so many bits may be left to insertion */
    MOVES_EACH = 4        /* insertion may do so many moves per element */
};

/* An item or a pair. */
typedef struct element {
    uint32_t first, second;
} element;
_Static_assert(sizeof(element) == sizeof(abut_radix_item), "an item is an element");

/* How elements become numbers. */
typedef struct order {
    bool pairs;
    uint64_t by;   /* 2^b - 1 for pairs; the least key of items */
    uint32_t bits; /* of the largest number, at most */
} order;

static ABUT_INLINE element load(const void *elements, size_t i) {
    element e;
    memcpy(&e, (const char *)elements + i * sizeof e, sizeof e);
    return e;
}

static ABUT_INLINE void store(void *elements, size_t i, element e) {
    memcpy((char *)elements + i * sizeof e, &e, sizeof e);
}

static ABUT_INLINE uint64_t number_of(element e, order o) {
    return o.pairs ? e.first * o.by + e.second : e.first - (uint32_t)o.by;
}

/* In the same order as numbers. */
static ABUT_INLINE uint64_t rank_of(element e, order o) {
    return o.pairs ? (uint64_t)e.first << 32 | e.second : e.first;
}

/* False if more than `budget` moves are needed: the elements are then in some order that keeps that of equal ones. */
static ABUT_INLINE bool insert(void *elements, size_t n, order o, size_t budget) {
    uint64_t last = 0;
    for (size_t i = 0; i < n; i++) {
        const element e = load(elements, i);
        uint64_t rank = rank_of(e, o);
        if (rank >= last) {
            last = rank;
            continue;
        }
        size_t at = i;
        do {
            store(elements, at, load(elements, at - 1));
            at--;
        } while (at > 0 && rank_of(load(elements, at - 1), o) > rank);
        store(elements, at, e);
        if (i - at > budget) {
            return false;
        }
        budget -= i - at;
    }
    return true;
}

/* Two passes over the bits of numbers above the lowest `left`, by way of `spare`. `table` has room for two digits. */
static ABUT_INLINE void sort_leading(void *elements, void *spare, size_t n, order o, uint32_t left, uint32_t *table) {
    uint32_t width = (o.bits - left + 1) / 2, above = left + width;
    size_t digits = (size_t)1 << width, mask = digits - 1;
    uint32_t *low = table, *high = table + digits;
    memset(table, 0, 2 * digits * sizeof *table);
    for (size_t i = 0; i < n; i++) {
        uint64_t number = number_of(load(elements, i), o);
        low[number >> left & mask]++;
        high[number >> above]++;
    }
    (void)abut_radix_starts(low, digits);
    for (size_t i = 0; i < n; i++) {
        const element e = load(elements, i);
        store(spare, low[number_of(e, o) >> left & mask]++, e);
    }
    (void)abut_radix_starts(high, digits);
    for (size_t i = 0; i < n; i++) {
        const element e = load(spare, i);
        store(elements, high[number_of(e, o) >> above]++, e);
    }
}

static ABUT_INLINE void sort_exactly(void *elements, void *spare, size_t n, order o, uint32_t *table) {
    uint32_t passes = (o.bits + DIGIT_MOST - 1) / DIGIT_MOST, width = (o.bits + passes - 1) / passes;
    size_t digits = (size_t)1 << width, mask = digits - 1;
    void *from = elements, *to = spare;
    for (uint32_t shift = 0; shift < o.bits; shift += width) {
        memset(table, 0, digits * sizeof *table);
        for (size_t i = 0; i < n; i++) {
            table[number_of(load(from, i), o) >> shift & mask]++;
        }
        (void)abut_radix_starts(table, digits);
        for (size_t i = 0; i < n; i++) {
            const element e = load(from, i);
            store(to, table[number_of(e, o) >> shift & mask]++, e);
        }
        void *swap = from;
        from = to;
        to = swap;
    }
    if (from != elements) {
        memcpy(elements, from, n * sizeof(element));
    }
}

/* --- items --- */

/* How many of the lowest bits are left to insertion. Digits are so wide that clearing their counters is cheap beside n
 * items. Floats of both signs, which differ in the highest bit, are crowded at both ends: they need one bit more. */
static uint32_t bits_left(size_t n, uint32_t bits) {
    uint32_t digit = ABUT_BIT_WIDTH((uint32_t)n) - 2;
    digit = (digit < DIGIT_LEAST ? DIGIT_LEAST : digit) + (bits == 32);
    digit = digit < DIGIT_MOST ? digit : DIGIT_MOST;
    return bits > 2 * digit ? bits - 2 * digit : 0;
}

void abut_radix_sort(abut_radix_item *item, abut_radix_item *spare, size_t n) {
    uint32_t table[2 << DIGIT_MOST];
    assert(n <= UINT32_MAX);
    if (n <= ITEMS_INSERTED) {
        insert(item, n, (order){.pairs = false}, SIZE_MAX);
        return;
    }
    uint32_t least = item[0].key, most = least;
    for (size_t i = 1; i < n; i++) {
        least = item[i].key < least ? item[i].key : least;
        most = item[i].key > most ? item[i].key : most;
    }
    const order o = {.pairs = false, .by = least, .bits = ABUT_BIT_WIDTH(most - least)};
    uint32_t left = bits_left(n, o.bits);
    if (o.bits == 0) {
        return;
    }
    bool exactly = o.bits <= DIGIT_MOST || (n > MANY && left > LEFT_MOST);
    if (!exactly) {
        sort_leading(item, spare, n, o, left, table);
        exactly = left > 0 && !insert(item, n, o, MOVES_EACH * n);
    }
    if (exactly) {
        sort_exactly(item, spare, n, o, table);
    }
}

/* --- pairs --- */

static uint32_t bit_width(uint64_t value) {
    uint32_t width = 0;
    while (width < 64 && value >> width) {
        width++;
    }
    return width;
}

static order order_of_pairs(const void *pairs, size_t n) {
    uint32_t firsts = 0, differences = 0;
    for (size_t i = 0; i < n; i++) {
        const element e = load(pairs, i);
        firsts |= e.first;
        differences |= e.second - e.first;
    }
    uint32_t width = bit_width(differences);
    return (order){.pairs = true, .by = ((uint64_t)1 << width) - 1, .bits = bit_width(firsts) + width};
}

void abut_radix_sort_pairs(void *pairs, void *spare, size_t n) {
    uint32_t table[2 << PAIR_DIGIT_MOST];
    assert(n <= UINT32_MAX);
    if (n <= PAIRS_INSERTED) {
        insert(pairs, n, (order){.pairs = true}, SIZE_MAX);
        return;
    }
    const order found = order_of_pairs(pairs, n), o = {.pairs = true, .by = found.by, .bits = found.bits};
    uint32_t kept = bit_width(n) + PAIR_SPARE_BITS;
    kept = kept < 2 * PAIR_DIGIT_MOST ? kept : 2 * PAIR_DIGIT_MOST;
    kept = kept < o.bits ? kept : o.bits;
    sort_leading(pairs, spare, n, o, o.bits - kept, table);
    if (kept < o.bits && !insert(pairs, n, o, MOVES_EACH * n)) {
        sort_exactly(pairs, spare, n, o, table);
    }
}
