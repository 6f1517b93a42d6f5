/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/broadphase.h"
#include <string.h>

/* Pairs are ordered by one number, low * 2^b + (high - low), where b bits hold every difference. Keys that touch often
 * have near numbers, so differences may need fewer bits than keys.
 *
 * Two passes of a radix sort, least significant digit first, put the leading bits of that number in order, as many as
 * make it unlikely that two pairs agree in them; insertion does the rest, mostly nothing. Where it would do too much
 * (long rows of near keys among far ones), a radix sort of all bits takes over: O(count) whatever the pairs are. */

enum {
    FEW = 20,         /* so many pairs are only inserted */
    DIGIT_MOST = 12,  /* bits of a digit: two tables of so many counters are on the stack */
    SPARE_BITS = 8,   /* leading bits beyond those of the count */
    MOVES_A_PAIR = 4, /* what insertion may do */
    EXACT_DIGIT = 11
};

/* The number is low * factor + high, since factor is 2^b - 1. */
typedef struct order {
    uint64_t factor;
    uint32_t bits; /* of the largest number, at most */
} order;

static inline uint64_t number_of(const abut_bp_pair *pair, uint64_t factor) {
    return pair->low * factor + pair->high;
}

static uint32_t bit_width(uint64_t value) {
    uint32_t width = 0;
    while (width < 64 && value >> width) {
        width++;
    }
    return width;
}

static order order_of(const abut_bp_pair *pairs, size_t count) {
    uint32_t lows = 0, differences = 0;
    for (size_t i = 0; i < count; i++) {
        lows |= pairs[i].low;
        differences |= pairs[i].high - pairs[i].low;
    }
    uint32_t width = bit_width(differences);
    return (order){((uint64_t)1 << width) - 1, bit_width(lows) + width};
}

static inline uint64_t canonical(const abut_bp_pair *pair) {
    return (uint64_t)pair->low << 32 | pair->high;
}

/* False, and the pairs in some order, if more than `budget` moves are needed. */
static bool insert(abut_bp_pair *pairs, size_t count, size_t budget) {
    uint64_t last = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t number = canonical(&pairs[i]);
        if (number >= last) {
            last = number;
            continue;
        }
        abut_bp_pair pair = pairs[i];
        size_t at = i;
        do {
            pairs[at] = pairs[at - 1];
            at--;
        } while (at > 0 && canonical(&pairs[at - 1]) > number);
        pairs[at] = pair;
        if (i - at > budget) {
            return false;
        }
        budget -= i - at;
    }
    return true;
}

/* A histogram becomes the place where each digit starts. */
static void starts_32(uint32_t *table, size_t digits) {
    uint32_t sum = 0;
    for (size_t d = 0; d < digits; d++) {
        uint32_t count = table[d];
        table[d] = sum;
        sum += count;
    }
}

/* Two passes over `kept` bits of the numbers, those above the lowest `dropped`; by way of `spare`, back to `pairs`. */
static void sort_leading(abut_bp_pair *pairs, abut_bp_pair *spare, size_t count, uint64_t factor, uint32_t dropped,
                         uint32_t kept) {
    uint32_t table[2][1 << DIGIT_MOST]; /* [pass][digit] */
    uint32_t width = (kept + 1) / 2, above = dropped + width;
    size_t digits = (size_t)1 << width, mask = digits - 1;
    memset(table[0], 0, digits * sizeof table[0][0]);
    memset(table[1], 0, digits * sizeof table[1][0]);
    for (size_t i = 0; i < count; i++) {
        table[0][number_of(&pairs[i], factor) >> dropped & mask]++;
    }
    starts_32(table[0], digits);
    for (size_t i = 0; i < count; i++) {
        uint64_t number = number_of(&pairs[i], factor);
        spare[table[0][number >> dropped & mask]++] = pairs[i];
        table[1][number >> above]++;
    }
    starts_32(table[1], digits);
    for (size_t i = 0; i < count; i++) {
        pairs[table[1][number_of(&spare[i], factor) >> above]++] = spare[i];
    }
}

static void scatter(const abut_bp_pair *from, abut_bp_pair *to, size_t count, uint64_t factor, uint32_t shift) {
    size_t start[1 << EXACT_DIGIT] = {0}, mask = ((size_t)1 << EXACT_DIGIT) - 1, sum = 0;
    for (size_t i = 0; i < count; i++) {
        start[number_of(&from[i], factor) >> shift & mask]++;
    }
    for (size_t d = 0; d <= mask; d++) {
        size_t n = start[d];
        start[d] = sum;
        sum += n;
    }
    for (size_t i = 0; i < count; i++) {
        to[start[number_of(&from[i], factor) >> shift & mask]++] = from[i];
    }
}

