/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Pairs of boxes, one in each lane, in double: short names for the arithmetic, loading, and one box as the other's
 * frame sees it. Part of a kernel. */
#ifndef ABUT_NARROWPHASE_OBB_LANES_H
#define ABUT_NARROWPHASE_OBB_LANES_H

#include "base/lanes.h"
#include "narrowphase/obb_kernels.h"
#include <math.h>

static inline abut_vd add(abut_vd a, abut_vd b) {
    return abut_vd_add(a, b);
}

static inline abut_vd sub(abut_vd a, abut_vd b) {
    return abut_vd_sub(a, b);
}

static inline abut_vd mul(abut_vd a, abut_vd b) {
    return abut_vd_mul(a, b);
}

static inline abut_vd choose(abut_md m, abut_vd a, abut_vd b) {
    return abut_vd_select(m, a, b);
}

static inline abut_vd dot(const abut_vd a[3], const abut_vd b[3]) {
    return add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]));
}

/* x where m, else -x. */
static inline abut_vd positive_where(abut_md m, abut_vd x) {
    return choose(m, x, abut_vd_neg(x));
}

static inline abut_vd clamp(abut_vd x, abut_vd half) {
    return abut_vd_max(abut_vd_min(x, half), abut_vd_neg(half));
}

static inline abut_md nothing(void) {
    return abut_vd_lt(abut_vd_set(0), abut_vd_set(0));
}

/* An axis 0..2 in each lane: 1 where `one`, 2 where `two`, else 0. */
typedef struct lane_axis {
    abut_md one, two;
} lane_axis;

static inline abut_vd axis_number(lane_axis axis) {
    return choose(axis.two, abut_vd_set(2), choose(axis.one, abut_vd_set(1), abut_vd_set(0)));
}

/* The axis with the largest value; the first of those. */
static inline lane_axis largest(const abut_vd x[3], abut_vd *most) {
    abut_md one = abut_vd_lt(x[0], x[1]);
    abut_vd first = choose(one, x[1], x[0]);
    abut_md two = abut_vd_lt(first, x[2]);
    *most = choose(two, x[2], first);
    return (lane_axis){abut_md_and_not(one, two), two};
}

/* out: x[axis], x[axis + 1], x[axis + 2], counted round. */
static inline void turn(lane_axis axis, const abut_vd x[3], abut_vd out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = choose(axis.two, x[(i + 2) % 3], choose(axis.one, x[(i + 1) % 3], x[i]));
    }
}

typedef struct lane_box {
    abut_vd center[3], rotation[4], half[3];
} lane_box;

typedef struct lane_pair {
    abut_vd r[3][3], t[3]; /* b in a's frame; column j of r: its axis j */
    abut_vd back[3];       /* t along the axes of b */
    lane_box a, b;         /* in the order that does not depend on which was called first */
    abut_vd inverse_a, inverse_b; /* 1 / |q|^2 */
    abut_vd axes_a[3][3];         /* of a in the world; columns */
    abut_vd size;                 /* S: |D|_1 plus all half extents */
    abut_vd resting;              /* what float poses jitter by; see obb_manifolds.c */
    abut_md swapped;              /* a is the pair's second box */
} lane_pair;

static inline void load_box(const void *rows, size_t stride, const uint32_t *index, lane_box *box) {
    const char *p = rows;
    abut_vd v[4];
    abut_vd_load4(p, stride, index, v);
    box->center[0] = v[0], box->center[1] = v[1], box->center[2] = v[2];
    abut_vd_load4(p + 3 * sizeof(float), stride, index, box->rotation);
    abut_vd_load4(p + 6 * sizeof(float), stride, index, v);
    box->half[0] = v[1], box->half[1] = v[2], box->half[2] = v[3];
}

/* One key of a lexicographic order: where all before were equal (`open`), is x after y? */
static inline void compare_key(abut_vd x, abut_vd y, abut_md *open, abut_md *after) {
    *after = abut_md_or(*after, abut_md_and(*open, abut_vd_lt(y, x)));
    *open = abut_md_and(*open, abut_vd_eq(x, y));
}

/* An order of any two boxes by their own data, so that it does not matter which is called a. What jitters least comes
 * first: which one is "first" should not change while they rest on each other. Half extents, then the place along the
 * axis along which the centres lie farthest apart, then rotations. */
static inline abut_md stands_after(const lane_box *a, const lane_box *b) {
    abut_md open = abut_vd_eq(abut_vd_set(0), abut_vd_set(0)), after = nothing();
    compare_key(a->half[0], b->half[0], &open, &after);
    if (!abut_md_bits(open)) {
        return after;
    }
    compare_key(a->half[1], b->half[1], &open, &after);
    compare_key(a->half[2], b->half[2], &open, &after);
    abut_vd d[3], apart[3], along[3], most;
    for (int i = 0; i < 3; i++) {
        d[i] = sub(b->center[i], a->center[i]);
        apart[i] = abut_vd_abs(d[i]);
    }
    turn(largest(apart, &most), d, along);
    compare_key(abut_vd_set(0), along[0], &open, &after);
    for (int i = 0; i < 4; i++) {
        compare_key(a->rotation[i], b->rotation[i], &open, &after);
    }
    return after;
}

