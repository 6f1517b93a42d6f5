/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Sines and cosines. They are series of our own, because those of a C runtime do not have the same bits everywhere. */
#ifndef ABUT_SHAPE_ANGLE_H
#define ABUT_SHAPE_ANGLE_H

#include <stdint.h>

typedef struct abut_angle {
    double sine;
    double cosine;
} abut_angle;

/* sin x for |x| <= pi / 4, good to 2^-53: what Taylor's series leaves out is below x^17 / 17!. */
static inline double abut_sine(double x) {
    const double xx = x * x;
    double sum = -1.0 / 1307674368000; /* 15! */
    sum = sum * xx + 1.0 / 6227020800;
    sum = sum * xx - 1.0 / 39916800;
    sum = sum * xx + 1.0 / 362880;
    sum = sum * xx - 1.0 / 5040;
    sum = sum * xx + 1.0 / 120;
    sum = sum * xx - 1.0 / 6;
    return x + x * xx * sum;
}

/* Good to 2^-50 for |radians| <= 2^40. */
abut_angle abut_angle_of_radians(double radians);

/* `part` of `whole` equal parts of a turn, part < whole < 2^29: multiples of a quarter exactly, and angles that mirror
 * each other have sines and cosines that do. */
abut_angle abut_angle_of_part(uint32_t part, uint32_t whole);

#endif
