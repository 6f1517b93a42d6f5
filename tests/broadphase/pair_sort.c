/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The sort of candidate pairs against qsort. */
#include "broadphase/broadphase.h"
#include "support/rng.h"
#include "support/schedules.h"
#include "support/test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const abut_bp_pair *p = a, *q = b;
    if (p->low != q->low) {
        return p->low < q->low ? -1 : 1;
    }
    return (p->high > q->high) - (p->high < q->high);
}

static abut_bp_pair *allocate(size_t count) {
    abut_bp_pair *memory = malloc(count * sizeof *memory + 1); /* no larger, so that a sanitizer sees an overrun */
    assert_non_null(memory);
    return memory;
}

static abut_bp_pair pair_of(uint32_t a, uint32_t b) {
    return a < b ? (abut_bp_pair){a, b} : (abut_bp_pair){b, a};
}

/* Compares with qsort. Duplicates are removed first, since callers have none. Shuffles with r if it is given. Returns
 * how many pairs were sorted. */
static size_t check(const abut_bp_pair *pairs, size_t count, uint32_t key_end, rng *r) {
    abut_bp_pair *expected = allocate(count), *sorted = allocate(count), *spare = allocate(count);
    memcpy(expected, pairs, count * sizeof *pairs);
    qsort(expected, count, sizeof *expected, compare);
    size_t unique = 0;
    for (size_t i = 0; i < count; i++) {
        if (unique == 0 || compare(&expected[unique - 1], &expected[i]) != 0) {
            expected[unique++] = expected[i];
        }
    }
    memcpy(sorted, expected, unique * sizeof *sorted);
    for (size_t i = unique; r && i > 1; i--) {
        size_t other = rng_below(r, (uint32_t)i);
        abut_bp_pair swap = sorted[i - 1];
        sorted[i - 1] = sorted[other];
        sorted[other] = swap;
    }
    abut_bp_sort_pairs(sorted, spare, unique, key_end);
    for (size_t i = 0; i < unique; i++) {
        if (compare(&sorted[i], &expected[i]) != 0) {
            fprintf(stderr, "%zu pairs of keys below %u: pair %zu is (%u, %u), not (%u, %u)\n", unique, key_end, i,
                    sorted[i].low, sorted[i].high, expected[i].low, expected[i].high);
        }
        assert_true(compare(&sorted[i], &expected[i]) == 0);
    }
    free(expected);
    free(sorted);
    free(spare);
    return unique;
}

static uint32_t random_key(rng *r, uint32_t key_end) {
    return (uint32_t)((rng_u64(r) >> 32) * key_end >> 32);
}

/* By kind: anything; near keys; few keys in many pairs; one key with many near ones among far pairs. */
enum { ANY, NEAR, SKEWED, HUB, KINDS };

static size_t make(abut_bp_pair *pairs, size_t count, uint32_t key_end, int kind, rng *r) {
    size_t made = 0;
    uint32_t hub = random_key(r, key_end);
    for (size_t i = 0; i < count; i++) {
        uint32_t a = random_key(r, key_end), b = random_key(r, key_end);
        if (kind == NEAR) {
            b = a + 1 + rng_below(r, 20);
        } else if (kind == SKEWED) {
            a = rng_chance(r, 0.5) ? (uint32_t)((uint64_t)hub * rng_below(r, 5) % key_end) : a;
        } else if (kind == HUB && i > 10) {
            a = hub;
            b = hub + 1 + (uint32_t)i;
        }
        if (a != b && b < key_end) {
            pairs[made++] = pair_of(a, b);
        }
    }
    return made;
}

static void sorts_as_qsort_does(void **state) {
    (void)state;
    const uint32_t ends[] = {2, 3, 30, 300, 1000, 100000, 1u << 20, 1u << 31, UINT32_MAX - 1, UINT32_MAX};
    enum { MOST = 20000, ENDS = sizeof ends / sizeof ends[0] };
    abut_bp_pair *pairs = allocate(MOST);
    for (unsigned long round = 0; round < test_count(150); round++) {
        rng r = rng_make(test_seed(), round);
        size_t most = round % 3 == 0 ? 50 : round % 3 == 1 ? 2000 : MOST;
        for (uint32_t e = 0; e < ENDS; e++) {
            for (int kind = 0; kind < KINDS; kind++) {
                check(pairs, make(pairs, rng_below(&r, (uint32_t)most + 1), ends[e], kind, &r), ends[e], &r);
            }
        }
    }
    free(pairs);
}

static void sorts_every_pair_of_some_keys(void **state) {
    (void)state;
    rng r = rng_make(test_seed(), 0);
    for (uint32_t keys = 0; keys <= 700; keys = keys < 12 ? keys + 1 : keys * 2) {
        for (int far = 0; far < 2; far++) { /* the first keys, or the last possible ones */
            uint32_t first = far ? UINT32_MAX - 1 - keys : 0;
            abut_bp_pair *pairs = allocate((size_t)keys * keys);
            size_t count = 0;
            for (uint32_t a = 0; a < keys; a++) {
                for (uint32_t b = a + 1; b < keys; b++) {
                    pairs[count++] = (abut_bp_pair){first + a, first + b};
                }
            }
            assert_true(check(pairs, count, first + keys, NULL) == count); /* sorted before */
            assert_true(check(pairs, count, first + keys, &r) == count);
            free(pairs);
        }
    }
}

