/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "base/workers/fpmode.h"
#include "world/body/body.h"

static abut_vec3 moved(abut_vec3 position, abut_vec3 by) {
    return (abut_vec3){(float)((double)position.x - (double)by.x) + 0.0f,
                       (float)((double)position.y - (double)by.y) + 0.0f,
                       (float)((double)position.z - (double)by.z) + 0.0f};
}

/* The collider that a body will have. */
static abut_result shifted(const abut_world *world, uint32_t slot, abut_vec3 by, abut_collider *collider) {
    abut_w_frame frame = abut_w_frame_of(world, slot);
    abut_pose root_pose;
    if (frame.parent_plus_one) {
        root_pose = abut_w_pose_of(world, abut_w_root_of(world, slot));
        root_pose.position = moved(root_pose.position, by);
        frame.root_pose = &root_pose;
    } else {
        frame.pose.position = moved(frame.pose.position, by);
    }
    return abut_w_compose_collider(world, &frame, collider);
}

/* May be called for bodies in any order: the poses of roots with attachments stay as they are until all colliders are
 * set. */
static void put(abut_world *world, uint32_t slot, abut_vec3 by) {
    abut_collider collider;
    (void)shifted(world, slot, by, &collider); /* checked before */
    bool changed = memcmp(&world->collider[slot], &collider, sizeof collider) != 0;
    world->collider[slot] = collider;
    world->flags[slot] |= changed ? ABUT_W_MOVED | ABUT_W_STALE | ABUT_W_CHANGED : ABUT_W_MOVED;
    abut_w_touch(world, slot);
}

static abut_result shift(abut_world *world, abut_vec3 by) {
    abut_result result = ABUT_OK;
    abut_collider collider;
    for (uint32_t slot = 0; slot < world->ids.used && !result; slot++) {
        result = abut_idpool_is_live(&world->ids, slot) ? shifted(world, slot, by, &collider) : ABUT_OK;
    }
    for (uint32_t slot = 0; slot < world->ids.used && !result; slot++) {
        if (abut_idpool_is_live(&world->ids, slot)) {
            put(world, slot, by);
        }
    }
    for (uint32_t slot = 0; slot < world->ids.used && !result; slot++) {
        uint32_t attachment_plus_one = abut_idpool_is_live(&world->ids, slot) ? world->attachment_plus_one[slot] : 0;
        if (attachment_plus_one && !abut_w_parent_plus_one(world, slot)) {
            abut_pose *pose = &world->attachment[attachment_plus_one - 1].pose;
            pose->position = moved(pose->position, by);
        }
    }
    world->changed = world->changed || (!result && world->ids.live_count > 0);
    return result;
}

abut_result abut_world_shift(abut_world *world, abut_vec3 by) {
    if (!world || !abut_vec3_finite(by)) {
        return ABUT_ERROR_ARGUMENT;
    }
    if (world->state == ABUT_W_FROZEN) {
        return ABUT_ERROR_BUSY;
    }
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = shift(world, by);
    abut_fpmode_leave(mode);
    return result;
}
