/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The shape of a body, and its place in a compound. */
#include "base/spatial.h"
#include "base/workers/fpmode.h"
#include "world/body/body.h"
#include "world/state/state.h"
#include <string.h>

abut_result abut_body_get_shape(const abut_world *world, abut_body_id body, abut_shape *shape, abut_pose *pose) {
    uint32_t slot;
    abut_result result = shape ? abut_w_slot(world, body, &slot) : ABUT_ERROR_ARGUMENT;
    if (!result) {
        const abut_collider *collider = &world->collider[slot];
        *shape = (abut_shape){
            .half = collider->half, .hull = collider->hull, .mesh = collider->mesh, .radius = collider->radius};
        if (pose) {
            *pose = (abut_pose){collider->center, collider->rotation};
        }
    }
    return result;
}

/* The body's collider with another shape. *place is room for the pose of the shape in the body's frame. */
static abut_result compose(const abut_world *world, uint32_t slot, const abut_shape *shape, const abut_pose *box,
                           abut_pose *place, abut_w_frame *frame, abut_collider *collider) {
    static const abut_pose none;
    *frame = abut_w_frame_of(world, slot);
    frame->shape = abut_collider_unplaced(shape->mesh, shape->hull, shape->half, shape->radius);
    if (!abut_w_shape_valid(&frame->shape, box ? box : &none)) {
        return ABUT_ERROR_ARGUMENT;
    }
    frame->box = abut_w_box_place(&frame->shape, box ? box : &none, place);
    return abut_w_compose_collider(world, frame, collider);
}

static abut_result reserve(abut_world *world, uint32_t slot, const abut_w_frame *frame) {
    bool attach = frame->box && !world->attachment_plus_one[slot];
    abut_result result = attach ? abut_w_reserve_attachments(world, 1) : ABUT_OK;
    bool hints = abut_np_uses_hint(&frame->shape, &frame->shape);
    result = result || !frame->shape.mesh ? result : abut_w_reserve_all_parts(world);
    return result || !hints ? result : abut_w_reserve_all_hints(world);
}

/* Whether the triangles of a new shape are others than those of the old one. */
static bool is_other_mesh(const abut_collider *shape, const abut_collider *old) {
    return shape->mesh && !(old->mesh && old->mesh->digest == shape->mesh->digest);
}

static abut_result set_shape(abut_world *world, abut_body_id body, const abut_shape *shape, const abut_pose *box) {
    uint32_t slot;
    abut_pose place;
    abut_w_frame frame;
    abut_collider collider;
    abut_result result = shape ? abut_w_slot_to_change(world, body, &slot) : ABUT_ERROR_ARGUMENT;
    result = result ? result : compose(world, slot, shape, box, &place, &frame, &collider);
    result = result ? result : reserve(world, slot, &frame);
    if (result) {
        return result;
    }
    bool changed = memcmp(&collider, &world->collider[slot], sizeof collider) != 0;
    bool other_mesh = is_other_mesh(&collider, &world->collider[slot]);
    abut_w_uncount(world, slot);
    world->extent = abut_max_d(world->extent, abut_shape_of(&collider)->extent(&collider));
    abut_w_put_box(world, slot, &frame);
    world->collider[slot] = collider;
    abut_w_put_detail(world, slot, (abut_detail)world->traits[slot].detail);
    world->traits[slot].marks |= other_mesh ? ABUT_W_OTHER_MESH : 0;
    world->new_meshes = world->new_meshes || other_mesh;
    world->flags[slot] |= changed ? ABUT_W_MOVED | ABUT_W_STALE | ABUT_W_CHANGED : ABUT_W_MOVED;
    abut_w_touch(world, slot);
    world->changed = true;
    return ABUT_OK;
}

abut_result abut_body_set_shape(abut_world *world, abut_body_id body, const abut_shape *shape, const abut_pose *box) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = set_shape(world, body, shape, box);
    abut_fpmode_leave(mode);
    return result;
}

abut_result abut_body_get_parent(const abut_world *world, abut_body_id body, abut_body_id *parent) {
    uint32_t slot;
    abut_result result = parent ? abut_w_slot(world, body, &slot) : ABUT_ERROR_ARGUMENT;
    if (parent) {
        uint32_t parent_plus_one = result ? 0 : abut_w_parent_plus_one(world, slot);
        *parent = parent_plus_one ? abut_w_id(world, parent_plus_one - 1) : (abut_body_id){0, 0};
    }
    return result;
}

abut_result abut_body_get_root(const abut_world *world, abut_body_id body, abut_body_id *root) {
    uint32_t slot;
    abut_result result = root ? abut_w_slot(world, body, &slot) : ABUT_ERROR_ARGUMENT;
    if (root) {
        *root = result ? (abut_body_id){0, 0} : abut_w_id(world, abut_w_root_of(world, slot));
    }
    return result;
}
