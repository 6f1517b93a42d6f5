/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. The float stage of obb_separation.h, for as many pairs at once as
 * there are lanes; docs/numerics.md derives the bounds. */
#include "base/lanes.h"
#include "narrowphase/obb_kernels.h"
#include "narrowphase/obb_separation.h"
#include <math.h>

/* SLACK times S bounds the rounding error of every separation below. */
static const float SLACK = 64 * 0x1p-24f;

/* Outside these sizes products could lose bits to the denormal range, or overflow. */
static const float SMALLEST = 0x1p-80f, LARGEST = 0x1p+100f;

/* The same for squared lengths of quaternions. */
static const float SHORTEST = 0x1p-90f, LONGEST = 0x1p+90f;

typedef struct boxes {
    abut_vf center[3], q[4], half[3];
} boxes;

/* Box b as box a's frame sees it. */
typedef struct pairs {
    abut_vf r[3][3], f[3][3]; /* column j of r: axis j of b; f: |r| */
    abut_vf t[3], a[3], b[3];
    abut_vf size;
    abut_mf valid; /* the boxes are, and nothing below can leave the range of normal floats */
} pairs;

static inline abut_vf sum(abut_vf a, abut_vf b) {
    return abut_vf_add(a, b);
}

static inline abut_vf minus(abut_vf a, abut_vf b) {
    return abut_vf_sub(a, b);
}

static inline abut_vf times(abut_vf a, abut_vf b) {
    return abut_vf_mul(a, b);
}

static inline abut_vf sum3(abut_vf a, abut_vf b, abut_vf c) {
    return sum(sum(a, b), c);
}

static inline abut_vf dot(abut_vf a0, abut_vf b0, abut_vf a1, abut_vf b1, abut_vf a2, abut_vf b2) {
    return sum3(times(a0, b0), times(a1, b1), times(a2, b2));
}

/* a b - c d */
static inline abut_vf difference(abut_vf a, abut_vf b, abut_vf c, abut_vf d) {
    return minus(times(a, b), times(c, d));
}

static ABUT_INLINE void load(const void *at, size_t stride, const uint32_t *index, boxes *x) {
    abut_vf v[10];
    abut_vf_load10(at, stride, index, v);
    *x = (boxes){{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}, {v[7], v[8], v[9]}};
}

static inline abut_vf norm2(const abut_vf q[4]) {
    return sum(sum(times(q[0], q[0]), times(q[1], q[1])), sum(times(q[2], q[2]), times(q[3], q[3])));
}

/* Part i of conj(a) b. Equal quaternions give exactly 0: each product has its twin beside it. */
static inline abut_vf relative_part(const abut_vf a[4], const abut_vf b[4], int i, int k, int l) {
    return sum(difference(a[3], b[i], a[i], b[3]), difference(a[l], b[k], a[k], b[l]));
}

