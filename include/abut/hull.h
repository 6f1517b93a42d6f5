/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Convex hulls: made from points, saved, loaded, and tested in pairs without a world. For rounded hulls and for
 * distances see shape.h.
 *
 * A hull is immutable: any number of threads and bodies may read it at the same time. Its creator destroys it, after
 * the last body that uses it. Poses are used as given: rotations may have any length, and all zero means the identity.
 * Pair tests return false for invalid input (a null pointer, NaN, infinity, a negative half extent). Every function may
 * run on any thread; only those that make a hull allocate. Lengths are in the units of the points. */
#ifndef ABUT_HULL_H
#define ABUT_HULL_H

#include <abut/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A convex hull: one block of memory without pointers, whose bytes (abut_hull_data) may be saved and copied. */
typedef struct abut_hull abut_hull;

/** The most vertices a hull may have. Faces and edges follow from Euler's formula: at most 2 V - 4 and 3 V - 6. */
#define ABUT_HULL_MAX_VERTICES 4096

/** How to make a hull. A zero member means its default. */
typedef struct abut_hull_def {
    uint32_t max_vertices; /**< 0: as many as the hull has, up to ABUT_HULL_MAX_VERTICES; otherwise at least 4. A hull
                                with fewer vertices than the exact one still contains every point. */
    float coplanar_tolerance; /**< >= 0, a length. Faces are merged into one polygon when all their vertices lie within
                                   this distance of its plane; 0: 2^-18 of the largest extent. Merging only affects
                                   contact points: it moves no vertex and changes no yes or no. */
    abut_allocator allocator; /**< zero: malloc and free. A copy is kept until abut_hull_destroy */
} abut_hull_def;

/** Makes the convex hull of n points. `def` may be NULL. Order and duplicates of points do not matter: the same set of
 * points gives the same bytes. Vertices are input points, bit for bit, unless max_vertices asks for fewer.
 *
 * ABUT_ERROR_ARGUMENT: no points, NaN or infinity, null pointers, a max_vertices of 1 to 3, a negative tolerance;
 * ABUT_ERROR_DEGENERATE: the points lie in one plane, exactly; ABUT_ERROR_LIMIT: a coordinate beyond
 * ABUT_MAX_COORDINATE, also one that max_vertices would make, or more vertices than ABUT_HULL_MAX_VERTICES without a
 * max_vertices; ABUT_ERROR_MEMORY; ABUT_ERROR_ARITHMETIC (types.h). On any error *hull is NULL. O(n log n) for usual
 * input; scratch memory is one block of 1,280 bytes for each of the first 4,096 points, and more for many points on the
 * hull. Signs of volumes are exact (after Shewchuk, "Adaptive precision floating-point arithmetic", 1997). */
ABUT_API abut_result abut_hull_create(const abut_vec3 *points, size_t n, const abut_hull_def *def, abut_hull **hull);

/** The hull of a cylinder along y, half_length above and below the origin, whose circles become regular polygons of
 * `sides` corners: the first on the x axis, all on the circle, so the hull lies inside the cylinder by up to
 * radius (1 - cos(pi / sides)). `def`, errors and memory as for abut_hull_create; ABUT_ERROR_ARGUMENT also for fewer
 * than 3 sides, more than ABUT_HULL_MAX_VERTICES / 2, and negative extents. The same bits on every machine. For what
 * rolls, a capsule or a rounded shape (abut_capsule) costs less and has no corners. */
ABUT_API abut_result abut_hull_create_cylinder(float half_length, float radius, uint32_t sides,
                                               const abut_hull_def *def, abut_hull **hull);

/** The hull of a cone along y: a polygon of `sides` corners (as above, up to ABUT_HULL_MAX_VERTICES - 1) at
 * -half_length, and a tip at half_length. */
ABUT_API abut_result abut_hull_create_cone(float half_length, float radius, uint32_t sides, const abut_hull_def *def,
                                           abut_hull **hull);

/** The hull of a ramp: the half of a box with these half extents that lies below the plane through its lower edge at -x
 * and its upper edge at +x. Errors as for abut_hull_create; ABUT_ERROR_ARGUMENT also for negative extents. */
ABUT_API abut_result abut_hull_create_wedge(abut_vec3 half, const abut_hull_def *def, abut_hull **hull);

/** Makes a hull from the bytes of another one (abut_hull_data). They are copied and need no alignment. Untrusted bytes
 * are safe: ABUT_ERROR_FORMAT for anything that is not exactly a hull of this version. Only the allocator of `def` is
 * used; `def` may be NULL. ABUT_ERROR_ARGUMENT for null pointers and an allocator with one function; ABUT_ERROR_MEMORY;
 * ABUT_ERROR_ARITHMETIC (types.h). On any error *hull is NULL. Costs as much as abut_hull_create of the vertices,
 * because the hull is made again to check the bytes. */
ABUT_API abut_result abut_hull_load(const void *bytes, size_t size, const abut_hull_def *def, abut_hull **hull);

