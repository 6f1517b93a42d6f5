/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies: handles, attachments, bounds, filters, properties, and side tables for data that few bodies have. A slot
 * passed to any of these functions must be that of a living body. */
#ifndef ABUT_WORLD_BODY_BODY_H
#define ABUT_WORLD_BODY_BODY_H

#include "world/world.h"

/* --- handle.c: the only place that turns an id into a slot --- */

/* ABUT_ERROR_ARGUMENT without a world, ABUT_ERROR_HANDLE if no such body lives. */
abut_result abut_w_slot(const abut_world *world, abut_body_id body, uint32_t *slot);
/* The same for calls that change the world: ABUT_ERROR_BUSY in the state ABUT_W_FROZEN. */
abut_result abut_w_slot_to_change(const abut_world *world, abut_body_id body, uint32_t *slot);

/* ABUT_OK when all n ids name living bodies. */
abut_result abut_w_all_living(const abut_world *world, const abut_body_id *ids, size_t n);

/* --- attachment.c: compounds, and poses in the world --- */

/* What a body's collider is composed from. */
typedef struct abut_w_frame {
    abut_pose pose;
    const abut_pose *box; /* pose of the shape in the body's frame; NULL: the identity */
    abut_collider shape;  /* its center and rotation are not read */
    uint32_t parent_plus_one;
    const abut_pose *root_pose; /* NULL: its topmost ancestor is where it is; else it is taken to be there */
} abut_w_frame;

/* The collider of a body with this frame, composed in double and rounded once. ABUT_ERROR_LIMIT if it exceeds
 * ABUT_MAX_COORDINATE. */
abut_result abut_w_compose_collider(const abut_world *world, const abut_w_frame *frame, abut_collider *collider);
/* The same in steps, for parents that no world has yet: begin, pass each parent from the innermost on, end. */
typedef struct abut_w_rising {
    abut_dpose shape;
    abut_d3 origin; /* the body's */
} abut_w_rising;
abut_w_rising abut_w_rising_begin(const abut_w_frame *frame);
void abut_w_rising_pass(abut_w_rising *rising, const abut_pose *parent);
abut_result abut_w_rising_end(const abut_w_rising *rising, const abut_w_frame *frame, abut_collider *collider);
abut_w_frame abut_w_frame_of(const abut_world *world, uint32_t slot);
/* The pose as it was set, relative to the parent if there is one. */
abut_pose abut_w_pose_of(const abut_world *world, uint32_t slot);
abut_pose abut_w_world_pose(const abut_world *world, uint32_t slot);
const abut_pose *abut_w_box_of(const abut_world *world, uint32_t slot);
/* Where the shape of a body is in the frame of its root. */
abut_dpose abut_w_pose_in_root(const abut_world *world, uint32_t slot);
/* For a plain body all zero except root. */
abut_w_hierarchy abut_w_hierarchy_of(const abut_world *world, uint32_t slot);
static inline uint32_t abut_w_parent_plus_one(const abut_world *world, uint32_t slot) {
    uint32_t attachment_plus_one = world->attachment_plus_one[slot];
    return attachment_plus_one ? world->attachment[attachment_plus_one - 1].hierarchy.parent_plus_one : 0;
}
static inline uint32_t abut_w_root_of(const abut_world *world, uint32_t slot) {
    uint32_t attachment_plus_one = world->attachment_plus_one[slot];
    return attachment_plus_one ? world->attachment[attachment_plus_one - 1].hierarchy.root : slot;
}
/* Makes the attachments that a new body with this frame and its parent need; there is room for them. */
void abut_w_attach(abut_world *world, uint32_t slot, const abut_w_frame *frame);
/* Takes a body without children out of its compound. Removes its attachment, and its parent's if the parent is then
 * plain. */
void abut_w_detach(abut_world *world, uint32_t slot);
/* Walks from `top` down through all bodies attached to it, parents before children: returns the slot after `slot`, and
 * `top` after the last one. */
uint32_t abut_w_next_below(const abut_world *world, uint32_t top, uint32_t slot);

