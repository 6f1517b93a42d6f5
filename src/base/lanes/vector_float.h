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

#endif
