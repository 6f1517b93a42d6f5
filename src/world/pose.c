/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "world/world.h"
#include <string.h>

/* A batch of poses as the caller laid it out; elements need not be aligned. */
typedef struct batch {
    const char *ids, *poses;
    size_t id_stride, pose_stride, count;
} batch;

static abut_body_id batch_id(const batch *b, size_t i) {
    abut_body_id id;
    memcpy(&id, b->ids + i * b->id_stride, sizeof id);
    return id;
}

static abut_pose batch_pose(const batch *b, size_t i) {
    abut_pose pose;
    memcpy(&pose, b->poses + i * b->pose_stride, sizeof pose);
    return pose;
}

static abut_result check_elements(const abut_world *world, const batch *b, size_t *bad) {
    for (size_t i = 0; i < b->count; i++) {
        uint32_t slot;
        abut_result result = abut_w_slot(world, batch_id(b, i), &slot);
        abut_pose pose = batch_pose(b, i);
        if (!result && (!abut_vec3_finite(pose.position) || !abut_quat_finite(pose.rotation))) {
            result = ABUT_ERROR_ARGUMENT;
        }
        if (result) {
            *bad = i;
            return result;
        }
    }
    return ABUT_OK;
}

/* Writes the new poses and keeps the old ones aside. Of duplicates the last wins. */
static void stage(abut_world *world, const batch *b) {
    for (size_t i = 0; i < b->count; i++) {
        uint32_t slot = batch_id(b, i).index1 - 1;
        abut_pose pose = batch_pose(b, i);
        if (!(world->flags[slot] & ABUT_W_STAGED)) {
            world->flags[slot] |= ABUT_W_STAGED;
            world->saved[slot] = world->pose[slot];
        }
        world->pose[slot] = abut_pose_round(abut_dpose_from(&pose));
    }
}

static void unstage(abut_world *world, const batch *b, bool roll_back) {
    for (size_t i = 0; i < b->count; i++) {
        uint32_t slot = batch_id(b, i).index1 - 1;
        if (roll_back && world->flags[slot] & ABUT_W_STAGED) {
            world->pose[slot] = world->saved[slot];
        }
        world->flags[slot] &= (uint8_t) ~(ABUT_W_STAGED | ABUT_W_TOP);
    }
}

/* The nearest staged body at or above `slot`; `slot` hangs below one. */
static uint32_t staged_at_or_above(const abut_world *world, uint32_t slot) {
    while (!(world->flags[slot] & ABUT_W_STAGED)) {
        slot = world->kin[slot].parent1 - 1;
    }
    return slot;
}

static bool staged_above(const abut_world *world, uint32_t slot) {
    for (uint32_t up1 = world->kin[slot].parent1; up1; up1 = world->kin[up1 - 1].parent1) {
        if (world->flags[up1 - 1] & ABUT_W_STAGED) {
            return true;
        }
    }
    return false;
}

/* Places a body and all that is attached to it anew; `write` false only asks whether that is possible. On failure *bad
 * is the slot that cannot be placed. */
static abut_result place_below(abut_world *world, uint32_t top, bool write, uint32_t *bad) {
    uint32_t slot = top;
    do {
        abut_w_frame frame = abut_w_frame_of(world, slot);
        abut_np_row row;
        abut_result result = abut_w_place(world, &frame, &row);
        if (result) {
            *bad = slot;
            return result;
        }
        if (write) {
            bool same = memcmp(&world->row[slot], &row, offsetof(abut_np_row, shape)) == 0;
            world->row[slot] = row;
            world->flags[slot] |= same ? ABUT_W_MOVED : ABUT_W_MOVED | ABUT_W_STALE | ABUT_W_NEW;
        }
        slot = abut_w_next_below(world, top, slot);
    } while (slot != top);
    return ABUT_OK;
}

/* Asks of every staged body whether it can be placed: once each, from the topmost staged ones down. Those are marked.
 */