/** The bytes of the hull, little-endian on every machine, aligned to 64, valid until the hull is destroyed. *size
 * becomes their number; `size` may be NULL. NULL and size 0 for NULL. */
ABUT_API const void *abut_hull_data(const abut_hull *hull, size_t *size);

/** A number by which snapshots name a hull: equal for equal hulls, and different for different ones but for accidents.
 * Not cryptographic. 0 for NULL. O(1). */
ABUT_API uint64_t abut_hull_digest(const abut_hull *hull);

/** Frees a hull that no body uses any more, and sets *hull to NULL. Does nothing if `hull` or *hull is NULL. */
ABUT_API void abut_hull_destroy(abut_hull **hull);

/** The number of vertices. The three counts are those after merging faces: V - E + F = 2. O(1), 0 for NULL. */
ABUT_API size_t abut_hull_vertex_count(const abut_hull *hull);
/** The number of faces, each a polygon. */
ABUT_API size_t abut_hull_face_count(const abut_hull *hull);
/** The number of edges, each between two faces. */
ABUT_API size_t abut_hull_edge_count(const abut_hull *hull);

/** The vertices in ascending order (by x, then y, then z), valid until the hull is destroyed. NULL for NULL. O(1). */
ABUT_API const abut_vec3 *abut_hull_vertices(const abut_hull *hull);

/** One face, 0 .. abut_hull_face_count - 1, for drawing and for solvers. Returns how many vertices it has; 0 for NULL
 * and for a face that does not exist. Writes up to `capacity` of them to `vertices` (may be NULL): indices into
 * abut_hull_vertices, counter-clockwise seen from outside. `plane` (may be NULL) receives the outward normal n, a unit
 * vector rounded to floats, and an offset w, so that n . p <= w holds exactly for every vertex of the hull and w is
 * barely larger than necessary. The vertices of the face lie below this plane by at most the merging tolerance, plus
 * the tilt that the rounding of n causes. O(capacity); with `plane` O(vertices of the hull). */
ABUT_API size_t abut_hull_face(const abut_hull *hull, size_t face, uint32_t *vertices, size_t capacity, float plane[4]);

/** The volume, in units cubed: > 0, infinite on overflow; 0 for NULL. O(1): this and the next two values are computed
 * when the hull is made. */
ABUT_API float abut_hull_volume(const abut_hull *hull);
/** The centroid of the solid, in the hull's own frame. NaN for NULL. O(1). */
ABUT_API abut_vec3 abut_hull_centroid(const abut_hull *hull);
/** A tight box in the hull's own frame that contains every vertex. NaN for NULL. O(1). */
ABUT_API abut_obb abut_hull_obb(const abut_hull *hull);

/** Axis-aligned bounds of a hull at a pose, from the eight corners of abut_hull_obb: O(1). Rounded outward, so they
 * contain the exact vertices. NaN for invalid input. */
ABUT_API abut_aabb abut_hull_bounds_fast(const abut_hull *hull, const abut_pose *pose);
/** The same from all vertices: O(V), tighter. These are the bounds that a world uses (Lander 2000 calls them the tight
 * box). */
ABUT_API abut_aabb abut_hull_bounds_tight(const abut_hull *hull, const abut_pose *pose);

/** Whether two closed hulls share a point. Never false for hulls that touch. Never true for hulls that are more than
 * 1e-12 of their size apart along the normal of a facet or along the common normal of two edges; that distance is the
 * gap itself, except between needles that point at each other. */
ABUT_API bool abut_hull_overlap(const abut_hull *hull_a, const abut_pose *pose_a, const abut_hull *hull_b,
                                const abut_pose *pose_b);
/** The same for a box and a hull. */
ABUT_API bool abut_obb_hull_overlap(const abut_obb *box, const abut_hull *hull, const abut_pose *pose);

/** Whether the distance of two closed hulls is at most `margin` (a length, >= 0, finite; 0: whether they touch), and
 * where. The distance is Euclidean: within the margin none is missed, and none is in contact beyond margin + 1e-12 of
 * the size (margin 0: as abut_hull_overlap says). The normal points from the first to the second. If the answer is
 * false the manifold is unchanged; it must not be NULL. Takes some 0.4 microseconds for hulls of 8 vertices and 1 for
 * hulls of 64 (`./run bench hulls`); more for hulls apart within a margin. Swapping the two hulls negates the normal
 * and changes nothing else. (The one exception is the same hull twice at the same pose: nothing distinguishes the two,
 * so the normal stays.) */
ABUT_API bool abut_hull_collide(const abut_hull *hull_a, const abut_pose *pose_a, const abut_hull *hull_b,
                                const abut_pose *pose_b, float margin, abut_manifold *manifold);
/** The same for a box and a hull: the normal points from the box to the hull. */
ABUT_API bool abut_obb_hull_collide(const abut_obb *box, const abut_hull *hull, const abut_pose *pose, float margin,
                                    abut_manifold *manifold);

#ifdef __cplusplus
}
#endif
#endif
