/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The 15 axes of as many pairs of boxes as there are lanes: one arithmetic for the float and the double stage. The file
 * that includes this first defines, on floats or on doubles, `lanes` and the functions sum, minus, times, quotient,
 * root,
 * absolute, largest, constant and load10. docs/numerics.md derives how good the results are. */
#ifndef ABUT_NARROWPHASE_BOX_AXES_H
#define ABUT_NARROWPHASE_BOX_AXES_H

#include "base/compiler.h"
#include "narrowphase/box/kernels.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct boxes {
    lanes center[3], q[4], half[3];
} boxes;

/* Box b as box a's frame sees it. The relative quaternion is formed first and then one matrix from it: the result is a
 * true rotation, so that nearly parallel edges need no epsilon. */
typedef struct box_pairs {
    lanes r[3][3], f[3][3]; /* column j of r: axis j of b; f: |r| */
    lanes t[3];             /* centre of b */
    lanes a[3], b[3];
    lanes size;   /* S: |D|_1 plus all half extents */
    lanes n, n_a; /* squared lengths: of the relative quaternion, of a's */
} box_pairs;

static inline lanes sum3(lanes a, lanes b, lanes c) {
    return sum(sum(a, b), c);
}

static inline lanes dot(lanes a0, lanes b0, lanes a1, lanes b1, lanes a2, lanes b2) {
    return sum3(times(a0, b0), times(a1, b1), times(a2, b2));
}

/* a b - c d */
static inline lanes difference(lanes a, lanes b, lanes c, lanes d) {
    return minus(times(a, b), times(c, d));
}

/* The last few pairs: lanes that are left over do the first of them again. */
static inline void pad(const uint32_t *index, size_t n, uint32_t *padded, size_t count) {
    for (size_t l = 0; l < count; l++) {
        padded[l] = index[l < n ? l : 0];
    }
}

static ABUT_INLINE void load_boxes(const void *at, size_t stride, const uint32_t *index, boxes *x) {
    lanes v[10];
    load10(at, stride, index, v);
    *x = (boxes){{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}, {v[7], v[8], v[9]}};
}

static inline lanes norm2(const lanes q[4]) {
    return sum(sum(times(q[0], q[0]), times(q[1], q[1])), sum(times(q[2], q[2]), times(q[3], q[3])));
}

/* Part i of conj(a) b. Equal quaternions give exactly 0: each product has its twin beside it. (i, k, l) is cyclic. */
static inline lanes relative_part(const lanes a[4], const lanes b[4], int i, int k, int l) {
    return sum(difference(a[3], b[i], a[i], b[3]), difference(a[l], b[k], a[k], b[l]));
}

/* R(q)/|q|^2, with n = |q|^2. */
static inline void rotation_matrix(const lanes q[4], lanes n, lanes r[3][3]) {
    lanes s = quotient(constant(2), n), one = constant(1);
    lanes xs = times(q[0], s), ys = times(q[1], s), zs = times(q[2], s);
    lanes xx = times(q[0], xs), yy = times(q[1], ys), zz = times(q[2], zs);
    lanes xy = times(q[0], ys), xz = times(q[0], zs), yz = times(q[1], zs);
    lanes wx = times(q[3], xs), wy = times(q[3], ys), wz = times(q[3], zs);
    r[0][0] = minus(one, sum(yy, zz));
    r[0][1] = minus(xy, wz);
    r[0][2] = sum(xz, wy);
    r[1][0] = sum(xy, wz);
    r[1][1] = minus(one, sum(xx, zz));
    r[1][2] = minus(yz, wx);
    r[2][0] = minus(xz, wy);
    r[2][1] = sum(yz, wx);
    r[2][2] = minus(one, sum(xx, yy));
}

/* d as the frame sees it that q turns, with n = |q|^2: d + 2 (v x (v x d) - w (v x d)) / n. */
static inline void unrotate(const lanes q[4], lanes n, const lanes d[3], lanes t[3]) {
    lanes s = quotient(constant(2), n);
    lanes x = difference(q[1], d[2], q[2], d[1]), y = difference(q[2], d[0], q[0], d[2]);
    lanes z = difference(q[0], d[1], q[1], d[0]);
    t[0] = sum(d[0], times(s, minus(difference(q[1], z, q[2], y), times(q[3], x))));
    t[1] = sum(d[1], times(s, minus(difference(q[2], x, q[0], z), times(q[3], y))));
    t[2] = sum(d[2], times(s, minus(difference(q[0], y, q[1], x), times(q[3], z))));
}

