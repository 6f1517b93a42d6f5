/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Pairs of shapes of which at least one has a radius, and pairs that a margin keeps in contact across a gap: their
 * functions in the table of pairs (narrowphase/pairs.c).
 *
 *   spheres.c, segments.c, capsule_box.c   kernels: spheres and capsules, also against boxes, by closed forms
 *   contact.inc                            what the kernels share: pairs and contacts in lanes
 *   capsule_box_contact.inc                the contact points of capsule_box.c
 *   single.c                               one pair of spheres or capsules, with the bits of the kernels
 *   round.c                                blocks of such pairs; hands on the few that the kernels leave
 *   cores.c                                any two cores: closest points (distance/), or the overlap of the cores
 *   gap.c                                  the contact points of cores that lie apart
 *   point_box.c                            a kernel: how far points and spheres are from boxes of any radius
 *   measure.c                              how far apart any two shapes are, by the closest points or by that kernel
 *   calls.c                                the public functions for two shapes
 */
#ifndef ABUT_NARROWPHASE_ROUND_ROUND_H
#define ABUT_NARROWPHASE_ROUND_ROUND_H

#include "narrowphase/narrowphase.h"

/* S: the L1 distance of the centres plus the extents of both shapes, radii included. */
double abut_np_size_of(const abut_collider *a, const abut_collider *b);

/* As abut_np_overlap and abut_np_collide, for any two shapes. They need no hints. */
bool abut_np_cores_overlap(const abut_collider *a, const abut_collider *b, abut_np_hint *hint);
bool abut_np_cores_collide(const abut_collider *a, const abut_collider *b, float margin, abut_np_hint *hint,
                           abut_manifold *manifold);

/* Whether the distance of two sharp shapes is at most `margin` (> 0). They do not overlap, and *manifold is what the
 * separating axes have found within the margin; it becomes that of the gap. */
bool abut_np_gap_collide(const abut_collider *a, const abut_collider *b, float margin, abut_manifold *manifold);

/* abut_np_cores_overlap and abut_np_cores_collide for pairs that a kernel takes: each a sphere or a capsule, or one of
 * them and the other a box with any radius. */
bool abut_np_round_overlap(const abut_collider *a, const abut_collider *b, abut_np_hint *hint);
bool abut_np_round_collide(const abut_collider *a, const abut_collider *b, float margin, abut_np_hint *hint,
                           abut_manifold *manifold);

/* The same for many pairs of one cell of the table: the results of pair k are written to hit[where[k]] and
 * manifold[where[k]]. */
void abut_np_round_overlap_many(const abut_np_pairs *pairs, const uint32_t *where, uint8_t *hit);
void abut_np_round_collide_many(const abut_np_pairs *pairs, float margin, const uint32_t *where,
                                abut_manifold *manifold, uint8_t *hit);

#endif
