/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: the world-aligned bounds of boxes, |R| h around the centre (Lander
 * 2000), rounded outward so that they contain the exact corners. docs/numerics.md has the errors. */
#include "shape/box/rounding.h"
#include "shape/ends.h"
#include "shape/kernels.h"

enum { ALL = (1 << LANES) - 1 };

/* R(q)|q|^2, with the entries off the diagonal halved: each of those is one rounded sum of exact products. */
typedef struct numerators {
    vd diagonal[3], upper[3], lower[3]; /* upper[i]: row i, column i + 1, cyclic; lower[i]: transposed */
    vd n;                               /* |q|^2 */
    vd least;                           /* least magnitude on the diagonal */
} numerators;

/* A register full of boxes, each grown by a radius. */
typedef struct boxes {
    vd center[3], q[4], half[3], radius;
} boxes;

static ABUT_INLINE void set_numerators(const vd q[4], numerators *m) {
    vd xx = times(q[0], q[0]), yy = times(q[1], q[1]), zz = times(q[2], q[2]), ww = times(q[3], q[3]);
    vd with_x = sum(ww, xx), across_x = sum(yy, zz);
    m->n = sum(with_x, across_x);
    m->diagonal[0] = minus(with_x, across_x);
    m->diagonal[1] = minus(sum(ww, yy), sum(zz, xx));
    m->diagonal[2] = minus(sum(ww, zz), sum(xx, yy));
    m->least = smaller(smaller(absolute(m->diagonal[0]), absolute(m->diagonal[1])), absolute(m->diagonal[2]));
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        vd across = times(q[i], q[k]), about = times(q[3], q[l]);
        m->upper[i] = minus(across, about);
        m->lower[i] = sum(across, about);
    }
}

static inline md nearly_zero(const numerators *m, int i) {
    return less(absolute(m->diagonal[i]), times(m->n, constant(ABUT_BOX_NEAR_ZERO)));
}

static ABUT_INLINE void recompute_small_entries(const vd q[4], numerators *m) {
    vd ww = times(q[3], q[3]);
    const vd square[3] = {times(q[0], q[0]), times(q[1], q[1]), times(q[2], q[2])};
    for (int i = 0; i < 3; i++) {
        md small = nearly_zero(m, i);
        if (bits_of(small)) {
            vd accurate = balance(ww, square[(i + 2) % 3], square[i], square[(i + 1) % 3]);
            m->diagonal[i] = choose(small, accurate, m->diagonal[i]);
        }
    }
}

/* Half sizes along the world's axes, enlarged by ABUT_BOX_GROWN. */
static ABUT_INLINE void set_sizes(const boxes *x, const numerators *m, vd size[3]) {
    vd over = quotient(constant(ABUT_BOX_GROWN), m->n), h[3], twice[3],
       radius = times(x->radius, constant(ABUT_BOX_GROWN));
    for (int i = 0; i < 3; i++) {
        h[i] = times(x->half[i], over);
        twice[i] = sum(h[i], h[i]);
    }
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        vd off = sum(times(absolute(m->upper[i]), twice[k]), times(absolute(m->lower[l]), twice[l]));
        size[i] = sum(sum(times(absolute(m->diagonal[i]), h[i]), off), radius);
    }
}

/* Ends that stay outside the exact ones when they are rounded to the nearest float. Where the box has no size, both are
 * the centre. */
static ABUT_INLINE void set_ends(const boxes *x, const numerators *m, ends *e) {
    vd size[3], zero = constant(0);
    set_sizes(x, m, size);
    for (int i = 0; i < 3; i++) {
        vd rounded = larger(times(absolute(x->center[i]), constant(ABUT_BOX_ROUNDED)), constant(0x1p-149));
        vd extent = sum(size[i], choose(less(zero, size[i]), rounded, zero));
        e->low[i] = minus(x->center[i], extent);
        e->high[i] = sum(x->center[i], extent);
    }
}

/* The largest float that is at most the exact sum a + b. */
static ABUT_INLINE vd sum_below(vd a, vd b) {
    abut_vd_exact_sum s = abut_vd_two_sum(a, b);
    vd next = times(absolute(s.hi), constant(0x1p-52)), zero = constant(0);
    return abut_vd_to_float_below(minus(s.hi, choose(less(s.lo, zero), next, zero)));
}

/* The least double that is at least the exact sum a + b; exact where b is 0. */
static ABUT_INLINE vd sum_above(vd a, vd b) {
    abut_vd_exact_sum s = abut_vd_two_sum(a, b);
    vd next = times(absolute(s.hi), constant(0x1p-52)), zero = constant(0);
    return sum(s.hi, choose(less(zero, s.lo), next, zero));
}

