/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Making a slant. */
#ifndef ABUT_SHAPE_SLANT_H
#define ABUT_SHAPE_SLANT_H

#include "base/slant.h"
#include <stdbool.h>

/* Around a box that three axes (the columns of a matrix, row-major) and half extents describe, and what is within
 * `reach` of it; low and high are the bounds of that, rounded outward. False, and none is made, where they fit as well,
 * nearly. */
bool abut_slant_of(const double center[3], const double *axes, const double half[3], double reach, const float low[3],
                   const float high[3], abut_slant *slant);

#endif
