/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: the world-aligned bounds of boxes, |R| h around the centre (Lander
 * 2000), rounded outward so that they contain the exact corners. docs/numerics.md has the errors. */
#include "narrowphase/obb_axes_double.h"
#include "narrowphase/obb_kernels.h"

enum { LANES = ABUT_VD_LANES };

/* What rounding may have taken from a half size is added to it: NEAR_ZERO keeps the error of an entry below 2^-38. */
static const double GROWN = 1 + 0x1p-38;

/* Entries on the diagonal below this are sums that cancel, and looked at again. */
static const double NEAR_ZERO = 0x1p-14;

/* R(q)|q|^2, the entries off the diagonal halved: each of those is one rounded sum of exact products. */
typedef struct numerators {
    lanes diagonal[3], upper[3], lower[3]; /* upper[i]: row i, column i + 1, counted round; lower[i]: the opposite */
    lanes n;                               /* |q|^2 */
} numerators;

/* Half extents and ends of the bounds of a register full of boxes. */
typedef struct box_ends {
    lanes size[3], low[3], high[3];
} box_ends;

static ABUT_INLINE void set_numerators(const lanes q[4], numerators *m) {
    lanes xx = times(q[0], q[0]), yy = times(q[1], q[1]), zz = times(q[2], q[2]), ww = times(q[3], q[3]);
    m->n = sum(sum(xx, yy), sum(zz, ww));
    m->diagonal[0] = sum(minus(ww, zz), minus(xx, yy));
    m->diagonal[1] = sum(minus(ww, xx), minus(yy, zz));
    m->diagonal[2] = sum(minus(ww, yy), minus(zz, xx));
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        lanes across = times(q[i], q[k]), about = times(q[3], q[l]);
        m->upper[i] = minus(across, about);
        m->lower[i] = sum(across, about);
    }
}

typedef struct exact_sum {
    lanes hi, lo;
} exact_sum;

/* Knuth's two-sum. */
static inline exact_sum two_sum(lanes a, lanes b) {
    lanes s = sum(a, b), t = minus(s, a);
    return (exact_sum){s, sum(minus(a, minus(s, t)), minus(b, t))};
}

/* (p - q) + (r - s), good to 2^-52 of itself however much cancels: abut_sharp_balance in lanes. */
static lanes balance(lanes p, lanes q, lanes r, lanes s) {
    exact_sum a = two_sum(p, abut_vd_neg(q)), b = two_sum(r, abut_vd_neg(s));
    exact_sum high = two_sum(a.hi, b.hi), low = two_sum(a.lo, b.lo);
    lanes c = sum(high.lo, low.hi), v = sum(high.hi, c), rest = minus(c, minus(v, high.hi));
    return sum(v, sum(low.lo, rest));
}

static inline abut_md nearly_zero(const numerators *m, int i) {
    return abut_vd_lt(absolute(m->diagonal[i]), times(m->n, constant(NEAR_ZERO)));
}

static void sharpen(const lanes q[4], numerators *m) {
    lanes xx = times(q[0], q[0]), yy = times(q[1], q[1]), zz = times(q[2], q[2]), ww = times(q[3], q[3]);
    const lanes sharp[3] = {balance(ww, zz, xx, yy), balance(ww, xx, yy, zz), balance(ww, yy, zz, xx)};
    for (int i = 0; i < 3; i++) {
        m->diagonal[i] = abut_vd_select(nearly_zero(m, i), sharp[i], m->diagonal[i]);
    }
}

/* Half sizes, at least the exact ones, and at most 2^-37 larger. */
static ABUT_INLINE void set_sizes(const boxes *x, const numerators *m, lanes size[3]) {
    lanes over = quotient(constant(GROWN), m->n), h[3], twice[3];
    for (int i = 0; i < 3; i++) {
        h[i] = times(x->half[i], over);
        twice[i] = sum(h[i], h[i]);
    }
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        lanes off = sum(times(absolute(m->upper[i]), twice[k]), times(absolute(m->lower[l]), twice[l]));
        size[i] = sum(times(absolute(m->diagonal[i]), h[i]), off);
    }
}

