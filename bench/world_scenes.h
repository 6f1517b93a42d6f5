/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The inputs of the whole-frame benchmarks: every body gets a pose in every frame. */
#ifndef ABUT_BENCH_WORLD_SCENES_H
#define ABUT_BENCH_WORLD_SCENES_H

#include "peers/world_peer.h"
#include "scenes.h"

typedef enum world_kind {
    WORLD_TUMBLING,    /* scenes.h */
    WORLD_PILE,        /* a dense heap of cubes on static ground, each a little turned and pushed into its neighbours */
    WORLD_WALLS,       /* eight walls of thin bricks that overlap by a very little */
    WORLD_BRICKS,      /* 20 x 25 x 20 bricks in running bond that touch exactly, pushed along by a quarter together */
    WORLD_BRICKS_REST, /* the same, but every pose stays the same */
    WORLD_SPHERES,     /* scenes.h, too */
    WORLD_CAPSULES,
    WORLD_ROUND
} world_kind;

enum { BRICK_COUNT = 10000, BRICK_TOUCHES = 91338 }; /* counted: faces, edges and corners */

typedef struct world_scene {
    world_kind kind;
    scene scene;
    body_frame frame; /* what the peers get */
    abut_vec3 *halves;
    float *radii;
    abut_pose *home; /* the centres of the bodies' random motion */
} world_scene;

/* `count` is of the movers; bricks are always BRICK_COUNT. Fails when memory runs out. */
void world_scene_create(world_scene *s, world_kind kind, size_t count);
void world_scene_advance(world_scene *s);
void world_scene_destroy(world_scene *s);
const char *world_scene_name(world_kind kind);

#endif
