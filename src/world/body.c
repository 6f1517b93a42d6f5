/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "hull/hull.h"
#include "world/world.h"
#include <string.h>

static bool half_valid(abut_vec3 half) {
    return abut_vec3_finite(half) && half.x >= 0 && half.y >= 0 && half.z >= 0 &&
           (half.x > 0 || half.y > 0 || half.z > 0);
}

static bool pose_finite(const abut_pose *pose) {
    return abut_vec3_finite(pose->position) && abut_quat_finite(pose->rotation);
}

static bool shape_valid(const abut_body_def *def) {
    return def->hull ? abut_hull_plausible(def->hull) : pose_finite(&def->box) && half_valid(def->half);
}

static bool def_valid(const abut_body_def *def) {
    return pose_finite(&def->pose) && shape_valid(def) && (def->motion == ABUT_MOVING || def->motion == ABUT_STATIC) &&
           (uint32_t)def->detail <= ABUT_DETAIL_BOUNDS && abut_w_filter_valid(&def->filter);
}

static bool pose_is_identity(const abut_pose *pose) {
    const abut_pose identity = {.rotation = {0, 0, 0, 1}};
    return memcmp(pose, &identity, sizeof identity) == 0;
}

/* What the definition says, with rotations normalised; *box is where frame->box points to when the box is moved. */
static abut_w_frame frame_from(const abut_body_def *def, abut_pose *box) {
    abut_pose pose = abut_pose_round(abut_dpose_from(&def->pose));
    if (def->hull) { /* half and box are ignored */
        *box = (abut_pose){.rotation = {0, 0, 0, 1}};
        return (abut_w_frame){.pose = pose, .hull = def->hull, .parent1 = def->parent.index1};
    }
    *box = abut_pose_round(abut_dpose_from(&def->box));
    return (abut_w_frame){.pose = pose,
                          .box = pose_is_identity(box) ? NULL : box,
                          .half = abut_vec3_round(abut_d3_from(def->half)),
                          .parent1 = def->parent.index1};
}

/* All that can be wrong with one definition; nothing is changed. */
static abut_result check_def(const abut_world *world, const abut_body_def *def) {
    if (!def_valid(def)) {
        return ABUT_ERROR_ARGUMENT;
    }
    uint32_t parent;
    if (!abut_body_id_equal(def->parent, (abut_body_id){0, 0})) {
        abut_result result = abut_w_slot(world, def->parent, &parent);
        if (result) {
            return result;
        }
    }
    abut_pose box;
    abut_w_frame frame = frame_from(def, &box);
    abut_np_row row;
    return abut_w_place(world, &frame, &row);
}

/* The definition has been checked and there is room. */
static abut_body_id add(abut_world *world, const abut_body_def *def) {
    uint32_t slot = abut_idpool_take(&world->ids);
    abut_pose box;
    abut_w_frame frame = frame_from(def, &box);
    (void)abut_w_place(world, &frame, &world->row[slot]);
    world->pose[slot] = frame.pose;
    world->box[slot] = box;
    world->filter[slot] = abut_w_filter_filled(&def->filter);
    world->body_user[slot] = def->user;
    world->has_hulls = world->has_hulls || def->hull;
    abut_w_attach(world, slot, frame.parent1);
    uint8_t motion = frame.parent1 ? world->traits[frame.parent1 - 1].motion : (uint8_t)def->motion;
    uint8_t flags = ABUT_W_MOVED | ABUT_W_STALE | ABUT_W_NEW | ABUT_W_BORN;
    flags |= frame.box ? ABUT_W_BOXED : 0;
    flags |= !frame.parent1 && abut_w_filter_is_default(&world->filter[slot]) ? 0 : ABUT_W_PICKY;
    world->flags[slot] = flags;
    world->traits[slot] = (abut_w_traits){motion, (uint8_t)def->detail};
    world->bp.role[slot] = ABUT_BP_ABSENT;
    abut_bp_activate(&world->bp, slot, motion == ABUT_STATIC);
    return abut_w_id(world, slot);
}

static abut_result check_create(const abut_world *world, const abut_body_def *defs, size_t n, const abut_body_id *ids) {
    if (!world || (n > 0 && (!defs || !ids))) {
        return ABUT_ERROR_ARGUMENT;
    }
    if (world->state == ABUT_W_ASKING) {
        return ABUT_ERROR_BUSY;
    }
    abut_result result = ABUT_OK;
    for (size_t i = 0; i < n && !result; i++) {
        result = check_def(world, &defs[i]);
    }
    return result;
}

abut_result abut_bodies_create(abut_world *world, const abut_body_def *defs, size_t n, abut_body_id *ids) {
    abut_result result = check_create(world, defs, n, ids);
    result = result ? result : abut_w_reserve_bodies(world, abut_idpool_needed(&world->ids, n));
    for (size_t i = 0; ids && i < n; i++) {
        ids[i] = result ? (abut_body_id){0, 0} : add(world, &defs[i]);
    }
    if (!result && n > 0) {
        world->changed = true;
    }
    return result;
}

abut_result abut_body_create(abut_world *world, const abut_body_def *def, abut_body_id *id) {
    return abut_bodies_create(world, def, 1, id);
}

abut_result abut_body_destroy(abut_world *world, abut_body_id body) {
    uint32_t top;
    abut_result result = abut_w_slot_to_change(world, body, &top);
    if (result) {
        return result;
    }
    /* Leaves first: what is given back no longer hangs from anything. */
    for (uint32_t slot = top;;) {
        while (world->kin[slot].first_child1) {
            slot = world->kin[slot].first_child1 - 1;
        }
        uint32_t parent1 = world->kin[slot].parent1;
        abut_w_detach(world, slot);
        abut_bp_remove(&world->bp, slot);
        world->flags[slot] = 0;
        abut_idpool_give_back(&world->ids, slot);
        if (slot == top) {
            break;
        }
        slot = parent1 - 1;
    }
    world->changed = world->bereft = true;
    return ABUT_OK;
}

size_t abut_world_body_count(const abut_world *world) {
    return world ? world->ids.live_count : 0;
}

size_t abut_world_bodies(const abut_world *world, abut_body_id *out, size_t capacity) {
    if (!world) {
        return 0;
    }
    size_t count = 0;
    for (uint32_t slot = 0; slot < world->ids.used && out && count < capacity; slot++) {
        if (abut_idpool_is_live(&world->ids, slot)) {
            out[count++] = abut_w_id(world, slot);
        }
    }
    return world->ids.live_count;
}
