/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/dd.h"
#include "base/spatial.h"
#include "narrowphase/box/separation.h"
#include "narrowphase/tolerance.h"

/* The last stage, with the members of box_pairs in axes.inc. A gap below ABUT_NP_SLACK_DD times S counts as touching:
 * that is below 1e-28 S or, for edges parallel to 1e-8, below 1e-20 S. */
typedef struct pair {
    abut_dd r[3][3], f[3][3]; /* f: |r| */
    abut_dd t[3];
    double a[3], b[3];
} pair;

static abut_dd sum3(abut_dd a, abut_dd b, abut_dd c) {
    return abut_dd_add(abut_dd_add(a, b), c);
}

/* R(q)/|q|^2: each entry's numerator is a short sum, divided once. */
static void quat_matrix(const abut_dd q[4], abut_dd m[3][3]) {
    abut_dd norm = abut_dd_add(sum3(abut_dd_mul(q[0], q[0]), abut_dd_mul(q[1], q[1]), abut_dd_mul(q[2], q[2])),
                               abut_dd_mul(q[3], q[3]));
    abut_dd s = abut_dd_div(abut_dd_from(2), norm);
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        abut_dd squares = abut_dd_add(abut_dd_mul(q[k], q[k]), abut_dd_mul(q[l], q[l]));
        m[i][i] = abut_dd_sub(abut_dd_from(1), abut_dd_mul(s, squares));
        abut_dd product = abut_dd_mul(q[i], q[k]), turn = abut_dd_mul(q[3], q[l]);
        m[i][k] = abut_dd_mul(s, abut_dd_sub(product, turn));
        m[k][i] = abut_dd_mul(s, abut_dd_add(product, turn));
    }
}

/* The terms of sums of four are products of two floats, which are exact in double. */
static void build(const abut_collider *a, const abut_collider *b, pair *p) {
    abut_dquat u = abut_dquat_from(a->rotation), v = abut_dquat_from(b->rotation);
    const abut_dd relative[4] = {abut_dd_sum4(u.w * v.x, -(u.x * v.w), -(u.y * v.z), u.z * v.y),
                                 abut_dd_sum4(u.w * v.y, u.x * v.z, -(u.y * v.w), -(u.z * v.x)),
                                 abut_dd_sum4(u.w * v.z, -(u.x * v.y), u.y * v.x, -(u.z * v.w)),
                                 abut_dd_sum4(u.w * v.w, u.x * v.x, u.y * v.y, u.z * v.z)};
    quat_matrix(relative, p->r);
    const abut_dd own[4] = {abut_dd_from(u.x), abut_dd_from(u.y), abut_dd_from(u.z), abut_dd_from(u.w)};
    abut_dd m[3][3];
    quat_matrix(own, m);
    const abut_dd d[3] = {abut_dd_two_sum(b->center.x, -(double)a->center.x),
                          abut_dd_two_sum(b->center.y, -(double)a->center.y),
                          abut_dd_two_sum(b->center.z, -(double)a->center.z)};
    for (int i = 0; i < 3; i++) {
        p->t[i] = sum3(abut_dd_mul(m[0][i], d[0]), abut_dd_mul(m[1][i], d[1]), abut_dd_mul(m[2][i], d[2]));
        for (int j = 0; j < 3; j++) {
            p->f[i][j] = abut_dd_abs(p->r[i][j]);
        }
    }
    p->a[0] = a->half.x, p->a[1] = a->half.y, p->a[2] = a->half.z;
    p->b[0] = b->half.x, p->b[1] = b->half.y, p->b[2] = b->half.z;
}

/* |along| - both radii - margin * length. */
static double gap(abut_dd along, abut_dd radius_a, abut_dd radius_b, double margin, abut_dd length) {
    abut_dd radii = sum3(radius_a, radius_b, abut_dd_scaled(length, margin));
    return abut_dd_sub(abut_dd_abs(along), radii).hi;
}

static double face_gap_a(const pair *p, int i, double margin) {
    abut_dd radius = sum3(abut_dd_scaled(p->f[i][0], p->b[0]), abut_dd_scaled(p->f[i][1], p->b[1]),
                          abut_dd_scaled(p->f[i][2], p->b[2]));
    return gap(p->t[i], abut_dd_from(p->a[i]), radius, margin, abut_dd_from(1));
}

static double face_gap_b(const pair *p, int j, double margin) {
    abut_dd along =
        sum3(abut_dd_mul(p->t[0], p->r[0][j]), abut_dd_mul(p->t[1], p->r[1][j]), abut_dd_mul(p->t[2], p->r[2][j]));
    abut_dd radius = sum3(abut_dd_scaled(p->f[0][j], p->a[0]), abut_dd_scaled(p->f[1][j], p->a[1]),
                          abut_dd_scaled(p->f[2][j], p->a[2]));
    return gap(along, radius, abut_dd_from(p->b[j]), margin, abut_dd_from(1));
}