/* Stores where the shape is in the body's frame: frame->box. There is room for an attachment. */
void abut_w_put_box(abut_world *world, uint32_t slot, const abut_w_frame *frame);

/* --- body.c --- */

/* Whether a body may have this shape, unplaced, at this pose in its frame. */
bool abut_w_shape_valid(const abut_collider *shape, const abut_pose *box);
/* Where a shape is in the body's frame, as abut_w_frame::box: NULL, or `place`, which gets the normalised pose. */
const abut_pose *abut_w_box_place(const abut_collider *shape, const abut_pose *box, abut_pose *place);

/* --- bounds.c --- */

/* Where bounds are refreshed: recomputes those of bodies with ABUT_W_STALE, and makes all dirty bodies active in the
 * broad phase. Returns the flags of all dirty bodies, or-ed together. Cost: reads the flags of all bodies, eight at a
 * time, and the colliders of those that changed. */
uint8_t abut_w_refresh_bounds(abut_world *world);
/* The bounds of n bodies at their current poses, with the margin, as the next refresh will write them into the broad
 * phase. */
void abut_w_bounds_of(const abut_world *world, const uint32_t *slot, uint32_t n, abut_bp_box *box);

/* --- filter.c --- */

/* That of a body which was given none. */
extern const abut_filter abut_w_default_filter;
bool abut_w_filter_valid(const abut_filter *filter);
/* The filter of a body with defaults filled in. */
abut_filter abut_w_filter_filled(const abut_filter *filter);
/* Whether it equals abut_w_default_filter. Two bodies with that filter may touch. */
bool abut_w_filter_is_default(const abut_filter *filled);
/* The filter of a body, defaults filled in. */
const abut_filter *abut_w_filter_of(const abut_world *world, uint32_t slot);
/* Whether two filters with defaults filled in admit each other: those of two bodies, or of a body and a query. */
bool abut_w_filters_pass(const abut_filter *a, const abut_filter *b);
/* The filter of a query with defaults filled in: a zero category means every bit that a body may have. */
abut_filter abut_w_query_filled(const abut_filter *filter);

/* --- filter_class.c --- */

/* Gives the body's key in the broad phase the class of this filter, with defaults filled in. The key must become active
 * before the next find if the filter is another. */
void abut_w_put_filter_class(abut_world *world, uint32_t slot, const abut_filter *filled);
/* Bits of the classes of which bodies may pass this filter; all others have none that does. */
uint32_t abut_w_classes_passing(const abut_world *world, const abut_filter *filled);
/* All keys become active and have the class of the default filter. */
void abut_w_forget_filter_classes(abut_world *world);
/* Whether classes and filters agree. */
bool abut_w_filter_classes_valid(const abut_world *world);

/* --- property.c --- */

/* Stores a filter with defaults filled in; there is room for it. */
void abut_w_put_filter(abut_world *world, uint32_t slot, const abut_filter *filled);
/* Stores a detail, makes the marks that follow from it and from the shape, and adds the body to the world's counts. Its
 * collider has been set, and it is not counted. */
void abut_w_put_detail(abut_world *world, uint32_t slot, abut_detail detail);
/* Takes a body out of the world's counts: it will be destroyed, or get another shape or detail. */
void abut_w_uncount(abut_world *world, uint32_t slot);

/* --- side_table.c --- */

/* Takes an entry for this slot; there is room, and *entry_plus_one must be 0. */
uint32_t abut_w_side_table_take(abut_w_side_table *side, uint32_t *entry_plus_one, uint32_t slot);
/* Releases an entry, if there is one; *entry_plus_one is 0 afterwards. */
void abut_w_side_table_release(abut_w_side_table *side, uint32_t *entry_plus_one);
/* Whether the free list holds each free entry once and the counts agree. */
bool abut_w_side_table_valid(const abut_w_side_table *side);
/* Whether the entry exists and belongs to this slot. True for no entry. */
bool abut_w_side_table_owns(const abut_w_side_table *side, uint32_t entry_plus_one, uint32_t slot);

#endif
