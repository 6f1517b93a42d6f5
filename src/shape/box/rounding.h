/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* By how much bounds of boxes are enlarged, so that they contain the exact corners. docs/numerics.md has the errors. */
#ifndef ABUT_SHAPE_BOX_ROUNDING_H
#define ABUT_SHAPE_BOX_ROUNDING_H

/* Half the spacing of floats next to x is at most this times |x|, or 2^-150. The factor 1 + 2^-20 covers the rounding
 * of doubles. */
static const double ABUT_BOX_ROUNDED = (1 + 0x1p-20) * 0x1p-24;

/* A half size is enlarged by what rounding may have taken from it (ABUT_BOX_NEAR_ZERO keeps the error of an entry below
 * 2^-38) and by its share of the rounding of an end to a float. */
static const double ABUT_BOX_GROWN = 1 + (1 + 0x1p-10) * 0x1p-24;

/* Diagonal entries below this times |q|^2 are sums that cancel; they are recomputed accurately. */
static const double ABUT_BOX_NEAR_ZERO = 0x1p-14;

#endif
