/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Oriented boxes without a world: bounds, corners, pair tests. For spheres, capsules and rounded boxes, and for
 * distances, see shape.h.
 *
 * Rotations are used as given: they may have any length, and all zero means the identity. For invalid input (a null
 * pointer, NaN, infinity, a negative half extent) pair tests return false, and bounds and corners are NaN. Every
 * function is pure and may run on any thread. */
#ifndef ABUT_OBB_H
#define ABUT_OBB_H

#include <abut/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The axis-aligned bounds of the eight corners. They contain the exact corners, and exceed them by at most a few units
 * in the last place of |centre| + half size, along each axis. Method: half size |R| h per axis, after Lander, "When two
 * hearts collide" (Gamasutra, 2000). */
ABUT_API abut_aabb abut_obb_bounds(const abut_obb *box);

/** The same for n boxes: bounds[i] becomes abut_obb_bounds(&boxes[i]), bit for bit, with NaN for invalid boxes.
 * ABUT_ERROR_ARGUMENT for null pointers with n > 0; then nothing is written. */
ABUT_API abut_result abut_obb_bounds_many(const abut_obb *boxes, size_t n, abut_aabb *bounds);

/** The corners, rounded to floats. Corner i lies at the positive end of axis k if bit k of i is set. */
ABUT_API void abut_obb_corners(const abut_obb *box, abut_vec3 out[8]);

/** A tight box around a point cloud: flush with a face and an edge of its convex hull, not always the smallest box. It
 * contains every point exactly. Flat clouds give plates and rods; an extent is zero where floats can represent that.
 * The same set of points gives the same box. ABUT_ERROR_ARGUMENT for null pointers, no points, NaN and infinity;
 * ABUT_ERROR_LIMIT for a coordinate beyond ABUT_MAX_COORDINATE; ABUT_ERROR_MEMORY. On an error *box is unchanged.
 * Scratch memory, some hundred bytes per point, comes from malloc and is freed before the call returns. O(n log n) for
 * usual input. */
ABUT_API abut_result abut_obb_fit(const abut_vec3 *points, size_t n, abut_obb *box);

/** abut_obb_fit with scratch memory from `allocator`, which may be NULL or zero for malloc. The same box, bit for bit.
 * ABUT_ERROR_ARGUMENT also when only one of the allocator's functions is set. */
ABUT_API abut_result abut_obb_fit_with(const abut_vec3 *points, size_t n, const abut_allocator *allocator,
                                       abut_obb *box);

/** A renderer's object as an oriented box: a local axis-aligned box under a model matrix (column-major, column vectors:
 * world = M (p, 1)). The matrix may scale, mirror and flatten. The box contains the exact images of all points of
 * `local`. It is as tight as floats allow, except for a sheared matrix: no oriented box fits a sheared box.
 * ABUT_ERROR_ARGUMENT for null pointers, NaN, infinity, local min > max, and a last row that is not 0 0 0 1;
 * ABUT_ERROR_LIMIT beyond ABUT_MAX_COORDINATE. On an error *box is unchanged. */
ABUT_API abut_result abut_obb_from_matrix(const float model[16], const abut_aabb *local, abut_obb *box);

/** Whether two closed boxes share a point, by the 15-axis separating axis test of Gottschalk (1996) and Gomez (1999).
 * Exact: never false for boxes that touch, never true for boxes more than 1e-12 of their size apart. Takes about 20 ns.
 * Boxes that touch exactly take 0.2 microseconds (crates that are aligned with the world, or stand upright on each
 * other) to a few microseconds. */
ABUT_API bool abut_obb_overlap(const abut_obb *a, const abut_obb *b);

/** The same for n independent pairs a[i], b[i], many at once: about 5 ns per pair with AVX-512, 7 with AVX2, 12 with
 * SSE2. overlap[i] becomes 0 or 1. Returns how many overlap; 0 for null pointers with n > 0. */
ABUT_API size_t abut_obb_overlap_many(const abut_obb *a, const abut_obb *b, size_t n, uint8_t *overlap);

/** Whether the distance of two closed boxes is at most `margin` (a length, >= 0, finite; 0: whether they touch), and
 * where. The distance is Euclidean: within the margin none is missed, and none is in contact beyond margin + 1e-12 of
 * the size. If the answer is false the manifold is untouched; it must not be NULL. Swapping a and b negates the normal
 * and changes nothing else; only for two identical boxes, which nothing distinguishes, the normal stays the same. */
ABUT_API bool abut_obb_collide(const abut_obb *a, const abut_obb *b, float margin, abut_manifold *manifold);

#ifdef __cplusplus
}
#endif
#endif