static double edge_gap(const pair *p, int i, int j, double margin) {
    int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
    abut_dd rk = p->r[k][j], rl = p->r[l][j], length = abut_dd_from(0);
    if (margin > 0) {
        length = abut_dd_sqrt(abut_dd_add(abut_dd_mul(rk, rk), abut_dd_mul(rl, rl)));
    }
    abut_dd along = abut_dd_sub(abut_dd_mul(p->t[l], rk), abut_dd_mul(p->t[k], rl));
    abut_dd radius_a = abut_dd_add(abut_dd_scaled(p->f[l][j], p->a[k]), abut_dd_scaled(p->f[k][j], p->a[l]));
    abut_dd radius_b = abut_dd_add(abut_dd_scaled(p->f[i][n], p->b[m]), abut_dd_scaled(p->f[i][m], p->b[n]));
    return gap(along, radius_a, radius_b, margin, length);
}

/* Axis i, of a pair that may be swapped: the faces of a, those of b, the edges of a with those of b. */
static double gap_over(const pair *p, bool swapped, int i, double margin) {
    if (i < 6) {
        return (i < 3) != swapped ? face_gap_a(p, i % 3, margin) : face_gap_b(p, i % 3, margin);
    }
    const int of_a = (i - 6) / 3, of_b = (i - 6) % 3;
    return swapped ? edge_gap(p, of_b, of_a, margin) : edge_gap(p, of_a, of_b, margin);
}

/* What is within the slack is decided in the frame of one box, which must not be that of whoever comes first. */
bool abut_np_box_separated_dd(const abut_collider *a, const abut_collider *b, double margin, abut_np_axes axes) {
    pair p;
    const bool swapped = abut_bits_compare_floats(&a->center.x, &b->center.x, sizeof(abut_obb) / sizeof(float)) > 0;
    build(swapped ? b : a, swapped ? a : b, &p);
    double slack = margin;
    for (int i = 0; i < 3; i++) {
        slack += fabs(p.t[i].hi) + p.a[i] + p.b[i];
    }
    slack *= ABUT_NP_SLACK_DD;
    for (int i = 0; i < 15; i++) {
        if ((axes >> i & 1) && gap_over(&p, swapped, i, margin) > slack) {
            return true;
        }
    }
    return false;
}

/* The local axis that R(q) maps exactly onto axis g of the world or its opposite; -1 if none is known to be. Decided on
 * the stored floats alone, whose products do not underflow: colliders hold rotations of about unit length. */
static int axis_along(abut_quat q, int g) {
    const float v[3] = {q.x, q.y, q.z}, w = q.w;
    int k = (g + 1) % 3, l = (g + 2) % 3;
    if ((v[k] == 0 && v[l] == 0) ||
        (v[g] == 0 && w == 0)) { /* a turn about g, or half a turn about an axis perpendicular to it */
        return g;
    }
    if (!abut_quat_is_quarter_turn(q)) {
        return -1;
    }
    /* What is left swaps axis g with another. The difference of these products is half of the entry (g, k) of the
     * matrix. The parts of q are equal or zero, so both products round alike. */
    return v[g] * v[k] != w * v[l] ? k : l;
}

/* The axes that a shared axis of the world decides: both face normals, and all cross products of edges. Each cross
 * product is parallel to the shared axis, or zero, or parallel to another face normal (where one factor is the shared
 * axis and the other is perpendicular to it).
 */
static abut_np_axes axes_along(int i, int j) {
    return UINT32_C(1) << i | UINT32_C(1) << (3 + j) | (ABUT_NP_AXES_ALL & ~UINT32_C(0x3f));
}

abut_np_axes abut_np_box_shared_axes(const abut_collider *a, const abut_collider *b, float margin, abut_np_axes axes) {
    const float *center_a = &a->center.x, *center_b = &b->center.x, *half_a = &a->half.x, *half_b = &b->half.x;
    double size = margin;
    for (int g = 0; g < 3; g++) {
        size += fabs((double)center_b[g] - center_a[g]) + ((double)half_a[g] + half_b[g]);
    }
    for (int g = 0; g < 3; g++) {
        int i = axis_along(a->rotation, g), j = axis_along(b->rotation, g);
        if (i < 0 || j < 0 || !(axes & axes_along(i, j))) {
            continue;
        }
        abut_dd along = abut_dd_abs(abut_dd_two_sum(center_b[g], -(double)center_a[g]));
        abut_dd halves = abut_dd_add(abut_dd_two_sum(half_a[i], half_b[j]), abut_dd_from(margin));
        if (abut_dd_sub(along, halves).hi > ABUT_NP_SLACK_DD * size) {
            return ABUT_NP_AXES_APART;
        }
        axes &= ~axes_along(i, j);
    }
    return axes;
}