/* An end that is not exact moves outward by one or two units in its last place. */
static inline lanes beyond(lanes end, abut_md inexact) {
    return abut_vd_select(inexact, times(absolute(end), constant(0x1p-52)), constant(0));
}

static ABUT_INLINE void set_ends(const boxes *x, box_ends *e) {
    for (int i = 0; i < 3; i++) {
        abut_md inexact = abut_vd_lt(constant(0), e->size[i]);
        lanes low = minus(x->center[i], e->size[i]), high = sum(x->center[i], e->size[i]);
        e->low[i] = minus(low, beyond(low, inexact));
        e->high[i] = sum(high, beyond(high, inexact));
    }
}

/* abut_quat_is_quarter_turn. */
static abut_md quarter_turn(const lanes q[4]) {
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

/* Quarter turns: the size is a half extent, which is the nearest float, and an end is inexact only where the sum of two
 * floats is. */
static void set_square_ends(const boxes *x, abut_md square, box_ends *e) {
    for (int i = 0; i < 3; i++) {
        lanes half = abut_vd_to_float(e->size[i]), zero = constant(0);
        exact_sum low = two_sum(x->center[i], abut_vd_neg(half)), high = two_sum(x->center[i], half);
        lanes below = minus(low.hi, beyond(low.hi, abut_vd_lt(low.lo, zero)));
        lanes above = sum(high.hi, beyond(high.hi, abut_vd_lt(zero, high.lo)));
        e->low[i] = abut_vd_select(square, below, e->low[i]);
        e->high[i] = abut_vd_select(square, above, e->high[i]);
    }
}

/* Which lanes need care: some sum cancels, or it may be a quarter turn. For those, entries are exactly 0 or |q|^2. */
static inline abut_md needs_care(const numerators *m) {
    abut_md cancels = abut_md_or(abut_md_or(nearly_zero(m, 0), nearly_zero(m, 1)), nearly_zero(m, 2));
    return abut_md_or(cancels, abut_vd_eq(absolute(m->diagonal[0]), m->n));
}

static ABUT_INLINE void find_ends(const boxes *x, box_ends *e) {
    numerators m;
    set_numerators(x->q, &m);
    bool care = abut_md_bits(needs_care(&m)) != 0;
    if (care) {
        sharpen(x->q, &m);
    }
    set_sizes(x, &m, e->size);
    set_ends(x, e);
    if (care) {
        set_square_ends(x, quarter_turn(x->q), e);
    }
}

static inline lanes float_above(lanes v) {
    return abut_vd_neg(abut_vd_to_float_below(abut_vd_neg(v)));
}

/* Six floats: two stores of four that overlap. */
static ABUT_INLINE void store_ends(const box_ends *e, double more, void *const *out) {
    lanes v[6];
    for (int i = 0; i < 3; i++) {
        v[i] = abut_vd_to_float_below(e->low[i]);
        v[i + 3] = float_above(e->high[i]);
        if (more > 0) {
            v[i] = abut_vd_to_float_below(minus(v[i], constant(more)));
            v[i + 3] = float_above(sum(v[i + 3], constant(more)));
        }
    }
    abut_vd_store4(out, 0, v);
    abut_vd_store4(out, 2 * sizeof(float), v + 2);
}

void ABUT_NP_OBB_BOUNDS(const void *row, size_t stride, const uint32_t *index, size_t n, double more, float (*box)[6]) {
    for (size_t k = 0; k < n; k += LANES) {
        const uint32_t *at = index + k;
        uint32_t last[LANES];
        void *out[LANES];
        boxes x;
        box_ends e;
        if (n - k < LANES) {
            pad(at, n - k, last, LANES);
            at = last;
        }
        for (size_t l = 0; l < LANES; l++) {
            out[l] = box[at[l]];
        }
        load_boxes(row, stride, at, &x);
        find_ends(&x, &e);
        store_ends(&e, more, out);
    }
    abut_lanes_done();
}
