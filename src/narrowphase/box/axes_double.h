/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The arithmetic of axes.h on doubles. Part of a kernel. */
#ifndef ABUT_NARROWPHASE_BOX_AXES_DOUBLE_H
#define ABUT_NARROWPHASE_BOX_AXES_DOUBLE_H

#include "base/lanes/lanes.h"

typedef abut_vd lanes;

static inline lanes sum(lanes a, lanes b) {
    return abut_vd_add(a, b);
}

static inline lanes minus(lanes a, lanes b) {
    return abut_vd_sub(a, b);
}

static inline lanes times(lanes a, lanes b) {
    return abut_vd_mul(a, b);
}

static inline lanes quotient(lanes a, lanes b) {
    return abut_vd_div(a, b);
}

static inline lanes root(lanes a) {
    return abut_vd_sqrt(a);
}

static inline lanes absolute(lanes a) {
    return abut_vd_abs(a);
}

static inline lanes largest(lanes a, lanes b) {
    return abut_vd_max(a, b);
}

static inline lanes constant(double x) {
    return abut_vd_set(x);
}

static ABUT_INLINE void load10(const void *at, size_t stride, const uint32_t *index, lanes v[10]) {
    abut_vd_load10(at, stride, index, v);
}

#include "narrowphase/box/axes.h"

#endif
