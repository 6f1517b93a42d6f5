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
    return abut_bp_pair_order(pair);
}

#include "base/radix_plan.inc"

enum {
    INSERTION_MAX = 20, /* fewer pairs are sorted by insertion alone */
    SPARE_BITS = 8      /* leading bits to sort by, in addition to those of the count */
};

/* Not inlined, as sort_packed: one of the two runs, and each has large tables. */
static ABUT_NOINLINE void sort_unpacked(abut_bp_pair *pairs, abut_bp_pair *spare, size_t count) {
    uint32_t lows = 0, differences = 0;
    for (size_t i = 0; i < count; i++) {
        lows |= pairs[i].low;
        differences |= pairs[i].high - pairs[i].low;
    }
    uint32_t width = ABUT_BIT_WIDTH(differences), bits = ABUT_BIT_WIDTH(lows) + width;
    uint32_t leading = ABUT_BIT_WIDTH((uint32_t)count) + SPARE_BITS;
    leading = leading < 2 * LEADING_DIGIT_MOST ? leading : 2 * LEADING_DIGIT_MOST;
    leading = leading < bits ? leading : bits;
    sort_by_plan(pairs, spare, count, ((uint64_t)1 << width) - 1, bits, bits - leading);
}

/* --- keys with many pairs each --- */

/* If keys have many pairs, it is faster to sort packed numbers: pairs are distributed to buckets by the leading bits of
 * their low keys. The remaining bits of both keys then fit into one 32-bit number, and a bucket of such numbers fits
 * into the nearest cache, where passes are cheap. */

enum {
    PAIRS_PER_KEY = 4,    /* on average, for this to pay */
    BUCKET_BITS = 10,     /* at most this many leading bits choose the bucket */
    BUCKET = 8192,        /* wanted numbers in a bucket */
    DIGIT_MOST = 12,      /* bits */
    SPARE_OF_BUCKET = 10, /* as SPARE_BITS: tables cost less here than insertion */
    AHEAD = 32            /* numbers of a bucket for which memory is fetched before they are written */
};

/* The bits of a number: those of the high key, and those of the low key that do not choose the bucket. Bits above these
 * are the same in all numbers of a bucket: they are bits of its index. */
typedef struct packing {
    uint32_t high_bits, low_bits;
} packing;

/* Sorts n numbers by the two digits of `width` bits above their lowest `left` bits. Not inlined: it has a large table.
 */
static ABUT_NOINLINE void sort_digits(uint32_t *packed, uint32_t *spare, size_t n, uint32_t left, uint32_t width) {
    uint32_t start[2][1 << DIGIT_MOST];
    const uint32_t digits = (uint32_t)1 << width, mask = digits - 1, above = left + width;
    memset(start[0], 0, digits * sizeof start[0][0]);
    memset(start[1], 0, digits * sizeof start[1][0]);
    for (size_t i = 0; i < n; i++) {
        start[0][packed[i] >> left & mask]++;
        start[1][packed[i] >> above & mask]++;
    }
    (void)abut_radix_starts(start[0], digits);
    for (size_t i = 0; i < n; i++) {
        spare[start[0][packed[i] >> left & mask]++] = packed[i];
    }
    (void)abut_radix_starts(start[1], digits);
    for (size_t i = 0; i < n; i++) {
        packed[start[1][spare[i] >> above & mask]++] = spare[i];
    }
}

/* False if more than `budget` moves are needed; the numbers are then partly sorted. */
static bool insert_numbers(uint32_t *numbers, size_t n, size_t budget) {
    uint32_t last = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t value = numbers[i];
        if (value >= last) {
            last = value;
            continue;
        }
        size_t at = i;
        do {
            numbers[at] = numbers[at - 1];
            at--;
        } while (at > 0 && numbers[at - 1] > value);
        numbers[at] = value;
        if (i - at > budget) {
            return false;
        }
        budget -= i - at;
    }
    return true;
}

