/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world_scenes.h"
#include "bench.h"
#include "scene_rng.h"
#include <stdlib.h>

enum { seed = 1, wall_count = 8, brick_width = 20, brick_height = 25 };

static const char *const names[] = {
    [WORLD_TUMBLING] = "tumbling",
    [WORLD_PILE] = "pile",
    [WORLD_WALLS] = "thin brick walls",
    [WORLD_BRICKS] = "bricks that touch exactly",
    [WORLD_BRICKS_REST] = "bricks that touch exactly, at rest",
    [WORLD_SPHERES] = "tumbling spheres",
    [WORLD_CAPSULES] = "tumbling capsules",
    [WORLD_ROUND] = "tumbling boxes, spheres, capsules",
};

/* Those that scenes.h has; the others are arranged here. */
static bool is_arranged(world_kind kind) {
    return kind != WORLD_TUMBLING && kind < WORLD_SPHERES;
}

static scene_kind kind_of(world_kind kind) {
    switch (kind) {
    case WORLD_SPHERES:
        return SCENE_SPHERES;
    case WORLD_CAPSULES:
        return SCENE_CAPSULES;
    case WORLD_ROUND:
        return SCENE_ROUND;
    default:
        return SCENE_TUMBLING;
    }
}

static size_t cube_side(size_t count) {
    size_t side = 1;
    while (side * side * side < count) {
        ++side;
    }
    return side;
}

/* --- the bodies' first places --- */

/* Cubes 2 % nearer to each other than they are wide; the ground, which is the last body, is as deep in the lowest ones.
 */
static void fill_pile(world_scene *s) {
    size_t movers = s->scene.mover_count, side = cube_side(movers);
    const float step = 0.98f;
    for (size_t i = 0; i < movers; ++i) {
        s->halves[i] = (abut_vec3){0.5f, 0.5f, 0.5f};
        s->home[i].position =
            (abut_vec3){step * (float)(i % side), step * (float)(i / (side * side)), step * (float)(i / side % side)};
    }
    s->halves[movers] = (abut_vec3){2.0f * (float)side, 1.0f, 2.0f * (float)side};
    s->home[movers].position = (abut_vec3){0.5f * (float)side, -0.48f - 1.0f, 0.5f * (float)side};
}

/* Running bond: every other course is moved by half a brick. */
static void fill_walls(world_scene *s) {
    size_t count = s->scene.count, across = (count + wall_count - 1) / wall_count, width = 40;
    for (size_t i = 0; i < count; ++i) {
        size_t in_wall = i % across, course = in_wall / width;
        s->halves[i] = (abut_vec3){0.5f, 0.25f, 0.05f};
        s->home[i].position = (abut_vec3){(float)(in_wall % width) + (course % 2 == 0 ? 0.0f : 0.5f),
                                          0.5f * (float)course, 2.0f * (float)(i / across)};
    }
}

/* 1 x 0.5 x 0.5, without mortar: all coordinates are multiples of a quarter, so that nothing is rounded. */
static void fill_bricks(world_scene *s) {
    for (size_t i = 0; i < s->scene.count; ++i) {
        size_t course = i / brick_width % brick_height;
        s->halves[i] = (abut_vec3){0.5f, 0.25f, 0.25f};
        s->home[i].position = (abut_vec3){(float)(i % brick_width) + (course % 2 == 0 ? 0.0f : 0.5f),
                                          0.5f * (float)course, 0.5f * (float)(i / (brick_width * brick_height))};
    }
}

/* --- motion --- */

static abut_pose jittered(uint64_t *rng, const abut_pose *home, float shift, float turn) {
    abut_vec3 by = scene_rng_vec3(rng, (abut_vec3){-shift, -shift, -shift}, (abut_vec3){shift, shift, shift});
    abut_vec3 axis = scene_rng_vec3(rng, (abut_vec3){-turn, -turn, -turn}, (abut_vec3){turn, turn, turn});
    return (abut_pose){{home->position.x + by.x, home->position.y + by.y, home->position.z + by.z},
                       {axis.x, axis.y, axis.z, 1.0f}};
}

static void place(world_scene *s) {
    float push = s->kind == WORLD_BRICKS && s->scene.frame % 2 == 1 ? 0.25f : 0.0f;
    for (size_t i = 0; i < s->scene.mover_count; ++i) {
        abut_pose *pose = &s->scene.poses[i];
        if (s->kind == WORLD_PILE) {
            *pose = jittered(&s->scene.rng, &s->home[i], 0.01f, 0.01f);
        } else if (s->kind == WORLD_WALLS) {
            *pose = jittered(&s->scene.rng, &s->home[i], 0.001f, 0.001f);
        } else {
            *pose = s->home[i];
            pose->position.x += push;
        }
    }
}

void world_scene_create(world_scene *s, world_kind kind, size_t count) {
    *s = (world_scene){.kind = kind};
    if (kind == WORLD_BRICKS || kind == WORLD_BRICKS_REST) {
        count = BRICK_COUNT;
    }
    size_t ground = kind == WORLD_PILE;
    if (!scene_create(&s->scene, kind_of(kind), count + ground, seed)) {
        bench_fail("no memory for the scene");
    }
    s->scene.mover_count = count;
    s->halves = bench_alloc(count + ground, sizeof *s->halves);
    s->radii = bench_alloc(count + ground, sizeof *s->radii);
    s->home = bench_alloc(count + ground, sizeof *s->home);
    for (size_t i = 0; i < s->scene.count; ++i) {
        s->home[i].rotation.w = 1.0f;
        s->halves[i] = s->scene.defs[i].half;
        s->radii[i] = s->scene.defs[i].radius;
    }
    if (is_arranged(kind)) {
        (kind == WORLD_PILE ? fill_pile : kind == WORLD_WALLS ? fill_walls : fill_bricks)(s);
        s->scene.poses[s->scene.count - 1] = s->home[s->scene.count - 1];
        place(s);
    }
    for (size_t i = 0; i < s->scene.count; ++i) {
        s->scene.defs[i].half = s->halves[i];
        s->scene.defs[i].pose = s->scene.poses[i];
        s->scene.defs[i].motion = i < count ? ABUT_MOVING : ABUT_STATIC;
    }
    s->frame = (body_frame){
        .count = s->scene.count, .mover_count = count, .halves = s->halves, .radii = s->radii, .poses = s->scene.poses};
}

void world_scene_advance(world_scene *s) {
    if (!is_arranged(s->kind)) {
        scene_advance(&s->scene);
        return;
    }
    ++s->scene.frame;
    place(s);
}

void world_scene_destroy(world_scene *s) {
    scene_destroy(&s->scene);
    free(s->halves);
    free(s->radii);
    free(s->home);
    *s = (world_scene){0};
}

const char *world_scene_name(world_kind kind) {
    return names[kind];
}
