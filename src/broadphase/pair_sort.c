/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/compiler.h"
#include "broadphase/broadphase.h"
#include <assert.h>

/* Pairs in canonical order: by (low, high).
 *
 * They are sorted by the number low * 2^b + (high - low), where b bits hold every difference. Boxes that touch often
 * have keys that are close to each other, so differences may need fewer bits than keys. */

enum { LEADING_DIGIT_MOST = 12 };
typedef abut_bp_pair element;
typedef uint64_t number;

/* `factor` is 2^b - 1. */
static inline number number_of(const element *pair, number factor) {
    return pair->low * factor + pair->high;
}

static inline number rank_of(const element *pair) {
    return (number)pair->low << 32 | pair->high;
}

#include "base/radix_plan.inc"

enum {
    INSERTION_MAX = 20, /* fewer pairs are sorted by insertion alone */
    SPARE_BITS = 8      /* leading bits to sort by, in addition to those of the count */
};

static uint32_t bit_width(uint64_t value) {
    uint32_t width = 0;
    while (width < 64 && value >> width) {
        width++;
    }
    return width;
}

static void sort_unpacked(abut_bp_pair *pairs, abut_bp_pair *spare, size_t count) {
    uint32_t lows = 0, differences = 0;
    for (size_t i = 0; i < count; i++) {
        lows |= pairs[i].low;
        differences |= pairs[i].high - pairs[i].low;
    }
    uint32_t width = bit_width(differences), bits = bit_width(lows) + width, leading = bit_width(count) + SPARE_BITS;
    leading = leading < 2 * LEADING_DIGIT_MOST ? leading : 2 * LEADING_DIGIT_MOST;
    leading = leading < bits ? leading : bits;
    sort_by_plan(pairs, spare, count, ((uint64_t)1 << width) - 1, bits, bits - leading);
}

/* --- keys with many pairs each --- */

/* If keys have many pairs, it is faster to sort packed numbers: pairs are distributed to buckets by the leading bits of
 * their low keys. The remaining bits of both keys then fit into one 32-bit number, and a bucket of such numbers fits
 * into the nearest cache, where passes are cheap. */

enum {
    PAIRS_PER_KEY = 4, /* on average, for this to pay */
    BUCKET_BITS = 10,  /* at most this many leading bits choose the bucket */
    BUCKET = 8192,     /* wanted numbers in a bucket */
    PASSES = 3,
    DIGIT_MOST = 11 /* bits */
};

/* The bits of a number: those of the high key, and those of the low key that do not choose the bucket. */
typedef struct packing {
    uint32_t high_bits, low_bits;
} packing;

/* Sorts n numbers of `bits` bits; the result is in `spare`. */
static void sort_numbers(uint32_t *packed, uint32_t *spare, size_t n, uint32_t bits) {
    uint32_t start[PASSES][1 << DIGIT_MOST], width = (bits + PASSES - 1) / PASSES;
    const uint32_t digits = (uint32_t)1 << width, mask = digits - 1;
    for (int pass = 0; pass < PASSES; pass++) {
        memset(start[pass], 0, digits * sizeof start[pass][0]);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t value = packed[i];
        start[0][value & mask]++;
        start[1][value >> width & mask]++;
        start[2][value >> 2 * width]++;
    }
    for (uint32_t pass = 0; pass < PASSES; pass++) {
        (void)abut_radix_starts(start[pass], digits);
        for (size_t i = 0; i < n; i++) {
            spare[start[pass][packed[i] >> pass * width & mask]++] = packed[i];
        }
        uint32_t *swap = packed;
        packed = spare;
        spare = swap;
    }
}

static void sort_buckets(abut_bp_pair *pairs, uint32_t *packed, uint32_t *spare, const uint32_t *end, uint32_t buckets,
                         packing layout) {
    for (uint32_t b = 0, from = 0; b < buckets; from = end[b++]) {
        sort_numbers(packed + from, spare, end[b] - from, layout.low_bits + layout.high_bits);
        for (uint32_t i = from; i < end[b]; i++) {
            uint32_t value = spare[i - from];
            pairs[i].low = b << layout.low_bits | value >> layout.high_bits;
            pairs[i].high = value & (((uint32_t)1 << layout.high_bits) - 1);
        }
    }
}

/* False: keys have too few pairs for this to pay, or there are too many keys. */
static bool sort_packed(abut_bp_pair *pairs, abut_bp_pair *spare, size_t count, uint32_t key_end) {
    uint32_t bits = ABUT_BIT_WIDTH(key_end - 1), table[1 << BUCKET_BITS] = {0};
    packing layout = {.high_bits = bits, .low_bits = bits};
    while (layout.low_bits > 0 && bits - layout.low_bits < BUCKET_BITS && count >> (bits - layout.low_bits) > BUCKET) {
        layout.low_bits--;
    }
    if (layout.low_bits + layout.high_bits > 32 || count / PAIRS_PER_KEY < key_end) {
        return false;
    }
    uint32_t *packed = (uint32_t *)spare, low_mask = ((uint32_t)1 << layout.low_bits) - 1;
    for (size_t i = 0; i < count; i++) {
        table[pairs[i].low >> layout.low_bits]++;
    }
    (void)abut_radix_starts(table, (size_t)1 << BUCKET_BITS);
    for (size_t i = 0; i < count; i++) {
        packed[table[pairs[i].low >> layout.low_bits]++] =
            (pairs[i].low & low_mask) << layout.high_bits | pairs[i].high;
    }
    sort_buckets(pairs, packed, packed + count, table, (uint32_t)1 << (bits - layout.low_bits), layout);
    return true;
}

void abut_bp_sort_pairs(abut_bp_pair *pairs, abut_bp_pair *spare, size_t count, uint32_t key_end) {
    assert(count <= UINT32_MAX);
    if (count < INSERTION_MAX) {
        insert(pairs, count, SIZE_MAX);
    } else if (!sort_packed(pairs, spare, count, key_end)) {
        sort_unpacked(pairs, spare, count);
    }
}
