/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The axes of a register full of oriented boxes: one text for the float and the double stage. The file that includes
 * this first includes base/lanes/vector_float.h or vector_double.h. docs/numerics.md, "Culling", bounds the errors. */
#ifndef ABUT_CULLING_BOX_H
#define ABUT_CULLING_BOX_H

#include "base/lanes/vector.h"

/* The columns of R(q)/|q|^2, with n = |q|^2. */
static ABUT_INLINE void rotation_columns(const vreal q[4], vreal n, vreal axis[3][3]) {
    vreal s = quotient(constant(2), n), one = constant(1);
    vreal xs = times(q[0], s), ys = times(q[1], s), zs = times(q[2], s);
    vreal xx = times(q[0], xs), yy = times(q[1], ys), zz = times(q[2], zs);
    vreal xy = times(q[0], ys), xz = times(q[0], zs), yz = times(q[1], zs);
    vreal wx = times(q[3], xs), wy = times(q[3], ys), wz = times(q[3], zs);
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

#endif
