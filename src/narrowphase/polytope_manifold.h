/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Where two polytopes touch. */
#ifndef ABUT_NARROWPHASE_POLYTOPE_MANIFOLD_H
#define ABUT_NARROWPHASE_POLYTOPE_MANIFOLD_H

#include "narrowphase/polytope_kernels.h"

/* The manifold of a pair that touches, or has no gap over margin, along the axis that was found. */
void abut_np_polytope_manifold(const abut_np_polytope_pair *pair, const abut_np_row *row_a, const abut_np_row *row_b,
                               double margin, const abut_np_axis *axis, abut_manifold *manifold);

#endif