/* R(q)/|q|^2, with n = |q|^2. */
static inline void matrix(const abut_vf q[4], abut_vf n, abut_vf r[3][3]) {
    abut_vf s = abut_vf_div(abut_vf_set(2), n), one = abut_vf_set(1);
    abut_vf xs = times(q[0], s), ys = times(q[1], s), zs = times(q[2], s);
    abut_vf xx = times(q[0], xs), yy = times(q[1], ys), zz = times(q[2], zs);
    abut_vf xy = times(q[0], ys), xz = times(q[0], zs), yz = times(q[1], zs);
    abut_vf wx = times(q[3], xs), wy = times(q[3], ys), wz = times(q[3], zs);
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

/* d in the frame that q turns, with n = |q|^2: d + 2 (v x (v x d) - w (v x d)) / n. */
static inline void unrotate(const abut_vf q[4], abut_vf n, const abut_vf d[3], abut_vf t[3]) {
    abut_vf s = abut_vf_div(abut_vf_set(2), n);
    abut_vf x = difference(q[1], d[2], q[2], d[1]), y = difference(q[2], d[0], q[0], d[2]),
            z = difference(q[0], d[1], q[1], d[0]);
    t[0] = sum(d[0], times(s, minus(difference(q[1], z, q[2], y), times(q[3], x))));
    t[1] = sum(d[1], times(s, minus(difference(q[2], x, q[0], z), times(q[3], y))));
    t[2] = sum(d[2], times(s, minus(difference(q[0], y, q[1], x), times(q[3], z))));
}

static inline abut_mf between(abut_vf x, float low, float high) {
    return abut_mf_and(abut_vf_lt(abut_vf_set(low), x), abut_vf_lt(x, abut_vf_set(high)));
}

static ABUT_INLINE void build(const boxes *a, const boxes *b, pairs *p) {
    const abut_vf relative[4] = {relative_part(a->q, b->q, 0, 1, 2), relative_part(a->q, b->q, 1, 2, 0),
                                 relative_part(a->q, b->q, 2, 0, 1),
                                 sum(sum(times(a->q[3], b->q[3]), times(a->q[0], b->q[0])),
                                     sum(times(a->q[1], b->q[1]), times(a->q[2], b->q[2])))};
    abut_vf n = norm2(relative), n_a = norm2(a->q);
    matrix(relative, n, p->r);
    const abut_vf d[3] = {minus(b->center[0], a->center[0]), minus(b->center[1], a->center[1]),
                          minus(b->center[2], a->center[2])};
    unrotate(a->q, n_a, d, p->t);
    for (int i = 0; i < 3; i++) {
        p->a[i] = a->half[i];
        p->b[i] = b->half[i];
        for (int j = 0; j < 3; j++) {
            p->f[i][j] = abut_vf_abs(p->r[i][j]);
        }
    }
    p->size = sum3(sum3(abut_vf_abs(d[0]), abut_vf_abs(d[1]), abut_vf_abs(d[2])), sum3(p->a[0], p->a[1], p->a[2]),
                   sum3(p->b[0], p->b[1], p->b[2]));
    abut_vf least = abut_vf_min(abut_vf_min(abut_vf_min(p->a[0], p->a[1]), abut_vf_min(p->a[2], p->b[0])),
                                abut_vf_min(p->b[1], p->b[2]));
    p->valid = abut_mf_and(abut_mf_and(between(n, SHORTEST, LONGEST), between(n_a, SHORTEST, LONGEST)),
                           abut_mf_and(between(p->size, SMALLEST, LARGEST), abut_vf_le(abut_vf_set(0), least)));
}

static inline abut_vf face_of_a(const pairs *p, int i) {
    abut_vf radius = dot(p->b[0], p->f[i][0], p->b[1], p->f[i][1], p->b[2], p->f[i][2]);
    return minus(minus(abut_vf_abs(p->t[i]), p->a[i]), radius);
}

static inline abut_vf face_of_b(const pairs *p, int j) {
    abut_vf along = dot(p->t[0], p->r[0][j], p->t[1], p->r[1][j], p->t[2], p->r[2][j]);
    abut_vf radius = dot(p->a[0], p->f[0][j], p->a[1], p->f[1][j], p->a[2], p->f[2][j]);
    return minus(minus(abut_vf_abs(along), p->b[j]), radius);
}

/* The largest gap over the six face normals. */
static ABUT_INLINE abut_vf faces(const pairs *p) {
    abut_vf a = abut_vf_max(abut_vf_max(face_of_a(p, 0), face_of_a(p, 1)), face_of_a(p, 2));
    abut_vf b = abut_vf_max(abut_vf_max(face_of_b(p, 0), face_of_b(p, 1)), face_of_b(p, 2));
    return abut_vf_max(a, b);
}

/* The gap over edge i of a x edge j of b, times the length of that cross product. (i, k, l) and (j, m, n) are cyclic.
 */
static inline abut_vf edge(const pairs *p, int i, int k, int l, int j, int m, int n) {
    abut_vf along = difference(p->t[l], p->r[k][j], p->t[k], p->r[l][j]);
    abut_vf radius_a = sum(times(p->a[k], p->f[l][j]), times(p->a[l], p->f[k][j]));
    abut_vf radius_b = sum(times(p->b[m], p->f[i][n]), times(p->b[n], p->f[i][m]));
    return minus(minus(abut_vf_abs(along), radius_a), radius_b);
}

static ABUT_INLINE void edges(const pairs *p, int i, int k, int l, abut_vf gap[3]) {
    gap[0] = edge(p, i, k, l, 0, 1, 2);
    gap[1] = edge(p, i, k, l, 1, 2, 0);
    gap[2] = edge(p, i, k, l, 2, 0, 1);
}

/* The margin times the length of the cross product. */
static abut_vf edge_margin(const pairs *p, int i, int j, abut_vf margin) {
    abut_vf u = p->r[(i + 1) % 3][j], v = p->r[(i + 2) % 3][j];
    return times(margin, abut_vf_sqrt(sum(times(u, u), times(v, v))));
}

/* Nearly parallel edges never show more than their sine times S beyond what the faces show, so faces that overlap by
 * more than that settle them: resting stacks end here. */
static abut_mf parallel_edges_settled(const pairs *p, abut_vf gap[3][3], abut_vf face, abut_vf slack) {
    abut_vf room = minus(abut_vf_neg(face), sum(slack, slack)), largest = abut_vf_set(-INFINITY);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            abut_vf sine = sum(p->f[(i + 1) % 3][j], p->f[(i + 2) % 3][j]);
            abut_mf settled = abut_vf_lt(times(times(abut_vf_set(1.5f), sine), p->size), room);
            largest = abut_vf_max(largest, abut_vf_select(settled, abut_vf_set(-INFINITY), gap[i][j]));
        }
    }
    return abut_vf_lt(largest, abut_vf_neg(slack));
}

