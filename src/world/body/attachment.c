/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "shape/shape.h"
#include "world/body/body.h"

static const abut_pose identity = {.rotation = {0, 0, 0, 1}};

static abut_w_attachment *attachment_of(abut_world *world, uint32_t slot) {
    return &world->attachment[world->attachment_plus_one[slot] - 1];
}

void abut_w_rising_pass(abut_w_rising *rising, const abut_pose *given) {
    abut_dpose parent = abut_dpose_from(given);
    double m[3][3];
    abut_dquat_matrix(parent.rotation, m);
    rising->origin = abut_d3_along(parent.position, 1, abut_d3_rotate(m, rising->origin));
    rising->shape.position = abut_d3_along(parent.position, 1, abut_d3_rotate(m, rising->shape.position));
    rising->shape.rotation = abut_dquat_multiply(parent.rotation, rising->shape.rotation);
}

/* Takes what is relative to the body parent_plus_one (0: to the world) into the world, or to where it would be if the
 * root were at root_pose. Starts with the innermost parent, so that the result depends only on the chain. O(depth). */
static void rise_to_world(const abut_world *world, uint32_t parent_plus_one, const abut_pose *root_pose,
                          abut_w_rising *rising) {
    for (uint32_t next_plus_one; parent_plus_one; parent_plus_one = next_plus_one) {
        next_plus_one = abut_w_parent_plus_one(world, parent_plus_one - 1);
        abut_pose parent = root_pose && !next_plus_one ? *root_pose : abut_w_pose_of(world, parent_plus_one - 1);
        abut_w_rising_pass(rising, &parent);
    }
}

static bool within_limit(abut_d3 v, double extent) {
    double limit = (double)ABUT_MAX_COORDINATE - extent;
    return fabs(v.x[0]) <= limit && fabs(v.x[1]) <= limit && fabs(v.x[2]) <= limit;
}

static bool bounds_within(const abut_collider *shape, const abut_pose *pose) {
    abut_collider collider = *shape;
    collider.center = pose->position;
    collider.rotation = pose->rotation;
    abut_aabb bounds = abut_collider_bounds(&collider);
    return within_limit(abut_d3_from(bounds.min), 0) && within_limit(abut_d3_from(bounds.max), 0);
}

abut_w_rising abut_w_rising_begin(const abut_w_frame *frame) {
    abut_dpose pose = abut_dpose_from(&frame->pose);
    return (abut_w_rising){frame->box ? abut_dpose_compose(pose, abut_dpose_from(frame->box)) : pose, pose.position};
}

abut_result abut_w_rising_end(const abut_w_rising *rising, const abut_w_frame *frame, abut_collider *collider) {
    if (!within_limit(rising->origin, 0) || !within_limit(rising->shape.position, 0)) {
        return ABUT_ERROR_LIMIT;
    }
    abut_pose stored = frame->parent_plus_one || frame->box ? abut_pose_round(rising->shape) : frame->pose;
    if (!within_limit(abut_d3_from(stored.position), abut_shape_of(&frame->shape)->extent(&frame->shape)) &&
        !bounds_within(&frame->shape, &stored)) {
        return ABUT_ERROR_LIMIT;
    }
    *collider = frame->shape;
    collider->center = stored.position;
    collider->rotation = stored.rotation;
    return ABUT_OK;
}

abut_result abut_w_compose_collider(const abut_world *world, const abut_w_frame *frame, abut_collider *collider) {
    abut_w_rising rising = abut_w_rising_begin(frame);
    rise_to_world(world, frame->parent_plus_one, frame->root_pose, &rising);
    return abut_w_rising_end(&rising, frame, collider);
}

abut_pose abut_w_pose_of(const abut_world *world, uint32_t slot) {
    uint32_t attachment_plus_one = world->attachment_plus_one[slot];
    return attachment_plus_one ? world->attachment[attachment_plus_one - 1].pose
                               : (abut_pose){world->collider[slot].center, world->collider[slot].rotation};
}

const abut_pose *abut_w_box_of(const abut_world *world, uint32_t slot) {
    uint32_t attachment_plus_one = world->attachment_plus_one[slot];
    return attachment_plus_one ? &world->attachment[attachment_plus_one - 1].box : &identity;
}

abut_w_hierarchy abut_w_hierarchy_of(const abut_world *world, uint32_t slot) {
    uint32_t attachment_plus_one = world->attachment_plus_one[slot];
    return attachment_plus_one ? world->attachment[attachment_plus_one - 1].hierarchy
                               : (abut_w_hierarchy){.root = slot};
}

abut_w_frame abut_w_frame_of(const abut_world *world, uint32_t slot) {
    return (abut_w_frame){.pose = abut_w_pose_of(world, slot),
                          .box = world->flags[slot] & ABUT_W_BOXED ? abut_w_box_of(world, slot) : NULL,
                          .shape = world->collider[slot],
                          .parent_plus_one = abut_w_parent_plus_one(world, slot)};
}

abut_pose abut_w_world_pose(const abut_world *world, uint32_t slot) {
    uint32_t parent_plus_one = abut_w_parent_plus_one(world, slot);
    abut_pose pose = abut_w_pose_of(world, slot);
    abut_w_rising rising = abut_w_rising_begin(&(abut_w_frame){.pose = pose});
    rise_to_world(world, parent_plus_one, NULL, &rising);
    return parent_plus_one ? abut_pose_round(rising.shape) : pose;
}

