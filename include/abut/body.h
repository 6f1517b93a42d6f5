/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Bodies: what a world stores.
 *
 * Every function returns ABUT_ERROR_ARGUMENT for a null pointer, NaN, infinity or an unknown enum value, and
 * ABUT_ERROR_HANDLE for an id that names no living body. Functions that change the world return ABUT_ERROR_BUSY inside
 * `should_collide`. On any error the world is exactly as it was, output ids are {0}, other outputs are untouched. */
#ifndef ABUT_BODY_H
#define ABUT_BODY_H

#include <abut/contact.h>
#include <abut/hull.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bodies, and what touches; world.h makes them. */
typedef struct abut_world abut_world;

/** The category that no body may have: a mask of it alone spells "nothing". */
#define ABUT_MASK_NONE (UINT64_C(1) << 63)

/** Who may touch whom: a pair may collide when each body's category has a bit in the other's mask. Bodies of the same
 * group other than 0 ignore that: group > 0 always collide, group < 0 never do. No group lifts the rules that static
 * bodies do not pair with static ones and that a compound does not collide inside itself. */
typedef struct abut_filter {
    uint64_t category; /**< 0: bit 0 on a body, every bit in a query */
    uint64_t mask;     /**< 0: everything */
    int32_t group;     /**< 0: none */
} abut_filter;

/** What a body is for others. Poses of either kind may be set at any time. */
typedef enum abut_motion {
    ABUT_MOVING, /**< may touch every body */
    ABUT_STATIC  /**< never pairs with another static body */
} abut_motion;
ABUT_ASSERT_ENUM(abut_motion);

/** How far a pair is resolved. A pair is resolved at the coarser of its two bodies' details. */
typedef enum abut_detail {
    ABUT_DETAIL_MANIFOLD, /**< contact points */
    ABUT_DETAIL_OVERLAP,  /**< the shapes touch, no points */
    ABUT_DETAIL_BOUNDS    /**< the axis-aligned bounds touch */
} abut_detail;
ABUT_ASSERT_ENUM(abut_detail);

/** What a new body is. Zero means default; a body needs `half` or `hull`. */
typedef struct abut_body_def {
    abut_pose pose;        /**< of the body in the world, or relative to `parent` */
    abut_vec3 half;        /**< half extents of its box; one or two may be zero (a plate, a rod), not all three */
    abut_pose box;         /**< where that box sits in the body's own frame */
    const abut_hull *hull; /**< a convex hull instead, in the body's own frame; `half` and `box` are then ignored. Many
                                bodies may share one, in many worlds. It must outlive them all: it may go once the last
                                has gone. What is plainly no hull is ABUT_ERROR_ARGUMENT */
    abut_motion motion;    /**< static bodies never pair with static bodies; ignored when there is a parent */
    abut_detail detail;    /**< how far its pairs are resolved */
    abut_filter filter;    /**< whom it may touch */
    abut_body_id parent; /**< {0}: none. Otherwise the body is attached: it moves with its parent, takes its motion, and
                              never collides with any body of the same compound. May be nested. */
    uint64_t user;       /**< yours; the world only hands it back */
} abut_body_def;

/** Adds a body. ABUT_ERROR_LIMIT when its bounds pass ABUT_MAX_COORDINATE, ABUT_ERROR_HANDLE for a bad parent,
 * ABUT_ERROR_CAPACITY or ABUT_ERROR_MEMORY when there is no room. The rotations are normalised in double and stored as
 * floats. `id` may point at def->parent, which builds a chain. Amortised O(depth in its compound). */
ABUT_API abut_result abut_body_create(abut_world *world, const abut_body_def *def, abut_body_id *id);

/** Adds n bodies, all or none; ids has room for n and does not overlap defs. Parents must exist before the call. */
ABUT_API abut_result abut_bodies_create(abut_world *world, const abut_body_def *defs, size_t n, abut_body_id *ids);

/** Removes a body and everything attached to it. The pairs it was in END in the next step. */
ABUT_API abut_result abut_body_destroy(abut_world *world, abut_body_id body);

/** Removes n bodies and everything attached to them, all or none. Parents and children may come in any order, and an id
 * more than once. */
ABUT_API abut_result abut_bodies_destroy(abut_world *world, const abut_body_id *ids, size_t n);

