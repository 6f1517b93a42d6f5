/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/radix.h"
#include "support/rng.h"
#include "support/test.h"
#include <stdlib.h>

enum { MOST = 3000 };

static void sorts_stably(void **state) {
    (void)state;
    static abut_radix_row rows[MOST], spare[MOST];
    const uint32_t masks[] = {0, 1, 0xff, 0xff00, 0x80000001, 0x00ff00ff, UINT32_MAX};
    for (uint32_t n = 0; n < MOST; n = n < 5 ? n + 1 : n * 3) {
        for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++) {
            rng r = rng_make(test_seed(), n * 16 + m);
            uint64_t keys_before = 0, keys_after = 0;
            for (uint32_t i = 0; i < n; i++) {
                rows[i] = (abut_radix_row){(uint32_t)rng_u64(&r) & masks[m], i};
                keys_before += rows[i].key * (UINT64_C(2) * i + 1);
            }
            abut_radix_sort(rows, spare, n);
            for (uint32_t i = 0; i < n; i++) {
                keys_after += rows[i].key * (UINT64_C(2) * rows[i].value + 1);
                assert_true(i == 0 || rows[i - 1].key < rows[i].key ||
                            (rows[i - 1].key == rows[i].key && rows[i - 1].value < rows[i].value));
            }
            assert_true(keys_before == keys_after); /* every key still stands with its value */
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sorts_stably)};
    return test_run(tests);
}
