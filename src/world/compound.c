/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "hull/hull.h"
#include "world/world.h"

/* From `local`, a frame within the frame of body parent1 (0: the world), into the world. Innermost first, so that the
 * result depends on the chain alone. O(depth). */
static abut_dpose compose_upward(const abut_world *world, uint32_t parent1, abut_dpose local) {
    for (; parent1; parent1 = world->kin[parent1 - 1].parent1) {
        local = abut_dpose_compose(abut_dpose_from(&world->pose[parent1 - 1]), local);
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

abut_result abut_w_place(const abut_world *world, const abut_w_frame *frame, abut_np_row *row) {
    abut_dpose body = abut_dpose_from(&frame->pose), shape = body;
    abut_pose stored = frame->pose;
    if (frame->parent1 || frame->box) {
        body = compose_upward(world, frame->parent1, body);
        shape = abut_dpose_from(&frame->pose);
        shape = frame->box ? abut_dpose_compose(shape, abut_dpose_from(frame->box)) : shape;
        shape = compose_upward(world, frame->parent1, shape);
    }
    const abut_hull *hull = frame->hull;
    double extent = hull ? (double)hull->radius : (double)frame->half.x + frame->half.y + frame->half.z;
    if (!within(body.position, 0) || !within(shape.position, 0)) {
        return ABUT_ERROR_LIMIT;
    }
    stored = frame->parent1 || frame->box ? abut_pose_round(shape) : stored;
    abut_np_row placed = {.center = stored.position,
                          .half = frame->half,
                          .rotation = stored.rotation,
                          .shape = hull ? ABUT_NP_HULL : ABUT_NP_BOX,
                          .hull = hull};
    if (!within(abut_d3_from(placed.center), extent) && !bounds_within(&placed)) {
        return ABUT_ERROR_LIMIT;
    }
    *row = placed;
    return ABUT_OK;
}

abut_w_frame abut_w_frame_of(const abut_world *world, uint32_t slot) {
    return (abut_w_frame){.pose = world->pose[slot],
                          .box = world->flags[slot] & ABUT_W_BOXED ? &world->box[slot] : NULL,
                          .half = world->row[slot].half,
                          .hull = world->row[slot].hull,
                          .parent1 = world->kin[slot].parent1};
}

abut_pose abut_w_world_pose(const abut_world *world, uint32_t slot) {
    uint32_t parent1 = world->kin[slot].parent1;
    return parent1 ? abut_pose_round(compose_upward(world, parent1, abut_dpose_from(&world->pose[slot])))
                   : world->pose[slot];
}

void abut_w_attach(abut_world *world, uint32_t slot, uint32_t parent1) {
    abut_w_kin *kin = &world->kin[slot];
    *kin = (abut_w_kin){.parent1 = parent1, .root = slot};
    if (!parent1) {
        return;
    }
    abut_w_kin *parent = &world->kin[parent1 - 1];
    kin->root = parent->root;
    kin->next_sibling1 = parent->first_child1;
    if (parent->first_child1) {
        world->kin[parent->first_child1 - 1].previous_sibling1 = slot + 1;
    }
    parent->first_child1 = slot + 1;
}

void abut_w_detach(abut_world *world, uint32_t slot) {
    abut_w_kin *kin = &world->kin[slot];
    if (kin->next_sibling1) {
        world->kin[kin->next_sibling1 - 1].previous_sibling1 = kin->previous_sibling1;
    }
    if (kin->previous_sibling1) {
        world->kin[kin->previous_sibling1 - 1].next_sibling1 = kin->next_sibling1;
    } else if (kin->parent1) {
        world->kin[kin->parent1 - 1].first_child1 = kin->next_sibling1;
    }
    kin->parent1 = kin->next_sibling1 = kin->previous_sibling1 = 0;
}

uint32_t abut_w_next_below(const abut_world *world, uint32_t top, uint32_t slot) {
    if (world->kin[slot].first_child1) {
        return world->kin[slot].first_child1 - 1;
    }
    while (slot != top && !world->kin[slot].next_sibling1) {
        slot = world->kin[slot].parent1 - 1;
    }
    return slot == top ? top : world->kin[slot].next_sibling1 - 1;
}
