/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rounding of doubles up and down to floats, floats as ordered integers, finite floats. */
#include "base/bits.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>

static void rounding_brackets_the_value_by_neighbours(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(1000000); i++) {
        rng r = rng_make(test_seed(), i);
        double value = rng_sign(&r) * rng_log_range(&r, 1e-44, 1e30);
        value = i % 4 == 0 ? (double)(float)value : value;
        float low = abut_bits_round_down(value), high = abut_bits_round_up(value);
        assert_true((double)low <= value && value <= (double)high);
        bool exact = (double)(float)value == value;
        assert_true(exact ? low == high : nextafterf(low, INFINITY) == high);
    }
}

static void rounding_never_gives_negative_zero(void **state) {
    (void)state;
    assert_int_equal(abut_bits_of_float(abut_bits_round_down(-0.0)), 0);
    assert_int_equal(abut_bits_of_float(abut_bits_round_up(-0.0)), 0);
    assert_int_equal(abut_bits_of_float(abut_bits_round_up(-1e-60)), 0);
    assert_true(abut_bits_round_down(-1e-60) < 0);
    assert_true(abut_bits_round_up(1e-60) > 0);
}

static void ordered_bits_compare_as_floats_do(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(100000); i++) {
        rng r = rng_make(test_seed(), i);
        float a = (float)(rng_sign(&r) * rng_log_range(&r, 1e-40, 1e38));
        float b = i % 3 ? (float)(rng_sign(&r) * rng_log_range(&r, 1e-40, 1e38)) : nextafterf(a, 0);
        assert_int_equal(a < b, abut_bits_ordered(a) < abut_bits_ordered(b));
    }
    assert_true(abut_bits_ordered(-INFINITY) < abut_bits_ordered(-1));
    assert_true(abut_bits_ordered(-0.0f) < abut_bits_ordered(0.0f));
}

static void finite_refuses_nan_and_infinity(void **state) {
    (void)state;
    assert_false(abut_bits_finite(NAN));
    assert_false(abut_bits_finite(INFINITY));
    assert_false(abut_bits_finite(-INFINITY));
    assert_true(abut_bits_finite(3.4e38f));
    assert_true(abut_bits_finite(0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_brackets_the_value_by_neighbours),
        cmocka_unit_test(rounding_never_gives_negative_zero),
        cmocka_unit_test(ordered_bits_compare_as_floats_do),
        cmocka_unit_test(finite_refuses_nan_and_infinity),
    };
    return test_run(tests);
}
