/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Pairs of boxes, one in each lane, in double: short names for the arithmetic, loading, and one box as the other's
 * frame sees it. Part of a kernel. */
#ifndef ABUT_NARROWPHASE_BOX_LANES_H
#define ABUT_NARROWPHASE_BOX_LANES_H

#include "narrowphase/box/axes_double.h"
#include <math.h>

static inline lanes choose(abut_md m, lanes a, lanes b) {
    return abut_vd_select(m, a, b);
}

static inline lanes product(const lanes a[3], const lanes b[3]) {
    return sum(sum(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));
}

/* x where m, else -x. */
static inline lanes positive_where(abut_md m, lanes x) {
    return choose(m, x, abut_vd_neg(x));
}

static inline lanes clamp(lanes x, lanes half) {
    return abut_vd_max(abut_vd_min(x, half), abut_vd_neg(half));
}

static inline abut_md nothing(void) {
    return abut_vd_lt(constant(0), constant(0));
}

/* RESTING times the size of the smaller box covers what float poses jitter by. Points that close to touching count,
 * corners that close to a side plane are on it, faces that much deeper are as good: or a resting contact would flicker.
 */
static const double RESTING = 32 * 0x1p-24;

/* NOISE times S covers the rounding of a face's separation, and of a point's place, in double. */
static const double NOISE = 1e-12;

/* An axis 0..2 in each lane: 1 where `one`, 2 where `two`, else 0. */
typedef struct lane_axis {
    abut_md one, two;
} lane_axis;

static inline lanes axis_number(lane_axis axis) {
    return choose(axis.two, constant(2), choose(axis.one, constant(1), constant(0)));
}

/* The axis with the largest value; the first of those. */
static inline lane_axis widest(const lanes x[3], lanes *most) {
    abut_md one = abut_vd_lt(x[0], x[1]);
    lanes first = choose(one, x[1], x[0]);
    abut_md two = abut_vd_lt(first, x[2]);
    *most = choose(two, x[2], first);
    return (lane_axis){abut_md_and_not(one, two), two};
}

/* out: x[axis], x[axis + 1], x[axis + 2], counted round. A single lane looks them up: no processor guesses the axis. */
static inline void turn(lane_axis axis, const lanes x[3], lanes out[3]) {
    if (ABUT_VD_LANES == 1) {
        const lanes round[5] = {x[0], x[1], x[2], x[0], x[1]};
        uint32_t first = abut_md_bits(axis.one) + 2 * abut_md_bits(axis.two);
        memcpy(out, round + first, 3 * sizeof *out);
        return;
    }
    for (int i = 0; i < 3; i++) {
        out[i] = choose(axis.two, x[(i + 2) % 3], choose(axis.one, x[(i + 1) % 3], x[i]));
    }
}

typedef struct lane_pair {
    box_pairs seen;       /* from a */
    lanes back[3];        /* a's way to b along the axes of b */
    lanes n_b;            /* squared length of b's quaternion */
    boxes a, b;           /* in the order that does not depend on which was called first */
    abut_md swapped;      /* a is the pair's second box */
    lanes noise, resting; /* what rounding moves a result by, and what float poses jitter by */
} lane_pair;

/* One key of a lexicographic order: where all before were equal (`open`), is x after y? */
static inline void compare_key(lanes x, lanes y, abut_md *open, abut_md *after) {
    *after = abut_md_or(*after, abut_md_and(*open, abut_vd_lt(y, x)));
    *open = abut_md_and(*open, abut_vd_eq(x, y));
}

/* An order of any two boxes by their own data, so that it does not matter which is called a. What jitters least comes
 * first: which one is "first" should not change while they rest on each other. Half extents, then the place along the
 * axis along which the centres lie farthest apart, then rotations. */
