/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Whether two boxes are apart, decided by the 15 separating axes (Gottschalk 1996, Gomez 1999) in three arithmetics:
 * float decides nearly all pairs, double nearly all of the others, double-double the rest. A stage answers only where
 * its rounding errors cannot change the answer; docs/numerics.md derives the bounds. box.h lists the stages and their
 * files. The kernels take many pairs at once, and a single pair as a list of one. */
#ifndef ABUT_NARROWPHASE_BOX_SEPARATION_H
#define ABUT_NARROWPHASE_BOX_SEPARATION_H

#include "narrowphase/box/kernels.h"
#include "narrowphase/narrowphase.h"

/* ABUT_NP_TOUCHING_BY_FACE: the boxes touch, and their manifold is certain to be one of faces. Reported only on request
 * (`kinds`). */
typedef enum abut_np_verdict {
    ABUT_NP_APART,
    ABUT_NP_TOUCHING,
    ABUT_NP_UNDECIDED,
    ABUT_NP_TOUCHING_BY_FACE
} abut_np_verdict;

/* A set of axes: ABUT_NP_AXES_ALL in kernels.h. */
typedef uint32_t abut_np_axes;

/* The collider at this index of an array of pairs. */
static inline const abut_collider *abut_np_box_collider_at(const void *first, size_t stride, uint32_t index) {
    return (const abut_collider *)(const void *)((const char *)first + stride * index);
}

/* A single pair as a list. Verdicts are asked of the portable kernels: those stop at the first gap, whereas wide
 * kernels would fill a register with copies. */
static inline abut_np_box_pairs abut_np_box_list_of_one(const void *a, const void *b) {
    static const uint32_t first = 0;
    return (abut_np_box_pairs){.a = a, .b = b, .index_a = &first, .index_b = &first, .n = 1};
}

/* Whether the gap over some axis exceeds margin. */
bool abut_np_box_separated(const abut_collider *a, const abut_collider *b, float margin);

/* The same for many pairs of abut_collider: verdict[k] becomes ABUT_NP_APART or ABUT_NP_TOUCHING or, with `kinds`,
 * ABUT_NP_TOUCHING_BY_FACE. Returns the number of pairs that float did not decide. */
size_t abut_np_box_verdicts_many(const abut_np_box_pairs *pairs, float margin, bool kinds, uint8_t *verdict);

/* The stages one by one, so that tests can compare them. */
abut_np_verdict abut_np_box_float_verdict(const abut_collider *a, const abut_collider *b, float margin);

/* The exact verdict for two boxes aligned with the world's axes; ABUT_NP_UNDECIDED for others. */
abut_np_verdict abut_np_box_aligned_verdict(const abut_collider *a, const abut_collider *b, float margin);

/* The axes that double cannot decide. None: the boxes touch; ABUT_NP_AXES_APART: they are apart. */
abut_np_axes abut_np_box_double_axes(const abut_collider *a, const abut_collider *b, float margin);

/* Decides those of `axes` that lie along an axis of the world which both boxes share, where the gap is a sum of stored
 * numbers, and returns the others (or ABUT_NP_AXES_APART). Stacks and walls that touch exactly are decided here. */
abut_np_axes abut_np_box_shared_axes(const abut_collider *a, const abut_collider *b, float margin, abut_np_axes axes);

/* The stages after float, which left the pair undecided. */
bool abut_np_box_separated_after_float(const abut_collider *a, const abut_collider *b, float margin);

/* The stages after double, which left `axes` undecided. */
bool abut_np_box_separated_exactly(const abut_collider *a, const abut_collider *b, float margin, abut_np_axes axes);

/* The last stage: whether one of `axes` shows a gap over margin, in double-double. */
bool abut_np_box_separated_dd(const abut_collider *a, const abut_collider *b, double margin, abut_np_axes axes);

#endif
