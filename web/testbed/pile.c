/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Convex hulls that fall into a tray and come to rest as a heap; the tray is shaken now and then. */
#include "heap.h"
#include "mesh.h"
#include "palette.h"
#include "scene_hulls.h"
#include "scene_rng.h"
#include "vec.h"
#include <stdlib.h>

enum { hull_count = 12, walls = 5, heat_max = 20, shake_frames = 900 };
static const float pitch = 1.75f;

static struct {
    uint64_t rng;
    heap heap;
    abut_hull *hulls[hull_count];
    float half; /* of the tray */
} pile;

static abut_result make_hulls(stage *s) {
    abut_result result = ABUT_OK;
    for (size_t i = 0; i < hull_count && result == ABUT_OK; ++i) {
        pile.hulls[i] = scene_hull_create(&pile.rng, i);
        result = pile.hulls[i] == NULL ? ABUT_ERROR_MEMORY : mesh_add_hull(s, pile.hulls[i]);
    }
    return result;
}

/* In layers above the tray, each slightly rotated. */
static abut_result add_hull(stage *s, uint32_t i, uint32_t side) {
    static const abut_vec3 low = {-0.2f, -0.2f, -0.2f}, high = {0.2f, 0.2f, 0.2f};
    const abut_hull *hull = pile.hulls[i % hull_count];
    float x = (float)(i % side) - 0.5f * (float)(side - 1), z = (float)(i / side % side) - 0.5f * (float)(side - 1);
    float y = (float)(i / (side * side)) + 1;
    heap_body *body = &pile.heap.bodies[i];
    abut_obb box = abut_hull_obb(hull);
    float reach = vec_dot(box.half, box.half) / 3;
    abut_pose pose = {{0, 0, 0}, scene_rng_rotation(&pile.rng)};
    *body = (heap_body){.centre = abut_hull_centroid(hull)};
    body->inverse_mass = 1 / abut_hull_volume(hull);
    body->inverse_inertia = body->inverse_mass / (0.6f * reach);
    body->at = vec_add(vec(pitch * x, pitch * y, pitch * z), scene_rng_vec3(&pile.rng, low, high));
    pose.position = vec_sub(body->at, quat_turn(pose.rotation, body->centre));
    return stage_add(s, (abut_body_def){.pose = pose, .hull = hull}, 1 + i % hull_count, palette_sky);
}

static abut_result add_tray(stage *s) {
    const float half = pile.half, high = 0.6f, thick = 0.3f;
    abut_result result = ABUT_OK;
    for (int i = 0; i < walls && result == ABUT_OK; ++i) {
        float side = i % 2 == 0 ? 1.0f : -1.0f;
        abut_body_def def = {.motion = ABUT_STATIC, .half = {half + 2 * thick, thick, half + 2 * thick}};
        def.pose.position.y = -thick;
        if (i > 0) {
            bool across = i > 2;
            def.half = vec(across ? half + 2 * thick : thick, high, across ? thick : half);
            def.pose.position = vec(across ? 0 : side * (half + thick), high, across ? side * (half + thick) : 0);
        }
        pile.heap.bodies[s->count] = (heap_body){.at = def.pose.position};
        result = stage_add(s, def, 0, palette_plot);
    }
    return result;
}

static abut_result set_up(stage *s, uint32_t count) {
    uint32_t side = 1;
    while (2 * side * side * side < count) {
        ++side;
    }
    pile.rng = 7;
    pile.half = 0.5f * pitch * (float)side + 3;
    pile.heap.bodies = calloc(count + walls, sizeof *pile.heap.bodies);
    s->camera.eye = vec(1.2f * pile.half, 1.0f * pile.half + 2, 2.0f * pile.half + 2);
    s->camera.target = vec(0, 0.3f * pile.half, 0);
    if (pile.heap.bodies == NULL) {
        return ABUT_ERROR_MEMORY;
    }
    abut_result result = abut_world_create(&(abut_world_def){.contact_margin = 0.02f}, &s->world);
    if (result == ABUT_OK) {
        result = make_hulls(s);
    }
    for (uint32_t i = 0; i < count && result == ABUT_OK; ++i) {
        result = add_hull(s, i, side);
    }
    s->movers = s->count;
    return result == ABUT_OK ? add_tray(s) : result;
}

static abut_result move(stage *s) {
    if (s->report.frame % shake_frames == shake_frames - 1) {
        for (size_t i = 0; i < s->movers; ++i) {
            heap_body *body = &pile.heap.bodies[i];
            body->velocity = vec_add(body->velocity, vec(-0.2f * body->at.x, 4.5f, -0.2f * body->at.z));
            body->still_frames = 0;
        }
    }
    return heap_move(&pile.heap, s);
}

static abut_result ask(stage *s) {
    stage_note_contacts(s, heat_max);
    return ABUT_OK;
}

static void draw(stage *s) {
    static const testbed_colour stones[] = {{86, 180, 233, 255}, {0, 158, 115, 255}, {230, 159, 0, 255}};
    for (size_t i = 0; i < s->movers; ++i) {
        uint32_t dim = (uint32_t)(i % 5) + (s->bodies[i].rests ? 5 : 0);
        s->bodies[i].colour = palette_mix(stones[i % hull_count % 3], palette_dim, dim, 16);
    }
    for (size_t i = s->movers; i < s->count; ++i) {
        s->bodies[i].colour = palette_plot;
    }
}

static void tear_down(void) {
    for (int i = 0; i < hull_count; ++i) {
        abut_hull_destroy(&pile.hulls[i]);
    }
    heap_forget(&pile.heap);
    free(pile.heap.bodies);
    pile.heap.bodies = NULL;
}

const stage_scene stage_pile = {600, 3000, set_up, move, ask, draw, tear_down};
