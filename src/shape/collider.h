/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A collider: a body's shape where it is in the world. */
#ifndef ABUT_SHAPE_COLLIDER_H
#define ABUT_SHAPE_COLLIDER_H

#include "base/spatial.h"
#include <abut/hull.h>
#include <abut/obb.h>
#include <abut/shape.h>
#include <stddef.h>

/* A shape is a core, which is a box or a hull, and a radius by which it is grown. BOX and HULL have none, all others
 * have one > 0. The core of a sphere is a box of which all extents are zero, that of a capsule has one that is not. Or
 * it is a MESH, which is not convex and has no radius. */
typedef enum abut_shape_type {
    ABUT_SHAPE_BOX,
    ABUT_SHAPE_HULL,
    ABUT_SHAPE_SPHERE,
    ABUT_SHAPE_CAPSULE,
    ABUT_SHAPE_ROUND_BOX,
    ABUT_SHAPE_ROUND_HULL,
    ABUT_SHAPE_MESH,
    ABUT_SHAPE_TYPES,
    ABUT_SHAPE_CONVEX_TYPES = ABUT_SHAPE_MESH /* those before it */
} abut_shape_type;

/* All that the narrow phase reads of a body, in one cache line. The floats define the shape exactly: the rotation is
 * R(q)/|q|^2. All are finite, |q| lies within 2^+-20 of 1, half extents and radius are >= 0. */
typedef struct abut_collider {
    _Alignas(64) abut_vec3 center;
    abut_quat rotation;
    abut_vec3 half;        /* all zero where the core is a point or no box */
    float radius;          /* the shape is all points within this distance of the core; 0: the core itself */
    uint32_t type;         /* abut_shape_type */
    const abut_hull *hull; /* NULL where the core is no hull */
    const abut_mesh *mesh; /* NULL where the shape is no mesh */
} abut_collider;
_Static_assert(sizeof(abut_collider) == 64, "a collider is one cache line");
_Static_assert(offsetof(abut_collider, rotation) == offsetof(abut_obb, rotation) &&
                   offsetof(abut_collider, half) == offsetof(abut_obb, half) &&
                   offsetof(abut_collider, radius) == sizeof(abut_obb),
               "a collider starts as a box does: kernels read both; the radius follows the half extents");

/* A shape without a pose (all zero): the mesh or, without one, the hull or, without one, the box with these half
 * extents; grown by `radius`. This is the one function that chooses a type. Invalid numbers give some type, and
 * abut_collider_valid is false. */
abut_collider abut_collider_unplaced(const abut_mesh *mesh, const abut_hull *hull, abut_vec3 half, float radius);

/* Whether a collider keeps a rotation as it is: most are of about unit length. */
static inline bool abut_collider_keeps(abut_quat q) {
    float norm2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return norm2 > 0x1p-18f && norm2 < 0x1p+18f;
}

/* False when the box is invalid (see abut/obb.h); what is in the collider then means nothing. */
bool abut_collider_from_obb(const abut_obb *box, abut_collider *collider);

/* The same for a hull at a pose, for any convex shape (see abut/shape.h), and for one that may be a mesh. */
bool abut_collider_from_hull(const abut_hull *hull, const abut_pose *pose, abut_collider *collider);
bool abut_collider_from_shape(const abut_shape *shape, const abut_pose *pose, abut_collider *collider);
bool abut_collider_from_shape_or_mesh(const abut_shape *shape, const abut_pose *pose, abut_collider *collider);

/* Bounds that contain the exact shape. */
abut_aabb abut_collider_bounds(const abut_collider *collider);

/* The bounds of many colliders: box[index[k]] becomes min x y z, max x y z of collider[index[k]], with every end moved
 * outward by `more` (>= 0) and rounded outward. Where `more` is 0 they have the bits of abut_collider_bounds. */
void abut_collider_bounds_many(const abut_collider *collider, const uint32_t *index, size_t n, double more,
                               float (*box)[6]);

/* Whether a body may have the shape; `type` may be any number. */
bool abut_collider_valid(const abut_collider *collider);

/* Whether the bounds of a valid shape at a finite pose contain its corners, and end where it does. */
bool abut_collider_bounds_valid(const abut_collider *collider);

/* The shape's OBB in the world: that of the core, with half extents that are longer by the radius. */
abut_obb abut_collider_obb(const abut_collider *collider);

#endif
