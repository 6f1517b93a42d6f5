/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Where two hulls touch. */
#ifndef ABUT_NARROWPHASE_CONVEX_MANIFOLD_H
#define ABUT_NARROWPHASE_CONVEX_MANIFOLD_H

#include "narrowphase/convex/kernels.h"
#include "narrowphase/points.h"

/* The id of a point where these edges cross: the same where the hulls overlap and across a gap. */
uint32_t abut_np_crossing(const abut_np_convex_pair *pair, uint32_t edge_a, uint32_t edge_b);

/* Like abut_np_convex_manifold, in double. With an axis of a facet whose separation is -INFINITY, points keep their
 * heights over its face; there may be none. */
void abut_np_convex_points(const abut_np_convex_pair *pair, const abut_collider *collider_a,
                           const abut_collider *collider_b, double margin, const abut_np_axis *axis,
                           abut_np_points *out);

/* The manifold of a pair without a gap over margin, along the axis that find_axis found for it. */
void abut_np_convex_manifold(const abut_np_convex_pair *pair, const abut_collider *collider_a,
                             const abut_collider *collider_b, double margin, const abut_np_axis *axis,
                             abut_manifold *manifold);

#endif
