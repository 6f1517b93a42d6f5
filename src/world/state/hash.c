/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "shape/shape.h"
#include "world/body/body.h"

/* A chain of 64-bit multiply-xorshift rounds (the finaliser of Steele, Lea and Flood, "SplitMix", 2014). Values enter
 * as numbers, not as memory, so the byte order of the machine does not matter. */
static uint64_t mix(uint64_t hash, uint64_t value) {
    uint64_t z = (hash ^ value) + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t mix_floats(uint64_t hash, const float *values, int count) {
    for (int i = 0; i < count; i++) {
        hash = mix(hash, abut_bits_of_float(values[i]));
    }
    return hash;
}

static uint64_t mix_pose(uint64_t hash, const abut_pose *pose) {
    hash = mix_floats(hash, &pose->position.x, 3);
    return mix_floats(hash, &pose->rotation.x, 4);
}

static uint64_t mix_body(uint64_t hash, const abut_world *world, uint32_t slot) {
    const abut_collider *collider = &world->collider[slot];
    const abut_filter *filter = abut_w_filter_of(world, slot);
    const abut_w_traits *traits = &world->traits[slot];
    const abut_pose pose = abut_w_pose_of(world, slot);
    hash = mix(hash, abut_body_id_pack(abut_w_id(world, slot)));
    hash = mix_pose(hash, &pose);
    hash = mix_pose(hash, abut_w_box_of(world, slot));
    hash = mix_floats(hash, &collider->center.x, 3);
    hash = mix_floats(hash, &collider->half.x, 3);
    hash = mix_floats(hash, &collider->rotation.x, 4);
    hash = collider->hull ? mix(hash, collider->hull->digest)
                          : hash; /* what it is, not where; no box is all zero like its half */
    hash = mix(mix(hash, filter->category), filter->mask);
    hash = mix(hash, (uint32_t)filter->group);
    return mix(hash,
               (uint64_t)traits->motion << 40 | (uint64_t)traits->detail << 32 | abut_w_parent_plus_one(world, slot));
}

uint64_t abut_world_hash(const abut_world *world) {
    if (!world) {
        return 0;
    }
    uint64_t hash = mix(0, world->ids.live_count);
    for (uint32_t slot = 0; slot < world->ids.used; slot++) {
        if (abut_idpool_is_live(&world->ids, slot)) {
            hash = mix_body(hash, world, slot);
        }
    }
    return hash;
}
