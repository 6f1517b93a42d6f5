/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/arithmetic.h"
#include "base/compiler.h"
#include <string.h>

/* Read anew each time, so that nothing can be computed beforehand. */
static const volatile double one = 1, small = 0x1p-60, seventh = 49, odd = 1 + 0x1p-30, minus_zero = -0.0;
static const volatile float one_f = 1, small_f = 0x1p-30f;

/* The rounding error of a sum (Knuth): algebra says that it is zero. */
static bool keeps_order(void) {
    double a = one, b = small, s = a + b, t = s - a;
    float a_f = one_f, b_f = small_f, s_f = a_f + b_f, t_f = s_f - a_f;
    return (a - (s - t)) + (b - t) == 0x1p-60 && (a_f - (s_f - t_f)) + (b_f - t_f) == 0x1p-30f;
}

/* 49 / 49 and 98 / 49; the reciprocal of 49 times either is less. */
static bool divides(void) {
    double by = seventh, first = seventh / by, second = (seventh + seventh) / by;
    return first == 1 && second == 2;
}

/* A product that is rounded before it is subtracted from itself. */
static bool rounds_products(void) {
    double a = odd, b = odd, c = odd, d = odd; /* two products for the compiler, of the same numbers */
    volatile double product = a * b;
    return product - c * d == 0;
}

static uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool has_signed_zeros(void) {
    double zero = minus_zero, sum = zero + 0.0;
    return bits_of_double(zero) == UINT64_C(1) << 63 && bits_of_double(sum) == 0;
}

bool abut_arithmetic_is_exact(void) {
    return keeps_order() && divides() && rounds_products() && has_signed_zeros();
}
