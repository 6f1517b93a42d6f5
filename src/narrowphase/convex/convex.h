/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Pairs with a hull in them: the functions that stand in the shape tables. */
#ifndef ABUT_NARROWPHASE_CONVEX_CONVEX_H
#define ABUT_NARROWPHASE_CONVEX_CONVEX_H

#include "narrowphase/narrowphase.h"

bool abut_np_convex_overlap(const abut_collider *a, const abut_collider *b, abut_np_hint *hint);
bool abut_np_convex_collide(const abut_collider *a, const abut_collider *b, float margin, abut_np_hint *hint,
                            abut_manifold *manifold);

#endif
