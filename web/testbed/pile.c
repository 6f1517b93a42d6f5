/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies that fall into a tray and come to rest as a heap; the tray is shaken now and then. In one scene they are
 * hulls, in another one spheres, capsules, rounded boxes and rounded hulls. */
#include "palette.h"
#include "past.h"
#include "scene_hulls.h"
#include "scene_rng.h"
#include "stone.h"
#include "vec.h"
#include <stdlib.h>

enum { stone_count = 12, walls = 5, heat_max = 20, shake_frames = 900 };
static const float pitch = 1.75f;

static struct {
    uint64_t rng;
    heap heap;
    stone stones[stone_count];
    float half, high; /* of the tray and of its walls */
} pile;

static abut_result make_hulls(stage *s) {
    abut_result result = ABUT_OK;
    for (size_t i = 0; i < stone_count && result == ABUT_OK; ++i) {
        stone *st = &pile.stones[i];
        st->hull = scene_hull_create(&pile.rng, i);
        st->shape = abut_convex(st->hull, 0);
        result = st->hull == NULL ? ABUT_ERROR_MEMORY : stone_finish(s, st);
    }
    return result;
}

/* Spheres, capsules, rounded boxes and rounded hulls in turn. */
static abut_result make_round(stage *s) {
    static const abut_shape shapes[] = {
        {.radius = 0.5f},   {.half = {0, 0.4f, 0}, .radius = 0.3f},   {.half = {0.4f, 0.25f, 0.3f}, .radius = 0.15f},
        {.radius = 0.35f},  {.half = {0.6f, 0, 0}, .radius = 0.2f},   {.half = {0.5f, 0, 0.35f}, .radius = 0.2f},
        {.radius = 0.625f}, {.half = {0, 0, 0.3f}, .radius = 0.375f}, {.half = {0.3f, 0.3f, 0.3f}, .radius = 0.25f}};
    abut_result result = ABUT_OK;
    for (size_t i = 0; i < stone_count && result == ABUT_OK; ++i) {
        stone *st = &pile.stones[i];
        if (i % 4 < 3) {
            st->shape = shapes[i / 4 * 3 + i % 4];
        } else {
            st->hull = scene_hull_create(&pile.rng, 1 + i / 4);
            st->shape = abut_convex(st->hull, 0.1f);
            result = st->hull == NULL ? ABUT_ERROR_MEMORY : ABUT_OK;
        }
        result = result == ABUT_OK ? stone_finish(s, st) : result;
    }
    return result;
}

/* In layers above the tray, each slightly rotated. */
static abut_result add_stone(stage *s, uint32_t i, uint32_t side) {
    static const abut_vec3 low = {-0.2f, -0.2f, -0.2f}, high = {0.2f, 0.2f, 0.2f};
    float x = (float)(i % side) - 0.5f * (float)(side - 1), z = (float)(i / side % side) - 0.5f * (float)(side - 1);
    float y = (float)(i / (side * side)) + 1;
    abut_quat rotation = scene_rng_rotation(&pile.rng);
    abut_vec3 at = vec_add(vec(pitch * x, pitch * y, pitch * z), scene_rng_vec3(&pile.rng, low, high));
    return stone_add(s, &pile.heap, &pile.stones[i % stone_count], at, rotation);
}

static abut_result add_tray(stage *s) {
    const float half = pile.half, high = pile.high, thick = 0.3f;
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

static abut_result set_up(stage *s, uint32_t count, abut_result (*make_stones)(stage *)) {
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
        result = make_stones(s);
    }
    for (uint32_t i = 0; i < count && result == ABUT_OK; ++i) {
        result = add_stone(s, i, side);
    }
    s->movers = s->count;
    return result == ABUT_OK ? add_tray(s) : result;
}

static abut_result set_up_hulls(stage *s, uint32_t count) {
    pile.high = 0.6f;
    return set_up(s, count, make_hulls);
}

static abut_result set_up_round(stage *s, uint32_t count) {
    pile.high = 1.2f; /* balls roll over lower ones */
    return set_up(s, count, make_round);
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

static void paint(stage *s, const testbed_colour *colours, size_t count) {
    for (size_t i = 0; i < s->movers; ++i) {
        uint32_t dim = (uint32_t)(i % 5) + (s->bodies[i].rests ? 5 : 0);
        s->bodies[i].colour = palette_mix(colours[i % stone_count % count], palette_dim, dim, 16);
    }
    for (size_t i = s->movers; i < s->count; ++i) {
        s->bodies[i].colour = palette_plot;
    }
}

static void draw_hulls(stage *s) {
    static const testbed_colour stones[] = {{86, 180, 233, 255}, {0, 158, 115, 255}, {230, 159, 0, 255}};
    paint(s, stones, 3);
}

static void draw_round(stage *s) {
    static const testbed_colour stones[] = {
        {86, 180, 233, 255}, {0, 158, 115, 255}, {230, 159, 0, 255}, {255, 112, 196, 255}};
    paint(s, stones, 4);
}

static void tear_down(void) {
    for (int i = 0; i < stone_count; ++i) {
        stone_forget(&pile.stones[i]);
    }
    heap_forget(&pile.heap);
    free(pile.heap.bodies);
    pile.heap.bodies = NULL;
}

static void keep(past_walk *w, const stage *s) {
    past_piece(w, &pile.rng, sizeof pile.rng);
    heap_keep(&pile.heap, w, s->count);
}

static void take(stage *s, size_t body, abut_vec3 velocity) {
    heap_take(&pile.heap, s, body, velocity);
}

const stage_scene stage_pile = {600, 3000, set_up_hulls, move, ask, draw_hulls, tear_down, keep, take};
const stage_scene stage_round = {600, 3000, set_up_round, move, ask, draw_round, tear_down, keep, take};