abut_dpose abut_w_pose_in_root(const abut_world *world, uint32_t slot) {
    uint32_t parent_plus_one = abut_w_parent_plus_one(world, slot);
    const abut_dpose box = abut_dpose_from(abut_w_box_of(world, slot));
    if (!parent_plus_one) {
        return box;
    }
    abut_pose pose = abut_w_pose_of(world, slot);
    abut_w_rising rising = {.shape = abut_dpose_compose(abut_dpose_from(&pose), box)};
    rise_to_world(world, parent_plus_one, &identity, &rising);
    return rising.shape;
}

static abut_w_attachment *take_attachment(abut_world *world, uint32_t slot, const abut_pose *pose,
                                          const abut_pose *box) {
    uint32_t entry = abut_w_side_table_take(&world->attachments, &world->attachment_plus_one[slot], slot);
    world->attachment[entry] = (abut_w_attachment){.pose = *pose, .box = box ? *box : identity, .hierarchy.root = slot};
    return &world->attachment[entry];
}

void abut_w_attach(abut_world *world, uint32_t slot, const abut_w_frame *frame) {
    world->attachment_plus_one[slot] = 0;
    if (!frame->parent_plus_one && !frame->box) {
        return;
    }
    abut_w_attachment *child = take_attachment(world, slot, &frame->pose, frame->box);
    if (!frame->parent_plus_one) {
        return;
    }
    uint32_t parent_slot = frame->parent_plus_one - 1;
    if (!world->attachment_plus_one[parent_slot]) {
        abut_pose pose = abut_w_pose_of(world, parent_slot);
        (void)take_attachment(world, parent_slot, &pose, NULL);
    }
    abut_w_attachment *parent = attachment_of(world, parent_slot);
    child->hierarchy.parent_plus_one = frame->parent_plus_one;
    child->hierarchy.root = parent->hierarchy.root;
    child->hierarchy.next_sibling_plus_one = parent->hierarchy.first_child_plus_one;
    if (parent->hierarchy.first_child_plus_one) {
        attachment_of(world, parent->hierarchy.first_child_plus_one - 1)->hierarchy.previous_sibling_plus_one =
            slot + 1;
    }
    parent->hierarchy.first_child_plus_one = slot + 1;
}

/* The pose of a body without an attachment is that of its collider, so nothing is lost. */
static void drop_attachment_if_plain(abut_world *world, uint32_t slot) {
    const abut_w_hierarchy *hierarchy = &attachment_of(world, slot)->hierarchy;
    if (!hierarchy->parent_plus_one && !hierarchy->first_child_plus_one && !(world->flags[slot] & ABUT_W_BOXED)) {
        abut_w_side_table_release(&world->attachments, &world->attachment_plus_one[slot]);
    }
}

void abut_w_put_box(abut_world *world, uint32_t slot, const abut_w_frame *frame) {
    uint32_t attachment_plus_one = world->attachment_plus_one[slot];
    world->flags[slot] &= (uint8_t)~ABUT_W_BOXED;
    if (frame->box) {
        world->flags[slot] |= ABUT_W_BOXED;
        abut_w_attachment *attachment =
            attachment_plus_one ? attachment_of(world, slot) : take_attachment(world, slot, &frame->pose, frame->box);
        attachment->box = *frame->box;
    } else if (attachment_plus_one) {
        attachment_of(world, slot)->box = identity;
        drop_attachment_if_plain(world, slot);
    }
}

void abut_w_detach(abut_world *world, uint32_t slot) {
    if (!world->attachment_plus_one[slot]) {
        return;
    }
    const abut_w_hierarchy hierarchy = attachment_of(world, slot)->hierarchy;
    if (hierarchy.next_sibling_plus_one) {
        attachment_of(world, hierarchy.next_sibling_plus_one - 1)->hierarchy.previous_sibling_plus_one =
            hierarchy.previous_sibling_plus_one;
    }
    if (hierarchy.previous_sibling_plus_one) {
        attachment_of(world, hierarchy.previous_sibling_plus_one - 1)->hierarchy.next_sibling_plus_one =
            hierarchy.next_sibling_plus_one;
    } else if (hierarchy.parent_plus_one) {
        attachment_of(world, hierarchy.parent_plus_one - 1)->hierarchy.first_child_plus_one =
            hierarchy.next_sibling_plus_one;
    }
    if (hierarchy.parent_plus_one) {
        drop_attachment_if_plain(world, hierarchy.parent_plus_one - 1);
    }
    abut_w_side_table_release(&world->attachments, &world->attachment_plus_one[slot]);
}

uint32_t abut_w_next_below(const abut_world *world, uint32_t top, uint32_t slot) {
    abut_w_hierarchy hierarchy = abut_w_hierarchy_of(world, slot);
    if (hierarchy.first_child_plus_one) {
        return hierarchy.first_child_plus_one - 1;
    }
    while (slot != top && !hierarchy.next_sibling_plus_one) {
        slot = hierarchy.parent_plus_one - 1;
        hierarchy = abut_w_hierarchy_of(world, slot);
    }
    return slot == top ? top : hierarchy.next_sibling_plus_one - 1;
}