/* Sorts n numbers of `bits` bits, by the plan of radix_plan.inc. */
static void sort_numbers(uint32_t *packed, uint32_t *spare, size_t n, uint32_t bits) {
    uint32_t leading = ABUT_BIT_WIDTH((uint32_t)n) + SPARE_OF_BUCKET;
    leading = leading < 2 * DIGIT_MOST ? leading : 2 * DIGIT_MOST;
    leading = leading < bits ? leading : bits;
    uint32_t width = (leading + 1) / 2, left = bits > 2 * width ? bits - 2 * width : 0, quarter = (bits + 3) / 4;
    sort_digits(packed, spare, n, left, width);
    if (left > 0 && !insert_numbers(packed, n, MOVES_EACH * n)) {
        sort_digits(packed, spare, n, 0, quarter);
        sort_digits(packed, spare, n, 2 * quarter, quarter);
    }
}

static void sort_buckets(abut_bp_pair *pairs, uint32_t *packed, uint32_t *spare, const uint32_t *end, uint32_t buckets,
                         packing layout) {
    for (uint32_t b = 0, from = 0; b < buckets; from = end[b++]) {
        sort_numbers(packed + from, spare, end[b] - from, layout.low_bits + layout.high_bits);
        for (uint32_t i = from; i < end[b]; i++) {
            uint32_t value = packed[i];
            pairs[i].low = b << layout.low_bits | value >> layout.high_bits;
            pairs[i].high = value & (((uint32_t)1 << layout.high_bits) - 1);
        }
    }
}

