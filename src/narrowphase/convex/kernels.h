/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The axis along which two hulls are farthest apart, or overlap least. */
#ifndef ABUT_NARROWPHASE_CONVEX_KERNELS_H
#define ABUT_NARROWPHASE_CONVEX_KERNELS_H

#include "base/isa.h"
#include "narrowphase/convex/pair.h"

typedef enum abut_np_axis_kind { ABUT_NP_FACET_OF_A, ABUT_NP_FACET_OF_B, ABUT_NP_EDGES } abut_np_axis_kind;

typedef struct abut_np_axis {
    double separation; /* along `normal`, from the supports of all vertices; negative: the depth */
    abut_d3 normal;    /* a unit vector in the frame of a, from a to b */
    abut_np_axis_kind kind;
    uint32_t of_a, of_b; /* the edges of a and b; or the facet, and of the other hull the vertex that meets it */
    bool facet_alone;    /* the normal is the facet's, not that of the face that it was merged into */
} abut_np_axis;

typedef struct abut_np_convex_kernels {
    uint32_t lanes; /* facets at a time */
    /* Whether no axis shows a gap over margin (>= 0). If so, *axis is the best axis; else it is unchanged. `hint` is
     * read and written; it may be NULL. */
    bool (*find_axis)(const abut_np_convex_pair *pair, double margin, abut_np_hint *hint, abut_np_axis *axis);
    /* The best axis of a pair without a gap over margin if faces are not preferred to edges. */
    void (*find_best_axis)(const abut_np_convex_pair *pair, double margin, abut_np_axis *axis);
    /* Whether no axis shows a gap, without the axis. */
    bool (*touch)(const abut_np_convex_pair *pair, abut_np_hint *hint);
} abut_np_convex_kernels;

ABUT_KERNEL_TABLES(abut_np_convex_kernels)

#endif
