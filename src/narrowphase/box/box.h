/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Oriented boxes: the functions that stand in the shape tables. */
#ifndef ABUT_NARROWPHASE_BOX_BOX_H
#define ABUT_NARROWPHASE_BOX_BOX_H

#include "narrowphase/narrowphase.h"

/* Boxes need no hints. */
bool abut_np_box_overlap(const abut_collider *a, const abut_collider *b, abut_np_hint *hint);
bool abut_np_box_collide(const abut_collider *a, const abut_collider *b, float margin, abut_np_hint *hint,
                         abut_manifold *manifold);

/* The same for many pairs: the answers to pair k go to hit[where[k]] and manifold[where[k]]. */
void abut_np_box_overlap_many(const abut_np_pairs *pairs, const uint32_t *where, uint8_t *hit);
void abut_np_box_collide_many(const abut_np_pairs *pairs, float margin, const uint32_t *where, abut_manifold *manifold,
                              uint8_t *hit);

#endif
