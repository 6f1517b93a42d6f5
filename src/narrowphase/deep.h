/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which points count as deep as the deepest, where four are kept of many. If the deepest is not one of the four, but
 * one of them is as deep, all four are lowered alike until the depth is exact: so no separation jumps when another of
 * them, or of those left out, becomes the deepest, and their differences are those of the shapes. */
#ifndef ABUT_NARROWPHASE_DEEP_H
#define ABUT_NARROWPHASE_DEEP_H

#include "base/spatial.h"
#include "narrowphase/tolerance.h"

/* Up to how much less deep than the deepest point, whose depth this is, another counts as deep. extent: the size of the
 * smaller shape. */
static inline double abut_np_as_deep(double depth, double extent) {
    const double share = depth <= ABUT_NP_AS_DEEP_RESTING * extent ? ABUT_NP_AS_DEEP_OF_DEPTH * depth : 0;
    return abut_max_d(ABUT_NP_AS_DEEP * extent, abut_min_d(share, ABUT_NP_AS_DEEP_MOST * extent));
}

#endif
