/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Frusta of every kind, and boxes about them, that are the same on every machine: made with + - * / and sqrt, one
 * number after the other. For answers that are pinned. */
#ifndef ABUT_TESTS_CULLING_ANY_FRUSTA_H
#define ABUT_TESTS_CULLING_ANY_FRUSTA_H

#include "support/rng.h"
#include <abut/frustum.h>

/* The order in which numbers are drawn must not be left to the compiler: of either sign, and one of n numbers changed.
 */
double any_signed(rng *r, int low, int high);
void any_put(rng *r, float *x, uint32_t n, float value);

enum { ANY_FRUSTA = 10 };

/* Kind `kind` % ANY_FRUSTA: from axes, poses, boxes and matrices of all three clips: near the origin or far from it,
 * wide and narrow, long and short, without a far plane, oblique, orthographic, or anything. Some are refused. */
abut_result any_frustum(rng *r, uint32_t kind, abut_frustum *frustum);

/* A box near a corner, an edge or a face of the frustum, inside or outside by 0 to 1 of its size; thin ones and points,
 * too. */
abut_obb any_box_near(rng *r, const abut_frustum *frustum);

#endif
