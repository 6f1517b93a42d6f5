/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Short names for the vectors of doubles in lanes.h, for a kernel that computes in double: vd, md and what vector.h
 * lists. A file includes this or the other one of its kind, not both. */
#ifndef ABUT_BASE_LANES_VECTOR_DOUBLE_H
#define ABUT_BASE_LANES_VECTOR_DOUBLE_H

#include "base/lanes/lanes.h"

typedef abut_vd vd, vreal;
typedef abut_md md, vbool;
typedef double real;

#define VECTOR(name) abut_vd_##name
#define MASK(name) abut_md_##name

#include "base/lanes/vector.h"

#endif
