/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Arithmetic on vectors, in short: the same text for floats (vector_float.h) and for doubles (vector_double.h), which
 * include this after they have defined, for their precision,
 *
 *     real             the number in one lane
 *     vreal, vbool     numbers and truth values in all lanes (vf and mf, or vd and md; only text that serves both
 *                      precisions uses these names)
 *     VECTOR, MASK     the prefixes of the functions in lanes.h
 */
#ifndef ABUT_BASE_LANES_VECTOR_H
#define ABUT_BASE_LANES_VECTOR_H

static inline vreal constant(real x) {
    return VECTOR(set)(x);
}

static inline vreal sum(vreal a, vreal b) {
    return VECTOR(add)(a, b);
}

static inline vreal minus(vreal a, vreal b) {
    return VECTOR(sub)(a, b);
}

static inline vreal times(vreal a, vreal b) {
    return VECTOR(mul)(a, b);
}

static inline vreal quotient(vreal a, vreal b) {
    return VECTOR(div)(a, b);
}

/* a < b ? a : b */
static inline vreal smaller(vreal a, vreal b) {
    return VECTOR(min)(a, b);
}

/* a > b ? a : b */
static inline vreal larger(vreal a, vreal b) {
    return VECTOR(max)(a, b);
}

static inline vreal negated(vreal a) {
    return VECTOR(neg)(a);
}

static inline vreal absolute(vreal a) {
    return VECTOR(abs)(a);
}

static inline vreal root(vreal a) {
    return VECTOR(sqrt)(a);
}

/* Comparisons with NaN are false. */
static inline vbool less(vreal a, vreal b) {
    return VECTOR(lt)(a, b);
}

static inline vbool at_most(vreal a, vreal b) {
    return VECTOR(le)(a, b);
}

static inline vbool equal(vreal a, vreal b) {
    return VECTOR(eq)(a, b);
}

static inline vbool both(vbool m, vbool n) {
    return MASK(and)(m, n);
}

static inline vbool either(vbool m, vbool n) {
    return MASK(or)(m, n);
}

/* m and not n */
static inline vbool but_not(vbool m, vbool n) {
    return MASK(and_not)(m, n);
}

/* Bit l: lane l. */
static inline uint32_t bits_of(vbool m) {
    return MASK(bits)(m);
}

/* m ? a : b */
static inline vreal choose(vbool m, vreal a, vreal b) {
    return VECTOR(select)(m, a, b);
}

/* low < x < high */
static inline vbool in_range(vreal x, real low, real high) {
    return both(less(constant(low), x), less(x, constant(high)));
}

static inline vreal sum3(vreal a, vreal b, vreal c) {
    return sum(sum(a, b), c);
}

/* a0 b0 + a1 b1 + a2 b2 */
static inline vreal dot3(vreal a0, vreal b0, vreal a1, vreal b1, vreal a2, vreal b2) {
    return sum3(times(a0, b0), times(a1, b1), times(a2, b2));
}

/* a b - c d */
static inline vreal difference(vreal a, vreal b, vreal c, vreal d) {
    return minus(times(a, b), times(c, d));
}

static inline vreal dot(const vreal a[3], const vreal b[3]) {
    return sum3(times(a[0], b[0]), times(a[1], b[1]), times(a[2], b[2]));
}

/* |a|_1 */
static inline vreal norm1(const vreal a[3]) {
    return sum3(absolute(a[0]), absolute(a[1]), absolute(a[2]));
}

/* |q|^2 of a quaternion. */
static inline vreal squared_norm4(const vreal q[4]) {
    return sum(sum(times(q[0], q[0]), times(q[1], q[1])), sum(times(q[2], q[2]), times(q[3], q[3])));
}

/* R(q)/|q|^2 by rows, with n = |q|^2. Column j is the direction of local axis j. */
static inline void rotation_matrix(const vreal q[4], vreal n, vreal r[3][3]) {
    vreal s = quotient(constant(2), n), one = constant(1);
    vreal xs = times(q[0], s), ys = times(q[1], s), zs = times(q[2], s);
    vreal xx = times(q[0], xs), yy = times(q[1], ys), zz = times(q[2], zs);
    vreal xy = times(q[0], ys), xz = times(q[0], zs), yz = times(q[1], zs);
    vreal wx = times(q[3], xs), wy = times(q[3], ys), wz = times(q[3], zs);
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

/* Component i of conj(a) b; (i, k, l) is cyclic. Equal quaternions give exactly 0, because each product cancels its
 * equal. */
static inline vreal relative_part(const vreal a[4], const vreal b[4], int i, int k, int l) {
    return sum(difference(a[3], b[i], a[i], b[3]), difference(a[l], b[k], a[k], b[l]));
}

/* conj(a) b */
static inline void relative_quaternion(const vreal a[4], const vreal b[4], vreal out[4]) {
    out[0] = relative_part(a, b, 0, 1, 2);
    out[1] = relative_part(a, b, 1, 2, 0);
    out[2] = relative_part(a, b, 2, 0, 1);
    out[3] = sum(sum(times(a[3], b[3]), times(a[0], b[0])), sum(times(a[1], b[1]), times(a[2], b[2])));
}

/* `index` itself if it has `lanes` entries; else `last`, filled with the n entries and copies of the first. n > 0. */
static inline const uint32_t *padded(const uint32_t *index, size_t n, size_t lanes, uint32_t *last) {
    for (size_t l = 0; n < lanes && l < lanes; l++) {
        last[l] = index[l < n ? l : 0];
    }
    return n < lanes ? last : index;
}

#endif