/* The nearest floats on or outside the exact ends. */
static ABUT_INLINE void set_exact_ends(const boxes *x, const vd half[3], ends *e) {
    for (int i = 0; i < 3; i++) {
        vd down = negated(sum_above(half[i], x->radius));
        e->low[i] = sum_below(x->center[i], down);
        e->high[i] = negated(sum_below(negated(x->center[i]), down));
    }
}

/* For quarter turns. */
static ABUT_INLINE void set_aligned_ends(const boxes *x, ends *e) {
    vd half[3];
    abut_vd_quarter_turn_half(x->q, x->half, half);
    set_exact_ends(x, half, e);
}

/* Whether no lane is rotated at all, which is common. */
static ABUT_INLINE bool all_unrotated(const vd q[4]) {
    vd most = larger(larger(absolute(q[0]), absolute(q[1])), absolute(q[2]));
    return bits_of(equal(most, constant(0))) == ALL;
}

/* Lanes in which a sum cancels, or which may be quarter turns: those have diagonal entries of exactly 0 or |q|^2. */
static inline md needs_care(const numerators *m) {
    return either(less(m->least, times(m->n, constant(ABUT_BOX_NEAR_ZERO))), equal(m->least, m->n));
}

/* Colliders keep their radius behind the half extents; an abut_obb ends with those. */
static ABUT_INLINE void load_block(const block *of, boxes *x) {
    const float *first = of->obb ? &of->obb->center.x : &of->collider->center.x;
    size_t stride = of->obb ? sizeof *of->obb : sizeof *of->collider;
    vd c[4], q[4], h[4];
    abut_vd_load4(first, stride, of->at, c);
    abut_vd_load4(first + 3, stride, of->at, q);
    abut_vd_load4(first + (of->obb ? 6 : 7), stride, of->at, h);
    *x = (boxes){{c[0], c[1], c[2]}, {q[0], q[1], q[2], q[3]}, {h[0], h[1], h[2]}, h[3]};
    if (of->obb) {
        x->half[0] = h[1], x->half[1] = h[2], x->half[2] = h[3];
        x->radius = constant(0);
    }
}

/* For a register in which some lane needs care. It is not inlined, so that it takes no registers from the usual case.
 */
static ABUT_NOINLINE void bound_carefully(const block *of) {
    boxes x;
    numerators m;
    ends e, aligned_ends;
    load_block(of, &x);
    set_numerators(x.q, &m);
    md aligned = abut_vd_is_quarter_turn(x.q);
    if (bits_of(aligned)) {
        set_aligned_ends(&x, &aligned_ends);
        if (bits_of(aligned) == ALL) {
            store_block(of, &aligned_ends);
            return;
        }
    }
    recompute_small_entries(x.q, &m);
    set_ends(&x, &m, &e);
    for (int i = 0; bits_of(aligned) && i < 3; i++) {
        e.low[i] = choose(aligned, aligned_ends.low[i], e.low[i]);
        e.high[i] = choose(aligned, aligned_ends.high[i], e.high[i]);
    }
    store_block(of, &e);
}

/* For colliders and boxes alike: not inlined, so that there is one of it. */
static ABUT_NOINLINE void bound_all(block of, const uint32_t *index, size_t n) {
    for (size_t k = 0; k < n; k += LANES) {
        uint32_t last[LANES];
        boxes x;
        numerators m;
        ends e;
        of.at = padded(index + k, n - k, LANES, last);
        load_block(&of, &x);
        if (all_unrotated(x.q)) {
            set_exact_ends(&x, x.half, &e);
        } else {
            set_numerators(x.q, &m);
            if (bits_of(needs_care(&m))) {
                bound_carefully(&of);
                continue;
            }
            set_ends(&x, &m, &e);
        }
        store_block(&of, &e);
    }
    abut_lanes_done();
}

static void box_bounds(const abut_collider *collider, const uint32_t *index, size_t n, double more, float (*box)[6]) {
    bound_all((block){.collider = collider, .more = more, .box = box}, index, n);
}

static void obb_bounds(const abut_obb *obb, const uint32_t *index, size_t n, float (*box)[6]) {
    bound_all((block){.obb = obb, .box = box}, index, n);
}

const abut_shape_kernels ABUT_KERNEL(abut_shape_kernels) = {.box_bounds = box_bounds,
                                                            .obb_bounds = obb_bounds,
                                                            .hull_bounds = ABUT_KERNEL(abut_shape_hull_bounds),
                                                            .hull_extents = ABUT_KERNEL(abut_shape_hull_extents),
                                                            .measure = ABUT_KERNEL(abut_shape_measure),
                                                            .along = ABUT_KERNEL(abut_shape_along),
                                                            .outlines = ABUT_KERNEL(abut_shape_outlines),
                                                            .rectangles = ABUT_KERNEL(abut_shape_rectangles),
                                                            .few_front = ABUT_FEW_USED ? ABUT_KERNEL(abut_few_front)
                                                                                       : NULL};
