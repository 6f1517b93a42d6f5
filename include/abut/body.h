/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Bodies: what a world stores.
 *
 * Every function returns ABUT_ERROR_ARGUMENT for a null pointer, NaN, infinity or an unknown enum value, and
 * ABUT_ERROR_HANDLE for an id that names no living body. Functions that change the world return ABUT_ERROR_BUSY inside
 * `should_collide`, `accept` of abut_world_sweep and a shape finder. On any error the world is exactly as it was,
 * output ids are {0}, other outputs are untouched. For threads see world.h. */
#ifndef ABUT_BODY_H
#define ABUT_BODY_H

#include <abut/contact.h>
#include <abut/hull.h>
#include <abut/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A world of bodies and their contacts; see world.h. */
typedef struct abut_world abut_world;

/** The category that no body may have. A mask of this bit alone means "nothing". */
#define ABUT_MASK_NONE (UINT64_C(1) << 63)

/** Which bodies may touch. Two bodies may touch if the category of each has a bit in common with the mask of the other.
 * Two bodies of the same group other than 0 ignore categories and masks: they may touch if the group is positive, and
 * may not if it is negative. In any group, two static bodies never touch, nor do two bodies of one compound. */
typedef struct abut_filter {
    uint64_t category; /**< 0 means bit 0 on a body, all bits in a query. Bit 63 is not allowed */
    uint64_t mask;     /**< 0 means all bits */
    int32_t group;     /**< 0: none */
} abut_filter;

/** Whether a body pairs with static bodies. Poses of either kind may be set at any time. */
typedef enum abut_motion {
    ABUT_MOVING, /**< may touch every body */
    ABUT_STATIC  /**< never pairs with another static body */
} abut_motion;
ABUT_ASSERT_ENUM(abut_motion);

/** How precisely a pair is resolved: at the coarser of its two bodies' details. */
typedef enum abut_detail {
    ABUT_DETAIL_MANIFOLD, /**< contact points */
    ABUT_DETAIL_OVERLAP,  /**< the shapes touch, no points */
    ABUT_DETAIL_BOUNDS    /**< the axis-aligned bounds touch */
} abut_detail;
ABUT_ASSERT_ENUM(abut_detail);

/** Settings of a new body. Zero means default, but a body needs `half`, `hull`, `mesh` or `radius`. docs/shapes.md says
 * which shape to choose for what. */
typedef struct abut_body_def {
    abut_pose pose;        /**< of the body in the world, or relative to `parent` */
    abut_vec3 half;        /**< half extents of its box; one or two may be zero (a plate, a rod), all three only with
                                a radius */
    abut_pose box;         /**< pose of that box (also a sphere or a capsule) in the body's own frame */
    const abut_hull *hull; /**< a convex hull instead of a box, in the body's own frame; `half` and `box` are then
                                ignored. Not copied: many bodies, of many worlds, may share one, and it must outlive
                                them. ABUT_ERROR_ARGUMENT if it plainly does not point to a hull */
    abut_motion motion;    /**< static bodies never pair with static bodies; ignored if there is a parent */
    abut_detail detail;    /**< how precisely its pairs are resolved */
    abut_filter filter;    /**< which bodies it may touch */
    abut_body_id parent; /**< {0}: none. Otherwise the body is attached: it moves with its parent, is destroyed with it,
                              has its motion, and never touches a body of the same compound. Parents may have
                              parents. Bodies of one compound whose bounds overlap are candidates nevertheless; a common
                              negative group in their filters spares that */
    uint64_t user;       /**< yours; the world stores it and passes it back */
    float radius;        /**< >= 0: the body is all points within this distance of its box or hull, the core. With a
                              radius `half` may be all zero (a sphere), or have one positive extent (a capsule) */
    const abut_mesh *mesh; /**< a mesh instead of a hull or a box, in the body's own frame, without a radius; `half`,
                                `hull` and `box` are then ignored. Not copied: many bodies, of many worlds, may share
                                one, and it must outlive them. The body may be static or move: a step costs its
                                contacts, not its triangles. ABUT_ERROR_ARGUMENT with a radius, and if it plainly does
                              not point to a mesh */
} abut_body_def;

