/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Convex hulls: made from points, saved, loaded, and tested in pairs without a world.
 *
 * A hull is immutable and may be read by any number of threads and bodies at once; whoever made it destroys it, after
 * the last body that uses it. Poses are used as given: rotations of any length, zero reads as identity. In pair tests
 * invalid input (a null pointer, NaN, infinity, a negative half extent) answers false. */
#ifndef ABUT_HULL_H
#define ABUT_HULL_H

#include <abut/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One block of memory without pointers: its bytes (abut_hull_data) may be saved, copied and mapped. */
typedef struct abut_hull abut_hull;

/** The most vertices a hull may have. Faces and edges follow from Euler's formula: at most 2 V - 4 and 3 V - 6. */
#define ABUT_HULL_MAX_VERTICES 4096

/** How to make a hull. Zero means default. */
typedef struct abut_hull_def {
    uint32_t max_vertices; /**< 0: as many as the hull has, up to ABUT_HULL_MAX_VERTICES; otherwise at least 4. A hull
                                with fewer vertices than the exact one still contains every point. */
    float coplanar_tolerance; /**< faces are merged into one polygon when all their vertices lie within this distance of
                                   its plane; 0: 2^-18 of the largest extent. Merging is a view for contact points: it
                                   moves no vertex and changes no yes or no. */
    abut_allocator allocator; /**< zero: malloc and free; kept until abut_hull_destroy */
} abut_hull_def;

/** The convex hull of a point cloud. `def` may be NULL. Points may be given in any order and repeated: the same set of
 * points gives the same bytes. Vertices are input points, bit for bit, unless max_vertices asks for fewer.
 *
 * ABUT_ERROR_ARGUMENT: NaN or infinity, null pointers, a max_vertices of 1 to 3, a negative tolerance;
 * ABUT_ERROR_DEGENERATE: the points lie in one plane, exactly; ABUT_ERROR_LIMIT: a coordinate beyond
 * ABUT_MAX_COORDINATE, or more vertices than ABUT_HULL_MAX_VERTICES without a max_vertices; ABUT_ERROR_MEMORY. On any
 * error *hull is NULL. O(n log n) for usual input. Signs of volumes are exact (after Shewchuk, "Adaptive precision
 * floating-point arithmetic", 1997). */
ABUT_API abut_result abut_hull_create(const abut_vec3 *points, size_t n, const abut_hull_def *def, abut_hull **hull);

/** A hull from bytes that abut_hull_data gave; they need no alignment and are copied. Bytes from anywhere are safe:
 * what is not exactly a hull of this version is ABUT_ERROR_FORMAT. Of `def` (may be NULL) only the allocator counts. */
ABUT_API abut_result abut_hull_load(const void *bytes, size_t size, const abut_hull_def *def, abut_hull **hull);

/** The hull's bytes, valid as long as the hull. NULL and size 0 for NULL. */
ABUT_API const void *abut_hull_data(const abut_hull *hull, size_t *size);

/** Frees a hull that no body uses any more, and sets *hull to NULL; NULL, or NULL inside, is fine. */
ABUT_API void abut_hull_destroy(abut_hull **hull);

/** Counts of the polyhedron after merging: V - E + F = 2. 0 for NULL. */
ABUT_API size_t abut_hull_vertex_count(const abut_hull *hull);
/** Faces, each a polygon. */
ABUT_API size_t abut_hull_face_count(const abut_hull *hull);
/** Edges, each between two faces. */
ABUT_API size_t abut_hull_edge_count(const abut_hull *hull);

/** The vertices in ascending order (by x, then y, then z); as long as the hull. NULL for NULL. */
ABUT_API const abut_vec3 *abut_hull_vertices(const abut_hull *hull);

/** The vertices of face 0 .. face_count - 1: indices into abut_hull_vertices, counter-clockwise seen from outside, for
 * drawing and for solvers. Writes up to `capacity` of them (`vertices` may be NULL) and returns how many there are; 0
 * for NULL and for a face that there is not. `plane` (may be NULL) receives the face's outward normal, a unit vector
 * rounded to floats, and an offset that is hardly larger than it must be for n . p <= w to hold for every vertex of the
 * hull, exactly; vertices of the face lie below it by the tolerance of merging at most, and what the rounding of n
 * turns it. O(capacity); with `plane` O(vertices of the hull). */
ABUT_API size_t abut_hull_face(const abut_hull *hull, size_t face, uint32_t *vertices, size_t capacity, float plane[4]);

/** Volume, in units cubed: > 0, may overflow to infinity; 0 for NULL. Computed once, in abut_hull_create, like the next
 * two. */
ABUT_API float abut_hull_volume(const abut_hull *hull);
/** Centroid of the solid, in the hull's own frame. NaN for NULL. */
ABUT_API abut_vec3 abut_hull_centroid(const abut_hull *hull);
/** A tight box in the hull's own frame that contains every vertex. NaN for NULL. */
ABUT_API abut_obb abut_hull_obb(const abut_hull *hull);

/** The axis-aligned bounds of a hull at a pose, from the eight corners of abut_hull_obb: O(1). They contain the exact
 * vertices, rounded outward. NaN for invalid input. */
ABUT_API abut_aabb abut_hull_bounds_fast(const abut_hull *hull, const abut_pose *pose);
/** The same from all vertices, O(V): what a world uses (Lander 2000 calls it the tight box). */
ABUT_API abut_aabb abut_hull_bounds_tight(const abut_hull *hull, const abut_pose *pose);

/** Whether two closed shapes share a point. Never false for shapes that touch, never true for shapes that a facet or a
 * pair of edges shows more than 1e-12 of their size apart: the gap itself, but between needles tip to tip. */
ABUT_API bool abut_hull_overlap(const abut_hull *hull_a, const abut_pose *pose_a, const abut_hull *hull_b,
                                const abut_pose *pose_b);
/** The same of a box and a hull. */
ABUT_API bool abut_obb_hull_overlap(const abut_obb *box, const abut_hull *hull, const abut_pose *pose);

/** Whether the shapes touch, or have a gap of at most `margin` (>= 0, finite) over every axis, and where; the normal
 * points from the first to the second. On false the manifold is untouched. Swapping the two negates the normal and
 * changes nothing else (but the same hull twice at the same pose has nothing that tells the two apart; the normal
 * stays). */
ABUT_API bool abut_hull_collide(const abut_hull *hull_a, const abut_pose *pose_a, const abut_hull *hull_b,
                                const abut_pose *pose_b, float margin, abut_manifold *manifold);
/** The same of a box and a hull: the normal points from the box to the hull. */
ABUT_API bool abut_obb_hull_collide(const abut_obb *box, const abut_hull *hull, const abut_pose *pose, float margin,
                                    abut_manifold *manifold);

#ifdef __cplusplus
}
#endif
#endif