static ABUT_INLINE void relate(const boxes *a, const boxes *b, box_pairs *p) {
    const lanes relative[4] = {relative_part(a->q, b->q, 0, 1, 2), relative_part(a->q, b->q, 1, 2, 0),
                               relative_part(a->q, b->q, 2, 0, 1),
                               sum(sum(times(a->q[3], b->q[3]), times(a->q[0], b->q[0])),
                                   sum(times(a->q[1], b->q[1]), times(a->q[2], b->q[2])))};
    p->n = norm2(relative);
    p->n_a = norm2(a->q);
    rotation_matrix(relative, p->n, p->r);
    const lanes d[3] = {minus(b->center[0], a->center[0]), minus(b->center[1], a->center[1]),
                        minus(b->center[2], a->center[2])};
    unrotate(a->q, p->n_a, d, p->t);
    for (int i = 0; i < 3; i++) {
        p->a[i] = a->half[i];
        p->b[i] = b->half[i];
        for (int j = 0; j < 3; j++) {
            p->f[i][j] = absolute(p->r[i][j]);
        }
    }
    p->size = sum3(sum3(absolute(d[0]), absolute(d[1]), absolute(d[2])), sum3(p->a[0], p->a[1], p->a[2]),
                   sum3(p->b[0], p->b[1], p->b[2]));
}

static ABUT_INLINE void load_pairs(const abut_np_box_pairs *of, const uint32_t *index_a, const uint32_t *index_b,
                                   box_pairs *p) {
    boxes a, b;
    load_boxes(of->a, of->stride_a, index_a, &a);
    load_boxes(of->b, of->stride_b, index_b, &b);
    relate(&a, &b, p);
}

/* The gap over the normal of face i of a. */
static inline lanes face_of_a(const box_pairs *p, int i) {
    lanes radius = dot(p->b[0], p->f[i][0], p->b[1], p->f[i][1], p->b[2], p->f[i][2]);
    return minus(minus(absolute(p->t[i]), p->a[i]), radius);
}

static inline lanes face_of_b(const box_pairs *p, int j) {
    lanes along = dot(p->t[0], p->r[0][j], p->t[1], p->r[1][j], p->t[2], p->r[2][j]);
    lanes radius = dot(p->a[0], p->f[0][j], p->a[1], p->f[1][j], p->a[2], p->f[2][j]);
    return minus(minus(absolute(along), p->b[j]), radius);
}

/* The gap over edge i of a x edge j of b, times the length of that cross product. (i, k, l) and (j, m, n) are cyclic.
 */
static inline lanes edge(const box_pairs *p, int i, int k, int l, int j, int m, int n) {
    lanes along = difference(p->t[l], p->r[k][j], p->t[k], p->r[l][j]);
    lanes radius_a = sum(times(p->a[k], p->f[l][j]), times(p->a[l], p->f[k][j]));
    lanes radius_b = sum(times(p->b[m], p->f[i][n]), times(p->b[n], p->f[i][m]));
    return minus(minus(absolute(along), radius_a), radius_b);
}

static inline void edges_of(const box_pairs *p, int i, int k, int l, lanes gap[3]) {
    gap[0] = edge(p, i, k, l, 0, 1, 2);
    gap[1] = edge(p, i, k, l, 1, 2, 0);
    gap[2] = edge(p, i, k, l, 2, 0, 1);
}

/* The gaps over faces of a (gap[0]) and b (gap[1]). */
static ABUT_INLINE void faces(const box_pairs *p, lanes gap[2][3]) {
    gap[0][0] = face_of_a(p, 0), gap[0][1] = face_of_a(p, 1), gap[0][2] = face_of_a(p, 2);
    gap[1][0] = face_of_b(p, 0), gap[1][1] = face_of_b(p, 1), gap[1][2] = face_of_b(p, 2);
}

/* The gaps less the margin over edges i x j, times the length of the cross product. */
static ABUT_INLINE void edges(const box_pairs *p, bool with_margin, lanes margin, lanes gap[3][3]) {
    edges_of(p, 0, 1, 2, gap[0]);
    edges_of(p, 1, 2, 0, gap[1]);
    edges_of(p, 2, 0, 1, gap[2]);
    for (int e = 0; with_margin && e < 9; e++) {
        int i = e / 3, j = e % 3;
        lanes u = p->r[(i + 1) % 3][j], v = p->r[(i + 2) % 3][j];
        gap[i][j] = minus(gap[i][j], times(margin, root(sum(times(u, u), times(v, v)))));
    }
}

/* At least the sine of the angle between edge i of a and edge j of b, and at most sqrt(2) times that. */
static inline lanes sine(const box_pairs *p, int i, int j) {
    return sum(p->f[(i + 1) % 3][j], p->f[(i + 2) % 3][j]);
}

static inline lanes largest3(const lanes x[3]) {
    return largest(largest(x[0], x[1]), x[2]);
}

#endif
