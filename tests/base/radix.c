/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The radix sort against qsort, on keys of every distribution. */
#include "base/radix.h"
#include "base/bits.h"
#include "support/rng.h"
#include "support/test.h"
#include <stdlib.h>

enum { MOST = 3000 };

static void sorts_stably(void **state) {
    (void)state;
    static abut_radix_item items[MOST], spare[MOST];
    const uint32_t masks[] = {0, 1, 0xff, 0xff00, 0x80000001, 0x00ff00ff, UINT32_MAX};
    for (uint32_t n = 0; n < MOST; n = n < 5 ? n + 1 : n * 3) {
        for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
            rng r = rng_make(test_seed(), n * 16 + m);
            uint64_t keys_before = 0, keys_after = 0;
            for (uint32_t i = 0; i < n; i++) {
                items[i] = (abut_radix_item){(uint32_t)rng_u64(&r) & masks[m], i};
                keys_before += items[i].key * (UINT64_C(2) * i + 1);
            }
            abut_radix_sort(items, spare, n);
            for (uint32_t i = 0; i < n; i++) {
                keys_after += items[i].key * (UINT64_C(2) * items[i].value + 1);
                assert_true(i == 0 || items[i - 1].key < items[i].key ||
                            (items[i - 1].key == items[i].key && items[i - 1].value < items[i].value));
            }
            assert_true(keys_before == keys_after); /* every key still has its value */
        }
    }
}

/* By kind: floats of one sign, of both, far from zero; indices; powers of two; crowded keys and one far away. */
enum { POSITIVE, BOTH_SIGNS, FAR, INDICES, GEOMETRIC, CROWDED, KINDS };

static uint32_t key_of(int kind, uint32_t n, rng *r) {
    switch (kind) {
    case POSITIVE:
        return abut_bits_ordered((float)rng_below(r, 75000) * 1e-3f);
    case BOTH_SIGNS:
        return abut_bits_ordered((float)rng_below(r, 75000) * 1e-3f - 37);
    case FAR:
        return abut_bits_ordered((float)rng_below(r, 75000) * 1e-3f + 1e4f);
    case INDICES:
        return rng_below(r, n);
    case GEOMETRIC:
        return 1u << rng_below(r, 32) | rng_below(r, 4);
    default:
        return rng_below(r, n) == 0 ? UINT32_MAX : 1000000 + rng_below(r, n);
    }
}

static int compare(const void *a, const void *b) {
    const abut_radix_item *p = a, *q = b;
    if (p->key != q->key) {
        return p->key < q->key ? -1 : 1;
    }
    return (p->value > q->value) - (p->value < q->value);
}

static void sorts_all_sizes_and_kinds_as_qsort_does(void **state) {
    (void)state;
    const uint32_t sizes[] = {0, 1, 2, 3, 15, 16, 17, 18, 31, 32, 33, 64, 100, 850, 2000, 4096, 4097, 20000, 100000};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        uint32_t n = sizes[s];
        abut_radix_item *items = malloc(n * sizeof *items + 1), *spare = malloc(n * sizeof *items + 1);
        abut_radix_item *expected = malloc(n * sizeof *items + 1);
        assert_true(items && spare && expected);
        for (uint32_t round = 0; round < KINDS * (n < 4000 ? test_count(20) : 1); round++) {
            rng r = rng_make(test_seed(), (uint64_t)n << 32 | round);
            for (uint32_t i = 0; i < n; i++) {
                expected[i] = items[i] = (abut_radix_item){key_of((int)(round % KINDS), n, &r), i};
            }
            qsort(expected, n, sizeof *expected, compare);
            for (int again = 0; again < 2; again++) { /* the second time they are sorted already */
                abut_radix_sort(items, spare, n);
                for (uint32_t i = 0; i < n; i++) {
                    assert_true(items[i].key == expected[i].key && items[i].value == expected[i].value);
                }
            }
        }
        free(items);
        free(spare);
        free(expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_stably),
        cmocka_unit_test(sorts_all_sizes_and_kinds_as_qsort_does),
    };
    return test_run(tests);
}
