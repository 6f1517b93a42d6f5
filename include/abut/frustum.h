/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * What a camera sees: frusta, and oriented boxes against them.
 *
 * Nothing visible is ever called outside, however close to the border: errors all go to the other side. They are about
 * 1e-13 of the distances, and up to 1e-7 of a box's size where its edges and the frustum's are all but parallel. What
 * is called outside is separated from the frustum by a plane, which need not be one of the frustum's own: planes alone
 * keep boxes that pass a corner or an edge of it. Every function is pure and may run on any thread. */
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

/** Where a closed box is, seen from a closed frustum. */
typedef enum abut_side {
    ABUT_OUTSIDE,    /**< they share no point */
    ABUT_INTERSECTS, /**< they share a point, or are closer than rounding can tell */
    ABUT_INSIDE      /**< the box lies in the frustum altogether */
} abut_side;
ABUT_ASSERT_ENUM(abut_side);

/** A convex piece of space with at most six faces, that may reach to infinity. Plain data without pointers: copy it,
 * keep it on the stack. Its fields are private. Zero-initialised it has no faces: everything is inside. */
typedef struct abut_frustum {
    /** @cond */
    float origin[3];      /* what the numbers below are counted from: the eye, or a point in the frustum */
    uint32_t plane_count; /* 0: all of space */
    uint32_t run_count;   /* the frustum is the convex hull of so many runs */
    uint32_t edge_count;  /* directions of edges, no two of them parallel */
    double plane[6][4];   /* n, d with n . (p - origin) + d >= 0 inside; n of unit length */
    double run[12][7];    /* b, r, l: the points b + t r, 0 <= t <= l, l may be infinite; r of unit length */
    double edge[12][3];   /* unit length */
    double reach;         /* |b|_1 of all runs is at most this */
    double spread;        /* a sum of r's with weights >= 0 is at least 1 over this times the weights' sum long */
    uint64_t run_corners; /* three bits a run: the corner of a cube whose image b is */
    /** @endcond */
} abut_frustum;

/** The frustum of an eye that looks along `direction`. The near plane is a rectangle of half_width along `left` and
 * half_height along `up`. The three axes are right-handed (left x up = direction), orthogonal to 1e-3, of any length.
 * half_width, half_height > 0; 0 < near_distance < far_distance, which may be INFINITY. Anything else is
 * ABUT_ERROR_ARGUMENT, and the frustum then has no faces. */
ABUT_API abut_result abut_frustum_perspective(abut_vec3 eye, abut_vec3 left, abut_vec3 up, abut_vec3 direction,
                                              float half_width, float half_height, float near_distance,
                                              float far_distance, abut_frustum *frustum);

/** The same for a camera at a pose: it looks along its own -z, and +y is up. */
ABUT_API abut_result abut_frustum_camera(const abut_pose *camera, float half_width, float half_height,
                                         float near_distance, float far_distance, abut_frustum *frustum);

/** The inside of a box: an orthographic camera, a cascade of a shadow map. Errors: ABUT_ERROR_ARGUMENT for an invalid
 * box, ABUT_ERROR_DEGENERATE for one without volume; the frustum then has no faces. */
ABUT_API abut_result abut_frustum_orthographic(const abut_obb *box, abut_frustum *frustum);

/** What a view-projection matrix shows: the points p with clip = M (p, 1) in -w <= x, y <= w and the depth range.
 * Column-major, column vectors (the layout of OpenGL; a row-major matrix for row vectors has the same floats).
 * Perspective, off-centre, oblique, orthographic, infinite and reversed ones are all read from the floats as they are;
 * a far plane whose normal vanishes, up to rounding, is at infinity (beyond some four million near distances). Errors:
 * ABUT_ERROR_ARGUMENT for NaN, infinity and null pointers, ABUT_ERROR_DEGENERATE for a singular matrix and one that
 * shows nothing; the frustum then has no faces. A few microseconds. Planes: Gribb and Hartmann, "Fast Extraction of
 * Viewing Frustum Planes from the World-View-Projection Matrix" (2001). */
ABUT_API abut_result abut_frustum_from_matrix(const float view_projection[16], abut_clip clip, abut_frustum *frustum);

/** Where a box is. An invalid box (NaN, infinity, negative extent) and null pointers are outside. Method: planes first,
 * then all axes that can part two convex polyhedra: normals of faces and products of edges, after Eberly, "Intersection
 * of Orthogonal View Frustum and Oriented Bounding Box using Separation Axis Testing" (2001): 26 for a perspective
 * frustum. */
ABUT_API abut_side abut_frustum_test_obb(const abut_frustum *frustum, const abut_obb *box);

/** The indices of the n boxes that are not outside, ascending. `visible` has room for n, or is NULL to count. Returns
 * how many there are; 0 when frustum or boxes is NULL. n is below 2^32. A few ns a box. */
ABUT_API size_t abut_frustum_cull_obbs(const abut_frustum *frustum, const abut_obb *boxes, size_t n, uint32_t *visible);

#ifdef __cplusplus
}
#endif
#endif