static abut_vf largest9(abut_vf x[3][3]) {
    abut_vf a = abut_vf_max(abut_vf_max(x[0][0], x[0][1]), x[0][2]);
    abut_vf b = abut_vf_max(abut_vf_max(x[1][0], x[1][1]), x[1][2]);
    return abut_vf_max(abut_vf_max(a, b), abut_vf_max(abut_vf_max(x[2][0], x[2][1]), x[2][2]));
}

/* One register full of pairs. */
static ABUT_INLINE void decide(const abut_np_obb_pairs *of, const uint32_t *index_a, const uint32_t *index_b,
                               float margin, uint8_t *verdict) {
    boxes a, b;
    load(of->a, of->stride_a, index_a, &a);
    load(of->b, of->stride_b, index_b, &b);
    pairs p;
    build(&a, &b, &p);
    abut_vf m = abut_vf_set(margin), slack = times(abut_vf_set(SLACK), sum(p.size, m)), face = faces(&p);
    abut_mf apart = abut_vf_lt(slack, minus(face, m)), faces_meet = abut_vf_lt(minus(face, m), abut_vf_neg(slack));
    if (ABUT_VF_LANES == 1 && abut_mf_bits(abut_mf_and(p.valid, apart))) {
        *verdict = ABUT_NP_APART;
        return;
    }
    abut_vf gap[3][3];
    edges(&p, 0, 1, 2, gap[0]);
    edges(&p, 1, 2, 0, gap[1]);
    edges(&p, 2, 0, 1, gap[2]);
    if (margin > 0) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                gap[i][j] = minus(gap[i][j], edge_margin(&p, i, j, m));
            }
        }
    }
    abut_vf largest = largest9(gap);
    apart = abut_mf_and(p.valid, abut_mf_or(apart, abut_vf_lt(slack, largest)));
    faces_meet = abut_mf_and_not(abut_mf_and(p.valid, faces_meet), apart);
    abut_mf touching = abut_mf_and(faces_meet, abut_vf_lt(largest, abut_vf_neg(slack)));
    if (abut_mf_bits(touching) != abut_mf_bits(faces_meet)) {
        touching = abut_mf_and(faces_meet, parallel_edges_settled(&p, gap, face, slack));
    }
    abut_vf undecided = abut_vf_set(ABUT_NP_UNDECIDED);
    abut_vf settled = abut_vf_select(touching, abut_vf_set(ABUT_NP_TOUCHING), undecided);
    abut_vf_store_bytes(verdict, abut_vf_select(apart, abut_vf_set(ABUT_NP_APART), settled));
}

static void verdicts(const abut_np_obb_pairs *of, float margin, uint8_t *verdict) {
    for (size_t k = 0; k < of->n; k += ABUT_VF_LANES) {
        const uint32_t *index_a = of->index_a + k, *index_b = of->index_b + k;
        uint32_t last_a[ABUT_VF_LANES], last_b[ABUT_VF_LANES];
        uint8_t last[ABUT_VF_LANES], *out = verdict + k;
        size_t left = of->n - k;
        if (left < ABUT_VF_LANES) {
            for (size_t l = 0; l < ABUT_VF_LANES; l++) {
                last_a[l] = index_a[l < left ? l : 0];
                last_b[l] = index_b[l < left ? l : 0];
            }
            index_a = last_a, index_b = last_b, out = last;
        }
        decide(of, index_a, index_b, margin, out);
        if (left < ABUT_VF_LANES) {
            memcpy(verdict + k, last, left);
        }
    }
}

const abut_np_obb_kernels ABUT_NP_OBB_KERNELS = {.verdicts = verdicts};
