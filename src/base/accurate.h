/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rotation matrices accurate to a few units in the last place of every entry, and the ends of intervals: bounds that
 * are guaranteed to contain a shape are made from these. */
#ifndef ABUT_BASE_ACCURATE_H
#define ABUT_BASE_ACCURATE_H

#include "base/dd.h"
#include "base/spatial.h"

/* The same rotation with a length near 1, so that squares neither overflow nor underflow in float. The factor is a
 * power of two, so it changes the rotation only in components that are 2^100 times smaller than the largest. It is
 * found in double: callers may flush denormal floats, and a rotation of these would become none. */
static inline abut_quat abut_accurate_quat_in_range(abut_quat q) {
    const float largest = abut_max_f(abut_max_f(fabsf(q.x), fabsf(q.y)), abut_max_f(fabsf(q.z), fabsf(q.w)));
    double factor = 1;
    while (largest * factor < 0x1p-10) {
        factor *= 0x1p+19;
    }
    while (largest * factor > 0x1p+10) {
        factor *= 0x1p-19;
    }
    if (factor == 1) {
        return q;
    }
    return (abut_quat){(float)(q.x * factor), (float)(q.y * factor), (float)(q.z * factor), (float)(q.w * factor)};
}

/* The lower end of an interval: the exact sum of `center` and `offset`, less `error` (a bound on the error of offset),
 * rounded down to a float. Where error is 0 it is the largest float that is not above the exact sum. */
static inline float abut_accurate_lower_end(double center, double offset, double error) {
    abut_dd sum = abut_dd_two_sum(center, offset);
    double rest = sum.lo - error;
    return abut_bits_round_down(rest < 0 ? sum.hi + (2 * rest - fabs(sum.hi) * 0x1p-52) : sum.hi);
}

/* p - q + r - s, accurate to a few units in the last place of the result, however much cancels. */
static inline double abut_accurate_balance(double p, double q, double r, double s) {
    return abut_dd_add(abut_dd_two_sum(p, -q), abut_dd_two_sum(r, -s)).hi;
}

/* R(q) with a relative error of at most 2^-51 in every entry: off the diagonal, one difference of exact products is
 * rounded; on the diagonal, the sum of four products is exact. So a plate or rod that is turned into a plane of the
 * axes stays as thin as it is. */
static inline void abut_accurate_matrix(abut_dquat q, double m[3][3]) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, ww = q.w * q.w, n = (xx + yy) + (zz + ww);
    abut_dquat_matrix(q, m);
    m[0][0] = abut_accurate_balance(ww, zz, xx, yy) / n;
    m[1][1] = abut_accurate_balance(ww, xx, yy, zz) / n;
    m[2][2] = abut_accurate_balance(ww, yy, zz, xx) / n;
}

#endif