/** Creates a body. ABUT_ERROR_LIMIT if its bounds exceed ABUT_MAX_COORDINATE, ABUT_ERROR_HANDLE if the parent does not
 * live, ABUT_ERROR_CAPACITY or ABUT_ERROR_MEMORY if there is no room. Rotations are normalised in double and stored as
 * floats. `id` may point at def->parent, so that a loop can build a chain of bodies. Amortised O(depth in its
 * compound). */
ABUT_API abut_result abut_body_create(abut_world *world, const abut_body_def *def, abut_body_id *id);

/** Creates n bodies, all or none. `ids` has room for n ids and does not overlap `defs`. Parents must exist before the
 * call. A world's workers (parallel.h) check more than 256 definitions side by side; bodies are then made one by one.
 */
ABUT_API abut_result abut_bodies_create(abut_world *world, const abut_body_def *defs, size_t n, abut_body_id *ids);

/** Destroys a body and everything attached to it. Its contacts end in the next step. O(bodies destroyed). */
ABUT_API abut_result abut_body_destroy(abut_world *world, abut_body_id body);

/** Destroys n bodies and everything attached to them, all or none. Parents and children may come in any order, and an
 * id more than once. */
ABUT_API abut_result abut_bodies_destroy(abut_world *world, const abut_body_id *ids, size_t n);

/** Moves a body, and with it everything attached to it. The pose of an attached body is relative to its parent.
 * ABUT_ERROR_LIMIT if the bounds of the body, or of anything attached to it, would exceed ABUT_MAX_COORDINATE. Setting
 * a pose that was read with abut_body_get_pose changes no bit. O(bodies attached x their depth). */
ABUT_API abut_result abut_body_set_pose(abut_world *world, abut_body_id body, const abut_pose *pose);

/** Moves n bodies, all or none. Parents and children may come in any order. If an id comes more than once, its last
 * pose counts. More than 2,048 poses are checked by all workers of the world (parallel.h), and written by them if the
 * ids ascend and no body is in a compound or has a shifted or turned box; else by the caller. */
ABUT_API abut_result abut_bodies_set_poses(abut_world *world, const abut_body_id *ids, const abut_pose *poses,
                                           size_t n);

/** The same for ids and poses inside arrays of your own structs: strides in bytes, 0 means tightly packed. Elements
 * need not be aligned. On an error in one element *first_bad becomes its index: the first with an id or a pose that is
 * none; where there is none of these, the first that would be beyond the limit. `first_bad` may be NULL. */
ABUT_API abut_result abut_bodies_set_poses_strided(abut_world *world, const abut_body_id *ids, size_t id_stride,
                                                   const abut_pose *poses, size_t pose_stride, size_t n,
                                                   size_t *first_bad);

/** The pose as abut_body_set_pose takes it: relative to the parent for an attached body, with its rotation normalised.
 * O(1). */
ABUT_API abut_result abut_body_get_pose(const abut_world *world, abut_body_id body, abut_pose *pose);

/** The pose in the world, composed in double along the chain of parents and rounded to floats once. O(depth). */
ABUT_API abut_result abut_body_get_world_pose(const abut_world *world, abut_body_id body, abut_pose *pose);

/** The axis-aligned bounds at the current pose, rounded outward. They contain the exact transformed corners of a box
 * and the exact transformed vertices of a hull (see abut_hull_bounds_tight), grown by the radius; of a mesh, the
 * transformed corners of abut_mesh_bounds. O(1); O(vertices) for a hull. */
ABUT_API abut_result abut_body_get_bounds(const abut_world *world, abut_body_id body, abut_aabb *bounds);

/** abut_body_get_pose for n bodies, all or none: if one id names no living body, nothing is written. Ids may come more
 * than once. The arrays do not overlap. */
ABUT_API abut_result abut_bodies_get_poses(const abut_world *world, const abut_body_id *ids, abut_pose *poses,
                                           size_t n);
