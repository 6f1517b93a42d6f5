/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The kernel of casts: one moving box against many. */
#ifndef ABUT_NARROWPHASE_CAST_KERNELS_H
#define ABUT_NARROWPHASE_CAST_KERNELS_H

#include "base/isa.h"
#include "narrowphase/narrowphase.h"

/* This times S bounds what rounding does to a distance of shapes on their way: docs/numerics.md, "Casts". */
static const double ABUT_NP_CAST_SLACK = 0x1p-46;

/* This times S is more than by how much shapes may be apart that count as touching by the predicate for rounded ones.
 */
static const double ABUT_NP_CAST_ROUND_SLACK = 0x1p-44;

/* A box that moves without turning. */
typedef struct abut_np_cast_box {
    double center[3], rotation[4], half[3], radius;
    double axes[3][3]; /* column j: its axis j in the world */
    double along[3];   /* the translation in its frame */
} abut_np_cast_box;

typedef struct abut_np_cast_kernels {
    uint32_t lanes;
    /* As abut_np_cast_many without a limit, for colliders that are boxes, grown by the slack: exactly 0 where rounding
     * leaves open whether they touch at the start. n > 0. */
    void (*boxes)(const abut_np_cast_box *box, const abut_collider *collider, const uint32_t *index, size_t n,
                  double *fraction);
    /* The same with radii; the fraction may be too early: that of cores no axis of which shows a gap over the radii. */
    void (*rounds)(const abut_np_cast_box *box, const abut_collider *collider, const uint32_t *index, size_t n,
                   double *fraction);
} abut_np_cast_kernels;

ABUT_KERNEL_TABLES(abut_np_cast_kernels)

#endif