static abut_result check_staged(abut_world *world, const batch *b, uint32_t *bad) {
    abut_result result = ABUT_OK;
    for (size_t i = 0; i < b->count && !result; i++) {
        uint32_t slot = batch_id(b, i).index1 - 1;
        if (!(world->flags[slot] & ABUT_W_TOP) && !staged_above(world, slot)) {
            world->flags[slot] |= ABUT_W_TOP;
            result = place_below(world, slot, false, bad);
        }
    }
    return result;
}

static void write_staged(abut_world *world, const batch *b) {
    uint32_t bad;
    for (size_t i = 0; i < b->count; i++) {
        uint32_t slot = batch_id(b, i).index1 - 1;
        if (world->flags[slot] & ABUT_W_TOP) {
            world->flags[slot] &= (uint8_t)~ABUT_W_TOP;
            (void)place_below(world, slot, true, &bad);
        }
    }
    world->changed = world->changed || b->count > 0;
}

/* The element that gave the body in `slot` the pose it has now. */
static size_t last_element_of(const batch *b, uint32_t slot) {
    size_t i = b->count - 1;
    while (batch_id(b, i).index1 - 1 != slot) {
        i--;
    }
    return i;
}

static abut_result set_poses(abut_world *world, const batch *b, size_t *bad) {
    abut_result result = check_elements(world, b, bad);
    if (result) {
        return result;
    }
    stage(world, b);
    uint32_t bad_slot = 0;
    result = check_staged(world, b, &bad_slot);
    if (result) {
        *bad = last_element_of(b, staged_at_or_above(world, bad_slot));
    } else {
        write_staged(world, b);
    }
    unstage(world, b, result != ABUT_OK);
    return result;
}

abut_result abut_bodies_set_poses_strided(abut_world *world, const abut_body_id *ids, size_t id_stride,
                                          const abut_pose *poses, size_t pose_stride, size_t n, size_t *first_bad) {
    if (!world || (n > 0 && (!ids || !poses))) {
        return ABUT_ERROR_ARGUMENT;
    }
    if (world->state == ABUT_W_ASKING) {
        return ABUT_ERROR_BUSY;
    }
    batch b = {.ids = (const char *)ids,
               .poses = (const char *)poses,
               .id_stride = id_stride ? id_stride : sizeof *ids,
               .pose_stride = pose_stride ? pose_stride : sizeof *poses,
               .count = n};
    size_t bad = 0;
    abut_result result = set_poses(world, &b, &bad);
    if (result && first_bad) {
        *first_bad = bad;
    }
    return result;
}

abut_result abut_bodies_set_poses(abut_world *world, const abut_body_id *ids, const abut_pose *poses, size_t n) {
    return abut_bodies_set_poses_strided(world, ids, 0, poses, 0, n, NULL);
}

abut_result abut_body_set_pose(abut_world *world, abut_body_id body, const abut_pose *pose) {
    return abut_bodies_set_poses_strided(world, &body, 0, pose, 0, 1, NULL);
}

abut_result abut_body_get_pose(const abut_world *world, abut_body_id body, abut_pose *pose) {
    uint32_t slot;
    abut_result result = pose ? abut_w_slot(world, body, &slot) : ABUT_ERROR_ARGUMENT;
    if (!result) {
        *pose = world->pose[slot];
    }
    return result;
}

abut_result abut_body_get_world_pose(const abut_world *world, abut_body_id body, abut_pose *pose) {
    uint32_t slot;
    abut_result result = pose ? abut_w_slot(world, body, &slot) : ABUT_ERROR_ARGUMENT;
    if (!result) {
        *pose = abut_w_world_pose(world, slot);
    }
    return result;
}

abut_result abut_body_get_bounds(const abut_world *world, abut_body_id body, abut_aabb *bounds) {
    uint32_t slot;
    abut_result result = bounds ? abut_w_slot(world, body, &slot) : ABUT_ERROR_ARGUMENT;
    if (!result) {
        *bounds = abut_np_bounds(&world->row[slot]);
    }
    return result;
}
