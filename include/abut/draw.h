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
    ABUT_DRAW_SHAPE,     /**< every body: its box, or the edges of its hull */
    ABUT_DRAW_BOUNDS,    /**< every body: abut_body_get_bounds, a box along the world's axes */
    ABUT_DRAW_CANDIDATE, /**< pairs of bodies whose bounds are within reach and whose filters let them meet: a line from
                              centre to centre of their bounds */
    ABUT_DRAW_CONTACT, /**< contacts of the last step: their points, and from each a line along the normal; where there
                            is no manifold, a line from centre to centre */
    ABUT_DRAW_FRUSTUM  /**< edges of the frusta given: lines */
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
    const abut_contact *contact; /**< of ABUT_DRAW_CONTACT; otherwise NULL */
    uint32_t index;              /**< of a contact's point (0 also without one), of a frustum; otherwise 0 */
} abut_draw_item;

/** Who draws, and what. Zero means default; a function that is NULL is not called. */
typedef struct abut_draw {
    /** A line between two points of the world. */
    void (*line)(abut_vec3 from, abut_vec3 to, const abut_draw_item *item, void *user);
    /** A contact point. */
    void (*point)(abut_vec3 position, const abut_draw_item *item, void *user);
    /** A solid or wire box, as the caller likes. NULL: its twelve edges go to `line`. */
    void (*box)(const abut_obb *box, const abut_draw_item *item, void *user);
    void *user;                /**< yours; handed to all three */
    uint32_t kinds;            /**< bits 1u << abut_draw_kind; 0: shapes and contacts, and frusta where there are any */
    float normal_length;       /**< of contact normals; 0: half of the largest half extent of the pair's smaller body */
    const abut_filter *filter; /**< only bodies that it and they let pass, as in abut_world_cull; NULL: all */
    const abut_frustum *frusta; /**< for ABUT_DRAW_FRUSTUM; borrowed during the call */
    size_t frustum_count;       /**< of `frusta` */
    float frustum_length;       /**< frusta without a far plane are drawn so long; 0: the longest of the others, or the
                                     diagonal of the bounds of all bodies */
} abut_draw;

/** Draws the world as it is now (contacts: as of the last step). Boxes, lines and points come in an order that is a
 * function of the world alone: kind by kind as listed above, bodies and pairs ascending. Inside the callbacks only
 * `const` calls on the world are legal. ABUT_ERROR_ARGUMENT: null pointers, kinds that there are not, a NaN, infinite
 * or negative length, frusta missing. It allocates nothing; O(bodies), and a search in the broad phase per body for
 * candidates. */
ABUT_API abut_result abut_world_draw(const abut_world *world, const abut_draw *draw);

#ifdef __cplusplus
}
#endif
#endif
