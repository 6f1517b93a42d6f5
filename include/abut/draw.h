/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Debug draw: shows a world through the caller's own functions for lines, points and boxes. */
#ifndef ABUT_DRAW_H
#define ABUT_DRAW_H

#include <abut/body.h>
#include <abut/frustum.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What can be drawn. */
typedef enum abut_draw_kind {
    ABUT_DRAW_SHAPE,     /**< every body: its box, the edges of its hull's faces or those of the triangles of
                              its mesh that can be touched, each once. With a radius, lines on
                              the rounded surface: of a sphere three circles, of a capsule two circles, four lines and
                              four half circles, of others the sides of their faces and arcs between these at the
                              corners. A line of an arc turns by at most 15 degrees */
    ABUT_DRAW_BOUNDS,    /**< every body: abut_body_get_bounds, a box along the world's axes */
    ABUT_DRAW_CANDIDATE, /**< pairs that a step would test in the narrow phase: their bounds touch, widened by the
                              contact margin (abut_step_report counts these), they are not both static, not of one
                              compound, and pass each other's filters; should_collide is not asked. A line between the
                              centres of their bounds */
    ABUT_DRAW_CONTACT,   /**< contacts of the last step whose bodies both live: each point, and from it a line along the
                              normal (with a mesh: those of all parts, in their order); without a manifold, one line
                            between the centres of their bounds */
    ABUT_DRAW_FRUSTUM    /**< the edges of the frusta given: 12 lines with a far plane, 8 for a camera without one;
                              other numbers where oblique planes meet some of the edges at infinity */
} abut_draw_kind;
ABUT_ASSERT_ENUM(abut_draw_kind);

/** What a line, point or box belongs to. Valid only during the call that receives it. */
typedef struct abut_draw_item {
    abut_draw_kind kind;         /**< what it is */
    abut_body_id body;           /**< the body; of a pair the one with the lower index; {0} for a frustum */
    abut_body_id other;          /**< the other body of a pair; else {0} */
    uint64_t user;               /**< user data of the body, for a contact as of the last step; 0 for a frustum */
    uint64_t user_other;         /**< the same of the other body */
    abut_motion motion;          /**< of the body; ABUT_MOVING for a pair or a frustum */
    const abut_contact *contact; /**< for ABUT_DRAW_CONTACT, as in abut_world_contacts; else NULL */
    uint32_t index;              /**< of a contact's point (0 without a manifold), of a frustum; else 0 */
} abut_draw_item;

/** The caller's functions, and what to draw. Zero means default; a function that is NULL is not called. Coordinates are
 * in the world's frame, and always finite. */
typedef struct abut_draw {
    /** Draws a line between two points. */
    void (*line)(abut_vec3 from, abut_vec3 to, const abut_draw_item *item, void *user);
    /** Draws a contact point. */
    void (*point)(abut_vec3 position, const abut_draw_item *item, void *user);
    /** Draws a box, solid or as lines, as the caller likes. Boxes without a radius come bit for bit as the world stores
     * them; bounds are rounded outward and have the identity as their rotation. NULL: twelve edges go to `line`, also
     * for flat boxes. */
    void (*box)(const abut_obb *box, const abut_draw_item *item, void *user);
    void *user;                /**< the caller's; passed to all three */
    uint32_t kinds;            /**< bits 1u << abut_draw_kind; 0: shapes, contacts and frusta */
    float normal_length;       /**< length of the lines along contact normals; 0: half of the largest half extent of the
                                    pair's smaller body, for a hull that of abut_hull_obb, plus half the radius */
    const abut_filter *filter; /**< only bodies that pass, as in abut_world_cull, and pairs of two such bodies; NULL:
                                    all */
    const abut_frustum *frusta; /**< for ABUT_DRAW_FRUSTUM; borrowed during the call */
    size_t frustum_count;       /**< number of `frusta` */
    float frustum_length;       /**< depth at which infinite frusta are cut off and left open, along the mean direction
                                     of their edges; 0: that of the deepest finite one, or if there is none, the
                                     diagonal of the bounds of all bodies */
} abut_draw;

/** Draws a world. Current poses count, whether or not a step has seen them; contacts are those of the last step. Legal
 * wherever `const` calls are, also in a listener.
 *
 * The order of boxes, lines and points depends on the world alone: kind by kind as listed above, bodies and pairs
 * ascending, a contact's points as in its manifold or in those of its parts, and each point before its line.
 * Coordinates are computed in double and rounded to floats once. The functions are called on the caller's thread.
 * Inside them only `const` calls on the world are legal, because the world is read meanwhile. `draw` itself is copied
 * first.
 *
 * ABUT_ERROR_ARGUMENT, with nothing drawn: `world` or `draw` is NULL, an unknown kind, a NaN, infinite or negative
 * length, a filter that abut_body_set_filter would refuse, a frustum_count without frusta. It allocates nothing. Cost:
 * O(bodies + contacts); for candidates one search per body, in what all questions walk: the first after a change brings
 * it up to date (abut_world_refresh). */
ABUT_API abut_result abut_world_draw(const abut_world *world, const abut_draw *draw);

#ifdef __cplusplus
}
#endif
#endif
