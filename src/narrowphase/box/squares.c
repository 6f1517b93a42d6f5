/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: pairs of boxes that are parallel to the axes of the world. Crates,
 * bricks and tiles touch exactly, so that no rounded arithmetic settles them; but along their three axes gaps are sums
 * of stored numbers. */
#include "narrowphase/box/separation.h"
#include "narrowphase/box/square.h"
#include <math.h>

enum { LANES = ABUT_VD_LANES, ALL = (1 << LANES) - 1 };

/* As in the last stage (obb_separation_dd.c) a gap below this times S counts as touching: five sums of two are exact
 * here, and the three roundings that are left take less than 2^-103 S. */
static const double SLACK = 0x1p-93;

static inline lanes turned(const lanes q[4]) {
    return sum3(absolute(q[0]), absolute(q[1]), absolute(q[2]));
}

/* Half extents along the axes of the world; returns the lanes where that makes sense. Nearly always nothing is turned.
 */
static ABUT_INLINE abut_md halves(const boxes *a, const boxes *b, lanes half_a[3], lanes half_b[3]) {
    abut_md straight = abut_vd_eq(sum(turned(a->q), turned(b->q)), constant(0)), square = straight;
    for (int i = 0; i < 3; i++) {
        half_a[i] = a->half[i], half_b[i] = b->half[i];
    }
    if (abut_md_bits(straight) != ALL) {
        square = abut_md_or(straight, abut_md_and(quarter_turn(a->q), quarter_turn(b->q)));
    }
    if (abut_md_bits(square) != abut_md_bits(straight)) {
        lanes turned_a[3], turned_b[3];
        square_half(a->q, a->half, turned_a);
        square_half(b->q, b->half, turned_b);
        for (int i = 0; i < 3; i++) {
            half_a[i] = abut_vd_select(straight, half_a[i], turned_a[i]);
            half_b[i] = abut_vd_select(straight, half_b[i], turned_b[i]);
        }
    }
    return square;
}

/* |center_b - center_a| - half_a - half_b - margin, and what it adds to S. */
static ABUT_INLINE lanes gap_along(lanes center_a, lanes center_b, lanes half_a, lanes half_b, double margin,
                                   lanes *size) {
    exact_sum way = two_sum(center_b, abut_vd_neg(center_a)), reach = two_sum(half_a, half_b);
    lanes rest = reach.lo;
    if (margin > 0) {
        reach = two_sum(reach.hi, constant(margin));
        rest = sum(rest, reach.lo);
    }
    abut_md back = abut_vd_lt(way.hi, constant(0));
    lanes low = abut_vd_select(back, abut_vd_neg(way.lo), way.lo);
    exact_sum gap = two_sum(absolute(way.hi), abut_vd_neg(reach.hi));
    *size = sum(*size, sum(absolute(way.hi), reach.hi));
    return sum(gap.hi, sum(gap.lo, minus(low, rest)));
}

/* One register full of pairs. */
static ABUT_INLINE void decide(const abut_np_obb_pairs *of, const uint32_t *index_a, const uint32_t *index_b,
                               double margin, double *verdict) {
    boxes a, b;
    lanes half_a[3], half_b[3], size = constant(0), widest = constant(-INFINITY);
    load_boxes(of->a, of->stride_a, index_a, &a);
    load_boxes(of->b, of->stride_b, index_b, &b);
    abut_md square = halves(&a, &b, half_a, half_b);
    if (!abut_md_bits(square)) {
        abut_vd_store(verdict, constant(ABUT_NP_UNDECIDED));
        return;
    }
    for (int i = 0; i < 3; i++) {
        widest = largest(widest, gap_along(a.center[i], b.center[i], half_a[i], half_b[i], margin, &size));
    }
    abut_md apart = abut_vd_lt(times(size, constant(SLACK)), widest);
    lanes answer = abut_vd_select(apart, constant(ABUT_NP_APART), constant(ABUT_NP_TOUCHING));
    abut_vd_store(verdict, abut_vd_select(square, answer, constant(ABUT_NP_UNDECIDED)));
}

void ABUT_KERNEL(abut_np_obb_squares)(const abut_np_obb_pairs *of, float margin, uint8_t *verdict) {
    for (size_t k = 0; k < of->n; k += LANES) {
        uint32_t index_a[LANES], index_b[LANES];
        double out[LANES];
        size_t left = of->n - k;
        pad(of->index_a + k, left, index_a, LANES);
        pad(of->index_b + k, left, index_b, LANES);
        decide(of, index_a, index_b, margin, out);
        for (size_t l = 0; l < LANES && l < left; l++) {
            verdict[k + l] = (uint8_t)out[l];
        }
    }
    abut_lanes_done();
}
