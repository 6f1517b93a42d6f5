/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Shapes without a world: a core (a box or a hull) grown by a radius; overlap, contact points, distance, bounds.
 *
 * Spheres, capsules, rounded boxes and rounded hulls are one thing: all points within `radius` of a core. Two shapes
 * touch when the distance of their cores is at most the sum of their radii.
 *
 * Rotations are used as given: they may have any length, and all zero means the identity. Invalid input (a null
 * pointer, NaN, infinity, a negative extent, radius or margin, a mesh where none is taken) answers false, a distance of
 * NaN, bounds of NaN.
 * Every function is pure and may run on any thread. S is the size of a pair: the sum of both shapes' sizes (the
 * diagonals of their boxes, radius included) and the distance of their centres. A hull, or a triangle of a mesh, that
 * lies far from the origin of its own frame counts as if it reached there: numbers relative to that origin are rounded.
 * So vertices belong near the origin, and the place into the pose. docs/shapes.md says which shape to choose for what,
 * and what each costs (`./run bench round`). */
#ifndef ABUT_SHAPE_H
#define ABUT_SHAPE_H

#include <abut/contact.h>
#include <abut/hull.h>
#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A core, grown by a ball; or, only where it says so and without a radius, a mesh. A mesh goes before a hull, and a
 * hull before a box: beside one, `half` is ignored. All zero is a point. */
typedef struct abut_shape {
    abut_vec3 half;        /**< half extents, >= 0, of a box about the origin. Zero extents make it a plate, a rod or a
                                point */
    const abut_hull *hull; /**< a hull instead of the box; not copied */
    const abut_mesh *mesh; /**< a mesh instead of both; not copied */
    float radius;          /**< >= 0: the shape is all points within this distance of the core */
} abut_shape;

/** A point: the origin of its pose. */
static inline abut_shape abut_point(void) {
    abut_shape shape = {{0, 0, 0}, NULL, NULL, 0};
    return shape;
}

/** A box with these half extents. */
static inline abut_shape abut_box(float half_x, float half_y, float half_z) {
    abut_shape shape = {{half_x, half_y, half_z}, NULL, NULL, 0};
    return shape;
}

/** A sphere about the origin of its pose. */
static inline abut_shape abut_sphere(float radius) {
    abut_shape shape = {{0, 0, 0}, NULL, NULL, radius};
    return shape;
}

/** A capsule along y: a rod from -half_length to half_length, grown by the radius, so half_length + radius from the
 * middle to either end. For one along another axis write that extent into `half`. */
static inline abut_shape abut_capsule(float half_length, float radius) {
    abut_shape shape = {{0, half_length, 0}, NULL, NULL, radius};
    return shape;
}

/** A hull, grown by a radius; 0: the hull itself. The hull must outlive the shape. */
static inline abut_shape abut_convex(const abut_hull *hull, float radius) {
    abut_shape shape = {{0, 0, 0}, hull, NULL, radius};
    return shape;
}

/** Whether two closed shapes share a point. No touch is missed; none is invented beyond 1e-12 S. The same answer, to
 * the bit, as abut_shape_distance == 0 and as the contacts of a world without margin. (Except that a step and a list by
 * bounds leave out what their exact boxes show to be apart: of hulls and rounded shapes, a gap within 1e-12 S may count
 * as touching here and be no contact.) b may be a mesh, of which both sides count. */
ABUT_API bool abut_shape_overlap(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                                 const abut_pose *pose_b);

/** Whether the distance of two shapes is at most `margin` (a length, >= 0, finite; 0: whether they touch), and where.
 * If not, the manifold is untouched; it must not be NULL. The normal points from a to b.
 *
 * Where the cores lie apart, the normal is the direction between their closest points. The deepest point lies midway
 * between the two grown surfaces on that line, and its separation is the distance of the cores less both radii. (Where
 * faces face each other it may be another point that counts as as deep, by the rule of abut_manifold, with the same
 * separation: so points stay while bodies at rest jitter and sag.) Where the cores overlap, the manifold is what they
 * have without radii, with both radii subtracted from its separations. Sharp shapes less than 1e-6 S apart
 * have the manifold of an overlap, too, with positive separations.
 *
 * A sphere has one point. A capsule has two when it lies on a face, or beside another capsule, parallel to within 2
 * degrees: at the ends of the stretch that they share, if both have a separation of at most the margin. A rounded box
 * on a face has up to four, as a box. Features are those of the cores, so they stay when bodies roll.
 *
 * Swapping a and b negates the normal and changes nothing else; of two spheres with one centre the normal is {0, 1, 0}
 * either way. Takes 0.02 to 0.1 microseconds for spheres and capsules, up to 0.2 for those with boxes, and about 1 for
 * rounded boxes and hulls. Takes no mesh: see abut_world_collide. */
ABUT_API bool abut_shape_collide(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                                 const abut_pose *pose_b, float margin, abut_manifold *manifold);

/** The distance of two closed shapes, and the closest points of each. 0 when they touch: both points are then one
 * shared point. b may be a mesh. Within 1e-6 of the truth, relatively, plus 1e-12 S; the points lie that close to the
 * surfaces. Either point may be NULL. Swapping a and b swaps the points and changes no bit. NaN for invalid input; the
 * points are then untouched. Takes some 0.3 microseconds for boxes and small hulls, 0.5 for hulls of 64 vertices.
 * Method: the distance of Gilbert, Johnson and Keerthi (1988) in double, with a certified lower bound. */
ABUT_API float abut_shape_distance(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                                   const abut_pose *pose_b, abut_vec3 *on_a, abut_vec3 *on_b);

/** Axis-aligned bounds that contain the exact shape (of a hull all vertices, of a mesh its box), rounded outward. NaN
 * for invalid input. O(1), for a hull O(vertices). */
ABUT_API abut_aabb abut_shape_bounds(const abut_shape *shape, const abut_pose *pose);

/** The pose at `fraction` of the way between two poses: positions in a straight line, rotations along the shorter arc
 * at constant speed (where the rotations' dot product is 0: as given). At 0 and below it is *from, at 1 and above *to,
 * bit for bit. A fraction of NaN or an invalid pose gives NaN. */
ABUT_API abut_pose abut_pose_between(const abut_pose *from, const abut_pose *to, float fraction);

#ifdef __cplusplus
}
#endif
#endif