static inline abut_md stands_after(const boxes *a, const boxes *b) {
    abut_md open = abut_vd_eq(constant(0), constant(0)), after = nothing();
    compare_key(a->half[0], b->half[0], &open, &after);
    if (!abut_md_bits(open)) {
        return after;
    }
    compare_key(a->half[1], b->half[1], &open, &after);
    compare_key(a->half[2], b->half[2], &open, &after);
    lanes d[3], apart[3], along[3], most;
    for (int i = 0; i < 3; i++) {
        d[i] = minus(b->center[i], a->center[i]);
        apart[i] = absolute(d[i]);
    }
    turn(widest(apart, &most), d, along);
    compare_key(constant(0), along[0], &open, &after);
    for (int i = 0; i < 4; i++) {
        compare_key(a->q[i], b->q[i], &open, &after);
    }
    return after;
}

static inline void swap(abut_md where, lanes *x, lanes *y) {
    lanes old = *x;
    *x = choose(where, *y, *x);
    *y = choose(where, old, *y);
}

static inline abut_md put_in_order(boxes *a, boxes *b) {
    abut_md swapped = stands_after(a, b);
    for (int i = 0; i < 3; i++) {
        swap(swapped, &a->center[i], &b->center[i]);
        swap(swapped, &a->half[i], &b->half[i]);
    }
    for (int i = 0; i < 4; i++) {
        swap(swapped, &a->q[i], &b->q[i]);
    }
    return swapped;
}

static ABUT_INLINE void build_pair(const abut_np_box_pairs *of, const uint32_t *index_a, const uint32_t *index_b,
                                   lane_pair *p) {
    load_boxes(of->a, of->stride_a, index_a, &p->a);
    load_boxes(of->b, of->stride_b, index_b, &p->b);
    p->swapped = put_in_order(&p->a, &p->b);
    relate(&p->a, &p->b, &p->seen);
    for (int j = 0; j < 3; j++) {
        const lanes column[3] = {p->seen.r[0][j], p->seen.r[1][j], p->seen.r[2][j]};
        p->back[j] = product(column, p->seen.t);
    }
    p->n_b = norm2(p->b.q);
    lanes size_a = sum3(p->a.half[0], p->a.half[1], p->a.half[2]);
    lanes size_b = sum3(p->b.half[0], p->b.half[1], p->b.half[2]);
    p->noise = times(constant(NOISE), p->seen.size);
    p->resting = abut_vd_max(times(constant(RESTING), abut_vd_min(size_a, size_b)), p->noise);
}

/* The frame of a box, its axes counted from any one of them, to carry points and directions into the world. */
typedef struct lane_frame {
    lanes axes[3][3], origin[3];
} lane_frame;

/* R(q)/|q|^2, with n = |q|^2. Products of floats are exact in double, so where an axis of the box lies in a plane of
 * the world, the zero is exact. */
static inline void world_axes(const lanes q[4], lanes n, lanes m[3][3]) {
    lanes xx = times(q[0], q[0]), yy = times(q[1], q[1]), zz = times(q[2], q[2]), ww = times(q[3], q[3]);
    lanes scale = quotient(constant(1), n), twice = sum(scale, scale);
    m[0][0] = times(sum(minus(ww, zz), minus(xx, yy)), scale);
    m[1][1] = times(sum(minus(ww, xx), minus(yy, zz)), scale);
    m[2][2] = times(sum(minus(ww, yy), minus(zz, xx)), scale);
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        lanes across = times(q[i], q[k]), about = times(q[3], q[l]);
        m[i][k] = times(minus(across, about), twice);
        m[k][i] = times(sum(across, about), twice);
    }
}

static inline void turned_frame(lanes axes[3][3], const lanes origin[3], lane_axis axis, lane_frame *f) {
    for (int i = 0; i < 3; i++) {
        turn(axis, axes[i], f->axes[i]);
        f->origin[i] = origin[i];
    }
}

static inline void place_point(const lane_frame *f, const lanes local[3], lanes world[3]) {
    for (int i = 0; i < 3; i++) {
        world[i] = sum(f->origin[i], product(f->axes[i], local));
    }
}

#endif
