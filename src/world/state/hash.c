/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/hash.h"
#include "base/workers/fpmode.h"
#include "shape/shape.h"
#include "world/body/body.h"

static uint64_t mix_pose(uint64_t hash, const abut_pose *pose) {
    hash = abut_hash_floats(hash, &pose->position.x, 3);
    return abut_hash_floats(hash, &pose->rotation.x, 4);
}

static uint64_t mix_body(uint64_t hash, const abut_world *world, uint32_t slot) {
    const abut_collider *collider = &world->collider[slot];
    const abut_filter *filter = abut_w_filter_of(world, slot);
    const abut_w_traits *traits = &world->traits[slot];
    const abut_pose pose = abut_w_pose_of(world, slot);
    hash = abut_hash_mix(hash, abut_body_id_pack(abut_w_id(world, slot)));
    hash = mix_pose(hash, &pose);
    hash = mix_pose(hash, abut_w_box_of(world, slot));
    hash = abut_hash_floats(hash, &collider->center.x, 3);
    hash = abut_hash_floats(hash, &collider->half.x, 3);
    hash = abut_hash_floats(hash, &collider->rotation.x, 4);
    hash = abut_shape_of(collider)->hash(collider, hash);
    hash = collider->radius > 0 ? abut_hash_floats(hash, &collider->radius, 1) : hash;
    hash = abut_hash_mix(abut_hash_mix(hash, filter->category), filter->mask);
    hash = abut_hash_mix(hash, (uint32_t)filter->group);
    return abut_hash_mix(hash, (uint64_t)traits->motion << 40 | (uint64_t)traits->detail << 32 |
                                   abut_w_parent_plus_one(world, slot));
}

static uint64_t hash_world(const abut_world *world) {
    if (!world) {
        return 0;
    }
    uint64_t hash = abut_hash_mix(0, world->ids.live_count);
    for (uint32_t slot = 0; slot < world->ids.used; slot++) {
        if (abut_idpool_is_live(&world->ids, slot)) {
            hash = mix_body(hash, world, slot);
        }
    }
    return hash;
}

uint64_t abut_world_hash(const abut_world *world) {
    abut_fpmode mode = abut_fpmode_enter();
    uint64_t hash = hash_world(world);
    abut_fpmode_leave(mode);
    return hash;
}
