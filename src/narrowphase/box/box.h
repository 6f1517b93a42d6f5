/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Box against box: the functions in the table of pairs (narrowphase/pairs.c).
 *
 * separation.c decides whether two boxes touch, by the 15 separating axes; separation_many.c decides it for many pairs.
 * The stages, in this order; each one gets the pairs that the stages before it left undecided:
 *   separation_float.c    float: nearly all pairs (kernel)
 *   separation_aligned.c  exact sums, for boxes aligned with the world's axes (kernel)
 *   separation_double.c   double: leaves a set of undecided axes (kernel)
 *   separation_dd.c       exact sums along axes of the world that both boxes share; then double-double for the rest
 * axes.inc holds the arithmetic of the 15 axes that float and double share.
 *
 * manifolds.c (kernel) computes the manifold of boxes that touch, in double. Its parts, in the order of the work:
 *   manifold_pair.inc     loads a pair of boxes and puts them in an order that does not depend on the caller
 *   manifold_axis.inc     the axis of least depth
 *   manifold_edge.inc     the contact point of two edges
 *   manifold_faces.inc    the reference face and the incident face
 *   manifold_flush.inc    the rectangle that two aligned faces share
 *   manifold_clip.inc     other faces: clips the incident face by the reference face
 *   manifold_reduce.inc   at most four points of those
 *   manifold_alone.inc    the last two for one pair alone, with the edges of a face in lanes
 *
 * single.c decides one pair; of boxes that are not turned at all it has the manifold, too.
 *
 * Kernels process one pair per SIMD lane and are compiled once for each instruction set; kernels.h has their contracts.
 */
#ifndef ABUT_NARROWPHASE_BOX_BOX_H
#define ABUT_NARROWPHASE_BOX_BOX_H

#include "narrowphase/narrowphase.h"

/* Boxes need no hints. With a margin a pair counts where no axis shows a gap over it: pairs.c measures the distance. */
bool abut_np_box_overlap(const abut_collider *a, const abut_collider *b, abut_np_hint *hint);
bool abut_np_box_collide(const abut_collider *a, const abut_collider *b, float margin, abut_np_hint *hint,
                         abut_manifold *manifold);

/* The same for many pairs: the results of pair k are written to hit[where[k]] and manifold[where[k]]. */
void abut_np_box_overlap_many(const abut_np_pairs *pairs, const uint32_t *where, uint8_t *hit);
void abut_np_box_collide_many(const abut_np_pairs *pairs, float margin, const uint32_t *where, abut_manifold *manifold,
                              uint8_t *hit);

/* abut_np_collide_boxes, but with the pairs of which no axis shows a gap over the margin. */
void abut_np_box_collide_packed(const abut_np_pairs *pairs, float margin, abut_manifold *first, size_t stride,
                                uint8_t *hit);

/* Whether this manifold of two boxes across a gap is that of their closest points: its normal is that of a face, and
 * the corner of the other box that is nearest to the face lies over it, as high as `separation`, the manifold's least.
 * Then that is the distance, because no axis shows more than the distance. */
bool abut_np_box_gap_by_face(const abut_collider *a, const abut_collider *b, const abut_manifold *manifold,
                             float separation);

/* How high one box lies, along the normal, over the face of the other that has this point. INFINITY if the normal is
 * not that of a face. The manifold's own deepest point has the depth along the normal in place of its height. */
double abut_np_box_gap_height(const abut_collider *a, const abut_collider *b, const abut_manifold *manifold,
                              uint32_t point);

#endif