static void sort_exactly(abut_bp_pair *pairs, abut_bp_pair *spare, size_t count, order by) {
    abut_bp_pair *from = pairs, *to = spare;
    for (uint32_t shift = 0; shift < by.bits; shift += EXACT_DIGIT) {
        scatter(from, to, count, by.factor, shift);
        abut_bp_pair *swap = from;
        from = to;
        to = swap;
    }
    if (from != pairs) {
        memcpy(pairs, from, count * sizeof *pairs);
    }
}

/* --- long rows: many pairs of the same low key --- */

/* Pairs are dealt out by leading bits of their low keys. What is left of both keys then fits one 32-bit number, and a
 * bucket of those the nearest cache, where passes are cheap. */

enum { LONG_ROW = 4, BUCKET_BITS = 10, BUCKET = 8192, PASSES = 3, NUMBER_DIGIT_MOST = 11 };

typedef struct packing {
    uint32_t high_bits, below; /* of the high key; of the low key, those that do not choose the bucket */
} packing;

/* Sorts n numbers of `bits` bits by way of `spare`, where they are in the end. */
static void sort_numbers(uint32_t *number, uint32_t *spare, size_t n, uint32_t bits) {
    uint32_t start[PASSES][1 << NUMBER_DIGIT_MOST], width = (bits + PASSES - 1) / PASSES;
    const uint32_t digits = (uint32_t)1 << width, mask = digits - 1;
    for (int pass = 0; pass < PASSES; pass++) {
        memset(start[pass], 0, digits * sizeof start[pass][0]);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t value = number[i];
        start[0][value & mask]++;
        start[1][value >> width & mask]++;
        start[2][value >> 2 * width]++;
    }
    for (uint32_t pass = 0; pass < PASSES; pass++) {
        starts_32(start[pass], digits);
        for (size_t i = 0; i < n; i++) {
            spare[start[pass][number[i] >> pass * width & mask]++] = number[i];
        }
        uint32_t *swap = number;
        number = spare;
        spare = swap;
    }
}

static void sort_buckets(abut_bp_pair *pairs, uint32_t *number, uint32_t *spare, const uint32_t *end, uint32_t buckets,
                         packing by) {
    for (uint32_t b = 0, from = 0; b < buckets; from = end[b++]) {
        sort_numbers(number + from, spare, end[b] - from, by.below + by.high_bits);
        for (uint32_t i = from; i < end[b]; i++) {
            uint32_t value = spare[i - from];
            pairs[i].low = b << by.below | value >> by.high_bits;
            pairs[i].high = value & (((uint32_t)1 << by.high_bits) - 1);
        }
    }
}

/* False: rows are too short for this to pay, or keys too large. */
static bool sort_long_rows(abut_bp_pair *pairs, abut_bp_pair *spare, size_t count, uint32_t key_end) {
    uint32_t bits = bit_width(key_end - 1), table[1 << BUCKET_BITS] = {0};
    packing by = {.high_bits = bits, .below = bits};
    while (by.below > 0 && bits - by.below < BUCKET_BITS && count >> (bits - by.below) > BUCKET) {
        by.below--;
    }
    if (by.below + by.high_bits > 32 || count / LONG_ROW < key_end || count > UINT32_MAX) {
        return false;
    }
    uint32_t *number = (uint32_t *)spare, below = ((uint32_t)1 << by.below) - 1;
    for (size_t i = 0; i < count; i++) {
        table[pairs[i].low >> by.below]++;
    }
    starts_32(table, 1 << BUCKET_BITS);
    for (size_t i = 0; i < count; i++) {
        number[table[pairs[i].low >> by.below]++] = (pairs[i].low & below) << by.high_bits | pairs[i].high;
    }
    sort_buckets(pairs, number, number + count, table, (uint32_t)1 << (bits - by.below), by);
    return true;
}

void abut_bp_sort_pairs(abut_bp_pair *pairs, abut_bp_pair *spare, size_t count, uint32_t key_end) {
    if (count < FEW) {
        insert(pairs, count, SIZE_MAX);
        return;
    }
    if (sort_long_rows(pairs, spare, count, key_end)) {
        return;
    }
    order by = order_of(pairs, count); /* the pairs say how far they go, which may be less than key_end */
    if (count > UINT32_MAX) {          /* more than the counters of sort_leading hold */
        sort_exactly(pairs, spare, count, by);
        return;
    }
    uint32_t kept = bit_width(count) + SPARE_BITS;
    kept = kept < 2 * DIGIT_MOST ? kept : 2 * DIGIT_MOST;
    kept = kept < by.bits ? kept : by.bits;
    sort_leading(pairs, spare, count, by.factor, by.bits - kept, kept);
    if (kept < by.bits && !insert(pairs, count, MOVES_A_PAIR * count)) {
        sort_exactly(pairs, spare, count, by);
    }
}