static inline void swap(abut_md where, abut_vd *x, abut_vd *y) {
    abut_vd old = *x;
    *x = choose(where, *y, *x);
    *y = choose(where, old, *y);
}

static inline abut_md put_in_order(lane_box *a, lane_box *b) {
    abut_md swapped = stands_after(a, b);
    for (int i = 0; i < 3; i++) {
        swap(swapped, &a->center[i], &b->center[i]);
        swap(swapped, &a->half[i], &b->half[i]);
    }
    for (int i = 0; i < 4; i++) {
        swap(swapped, &a->rotation[i], &b->rotation[i]);
    }
    return swapped;
}

static inline abut_vd square_sum(const abut_vd q[4]) {
    return add(add(mul(q[0], q[0]), mul(q[1], q[1])), add(mul(q[2], q[2]), mul(q[3], q[3])));
}

/* R(q) times |q|^2 times `scale`. */
static inline void rotation_matrix(const abut_vd q[4], abut_vd scale, abut_vd m[3][3]) {
    abut_vd xx = mul(q[0], q[0]), yy = mul(q[1], q[1]), zz = mul(q[2], q[2]), ww = mul(q[3], q[3]);
    abut_vd twice = add(scale, scale);
    m[0][0] = mul(add(sub(ww, zz), sub(xx, yy)), scale);
    m[1][1] = mul(add(sub(ww, xx), sub(yy, zz)), scale);
    m[2][2] = mul(add(sub(ww, yy), sub(zz, xx)), scale);
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        abut_vd across = mul(q[i], q[k]), about = mul(q[3], q[l]);
        m[i][k] = mul(sub(across, about), twice);
        m[k][i] = mul(add(across, about), twice);
    }
}

/* conj(a) b */
static inline void relative_rotation(const abut_vd a[4], const abut_vd b[4], abut_vd q[4]) {
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        q[i] = add(sub(mul(a[3], b[i]), mul(a[i], b[3])), sub(mul(a[l], b[k]), mul(a[k], b[l])));
    }
    q[3] = add(add(mul(a[3], b[3]), mul(a[0], b[0])), add(mul(a[1], b[1]), mul(a[2], b[2])));
}

/* The relative quaternion is formed first and then one matrix from it, so that r is a rotation (docs/numerics.md). */
static inline void build_pair(const abut_np_obb_pairs *pairs, const uint32_t *index_a, const uint32_t *index_b,
                              lane_pair *p) {
    load_box(pairs->a, pairs->stride_a, index_a, &p->a);
    load_box(pairs->b, pairs->stride_b, index_b, &p->b);
    p->swapped = put_in_order(&p->a, &p->b);
    abut_vd norm_a = square_sum(p->a.rotation), norm_b = square_sum(p->b.rotation), q[4], d[3];
    abut_vd inverse = abut_vd_div(abut_vd_set(1), mul(norm_a, norm_b));
    p->inverse_a = mul(norm_b, inverse);
    p->inverse_b = mul(norm_a, inverse);
    relative_rotation(p->a.rotation, p->b.rotation, q);
    rotation_matrix(q, inverse, p->r);
    rotation_matrix(p->a.rotation, p->inverse_a, p->axes_a);
    abut_vd size_a = add(add(p->a.half[0], p->a.half[1]), p->a.half[2]);
    abut_vd size_b = add(add(p->b.half[0], p->b.half[1]), p->b.half[2]);
    p->size = add(size_a, size_b);
    p->resting = abut_vd_min(size_a, size_b);
    for (int i = 0; i < 3; i++) {
        d[i] = sub(p->b.center[i], p->a.center[i]);
        p->size = add(p->size, abut_vd_abs(d[i]));
    }
    for (int i = 0; i < 3; i++) {
        const abut_vd column[3] = {p->axes_a[0][i], p->axes_a[1][i], p->axes_a[2][i]};
        p->t[i] = dot(column, d);
    }
    for (int j = 0; j < 3; j++) {
        const abut_vd column[3] = {p->r[0][j], p->r[1][j], p->r[2][j]};
        p->back[j] = dot(column, p->t);
    }
}

/* The frame of a box, its axes counted from any one of them, to carry points and directions into the world. */
typedef struct lane_frame {
    abut_vd axes[3][3], origin[3];
} lane_frame;

static inline void turned_frame(const abut_vd axes[3][3], const abut_vd origin[3], lane_axis axis, lane_frame *f) {
    for (int i = 0; i < 3; i++) {
        turn(axis, axes[i], f->axes[i]);
        f->origin[i] = origin[i];
    }
}

static inline void place_point(const lane_frame *f, const abut_vd local[3], abut_vd world[3]) {
    for (int i = 0; i < 3; i++) {
        world[i] = add(f->origin[i], dot(f->axes[i], local));
    }
}

#endif
