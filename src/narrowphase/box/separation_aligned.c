/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: the stage of separation.h for boxes that are aligned with the
 * world's axes. Crates, bricks and tiles touch exactly, so rounded arithmetic cannot decide them; but along their three
 * axes the gaps are sums of stored numbers. */
#include "base/lanes/quarter_turn.h"
#include "base/lanes/vector_double.h"
#include "narrowphase/box/axes.inc"
#include "narrowphase/box/separation.h"
#include "narrowphase/tolerance.h"
#include <math.h>

enum { LANES = ABUT_VD_LANES, ALL = (1 << LANES) - 1 };

/* Zero only where the box is not turned. */
static inline vd turned(const vd q[4]) {
    return sum3(absolute(q[0]), absolute(q[1]), absolute(q[2]));
}

/* Half extents along the world's axes. Returns the lanes in which both boxes are aligned with them. In most calls no
 * box is turned at all. */
static ABUT_INLINE md halves_along_world(const boxes *a, const boxes *b, vd half_a[3], vd half_b[3]) {
    md unturned = equal(sum(turned(a->q), turned(b->q)), constant(0)), both_aligned = unturned;
    for (int i = 0; i < 3; i++) {
        half_a[i] = a->half[i], half_b[i] = b->half[i];
    }
    if (bits_of(unturned) != ALL) {
        both_aligned = either(unturned, both(abut_vd_is_quarter_turn(a->q), abut_vd_is_quarter_turn(b->q)));
    }
    if (bits_of(both_aligned) != bits_of(unturned)) {
        vd turned_a[3], turned_b[3];
        abut_vd_quarter_turn_half(a->q, a->half, turned_a);
        abut_vd_quarter_turn_half(b->q, b->half, turned_b);
        for (int i = 0; i < 3; i++) {
            half_a[i] = choose(unturned, half_a[i], turned_a[i]);
            half_b[i] = choose(unturned, half_b[i], turned_b[i]);
        }
    }
    return both_aligned;
}

/* |center_b - center_a| - half_a - half_b - margin. Adds the magnitudes to *size, which becomes S. */
static ABUT_INLINE vd gap_along(vd center_a, vd center_b, vd half_a, vd half_b, double margin, vd *size) {
    abut_vd_exact_sum offset = abut_vd_two_sum(center_b, negated(center_a)), halves = abut_vd_two_sum(half_a, half_b);
    vd rest = halves.lo;
    if (margin > 0) {
        halves = abut_vd_two_sum(halves.hi, constant(margin));
        rest = sum(rest, halves.lo);
    }
    md back = less(offset.hi, constant(0));
    vd low = choose(back, negated(offset.lo), offset.lo);
    abut_vd_exact_sum gap = abut_vd_two_sum(absolute(offset.hi), negated(halves.hi));
    *size = sum(*size, sum(absolute(offset.hi), halves.hi));
    return sum(gap.hi, sum(gap.lo, minus(low, rest)));
}

/* One register full of pairs. */
static ABUT_INLINE void decide(const abut_np_box_pairs *of, const uint32_t *index_a, const uint32_t *index_b,
                               double margin, double *verdict) {
    boxes a, b;
    vd half_a[3], half_b[3], size = constant(0), widest = constant(-INFINITY);
    load_boxes(of->a, of->stride_a, index_a, &a);
    load_boxes(of->b, of->stride_b, index_b, &b);
    md both_aligned = halves_along_world(&a, &b, half_a, half_b);
    if (!bits_of(both_aligned)) {
        abut_vd_store(verdict, constant(ABUT_NP_UNDECIDED));
        return;
    }
    for (int i = 0; i < 3; i++) {
        widest = larger(widest, gap_along(a.center[i], b.center[i], half_a[i], half_b[i], margin, &size));
    }
    /* As in the last stage: five sums of two are exact here, and the three roundings that are left take less than
     * 2^-103 S. */
    md apart = less(times(size, constant(ABUT_NP_SLACK_DD)), widest);
    vd answer = choose(apart, constant(ABUT_NP_APART), constant(ABUT_NP_TOUCHING));
    abut_vd_store(verdict, choose(both_aligned, answer, constant(ABUT_NP_UNDECIDED)));
}

void ABUT_KERNEL(abut_np_box_aligned_verdicts)(const abut_np_box_pairs *of, float margin, uint8_t *verdict) {
    for (size_t k = 0; k < of->n; k += LANES) {
        uint32_t last_a[LANES], last_b[LANES];
        double out[LANES];
        size_t left = of->n - k;
        const uint32_t *index_a = padded(of->index_a + k, left, LANES, last_a);
        const uint32_t *index_b = padded(of->index_b + k, left, LANES, last_b);
        decide(of, index_a, index_b, margin, out);
        for (size_t l = 0; l < LANES && l < left; l++) {
            verdict[k + l] = (uint8_t)out[l];
        }
    }
    abut_lanes_done();
}
