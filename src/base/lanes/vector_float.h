/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Short names for the vectors of floats in lanes.h, for a kernel that computes in float: vf, mf and what vector.h
 * lists. A file includes this or the other one of its kind, not both. */
#ifndef ABUT_BASE_LANES_VECTOR_FLOAT_H
#define ABUT_BASE_LANES_VECTOR_FLOAT_H

#include "base/lanes/lanes.h"

typedef abut_vf vf, vreal;
typedef abut_mf mf, vbool;
typedef float real;

#define VECTOR(name) abut_vf_##name
#define MASK(name) abut_mf_##name

#include "base/lanes/vector.h"

/* Whether sizes, and squared lengths of quaternions or axes, are in ranges in which no product of both loses bits to
 * the denormal range or overflows. NaN is in neither range. */
static inline mf size_in_range(vf size) {
    return in_range(size, 0x1p-60f, 0x1p+60f);
}

static inline mf square_in_range(vf square) {
    return in_range(square, 0x1p-40f, 0x1p+40f);
}

#endif
