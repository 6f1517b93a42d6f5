/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Whether two boxes are apart, decided by the 15 axes (Gottschalk 1996, Gomez 1999) in three arithmetics: float settles
 * nearly all pairs, double nearly all of the rest, double-double what remains. Each stage answers only what its
 * rounding errors cannot overturn; docs/numerics.md derives the bounds. The first two are kernels: many pairs at once,
 * and a single pair as a list of one. */
#ifndef ABUT_NARROWPHASE_BOX_SEPARATION_H
#define ABUT_NARROWPHASE_BOX_SEPARATION_H

#include "narrowphase/box/kernels.h"
#include "narrowphase/narrowphase.h"

/* ABUT_NP_TOUCHING_BY_FACE: they touch, and their manifold is certainly one of faces. Only told where it is asked for.
 */
typedef enum abut_np_verdict {
    ABUT_NP_APART,
    ABUT_NP_TOUCHING,
    ABUT_NP_UNDECIDED,
    ABUT_NP_TOUCHING_BY_FACE
} abut_np_verdict;

/* A set of axes; see kernels.h. */
typedef uint32_t abut_np_axes;

/* Whether the gap over some axis exceeds margin. */
bool abut_np_box_separated(const abut_collider *a, const abut_collider *b, float margin);

/* The same for many pairs of abut_collider: verdict[k] becomes ABUT_NP_APART or ABUT_NP_TOUCHING or, with `kinds`,
 * ABUT_NP_TOUCHING_BY_FACE. Returns how many pairs float did not settle. */
size_t abut_np_box_verdicts_many(const abut_np_box_pairs *pairs, float margin, bool kinds, uint8_t *verdict);

/* The stages, each a function of its own so that tests can hold them against each other. */
abut_np_verdict abut_np_box_float_verdict(const abut_collider *a, const abut_collider *b, float margin);

/* The exact answer for two boxes that are parallel to the axes of the world; ABUT_NP_UNDECIDED for others. */
abut_np_verdict abut_np_box_aligned_verdict(const abut_collider *a, const abut_collider *b, float margin);

/* What double cannot settle: 0: touching, ABUT_NP_AXES_APART: apart. */
abut_np_axes abut_np_box_double_axes(const abut_collider *a, const abut_collider *b, float margin);

/* The same, for what is left of `axes` when those are settled that lie along an axis of the world for both boxes: there
 * the gap is a sum of stored numbers. Stacks and walls that touch exactly end here. */
abut_np_axes abut_np_box_shared_axes(const abut_collider *a, const abut_collider *b, float margin, abut_np_axes axes);

bool abut_np_box_separated_dd(const abut_collider *a, const abut_collider *b, double margin, abut_np_axes axes);

#endif
