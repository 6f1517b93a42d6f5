/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rotations whose matrices are good to a few units in the last place of every entry, and ends of intervals: what bounds
 * that must contain something exactly are made from. */
#ifndef ABUT_BASE_ACCURATE_H
#define ABUT_BASE_ACCURATE_H

#include "base/dd.h"
#include "base/spatial.h"

/* Lengths are brought near 1, so that squares neither overflow nor vanish in floats. A power of two changes no
 * rotation, but for parts that are 2^100 times smaller than the largest. */
static inline abut_quat abut_accurate_quat_in_range(abut_quat q) {
    for (;;) {
        float largest = abut_max_f(abut_max_f(fabsf(q.x), fabsf(q.y)), abut_max_f(fabsf(q.z), fabsf(q.w)));
        float factor = largest < 0x1p-10f ? 0x1p+19f : largest > 0x1p+10f ? 0x1p-19f : 1.0f;
        if (factor == 1.0f) {
            return q;
        }
        q = (abut_quat){q.x * factor, q.y * factor, q.z * factor, q.w * factor};
    }
}

/* An interval end: the exact sum of `center` and `offset` is moved down by `error` (a bound of what offset is off by)
 * and rounded down. Without error it is the nearest float at or below the exact sum. */
static inline float abut_accurate_lower_end(double center, double offset, double error) {
    abut_dd sum = abut_dd_two_sum(center, offset);
    double rest = sum.lo - error;
    return abut_bits_round_down(rest < 0 ? sum.hi + (2 * rest - fabs(sum.hi) * 0x1p-52) : sum.hi);
}

/* p - q + r - s, good to a few units in the last place of the result however much cancels. */
static inline double abut_accurate_balance(double p, double q, double r, double s) {
    return abut_dd_add(abut_dd_two_sum(p, -q), abut_dd_two_sum(r, -s)).hi;
}

/* R(q) with every entry good to 2^-51 of itself: off the diagonal one difference of exact products is rounded, on it
 * the sum of four is kept exact. So a plate or rod that ends up in an axis plane stays as thin as it is. */
static inline void abut_accurate_matrix(abut_dquat q, double m[3][3]) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, ww = q.w * q.w, n = (xx + yy) + (zz + ww);
    abut_dquat_matrix(q, m);
    m[0][0] = abut_accurate_balance(ww, zz, xx, yy) / n;
    m[1][1] = abut_accurate_balance(ww, xx, yy, zz) / n;
    m[2][2] = abut_accurate_balance(ww, yy, zz, xx) / n;
}

#endif
