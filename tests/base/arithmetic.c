/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Whether arithmetic is what answers rest on: it is, and no longer so where sums are rounded in another way. */
#include "base/arithmetic.h"
#include "support/test.h"
#include <fenv.h>

static volatile double one = 1, small = 0x1p-60, minus_zero = -0.0;

static void arithmetic_is_exact_by_default(void **state) {
    (void)state;
    assert_true(abut_arithmetic_is_exact());
}

/* A sum that is rounded up has another error. */
static void rounding_up_is_noticed(void **state) {
    (void)state;
#if defined(FE_UPWARD)
    const bool set = fesetround(FE_UPWARD) == 0, up = one + small > 1, exact = abut_arithmetic_is_exact();
    (void)fesetround(FE_TONEAREST);
    assert_true(!set || !up || !exact);
#endif
    assert_true(abut_arithmetic_is_exact());
}

/* The zero that is a sum of two zeros has another sign. */
static void rounding_down_is_noticed(void **state) {
    (void)state;
#if defined(FE_DOWNWARD)
    const bool set = fesetround(FE_DOWNWARD) == 0, down = 1 / (minus_zero + 0.0) < 0,
               exact = abut_arithmetic_is_exact();
    (void)fesetround(FE_TONEAREST);
    assert_true(!set || !down || !exact);
#endif
    assert_true(abut_arithmetic_is_exact());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_is_exact_by_default),
        cmocka_unit_test(rounding_up_is_noticed),
        cmocka_unit_test(rounding_down_is_noticed),
    };
    return test_run(tests);
}