/* False: keys have too few pairs for this to pay, or there are too many keys. */
static ABUT_NOINLINE bool sort_packed(abut_bp_pair *pairs, abut_bp_pair *spare, size_t count, uint32_t key_end) {
    uint32_t bits = ABUT_BIT_WIDTH(key_end - 1), table[1 << BUCKET_BITS] = {0};
    packing layout = {.high_bits = bits, .low_bits = bits};
    /* Some bits are left: keys of at most BUCKET_BITS bits have too few pairs for all of them to choose buckets. */
    while (bits - layout.low_bits < BUCKET_BITS && count >> (bits - layout.low_bits) > BUCKET) {
        layout.low_bits--;
    }
    if (layout.low_bits + layout.high_bits > 32 || count / PAIRS_PER_KEY < key_end) {
        return false;
    }
    uint32_t *packed = (uint32_t *)spare;
    for (size_t i = 0; i < count; i++) {
        table[pairs[i].low >> layout.low_bits]++;
    }
    (void)abut_radix_starts(table, (size_t)1 << BUCKET_BITS);
    for (size_t i = 0; i < count; i++) {
        uint32_t at = table[pairs[i].low >> layout.low_bits]++;
        packed[at] = pairs[i].low << layout.high_bits | pairs[i].high;
        ABUT_PREFETCH_TO_WRITE(&packed[at + AHEAD]);
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

/* --- side by side --- */

/* Pairs are distributed to buckets by the leading bits of their low keys: each block counts its own, a sum over all
 * counts gives the places, and each block then moves its pairs. Buckets are sorted one by one. */

enum {
    SORT_BLOCK = 8192,     /* pairs, at least: some 20 microseconds */
    SORT_BLOCKS_MOST = 64, /* each has a counter for every bucket */
    SORT_BUCKET_BITS = 9,  /* at most this many bits choose the bucket */
    BUCKETS_AT_ONCE = 16   /* are one piece of work */
};

typedef struct sorting {
    abut_bp_pair *pairs, *spare;
    size_t count, block; /* pairs of a block */
    uint32_t shift, buckets, blocks;
    uint32_t *at; /* by block and bucket: first how many pairs, then where the next one goes */
    uint32_t first[(1 << SORT_BUCKET_BITS) + 1]; /* by bucket */
} sorting;

static void count_block(void *context, uint32_t block, uint32_t worker) {
    const sorting *s = context;
    uint32_t *at = s->at + (size_t)block * s->buckets;
    size_t first = block * s->block, end = s->count - first < s->block ? s->count : first + s->block;
    (void)worker;
    memset(at, 0, s->buckets * sizeof *at);
    for (size_t i = first; i < end; i++) {
        at[s->pairs[i].low >> s->shift]++;
    }
}

/* Within a bucket keys are counted from its least, so that they have few bits. */
static void move_block(void *context, uint32_t block, uint32_t worker) {
    const sorting *s = context;
    uint32_t *at = s->at + (size_t)block * s->buckets;
    size_t first = block * s->block, end = s->count - first < s->block ? s->count : first + s->block;
    (void)worker;
    for (size_t i = first; i < end; i++) {
        uint32_t bucket = s->pairs[i].low >> s->shift, least = bucket << s->shift;
        s->spare[at[bucket]++] = (abut_bp_pair){s->pairs[i].low - least, s->pairs[i].high - least};
    }
}

static void sort_some_buckets(void *context, uint32_t block, uint32_t worker) {
    const sorting *s = context;
    uint32_t end = (block + 1) * BUCKETS_AT_ONCE;
    (void)worker;
    for (uint32_t b = block * BUCKETS_AT_ONCE; b < end && b < s->buckets; b++) {
        uint32_t first = s->first[b], n = s->first[b + 1] - first, least = b << s->shift;
        abut_bp_pair *bucket = s->spare + first, *out = s->pairs + first;
        if (n < INSERTION_MAX) {
            insert(bucket, n, SIZE_MAX);
        } else {
            sort_unpacked(bucket, out, n);
        }
        for (uint32_t i = 0; i < n; i++) {
            out[i] = (abut_bp_pair){bucket[i].low + least, bucket[i].high + least};
        }
    }
}

/* Turns counts into places: bucket by bucket, and in each block by block. */
static void place_buckets(sorting *s) {
    uint32_t sum = 0;
    for (uint32_t b = 0; b < s->buckets; b++) {
        s->first[b] = sum;
        for (uint32_t block = 0; block < s->blocks; block++) {
            uint32_t *at = &s->at[(size_t)block * s->buckets + b], n = *at;
            *at = sum;
            sum += n;
        }
    }
    s->first[s->buckets] = sum;
}

void abut_bp_sort_pairs_with(const abut_bp *bp, abut_bp_pair *pairs, abut_bp_pair *spare, size_t count,
                             abut_workers *workers) {
    uint32_t bits = ABUT_BIT_WIDTH(bp->key_end - 1);
    sorting s = {.pairs = pairs, .spare = spare, .count = count, .at = (uint32_t *)(void *)bp->scratch};
    s.shift = bits > SORT_BUCKET_BITS ? bits - SORT_BUCKET_BITS : 0;
    s.buckets = count > 0 ? ((bp->key_end - 1) >> s.shift) + 1 : 0;
    size_t room = bp->storage.keys.capacity * (sizeof *bp->scratch / sizeof *s.at);
    size_t most = s.buckets > 0 ? room / s.buckets : 0, blocks = count / SORT_BLOCK;
    blocks = blocks < most ? blocks : most;
    s.blocks = (uint32_t)(blocks < SORT_BLOCKS_MOST ? blocks : SORT_BLOCKS_MOST);
    if (abut_workers_count(workers) < 2 || s.blocks < 2) {
        abut_bp_sort_pairs(pairs, spare, count, bp->key_end);
        return;
    }
    s.block = (count + s.blocks - 1) / s.blocks;
    abut_workers_loop(workers, s.blocks, count_block, &s);
    place_buckets(&s);
    abut_workers_loop(workers, s.blocks, move_block, &s);
    abut_workers_loop(workers, (s.buckets + BUCKETS_AT_ONCE - 1) / BUCKETS_AT_ONCE, sort_some_buckets, &s);
}
