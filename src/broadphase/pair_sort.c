/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "broadphase/broadphase.h"
#include <string.h>

/* Pairs in canonical order: by (low, high). Where keys have many pairs each, sorting packed numbers is faster than
 * sorting pairs: pairs are distributed to buckets by the leading bits of their low keys. What is left of both keys then
 * fits one 32-bit number, and a bucket of those fits the nearest cache, where passes are cheap. */

enum {
    PAIRS_PER_KEY = 4, /* on average, for this to pay */
    BUCKET_BITS = 10,  /* at most so many leading bits choose the bucket */
    BUCKET = 8192,     /* numbers in a bucket, about */
    PASSES = 3,
    DIGIT_MOST = 11 /* bits */
};

/* Bits of the high key in a number; and of the low key, those that do not choose the bucket. */
typedef struct packing {
    uint32_t high_bits, low_bits;
} packing;

/* Sorts n numbers of `bits` bits; they end in `spare`. */
static void sort_numbers(uint32_t *number, uint32_t *spare, size_t n, uint32_t bits) {
    uint32_t start[PASSES][1 << DIGIT_MOST], width = (bits + PASSES - 1) / PASSES;
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
        (void)abut_radix_starts(start[pass], digits);
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
        sort_numbers(number + from, spare, end[b] - from, by.low_bits + by.high_bits);
        for (uint32_t i = from; i < end[b]; i++) {
            uint32_t value = spare[i - from];
            pairs[i].low = b << by.low_bits | value >> by.high_bits;
            pairs[i].high = value & (((uint32_t)1 << by.high_bits) - 1);
        }
    }
}

/* False: keys have too few pairs for this to pay, or there are too many keys. */
static bool sort_packed(abut_bp_pair *pairs, abut_bp_pair *spare, size_t count, uint32_t key_end) {
    uint32_t bits = ABUT_BIT_WIDTH(key_end - 1), table[1 << BUCKET_BITS] = {0};
    packing by = {.high_bits = bits, .low_bits = bits};
    while (by.low_bits > 0 && bits - by.low_bits < BUCKET_BITS && count >> (bits - by.low_bits) > BUCKET) {
        by.low_bits--;
    }
    if (by.low_bits + by.high_bits > 32 || count / PAIRS_PER_KEY < key_end) {
        return false;
    }
    uint32_t *number = (uint32_t *)spare, rest = ((uint32_t)1 << by.low_bits) - 1;
    for (size_t i = 0; i < count; i++) {
        table[pairs[i].low >> by.low_bits]++;
    }
    (void)abut_radix_starts(table, (size_t)1 << BUCKET_BITS);
    for (size_t i = 0; i < count; i++) {
        number[table[pairs[i].low >> by.low_bits]++] = (pairs[i].low & rest) << by.high_bits | pairs[i].high;
    }
    sort_buckets(pairs, number, number + count, table, (uint32_t)1 << (bits - by.low_bits), by);
    return true;
}

void abut_bp_sort_pairs(abut_bp_pair *pairs, abut_bp_pair *spare, size_t count, uint32_t key_end) {
    enum { FEW = 20 }; /* too few to be packed */
    if (count < FEW || !sort_packed(pairs, spare, count, key_end)) {
        abut_radix_sort_pairs(pairs, spare, count);
    }
}
