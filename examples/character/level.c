/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "level.h"

static const float side = 12, height = 5, thin = 0.01f; /* of a room; half of a wall's thickness */

abut_aabb level_room(size_t room) {
    const float left = (float)room * side;
    return (abut_aabb){{left + thin, 0, thin}, {left + side - thin, height, side - thin}};
}

static abut_vec3 turn(abut_vec3 v, float tangent) {
    const float squared = tangent * tangent;
    const float cosine = (1 - squared) / (1 + squared), sine = 2 * tangent / (1 + squared);
    return (abut_vec3){cosine * v.x + sine * v.z, v.y, cosine * v.z - sine * v.x};
}

abut_vec3 level_to_world(const level *l, abut_vec3 v) {
    return turn(v, l->tangent);
}

abut_vec3 level_from_world(const level *l, abut_vec3 v) {
    return turn(v, -l->tangent);
}

/* A pose of the level in the world. (abut normalises rotations.) */
static abut_pose placed(const level *l, abut_pose pose) {
    const abut_quat q = pose.rotation;
    const float t = l->tangent;
    const abut_quat turned = {q.x + t * q.z, q.y + t * q.w, q.z - t * q.x, q.w - t * q.y};
    return (abut_pose){turn(pose.position, t), turned};
}

static abut_result add(level *l, abut_body_def def) {
    abut_body_id id;
    def.pose = placed(l, def.pose);
    def.motion = ABUT_STATIC;
    return abut_body_create(l->world, &def, &id);
}

static abut_result add_turned(level *l, abut_vec3 at, abut_quat rotation, abut_vec3 half) {
    return add(l, (abut_body_def){.pose = {at, rotation}, .half = half});
}

/* A box from one corner to the opposite one. */
static abut_result add_box(level *l, abut_vec3 low, abut_vec3 high) {
    const abut_vec3 at = {0.5f * (low.x + high.x), 0.5f * (low.y + high.y), 0.5f * (low.z + high.z)};
    const abut_vec3 half = {0.5f * (high.x - low.x), 0.5f * (high.y - low.y), 0.5f * (high.z - low.z)};
    return add_turned(l, at, (abut_quat){0, 0, 0, 1}, half);
}

/* An upright wall or pillar, turned by the angle whose half has this tangent. */
static abut_result add_upright(level *l, float x, float z, float tangent, abut_vec3 half) {
    return add_turned(l, (abut_vec3){x, half.y, z}, (abut_quat){0, tangent, 0, 1}, half);
}

/* A thick plate that rises from (x, z) in the direction of x, by the angle whose half has this tangent. */
static abut_result add_ramp(level *l, float x, float z, float tangent, float length, float width) {
    const float squared = tangent * tangent, thickness = 0.2f;
    const float cosine = (1 - squared) / (1 + squared), sine = 2 * tangent / (1 + squared);
    const abut_vec3 half = {0.5f * length, 0.5f * thickness, 0.5f * width};
    const abut_vec3 at = {x + half.x * cosine + half.y * sine, half.x * sine - half.y * cosine, z};
    return add_turned(l, at, (abut_quat){0, 0, tangent, 1}, half);
}

#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    abut_result result_ = (call);                                                                                      \
    if (result_ != ABUT_OK) {                                                                                          \
      return result_;                                                                                                  \
    }                                                                                                                  \
  } while (0)

/* The floor consists of nine tiles, flush or a little higher or lower: nothing to stumble over. */
static abut_result add_shell(level *l, float x) {
    static const float tops[9] = {0, 0, 0.001f, 0, 0, 0.00001f, 0, 0.0001f, 0};
    for (int tile = 0; tile < 9; ++tile) {
        const float third = side / 3, left = x + third * (float)(tile % 3), front = third * (float)(tile / 3);
        TRY(add_box(l, (abut_vec3){left, -2 * thin, front}, (abut_vec3){left + third, tops[tile], front + third}));
    }
    TRY(add_box(l, (abut_vec3){x, height, 0}, (abut_vec3){x + side, height + 2 * thin, side}));
    TRY(add_box(l, (abut_vec3){x, 0, -thin}, (abut_vec3){x + side, height, thin}));
    TRY(add_box(l, (abut_vec3){x, 0, side - thin}, (abut_vec3){x + side, height, side + thin}));
    return add_box(l, (abut_vec3){x - thin, 0, 0}, (abut_vec3){x + thin, height, side});
}