/** abut_body_get_world_pose for n bodies, all or none. */
ABUT_API abut_result abut_bodies_get_world_poses(const abut_world *world, const abut_body_id *ids, abut_pose *poses,
                                                 size_t n);
/** abut_body_get_bounds for n bodies, all or none. */
ABUT_API abut_result abut_bodies_get_bounds(const abut_world *world, const abut_body_id *ids, abut_aabb *bounds,
                                            size_t n);

/** The shape of a body, as created or set last (`half` is zero beside a hull or a mesh), and its pose in the world:
 * that of the body, with the pose of its box composed in. The calls of shape.h take both. `world_pose` may be NULL.
 * O(1). */
ABUT_API abut_result abut_body_get_shape(const abut_world *world, abut_body_id body, abut_shape *shape,
                                         abut_pose *world_pose);
/** Gives the body another shape: a character crouches, a bubble grows. Its id, pose, filter, user data and attachments
 * stay, and contacts that still touch in the next step persist. `box` is the pose of the shape in the body's frame, as
 * in abut_body_def: NULL is the identity, and it is ignored for a hull or a mesh, which is not copied and must outlive
 * the body. Where the triangles of a mesh become others (another mesh with other bytes, or there was none), parts of
 * its contacts start anew, with previous1 = 0. ABUT_ERROR_ARGUMENT for a shape that no body may have (a point, a mesh
 * with a radius), ABUT_ERROR_LIMIT if its bounds would exceed ABUT_MAX_COORDINATE, ABUT_ERROR_CAPACITY or
 * ABUT_ERROR_MEMORY if there is no room (only a `box`, a hull or a mesh may need some). Costs as much as setting a
 * pose. */
ABUT_API abut_result abut_body_set_shape(abut_world *world, abut_body_id body, const abut_shape *shape,
                                         const abut_pose *box);

/** The body to which this one is attached; {0} if it is not attached. On an error *parent is {0}. O(1). */
ABUT_API abut_result abut_body_get_parent(const abut_world *world, abut_body_id body, abut_body_id *parent);
/** The topmost body of its compound; the body itself if it is not attached. On an error *root is {0}. O(1). */
ABUT_API abut_result abut_body_get_root(const abut_world *world, abut_body_id body, abut_body_id *root);

/** Changes which bodies the body may touch. The next step reports the begins and ends that follow from it.
 * ABUT_ERROR_ARGUMENT for a category with bit 63; ABUT_ERROR_MEMORY. */
ABUT_API abut_result abut_body_set_filter(abut_world *world, abut_body_id body, const abut_filter *filter);
/** The filter, with its defaults filled in. */
ABUT_API abut_result abut_body_get_filter(const abut_world *world, abut_body_id body, abut_filter *filter);

/** Changes the motion of a body and of everything attached to it. ABUT_ERROR_ARGUMENT for an attached body. */
ABUT_API abut_result abut_body_set_motion(abut_world *world, abut_body_id body, abut_motion motion);
/** The motion of the whole compound. */
ABUT_API abut_result abut_body_get_motion(const abut_world *world, abut_body_id body, abut_motion *motion);

/** Changes how precisely the body's pairs are resolved, from the next step on. */
ABUT_API abut_result abut_body_set_detail(abut_world *world, abut_body_id body, abut_detail detail);
/** The detail that was set. Pairs with coarser bodies are resolved more coarsely. */
ABUT_API abut_result abut_body_get_detail(const abut_world *world, abut_body_id body, abut_detail *detail);

/** Changes the user data. Queries return the new value at once, contacts from the next step on. */
ABUT_API abut_result abut_body_set_user(abut_world *world, abut_body_id body, uint64_t user);
/** The user data as it was set last. */
ABUT_API abut_result abut_body_get_user(const abut_world *world, abut_body_id body, uint64_t *user);

/** Whether the id names a living body of this world. Ids depend only on the sequence of calls, so an id of another
 * world is recognised as foreign only if this world has not made the same id. */
ABUT_API bool abut_body_is_valid(const abut_world *world, abut_body_id body);

#ifdef __cplusplus
}
#endif
#endif
