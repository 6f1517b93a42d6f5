/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Double-double arithmetic compared with 113-bit arithmetic. */

#include "base/dd.h"
#include "support/quad.h"
#include "support/rng.h"
#include "support/test.h"
#include <stdio.h>

/* The relative error that base/dd.h promises for every operation that is not exact. */
static const double GOOD = 0x1p-98;

static quad value(abut_dd x) {
    return (quad)x.hi + (quad)x.lo;
}

static double random_double(rng *r) {
    double mantissa = 1 + rng_unit(r), sign = (double)rng_sign(r);
    return ldexp(sign * mantissa, (int)rng_below(r, 40) - 20);
}

/* Normalised: lo is at most half a unit in the last place of hi, often much less, sometimes 0. */
static abut_dd random_dd(rng *r) {
    double hi = random_double(r);
    int exponent;
    (void)frexp(hi, &exponent);
    int below = (int)rng_below(r, 8);
    double lo = rng_chance(r, 0.1) ? 0 : ldexp(rng_range(r, -0.5, 0.5), exponent - 53 - below);
    return abut_dd_two_sum(hi, lo);
}

static double error_of(abut_dd result, quad exact) {
    quad off = quad_abs(value(result) - exact), size = quad_abs(exact);
    return off == 0 ? 0 : size > 0 ? (double)(off / size) : 1;
}

static bool normalised(abut_dd x) {
    return x.hi + x.lo == x.hi;
}

static void sums_and_products_of_doubles_are_exact(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    for (unsigned long i = 0; i < test_count(1000000); i++) {
        rng r = rng_make(test_seed(), i);
        double a = random_double(&r), b = rng_chance(&r, 0.3) ? -a * (1 + 0x1p-40 * rng_unit(&r)) : random_double(&r);
        abut_dd sum = abut_dd_two_sum(a, b), product = abut_dd_two_product(a, b);
        assert_true(value(sum) == (quad)a + (quad)b && normalised(sum));
        assert_true(value(product) == (quad)a * (quad)b && normalised(product));
        abut_dd fast = fabs(a) >= fabs(b) ? abut_dd_fast_sum(a, b) : abut_dd_fast_sum(b, a);
        assert_true(fast.hi == sum.hi && fast.lo == sum.lo);
    }
}

typedef struct worst {
    double add, sub, mul, div, sqrt;
} worst;

static void operations_are_accurate_to_98_bits(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    worst w = {0, 0, 0, 0, 0};
    for (unsigned long i = 0; i < test_count(500000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_dd a = random_dd(&r), b = random_dd(&r);
        if (i % 4 == 0) { /* nearly cancels: the result must be as accurate */
            double rest = ldexp(rng_unit(&r), -(int)(i % 45));
            b = abut_dd_add(abut_dd_negate(a), abut_dd_from(a.hi * rest));
        }
        quad x = value(a), y = value(b), positive = quad_abs(x);
        w.add = fmax(w.add, error_of(abut_dd_add(a, b), x + y));
        w.sub = fmax(w.sub, error_of(abut_dd_sub(a, abut_dd_negate(b)), x + y));
        w.mul = fmax(w.mul, error_of(abut_dd_mul(a, b), x * y));
        abut_dd divisor = abut_dd_abs(b);
        if (divisor.hi > 0) {
            w.div = fmax(w.div, error_of(abut_dd_div(a, divisor), x / quad_abs(y)));
        }
        abut_dd root = abut_dd_sqrt(abut_dd_abs(a));
        w.sqrt = fmax(w.sqrt, error_of(root, quad_sqrt(positive, sqrt((double)positive))));
        assert_true(normalised(abut_dd_add(a, b)) && normalised(abut_dd_mul(a, b)) && normalised(root));
    }
    printf("worst relative errors: add %.3g, subtract %.3g, multiply %.3g, divide %.3g, root %.3g; allowed %.3g\n",
           w.add, w.sub, w.mul, w.div, w.sqrt, GOOD);
    assert_true(w.add <= GOOD && w.sub <= GOOD && w.mul <= GOOD && w.div <= GOOD && w.sqrt <= GOOD);
    assert_true(w.add > 0 && w.mul > 0 && w.div > 0 && w.sqrt > 0);
}

static void signs_follow_the_high_part(void **state) {
    (void)state;
    abut_dd x = {-2, 0x1p-60}, z = {3, -0x1p-60};
    assert_true(abut_dd_abs(x).hi == 2 && abut_dd_abs(x).lo == -0x1p-60);
    assert_true(abut_dd_abs(z).hi == 3 && abut_dd_abs(z).lo == -0x1p-60);
    assert_true(abut_dd_sqrt(abut_dd_from(0)).hi == 0 && abut_dd_sqrt(abut_dd_from(-1)).hi == 0);
    abut_dd quotient = abut_dd_div(abut_dd_from(1), abut_dd_from(3));
    assert_true(quotient.hi == 1.0 / 3 && quotient.lo != 0);
}

/* Numbers of few enough bits that quad adds them exactly; half of the sums cancel to much less. */
static void a_distilled_sum_reports_what_it_leaves_out(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long exact = 0, count = test_count(200000);
    for (unsigned long i = 0; i < count; i++) {
        rng r = rng_make(test_seed(), i);
        double x[9], error;
        int n = 2 + (int)rng_below(&r, 8);
        quad sum = 0;
        for (int k = 0; k < n; k++) {
            x[k] = ldexp((double)(rng_u64(&r) >> 16) * (double)rng_sign(&r), -(int)rng_below(&r, 60));
            if (k + 1 == n && rng_chance(&r, 0.5)) {
                x[k] = -(double)sum;
            }
            sum += x[k];
        }
        abut_dd result = abut_dd_distil(x, n, &error);
        quad off = quad_abs(value(result) - sum);
        exact += error == 0;
        assert_true(off <= error && error <= 0x1p-104 * fabs(result.hi) && normalised(result));
    }
    assert_true(exact > count / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_products_of_doubles_are_exact),
        cmocka_unit_test(operations_are_accurate_to_98_bits),
        cmocka_unit_test(signs_follow_the_high_part),
        cmocka_unit_test(a_distilled_sum_reports_what_it_leaves_out),
    };
    return test_run(tests);
}
