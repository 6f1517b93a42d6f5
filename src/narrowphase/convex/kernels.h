/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The axis that parts two convex polytopes, or along which they overlap least. */
#ifndef ABUT_NARROWPHASE_CONVEX_KERNELS_H
#define ABUT_NARROWPHASE_CONVEX_KERNELS_H

#include "base/isa.h"
#include "narrowphase/convex/pair.h"

typedef enum abut_np_axis_kind { ABUT_NP_FACET_OF_A, ABUT_NP_FACET_OF_B, ABUT_NP_EDGES } abut_np_axis_kind;

typedef struct abut_np_axis {
    double separation; /* along the unit vector `normal`, from the supports of all vertices */
    abut_d3 normal;    /* in the frame of a, from a to b */
    abut_np_axis_kind kind;
    uint32_t of_a, of_b; /* facet, or edge: the number on a, on b. For a facet the other is the vertex that meets it */
} abut_np_axis;

typedef struct abut_np_convex_kernels {
    /* Whether no axis shows a gap over margin, and if so the best axis. `hint` is read and written; it may be NULL. */
    bool (*find_axis)(const abut_np_convex_pair *pair, double margin, abut_np_hint *hint, abut_np_axis *axis);
    /* The first of these alone. */
    bool (*touch)(const abut_np_convex_pair *pair, abut_np_hint *hint);
} abut_np_convex_kernels;

ABUT_KERNEL_TABLES(abut_np_convex_kernels)

#endif