/* Stairs of 0.2, whose top ends in a ledge; stairs of 0.4, which are too high to climb; single blocks; a thin sill. */
static abut_result add_stairs(level *l, float x) {
    static const float blocks[] = {0.05f, 0.15f, 0.3f, 0.34f, 0.36f, 0.5f};
    for (int i = 0; i < 8; ++i) {
        const float left = x + 2 + 0.4f * (float)i, top = 0.2f * (float)(i + 1);
        TRY(add_box(l, (abut_vec3){left, 0, 2}, (abut_vec3){i < 7 ? left + 0.4f : x + 8, top, 5}));
    }
    for (int i = 0; i < 4; ++i) {
        const float left = x + 3 + 0.8f * (float)i, top = 0.4f * (float)(i + 1);
        TRY(add_box(l, (abut_vec3){left, 0, 9}, (abut_vec3){left + 0.8f, top, 12}));
    }
    for (int i = 0; i < 6; ++i) {
        const float left = x + 1 + 1.8f * (float)i;
        TRY(add_box(l, (abut_vec3){left, 0, 6.5f}, (abut_vec3){left + 0.9f, blocks[i], 7.5f}));
    }
    return add_box(l, (abut_vec3){x + 9, 0, 0}, (abut_vec3){x + 9 + 2 * thin, 0.25f, 5});
}

/* Ramps of 15, 30, 44.6, 46.5, 60 and 75 degrees; the limit is 45.6. They are open below. And a steep gutter. */
static abut_result add_ramps(level *l, float x) {
    static const float tangents[] = {0.13f, 0.27f, 0.41f, 0.43f, 0.58f, 0.77f};
    for (int i = 0; i < 6; ++i) {
        TRY(add_ramp(l, x + 2.5f, 1 + 2 * (float)i, tangents[i], i < 4 ? 5.0f : 3.0f, 1.3f));
    }
    TRY(add_turned(l, (abut_vec3){x + 9.4f, 0.9f, 9}, (abut_quat){0, 0, -0.58f, 1}, (abut_vec3){1.2f, 0.1f, 2}));
    TRY(add_turned(l, (abut_vec3){x + 10.2f, 0.9f, 9}, (abut_quat){0, 0, 0.58f, 1}, (abut_vec3){1.2f, 0.1f, 2}));
    return add_box(l, (abut_vec3){x + 8, 0, 4}, (abut_vec3){x + 9, 1.5f, 6}); /* to jump onto from a ramp */
}

/* Acute corners, passages that are just wide or high enough, and some that are not, pillars, an overhanging wall. */
static abut_result add_corners(level *l, float x) {
    TRY(add_upright(l, x + 3.2f, 0.45f, 0.1f, (abut_vec3){2, 2.5f, thin})); /* 11 degrees with the outer wall */
    TRY(add_upright(l, x + 6, 1.5f, 0.25f, (abut_vec3){1.2f, 2.5f, thin})); /* an acute wedge */
    TRY(add_upright(l, x + 6, 2.1f, -0.1f, (abut_vec3){1.2f, 2.5f, thin}));
    TRY(add_upright(l, x + 10, 2, 0.4f, (abut_vec3){0.5f, 2.5f, 0.5f})); /* pillars */
    TRY(add_upright(l, x + 9.3f, 3.3f, 0.2f, (abut_vec3){0.2f, 0.5f, 0.2f}));
    TRY(add_box(l, (abut_vec3){x, 0, 5}, (abut_vec3){x + 4, height, 5 + 2 * thin})); /* a wall with two gaps */
    TRY(add_box(l, (abut_vec3){x + 4.64f, 0, 5}, (abut_vec3){x + 7, height, 5 + 2 * thin}));
    TRY(add_box(l, (abut_vec3){x + 7.58f, 0, 5}, (abut_vec3){x + 10, height, 5 + 2 * thin}));
    TRY(add_box(l, (abut_vec3){x + 2, 1.9f, 7}, (abut_vec3){x + 5, 2.1f, 9})); /* a tunnel */
    TRY(add_box(l, (abut_vec3){x + 2, 0, 6.8f}, (abut_vec3){x + 5, 2.1f, 7}));
    TRY(add_box(l, (abut_vec3){x + 2, 0, 9}, (abut_vec3){x + 5, 2.1f, 9.2f}));
    TRY(add_box(l, (abut_vec3){x + 2, 1.7f, 9.2f}, (abut_vec3){x + 5, 1.9f, 11})); /* too low */
    return add_turned(l, (abut_vec3){x + 9, 1.8f, 9}, (abut_quat){0, 0, -0.6f, 1}, (abut_vec3){2, thin, 1.5f});
}

