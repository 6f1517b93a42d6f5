/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies: handles, attachments, filters and the side tables that hold what few bodies have. */
#ifndef ABUT_WORLD_BODY_BODY_H
#define ABUT_WORLD_BODY_BODY_H

#include "world/world.h"

/* handle.c: the one place where an id becomes a slot. */
abut_result abut_w_slot(const abut_world *world, abut_body_id body, uint32_t *slot);
/* The same for calls that change the world, which should_collide may not make. */
abut_result abut_w_slot_to_change(const abut_world *world, abut_body_id body, uint32_t *slot);

/* ABUT_OK when all n ids name living bodies. */
abut_result abut_w_all_living(const abut_world *world, const abut_body_id *ids, size_t n);

/* compound.c: where bodies stand, and who belongs to whom. */
typedef struct abut_w_frame {
    abut_pose pose;
    const abut_pose *box; /* NULL: in the middle of the body's frame */
    abut_collider shape;  /* whose center and rotation are not read */
    uint32_t parent_plus_one;
} abut_w_frame;

/* The row of a body so placed, composed in double and rounded once; ABUT_ERROR_LIMIT when it passes the limit. */
abut_result abut_w_place(const abut_world *world, const abut_w_frame *frame, abut_collider *collider);
/* The frame of a living body. */
abut_w_frame abut_w_frame_of(const abut_world *world, uint32_t slot);
/* As set: relative to the parent. */
abut_pose abut_w_pose_of(const abut_world *world, uint32_t slot);
abut_pose abut_w_world_pose(const abut_world *world, uint32_t slot);
const abut_pose *abut_w_box_of(const abut_world *world, uint32_t slot);
/* Of a plain body: all zero, but root. */
abut_w_hierarchy abut_w_hierarchy_of(const abut_world *world, uint32_t slot);
static inline uint32_t abut_w_parent_plus_one(const abut_world *world, uint32_t slot) {
    uint32_t attachment_plus_one = world->attachment_plus_one[slot];
    return attachment_plus_one ? world->attachment[attachment_plus_one - 1].hierarchy.parent_plus_one : 0;
}
static inline uint32_t abut_w_root_of(const abut_world *world, uint32_t slot) {
    uint32_t attachment_plus_one = world->attachment_plus_one[slot];
    return attachment_plus_one ? world->attachment[attachment_plus_one - 1].hierarchy.root : slot;
}
/* Gives a new body in a slot, and its parent, the attachments that this frame calls for; there is room for them. */
void abut_w_attach(abut_world *world, uint32_t slot, const abut_w_frame *frame);
/* Takes a body without children out of its compound, and attachments from it and its parent where they are plain then.
 */
void abut_w_detach(abut_world *world, uint32_t slot);
/* The slot after `slot` in the compound below `top`, parents before children; `top` itself after the last. */
uint32_t abut_w_next_below(const abut_world *world, uint32_t top, uint32_t slot);

/* property.c */
bool abut_w_filter_valid(const abut_filter *filter);
abut_filter abut_w_filter_filled(const abut_filter *filter);
/* A pair of bodies with default filters may touch. */
bool abut_w_filter_is_default(const abut_filter *filled);
/* Of a living body, defaults filled in. */
const abut_filter *abut_w_filter_of(const abut_world *world, uint32_t slot);
/* Whether two filters, filled in, let each other pass: of two bodies, or of a body and a query. */
bool abut_w_filters_pass(const abut_filter *a, const abut_filter *b);
/* Stores a filter, filled in; there is room for it. */
void abut_w_put_filter(abut_world *world, uint32_t slot, const abut_filter *filled);
/* Stores a detail; the collider is there. */
void abut_w_put_detail(abut_world *world, uint32_t slot, abut_detail detail);
/* Of a query: a zero category is every bit that a body may have. */
abut_filter abut_w_query_filled(const abut_filter *filter);

/* side.c: takes an entry, for which there is room; *entry_plus_one is 0 before, or 0 after. */
uint32_t abut_w_side_table_take(abut_w_side_table *side, uint32_t *entry_plus_one, uint32_t slot);
void abut_w_side_table_release(abut_w_side_table *side, uint32_t *entry_plus_one);
/* The free list holds each free entry once, and the counts agree. */
bool abut_w_side_table_valid(const abut_w_side_table *side);
/* Whether the entry is one, and this slot's; 0 is. */
bool abut_w_side_table_owns(const abut_w_side_table *side, uint32_t entry_plus_one, uint32_t slot);

#endif
