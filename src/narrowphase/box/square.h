/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes that a quarter turn makes parallel to the axes of the world, in each lane: all about them is exact. Part of a
 * kernel. */
#ifndef ABUT_NARROWPHASE_BOX_SQUARE_H
#define ABUT_NARROWPHASE_BOX_SQUARE_H

#include "narrowphase/box/axes_double.h"

/* Knuth's two-sum: lo is what rounding took from hi. */
typedef struct exact_sum {
    lanes hi, lo;
} exact_sum;

static ABUT_INLINE exact_sum two_sum(lanes a, lanes b) {
    lanes s = sum(a, b), t = minus(s, a);
    return (exact_sum){s, sum(minus(a, minus(s, t)), minus(b, t))};
}

/* abut_quat_is_quarter_turn. */
static ABUT_INLINE abut_md quarter_turn(const lanes q[4]) {
    lanes part[4] = {absolute(q[0]), absolute(q[1]), absolute(q[2]), absolute(q[3])}, zero = constant(0), count = zero;
    lanes most = largest(largest(part[0], part[1]), largest(part[2], part[3]));
    abut_md yes = abut_vd_eq(zero, zero);
    for (int i = 0; i < 4; i++) {
        abut_md none = abut_vd_eq(part[i], zero);
        yes = abut_md_and(yes, abut_md_or(none, abut_vd_eq(part[i], most)));
        count = sum(count, abut_vd_select(none, zero, constant(1)));
    }
    return abut_md_and_not(yes, abut_vd_eq(count, constant(3)));
}

/* Half extents along the axes of the world after a quarter turn: on each, that of the one local axis whose entry of the
 * rotation is not zero. Squares and products of its parts are alike or zero, so the comparisons are exact. */
static ABUT_INLINE void square_half(const lanes q[4], const lanes half[3], lanes out[3]) {
    lanes ww = times(q[3], q[3]);
    const lanes square[3] = {times(q[0], q[0]), times(q[1], q[1]), times(q[2], q[2])};
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        abut_md not_own = abut_vd_eq(sum(ww, square[i]), sum(square[k], square[l]));
        abut_md not_next = abut_vd_eq(times(q[i], q[k]), times(q[3], q[l]));
        out[i] = abut_vd_select(not_own, abut_vd_select(not_next, half[l], half[k]), half[i]);
    }
}

#endif