/* Boulders, logs, a rounded block, an edge to balance on, and a rock. */
static abut_result add_rocks(level *l, float x) {
    const abut_vec3 corners[] = {{-1, 0, -1},   {1, 0, -1.2f},        {1.2f, 0, 1},
                                 {-0.8f, 0, 1}, {-0.5f, 0.9f, -0.6f}, {0.6f, 0.7f, 0}};
    TRY(abut_hull_create(corners, sizeof corners / sizeof corners[0], NULL, &l->rock));
    const abut_body_def defs[] = {
        {.pose.position = {x + 3, 0.2f, 3}, .radius = 1},
        {.pose.position = {x + 3.9f, 0, 4.2f}, .radius = 0.7f},
        {.pose.position = {x + 8, 1.5f, 3}, .radius = 0.5f}, /* hangs in the air */
        {.pose = {{x + 3, 0.15f, 8}, {1, 0.2f, 0, 1}}, .half = {0, 2, 0}, .radius = 0.2f},
        {.pose = {{x + 4, 0.4f, 9.5f}, {1, -0.3f, 0.2f, 1}}, .half = {0, 1.5f, 0}, .radius = 0.4f},
        {.pose = {{x + 8, 0.5f, 7}, {0.1f, 0.2f, 0.3f, 1}}, .half = {1, 0.3f, 0.6f}, .radius = 0.25f},
        {.pose = {{x + 6, 0, 6}, {0, 0, 0.41f, 1}}, .half = {0.7f, 0.7f, 1.5f}},
        {.pose.position = {x + 9, 0, 10}, .hull = l->rock},
    };
    for (size_t i = 0; i < sizeof defs / sizeof defs[0]; ++i) {
        TRY(add(l, defs[i]));
    }
    return ABUT_OK;
}

/* A ledge beside the lift, and what moves. */
static abut_result add_movers(level *l, float x) {
    static const abut_vec3 halves[level_movers] = {{1, 1.25f, 1}, {1.5f, 0.15f, 1}, {0.5f, 0.75f, 1.5f}};
    for (int i = 0; i < level_movers; ++i) {
        const abut_body_def def = {.half = halves[i]};
        TRY(abut_body_create(l->world, &def, &l->movers[i]));
    }
    TRY(add_box(l, (abut_vec3){x, 0, 0}, (abut_vec3){x + 3, 2, 3}));
    return level_move(l, 0);
}

/* Forth and back between 0 and 1. */
static float swing(unsigned frame, unsigned period) {
    const unsigned at = frame % period;
    return 2 * (float)(2 * at < period ? at : period - at) / (float)period;
}

abut_result level_move(level *l, unsigned frame) {
    const float x = side * (float)(level_rooms - 1);
    const abut_quat none = {0, 0, 0, 1};
    const abut_vec3 at[level_movers] = {
        {x + 4, -1.25f + 2 * swing(frame, 240), 1},        /* the lift: its bottom stays below the floor */
        {x + 3 + 6 * swing(frame, 600), 0.15f, 6},         /* the raft */
        {x + 4 + 4 * swing(frame + 100, 300), 0.75f, 9.5f} /* the block never comes close to a wall */
    };
    abut_pose poses[level_movers];
    for (int i = 0; i < level_movers; ++i) {
        poses[i] = placed(l, (abut_pose){at[i], none});
    }
    return abut_bodies_set_poses(l->world, l->movers, poses, level_movers);
}

static abut_result fill(level *l) {
    for (int room = 0; room < level_rooms; ++room) {
        TRY(add_shell(l, side * (float)room));
    }
    TRY(add_box(l, (abut_vec3){side * level_rooms - thin, 0, 0}, (abut_vec3){side * level_rooms + thin, height, side}));
    TRY(add_stairs(l, 0));
    TRY(add_ramps(l, side));
    TRY(add_corners(l, 2 * side));
    TRY(add_rocks(l, 3 * side));
    return add_movers(l, 4 * side);
}

abut_result level_create(level *l, float tangent) {
    *l = (level){.tangent = tangent};
    TRY(abut_world_create(NULL, &l->world));
    abut_result result = fill(l);
    if (result != ABUT_OK) {
        level_destroy(l);
    }
    return result;
}

void level_destroy(level *l) {
    abut_world_destroy(&l->world);
    abut_hull_destroy(&l->rock);
}
