/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * What a camera sees: frusta, and oriented boxes against them.
 *
 * No visible box is ever reported as outside, however close to the border it is: rounding errors can only keep a box.
 * They are about 1e-13 of the distances, and up to 1e-7 of a box's size where its edges and the frustum's are nearly
 * parallel. A box that is outside is separated from the frustum by a plane, which need not be one of the frustum's own:
 * boxes that plane tests would keep near a corner or an edge of the frustum are outside here. Every function is pure
 * and may run on any thread. */
#ifndef ABUT_FRUSTUM_H
#define ABUT_FRUSTUM_H

#include <abut/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The depth range of a projection. */
typedef enum abut_clip {
    ABUT_CLIP_NEG_ONE_TO_ONE, /**< -w <= z <= w: OpenGL */
    ABUT_CLIP_ZERO_TO_ONE,    /**< 0 <= z <= w: Direct3D, Vulkan, Metal, WebGPU */
    ABUT_CLIP_REVERSED        /**< 0 <= z <= w, w at the near plane and 0 at the far one */
} abut_clip;
ABUT_ASSERT_ENUM(abut_clip);

/** Where a closed box is, relative to a closed frustum. */
typedef enum abut_side {
    ABUT_OUTSIDE,    /**< they share no point */
    ABUT_INTERSECTS, /**< they share a point, or are too close for rounding to decide */
    ABUT_INSIDE      /**< the frustum contains the whole box */
} abut_side;
ABUT_ASSERT_ENUM(abut_side);

/** A convex part of space with at most six faces, which may be infinite. Plain data without pointers, some 1,200 bytes:
 * copy it, keep it on the stack. Its fields are private. Zero-initialised it has no faces: everything is inside. */
typedef struct abut_frustum {
    /** @cond */
    float origin[3];      /* everything below is relative to it: the eye, or a point in the frustum */
    uint32_t plane_count; /* 0: all of space */
    uint32_t run_count;   /* the frustum is the convex hull of these runs: segments and rays */
    uint32_t edge_count;  /* directions of edges, no two of them parallel */
    double plane[6][4];   /* n, d with n . (p - origin) + d >= 0 inside; n of unit length */
    double run[12][7];    /* b, r, l: the points b + t r, 0 <= t <= l; l may be infinite; r of unit length */
    double edge[12][3];   /* unit length */
    double extent;        /* |b|_1 of every run is at most this */
    double spread;        /* |sum of w r| >= (sum of w) / spread for the r of all runs, with any weights w >= 0 */
    uint64_t run_corners; /* three bits per run: the corner of a cube whose image b is; flags */
    /** @endcond */
} abut_frustum;

/** Makes the frustum of an eye that looks along `direction`. Its cross-section at near_distance is a rectangle that
 * extends half_width along `left` and half_height along `up`, both ways. The three axes are right-handed (left x up =
 * direction), orthogonal to 1e-3, of any length. half_width, half_height > 0; 0 < near_distance < far_distance, which
 * may be INFINITY. Anything else is ABUT_ERROR_ARGUMENT, and the frustum then has no faces. */
ABUT_API abut_result abut_frustum_perspective(abut_vec3 eye, abut_vec3 left, abut_vec3 up, abut_vec3 direction,
                                              float half_width, float half_height, float near_distance,
                                              float far_distance, abut_frustum *frustum);

/** The same for a camera at a pose: it looks along its own -z axis, with +y up. */
ABUT_API abut_result abut_frustum_camera(const abut_pose *camera, float half_width, float half_height,
                                         float near_distance, float far_distance, abut_frustum *frustum);

/** Makes the frustum that is the inside of a box: an orthographic camera, a cascade of a shadow map. Errors:
 * ABUT_ERROR_ARGUMENT for an invalid box or a null pointer, ABUT_ERROR_DEGENERATE for a box without volume; the frustum
 * then has no faces. */
ABUT_API abut_result abut_frustum_orthographic(const abut_obb *box, abut_frustum *frustum);

/** Makes the frustum of a view-projection matrix M: the points p with clip = M (p, 1) in -w <= x, y <= w and the depth
 * range `clip`. Column-major, for column vectors (the layout of OpenGL; a row-major matrix for row vectors has the same
 * floats). Perspective, off-centre, oblique, orthographic, infinite and reversed projections are all read from the
 * floats as they are; a far plane whose normal is zero, up to rounding, is at infinity (beyond some four million near
 * distances). Errors: ABUT_ERROR_ARGUMENT for NaN, infinity, null pointers and an unknown `clip`,
 * ABUT_ERROR_DEGENERATE for a singular matrix and one that shows nothing; the frustum then has no faces. Cost: a few
 * microseconds. Planes: Gribb and Hartmann, "Fast Extraction of Viewing Frustum Planes from the World-View-Projection
 * Matrix" (2001). */
ABUT_API abut_result abut_frustum_from_matrix(const float view_projection[16], abut_clip clip, abut_frustum *frustum);

/** Returns where a box is. An invalid box (NaN, infinity, negative half extent) and null pointers are outside. Method:
 * planes first, then all axes that can separate two convex polyhedra, which are normals of faces and products of edges,
 * after Eberly, "Intersection of Orthogonal View Frustum and Oriented Bounding Box using Separation Axis Testing"
 * (2001): 26 for a perspective frustum. */
ABUT_API abut_side abut_frustum_test_obb(const abut_frustum *frustum, const abut_obb *box);

/** Writes the indices, ascending, of all boxes that are not outside, and returns how many there are. `visible` has room
 * for n, or is NULL to count. 0 when `frustum` or `boxes` is NULL. n is below 2^32. Cost: a few ns per box. */
ABUT_API size_t abut_frustum_cull_obbs(const abut_frustum *frustum, const abut_obb *boxes, size_t n, uint32_t *visible);

#ifdef __cplusplus
}
#endif
#endif
