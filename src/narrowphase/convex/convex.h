/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Pairs of shapes of which at least one is a hull: their entries in the table of pairs. The other shape may be a box.
 */
#ifndef ABUT_NARROWPHASE_CONVEX_CONVEX_H
#define ABUT_NARROWPHASE_CONVEX_CONVEX_H

#include "narrowphase/narrowphase.h"

/* As abut_np_overlap and abut_np_collide, but with a margin a pair counts where no axis shows a gap over it: pairs.c
 * measures the distance. Across a gap of more than about 1e-6 S the manifold is made for that: points of faces have
 * their heights, and where there is none points[0] has the separation. `hint` is read and written; it may be NULL. */
bool abut_np_convex_overlap(const abut_collider *a, const abut_collider *b, abut_np_hint *hint);
bool abut_np_convex_collide(const abut_collider *a, const abut_collider *b, float margin, abut_np_hint *hint,
                            abut_manifold *manifold);

#endif
