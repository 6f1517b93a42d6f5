/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The axes of a register full of oriented boxes: one arithmetic for the float and the double stage. The file that
 * includes this first defines, for floats or for doubles, `lanes` and the functions sum, minus, times, quotient,
 * absolute and constant. docs/numerics.md, "Culling", bounds the errors. */
#ifndef ABUT_CULLING_BOX_H
#define ABUT_CULLING_BOX_H

#include "base/compiler.h"
#include <stddef.h>
#include <stdint.h>

static inline lanes sum3(lanes a, lanes b, lanes c) {
    return sum(sum(a, b), c);
}

static inline lanes dot(const lanes a[3], const lanes b[3]) {
    return sum3(times(a[0], b[0]), times(a[1], b[1]), times(a[2], b[2]));
}

/* |a|_1 */
static inline lanes norm1(const lanes a[3]) {
    return sum3(absolute(a[0]), absolute(a[1]), absolute(a[2]));
}

static inline lanes norm2(const lanes q[4]) {
    return sum(sum(times(q[0], q[0]), times(q[1], q[1])), sum(times(q[2], q[2]), times(q[3], q[3])));
}

/* The columns of R(q)/|q|^2, with n = |q|^2. */
static ABUT_INLINE void rotation_columns(const lanes q[4], lanes n, lanes axis[3][3]) {
    lanes s = quotient(constant(2), n), one = constant(1);
    lanes xs = times(q[0], s), ys = times(q[1], s), zs = times(q[2], s);
    lanes xx = times(q[0], xs), yy = times(q[1], ys), zz = times(q[2], zs);
    lanes xy = times(q[0], ys), xz = times(q[0], zs), yz = times(q[1], zs);
    lanes wx = times(q[3], xs), wy = times(q[3], ys), wz = times(q[3], zs);
    axis[0][0] = minus(one, sum(yy, zz));
    axis[0][1] = sum(xy, wz);
    axis[0][2] = minus(xz, wy);
    axis[1][0] = minus(xy, wz);
    axis[1][1] = minus(one, sum(xx, zz));
    axis[1][2] = sum(yz, wx);
    axis[2][0] = sum(xz, wy);
    axis[2][1] = minus(yz, wx);
    axis[2][2] = minus(one, sum(xx, yy));
}

/* The indices of a register full of boxes, of which n are left: if those are too few, the first of them is repeated. */
static inline const uint32_t *padded(const uint32_t *index, size_t n, size_t count, uint32_t *last) {
    for (size_t l = 0; n < count && l < count; l++) {
        last[l] = index[l < n ? l : 0];
    }
    return n < count ? last : index;
}

#endif
