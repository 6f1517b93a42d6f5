/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Debug draw: a world shown through the caller's own lines, points and boxes. */
#ifndef ABUT_DRAW_H
#define ABUT_DRAW_H

#include <abut/body.h>
#include <abut/frustum.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What can be drawn. */
typedef enum abut_draw_kind {
    ABUT_DRAW_SHAPE,     /**< every body: its box, or the edges of its hull's faces, each once */
    ABUT_DRAW_BOUNDS,    /**< every body: abut_body_get_bounds, a box along the world's axes */
    ABUT_DRAW_CANDIDATE, /**< pairs that a step would look at closely: bounds within reach (what abut_step_report
                              counts), not both static, not of one compound, and filters that let them meet;
                              should_collide is not asked. A line from centre to centre of their bounds */
    ABUT_DRAW_CONTACT,   /**< contacts of the last step whose bodies both live: each point, and from it a line along the
                              normal; where there is no manifold, one line from centre to centre of their bounds */
    ABUT_DRAW_FRUSTUM    /**< edges of the frusta given: lines, 12 where there is a far plane, 8 of a camera without;
                              other numbers where oblique planes meet some of the edges at infinity */
} abut_draw_kind;
ABUT_ASSERT_ENUM(abut_draw_kind);

/** What a line, point or box belongs to. Lives during the call it is handed to. */
typedef struct abut_draw_item {
    abut_draw_kind kind;         /**< what it is */
    abut_body_id body;           /**< the body; the first one of a pair (lower index); {0} of a frustum */
    abut_body_id other;          /**< the second one of a pair; otherwise {0} */
    uint64_t user;               /**< user data of the body, as of the last step in a contact; otherwise 0 */
    uint64_t user_other;         /**< of the second one, likewise */
    abut_motion motion;          /**< of the body; of a pair or a frustum ABUT_MOVING */
    const abut_contact *contact; /**< of ABUT_DRAW_CONTACT, as in abut_world_contacts; otherwise NULL */
    uint32_t index;              /**< of a contact's point (0 also without one), of a frustum; otherwise 0 */
} abut_draw_item;

/** Who draws, and what. Zero means default; a function that is NULL is not called. Coordinates are the world's, and
 * always finite. */
typedef struct abut_draw {
    /** A line between two points of the world. */
    void (*line)(abut_vec3 from, abut_vec3 to, const abut_draw_item *item, void *user);
    /** A contact point. */
    void (*point)(abut_vec3 position, const abut_draw_item *item, void *user);
    /** A solid or wire box, as the caller likes: shapes bit for bit as the world has them; bounds, rounded outward,
     * with the identity as their rotation. NULL: twelve edges go to `line`, also of plates and rods. */
    void (*box)(const abut_obb *box, const abut_draw_item *item, void *user);
    void *user;                /**< yours; handed to all three */
    uint32_t kinds;            /**< bits 1u << abut_draw_kind; 0: shapes and contacts, and frusta where there are any */
    float normal_length;       /**< of contact normals; 0: half of the largest half extent of the pair's smaller body,
                                    of a hull that of abut_hull_obb */
    const abut_filter *filter; /**< only bodies that it and they let pass, as in abut_world_cull, and pairs of two of
                                    them; NULL: all */
    const abut_frustum *frusta; /**< for ABUT_DRAW_FRUSTUM; borrowed during the call */
    size_t frustum_count;       /**< of `frusta` */
    float frustum_length;       /**< frusta that reach to infinity are drawn so deep, along the middle of their edges,
                                     and left open there; 0: as deep as the deepest of the others, or else as long as
                                     the diagonal of the bounds of all bodies */
} abut_draw;

/** Draws the world as its poses are now, whether or not a step has seen them (contacts: as of the last step). Legal
 * wherever `const` calls are, so also in a listener.
 *
 * Boxes, lines and points come in an order that is a function of the world alone: kind by kind as listed above, bodies
 * and pairs ascending, a contact's points as in its manifold and each point before its line. Coordinates are computed
 * in double and rounded to floats once. The functions are called on the caller's thread, and inside them only `const`
 * calls on the world are legal: what is drawn is read while they are called. abut_draw itself is copied first.
 *
 * ABUT_ERROR_ARGUMENT, and nothing is drawn: `world` or `draw` is NULL, a kind that there is not, a NaN, infinite or
 * negative length, a filter that is invalid as in abut_body_set_filter, a frustum_count without frusta. It allocates
 * nothing. O(bodies + contacts); for candidates a search in the broad phase per body, and where many have been moved
 * since the last step, O(bodies x moved / 512) besides: draw after the step rather than before it. */
ABUT_API abut_result abut_world_draw(const abut_world *world, const abut_draw *draw);

#ifdef __cplusplus
}
#endif
#endif
