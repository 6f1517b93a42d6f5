/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Oriented boxes: the functions that stand in the shape tables. */
#ifndef ABUT_NARROWPHASE_OBB_H
#define ABUT_NARROWPHASE_OBB_H

#include "narrowphase/narrowphase.h"
#include "narrowphase/obb_kernels.h"

abut_aabb abut_np_obb_bounds(const abut_np_row *row);
bool abut_np_obb_overlap(const abut_np_row *a, const abut_np_row *b);
bool abut_np_obb_collide(const abut_np_row *a, const abut_np_row *b, float margin, abut_manifold *manifold);

/* The same for many pairs of abut_np_row: hit[where[k]] and, if that is 1, manifold[where[k]] are those of pair k. */
void abut_np_obb_collide_many(const abut_np_obb_pairs *pairs, float margin, const uint32_t *where,
                              abut_manifold *manifold, uint8_t *hit);

#endif
