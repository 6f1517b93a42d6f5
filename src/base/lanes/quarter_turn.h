/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes that a quarter turn aligns with the world's axes, one box in each lane: their extents along those axes are
 * stored numbers, so that sums of them can be exact. The bounds of boxes and the separation of aligned boxes use this.
 */
#ifndef ABUT_BASE_LANES_QUARTER_TURN_H
#define ABUT_BASE_LANES_QUARTER_TURN_H

#include "base/lanes/lanes.h"

/* The exact sum of two numbers is hi + lo, with hi its rounding. */
typedef struct abut_vd_exact_sum {
    abut_vd hi, lo;
} abut_vd_exact_sum;

/* Knuth's two-sum. */
static ABUT_INLINE abut_vd_exact_sum abut_vd_two_sum(abut_vd a, abut_vd b) {
    abut_vd s = abut_vd_add(a, b), t = abut_vd_sub(s, a);
    return (abut_vd_exact_sum){s, abut_vd_add(abut_vd_sub(a, abut_vd_sub(s, t)), abut_vd_sub(b, t))};
}

/* abut_quat_is_quarter_turn in each lane. */
static ABUT_INLINE abut_md abut_vd_is_quarter_turn(const abut_vd q[4]) {
    abut_vd part[4] = {abut_vd_abs(q[0]), abut_vd_abs(q[1]), abut_vd_abs(q[2]), abut_vd_abs(q[3])};
    abut_vd zero = abut_vd_set(0), count = zero;
    abut_vd most = abut_vd_max(abut_vd_max(part[0], part[1]), abut_vd_max(part[2], part[3]));
    abut_md yes = abut_vd_eq(zero, zero);
    for (int i = 0; i < 4; i++) {
        abut_md none = abut_vd_eq(part[i], zero);
        yes = abut_md_and(yes, abut_md_or(none, abut_vd_eq(part[i], most)));
        count = abut_vd_add(count, abut_vd_select(none, zero, abut_vd_set(1)));
    }
    return abut_md_and_not(yes, abut_vd_eq(count, abut_vd_set(3)));
}

/* The half extents along the world's axes after a quarter turn: along each, that of the one local axis whose entry of
 * the rotation matrix is not zero. Squares and products of the parts of q are equal or zero, so the comparisons are
 * exact. */
static ABUT_INLINE void abut_vd_quarter_turn_half(const abut_vd q[4], const abut_vd half[3], abut_vd out[3]) {
    abut_vd ww = abut_vd_mul(q[3], q[3]);
    const abut_vd square[3] = {abut_vd_mul(q[0], q[0]), abut_vd_mul(q[1], q[1]), abut_vd_mul(q[2], q[2])};
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        abut_md not_own = abut_vd_eq(abut_vd_add(ww, square[i]), abut_vd_add(square[k], square[l]));
        abut_md not_next = abut_vd_eq(abut_vd_mul(q[i], q[k]), abut_vd_mul(q[3], q[l]));
        out[i] = abut_vd_select(not_own, abut_vd_select(not_next, half[l], half[k]), half[i]);
    }
}

#endif