/** Moves a body, and with it what is attached to it. For an attached body the pose is relative to its parent.
 * ABUT_ERROR_LIMIT when it or anything attached to it would pass ABUT_MAX_COORDINATE. A pose read with
 * abut_body_get_pose and set again changes no bit. O(bodies attached x their depth). */
ABUT_API abut_result abut_body_set_pose(abut_world *world, abut_body_id body, const abut_pose *pose);

/** Moves n bodies, all or none. Parents and children may come in any order; of duplicate ids the last wins. */
ABUT_API abut_result abut_bodies_set_poses(abut_world *world, const abut_body_id *ids, const abut_pose *poses,
                                           size_t n);

/** The same over arrays of the caller's own structs: strides in bytes, 0 meaning tightly packed. On an error that is
 * one element's fault, *first_bad (may be NULL) becomes its index. */
ABUT_API abut_result abut_bodies_set_poses_strided(abut_world *world, const abut_body_id *ids, size_t id_stride,
                                                   const abut_pose *poses, size_t pose_stride, size_t n,
                                                   size_t *first_bad);

/** What abut_body_set_pose takes: relative to the parent for an attached body; the rotation normalised. */
ABUT_API abut_result abut_body_get_pose(const abut_world *world, abut_body_id body, abut_pose *pose);

/** In the world, composed in double along the chain of parents and rounded to floats once. */
ABUT_API abut_result abut_body_get_world_pose(const abut_world *world, abut_body_id body, abut_pose *pose);

/** The axis-aligned bounds at the current pose. They contain the exact transformed corners, rounded outward; of a hull
 * all its vertices, as abut_hull_bounds_tight does. */
ABUT_API abut_result abut_body_get_bounds(const abut_world *world, abut_body_id body, abut_aabb *bounds);

/** abut_body_get_pose for n bodies, all or none: when one id names no living body, nothing is written. Ids may come
 * more than once; the arrays do not overlap. */
ABUT_API abut_result abut_bodies_get_poses(const abut_world *world, const abut_body_id *ids, abut_pose *poses,
                                           size_t n);
/** abut_body_get_world_pose for n bodies, all or none. */
ABUT_API abut_result abut_bodies_get_world_poses(const abut_world *world, const abut_body_id *ids, abut_pose *poses,
                                                 size_t n);
/** abut_body_get_bounds for n bodies, all or none. */
ABUT_API abut_result abut_bodies_get_bounds(const abut_world *world, const abut_body_id *ids, abut_aabb *bounds,
                                            size_t n);

/** Changes whom the body may touch; the next step tells what begins and ends by it. A category with bit 63 is
 * ABUT_ERROR_ARGUMENT. */
ABUT_API abut_result abut_body_set_filter(abut_world *world, abut_body_id body, const abut_filter *filter);
/** The filter, with its defaults filled in. */
ABUT_API abut_result abut_body_get_filter(const abut_world *world, abut_body_id body, abut_filter *filter);

/** Changes the motion of a body and of all that is attached to it. On an attached body: ABUT_ERROR_ARGUMENT. */
ABUT_API abut_result abut_body_set_motion(abut_world *world, abut_body_id body, abut_motion motion);
/** The motion of the whole compound. */
ABUT_API abut_result abut_body_get_motion(const abut_world *world, abut_body_id body, abut_motion *motion);

/** Changes how far its pairs are resolved, from the next step on. */
ABUT_API abut_result abut_body_set_detail(abut_world *world, abut_body_id body, abut_detail detail);
/** What was set; its pairs with coarser bodies are coarser. */
ABUT_API abut_result abut_body_get_detail(const abut_world *world, abut_body_id body, abut_detail *detail);

/** Changes the number that contacts and queries hand back; contacts from the next step on. */
ABUT_API abut_result abut_body_set_user(abut_world *world, abut_body_id body, uint64_t user);
/** The number that was given last. */
ABUT_API abut_result abut_body_get_user(const abut_world *world, abut_body_id body, uint64_t *user);

/** Whether the id names a living body of this world. Ids are a function of the sequence of calls alone, so an id of
 * another world is told apart only where this one never handed out the same. */
ABUT_API bool abut_body_is_valid(const abut_world *world, abut_body_id body);

#ifdef __cplusplus
}
#endif
#endif
