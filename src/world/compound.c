/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "hull/hull.h"
#include "world/world.h"

static const abut_pose identity = {.rotation = {0, 0, 0, 1}};

static abut_w_joint *joint_of(abut_world *world, uint32_t slot) {
    return &world->joint[world->joint1[slot] - 1];
}

/* From `local`, a frame within the frame of body parent1 (0: the world), into the world, and with it *point, which is
 * where `local` is. Innermost first, so that the result depends on the chain alone. O(depth). */
static abut_dpose compose_upward(const abut_world *world, uint32_t parent1, abut_dpose local, abut_d3 *point) {
    for (; parent1; parent1 = abut_w_parent1(world, parent1 - 1)) {
        abut_pose given = abut_w_pose_of(world, parent1 - 1);
        abut_dpose parent = abut_dpose_from(&given);
        double m[3][3];
        abut_dquat_matrix(parent.rotation, m);
        *point = abut_d3_along(parent.position, 1, abut_d3_rotate(m, *point));
        local.position = abut_d3_along(parent.position, 1, abut_d3_rotate(m, local.position));
        local.rotation = abut_dquat_multiply(parent.rotation, local.rotation);
    }
    return local;
}

static bool within(abut_d3 v, double extent) {
    double limit = (double)ABUT_MAX_COORDINATE - extent;
    return fabs(v.x[0]) <= limit && fabs(v.x[1]) <= limit && fabs(v.x[2]) <= limit;
}

static bool bounds_within(const abut_np_row *row) {
    abut_aabb bounds = abut_np_bounds(row);
    return within(abut_d3_from(bounds.min), 0) && within(abut_d3_from(bounds.max), 0);
}

double abut_w_extent(const abut_w_frame *frame) {
    return frame->hull ? (double)frame->hull->radius : (double)frame->half.x + frame->half.y + frame->half.z;
}

abut_result abut_w_place(const abut_world *world, const abut_w_frame *frame, abut_np_row *row) {
    abut_dpose shape = abut_dpose_from(&frame->pose);
    abut_d3 middle = shape.position; /* of the body */
    abut_pose stored = frame->pose;
    shape = frame->box ? abut_dpose_compose(shape, abut_dpose_from(frame->box)) : shape;
    shape = frame->parent1 ? compose_upward(world, frame->parent1, shape, &middle) : shape;
    const abut_hull *hull = frame->hull;
    if (!within(middle, 0) || !within(shape.position, 0)) {
        return ABUT_ERROR_LIMIT;
    }
    stored = frame->parent1 || frame->box ? abut_pose_round(shape) : stored;
    abut_np_row placed = {.center = stored.position,
                          .half = frame->half,
                          .rotation = stored.rotation,
                          .shape = hull ? ABUT_NP_HULL : ABUT_NP_BOX,
                          .hull = hull};
    if (!within(abut_d3_from(placed.center), abut_w_extent(frame)) && !bounds_within(&placed)) {
        return ABUT_ERROR_LIMIT;
    }
    *row = placed;
    return ABUT_OK;
}

abut_pose abut_w_pose_of(const abut_world *world, uint32_t slot) {
    uint32_t joint1 = world->joint1[slot];
    return joint1 ? world->joint[joint1 - 1].pose : (abut_pose){world->row[slot].center, world->row[slot].rotation};
}

const abut_pose *abut_w_box_of(const abut_world *world, uint32_t slot) {
    uint32_t joint1 = world->joint1[slot];
    return joint1 ? &world->joint[joint1 - 1].box : &identity;
}

abut_w_kin abut_w_kin_of(const abut_world *world, uint32_t slot) {
    uint32_t joint1 = world->joint1[slot];
    return joint1 ? world->joint[joint1 - 1].kin : (abut_w_kin){.root = slot};
}

abut_w_frame abut_w_frame_of(const abut_world *world, uint32_t slot) {
    return (abut_w_frame){.pose = abut_w_pose_of(world, slot),
                          .box = world->flags[slot] & ABUT_W_BOXED ? abut_w_box_of(world, slot) : NULL,
                          .half = world->row[slot].half,
                          .hull = world->row[slot].hull,
                          .parent1 = abut_w_parent1(world, slot)};
}

abut_pose abut_w_world_pose(const abut_world *world, uint32_t slot) {
    uint32_t parent1 = abut_w_parent1(world, slot);
    abut_pose pose = abut_w_pose_of(world, slot);
    abut_dpose frame = abut_dpose_from(&pose);
    abut_d3 middle = frame.position;
    return parent1 ? abut_pose_round(compose_upward(world, parent1, frame, &middle)) : pose;
}

static abut_w_joint *take_joint(abut_world *world, uint32_t slot, const abut_pose *pose, const abut_pose *box) {
    uint32_t entry = abut_w_side_take(&world->joints, &world->joint1[slot], slot);
    world->joint[entry] = (abut_w_joint){.pose = *pose, .box = box ? *box : identity, .kin.root = slot};
    return &world->joint[entry];
}

void abut_w_attach(abut_world *world, uint32_t slot, const abut_w_frame *frame) {
    world->joint1[slot] = 0;
    if (!frame->parent1 && !frame->box) {
        return;
    }
    abut_w_joint *child = take_joint(world, slot, &frame->pose, frame->box);
    if (!frame->parent1) {
        return;
    }
    uint32_t above = frame->parent1 - 1;
    if (!world->joint1[above]) {
        abut_pose pose = abut_w_pose_of(world, above);
        (void)take_joint(world, above, &pose, NULL);
    }
    abut_w_joint *parent = joint_of(world, above);
    child->kin.parent1 = frame->parent1;
    child->kin.root = parent->kin.root;
    child->kin.next_sibling1 = parent->kin.first_child1;
    if (parent->kin.first_child1) {
        joint_of(world, parent->kin.first_child1 - 1)->kin.previous_sibling1 = slot + 1;
    }
    parent->kin.first_child1 = slot + 1;
}

/* Its row is where its pose says. */
static void drop_joint_if_plain(abut_world *world, uint32_t slot) {
    const abut_w_kin *kin = &joint_of(world, slot)->kin;
    if (!kin->parent1 && !kin->first_child1 && !(world->flags[slot] & ABUT_W_BOXED)) {
        abut_w_side_give_back(&world->joints, &world->joint1[slot]);
    }
}

void abut_w_detach(abut_world *world, uint32_t slot) {
    if (!world->joint1[slot]) {
        return;
    }
    const abut_w_kin kin = joint_of(world, slot)->kin;
    if (kin.next_sibling1) {
        joint_of(world, kin.next_sibling1 - 1)->kin.previous_sibling1 = kin.previous_sibling1;
    }
    if (kin.previous_sibling1) {
        joint_of(world, kin.previous_sibling1 - 1)->kin.next_sibling1 = kin.next_sibling1;
    } else if (kin.parent1) {
        joint_of(world, kin.parent1 - 1)->kin.first_child1 = kin.next_sibling1;
    }
    if (kin.parent1) {
        drop_joint_if_plain(world, kin.parent1 - 1);
    }
    abut_w_side_give_back(&world->joints, &world->joint1[slot]);
}

uint32_t abut_w_next_below(const abut_world *world, uint32_t top, uint32_t slot) {
    abut_w_kin kin = abut_w_kin_of(world, slot);
    if (kin.first_child1) {
        return kin.first_child1 - 1;
    }
    while (slot != top && !kin.next_sibling1) {
        slot = kin.parent1 - 1;
        kin = abut_w_kin_of(world, slot);
    }
    return slot == top ? top : kin.next_sibling1 - 1;
}