/* Near keys among far ones agree in all leading bits: insertion alone would need a minute. */
static void sorts_near_keys_among_far_ones_in_time(void **state) {
    (void)state;
    enum { LOWS = 3, HIGHS = 200000, COUNT = LOWS * HIGHS + 2 };
    abut_bp_pair *pairs = allocate(COUNT);
    rng r = rng_make(test_seed(), 0);
    size_t count = 0;
    pairs[count++] = (abut_bp_pair){0, UINT32_MAX - 2};
    pairs[count++] = (abut_bp_pair){UINT32_MAX - 3, UINT32_MAX - 2};
    for (uint32_t low = 0; low < LOWS; low++) {
        for (uint32_t i = 0; i < HIGHS; i++) {
            pairs[count++] = (abut_bp_pair){1u << 30 | low, (1u << 30) + LOWS + i};
        }
    }
    assert_true(check(pairs, count, UINT32_MAX - 1, &r) == COUNT);
    free(pairs);
}

/* Many pairs per key are sorted as packed numbers, in buckets. In one of them all numbers agree in their leading bits.
 */
static void sorts_near_keys_of_a_small_bucket(void **state) {
    (void)state;
    enum { KEYS = 100000, LOWS = 5, FAR = 70000, NEAR_ONES = 100, COUNT = LOWS * (KEYS - LOWS) + NEAR_ONES };
    abut_bp_pair *pairs = allocate(COUNT);
    rng r = rng_make(test_seed(), 0);
    size_t count = 0;
    for (uint32_t low = 0; low < LOWS; low++) {
        for (uint32_t high = LOWS; high < KEYS; high++) {
            pairs[count++] = (abut_bp_pair){low, high};
        }
    }
    for (uint32_t i = 1; i <= NEAR_ONES; i++) {
        pairs[count++] = (abut_bp_pair){FAR, FAR + i};
    }
    assert_true(check(pairs, count, KEYS, &r) == COUNT);
    free(pairs);
}

/* So many pairs that more buckets than there may be would be wanted: every pair of the first keys, and a few of the
 * last. */
static void sorts_more_pairs_than_the_most_buckets_want(void **state) {
    (void)state;
    enum { MANY = 4120, KEYS = 8192, COUNT = MANY * (MANY - 1) / 2 + (KEYS - MANY - 1) };
    abut_bp_pair *sorted = allocate(COUNT), *spare = allocate(COUNT);
    rng r = rng_make(test_seed(), 0);
    size_t count = 0, next = 0;
    for (uint32_t low = 0; low + 1 < KEYS; low++) {
        for (uint32_t high = low + 1; high < (low < MANY ? MANY : low + 2); high++) { /* in order, then shuffled */
            size_t other = rng_below(&r, (uint32_t)++count);
            sorted[count - 1] = sorted[other == count - 1 ? 0 : other];
            sorted[other] = (abut_bp_pair){low, high};
        }
    }
    assert_int_equal(count, COUNT);
    abut_bp_sort_pairs(sorted, spare, COUNT, KEYS);
    for (uint32_t low = 0; low + 1 < KEYS; low++) {
        for (uint32_t high = low + 1; high < (low < MANY ? MANY : low + 2); high++, next++) {
            assert_true(sorted[next].low == low && sorted[next].high == high);
        }
    }
    free(sorted);
    free(spare);
}

/* With at least two workers and two blocks of 8192 pairs, in three loops: they count, move and sort. Otherwise alone.
 */
static void sorts_side_by_side_what_is_worth_it(void **state) {
    (void)state;
    enum { KEYS = 5000, BLOCK = 8192, ROOM = 1 << 14 };
    static const size_t counts[] = {0, 1, 2 * BLOCK - 1, 2 * BLOCK, 2 * BLOCK + 1, 6 * BLOCK + 77};
    abut_bp_pair *pairs = allocate(7 * BLOCK), *expected = allocate(7 * BLOCK), *spare = allocate(7 * BLOCK);
    abut_radix_item *scratch = calloc(ROOM, sizeof *scratch);
    const abut_bp bp = {.key_end = KEYS, .scratch = scratch, .storage.keys.capacity = ROOM};
    assert_non_null(scratch);
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        for (uint32_t of = 0; of < SCHEDULE_WORKERS; of++) {
            schedule s = {.kind = of % 2 ? SCHEDULE_DESCENDING : SCHEDULE_ASCENDING, .workers = schedule_workers[of]};
            abut_workers workers = {.parallel = schedule_parallel(&s)};
            rng r = rng_make(test_seed(), k);
            const size_t n = counts[k];
            for (size_t i = 0; i < n; i++) { /* each once: all differences of neighbouring keys, then larger ones */
                uint32_t low = (uint32_t)i % (KEYS / 2), other = rng_below(&r, (uint32_t)i + 1);
                expected[i] = (abut_bp_pair){low, low + 1 + (uint32_t)i / (KEYS / 2)};
                pairs[i] = pairs[other];
                pairs[other] = expected[i];
            }
            qsort(expected, n, sizeof *expected, compare);
            abut_bp_sort_pairs_with(&bp, pairs, spare, n, &workers);
            assert_memory_equal(pairs, expected, n * sizeof *pairs);
            assert_int_equal(abut_atomic_load(&s.loops), s.workers > 1 && n >= 2 * BLOCK ? 3 : 0);
        }
    }
    free(scratch);
    free(pairs);
    free(expected);
    free(spare);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_as_qsort_does),
        cmocka_unit_test(sorts_every_pair_of_some_keys),
        cmocka_unit_test(sorts_near_keys_among_far_ones_in_time),
        cmocka_unit_test(sorts_near_keys_of_a_small_bucket),
        cmocka_unit_test(sorts_more_pairs_than_the_most_buckets_want),
        cmocka_unit_test(sorts_side_by_side_what_is_worth_it),
    };
    return test_run(tests);
}
