/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Pairs with a hull in them: the functions that stand in the shape tables. */
#ifndef ABUT_NARROWPHASE_HULL_PAIR_H
#define ABUT_NARROWPHASE_HULL_PAIR_H

#include "narrowphase/narrowphase.h"

abut_aabb abut_np_hull_bounds(const abut_np_row *row);
bool abut_np_polytope_overlap(const abut_np_row *a, const abut_np_row *b, abut_np_hint *hint);
bool abut_np_polytope_collide(const abut_np_row *a, const abut_np_row *b, float margin, abut_np_hint *hint,
                              abut_manifold *manifold);

#endif
