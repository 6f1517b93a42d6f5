/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes that tumble and drift in a cube, coloured by whether they touch. */
#include "palette.h"
#include "past.h"
#include "scenes.h"
#include "stage.h"
#include "vec.h"

enum { heat_max = 6 };

static scene boxes;

static abut_result set_up(stage *s, uint32_t count) {
    if (!scene_create(&boxes, SCENE_TUMBLING, count, 1)) {
        return ABUT_ERROR_MEMORY;
    }
    float side = boxes.high.x - boxes.low.x;
    s->camera.eye = (abut_vec3){1.4f * side, 1.0f * side, 1.8f * side};
    abut_result result = abut_world_create(&(abut_world_def){.body_capacity = count}, &s->world);
    for (size_t i = 0; i < count && result == ABUT_OK; ++i) {
        result = stage_add(s, boxes.defs[i], 0, palette_slate);
    }
    s->movers = s->count;
    return result;
}

static abut_result move(stage *s) {
    scene_advance(&boxes);
    for (size_t i = 0; i < s->count; ++i) {
        s->bodies[i].pose = boxes.poses[i];
    }
    return ABUT_OK;
}

static abut_result ask(stage *s) {
    stage_note_contacts(s, heat_max);
    return ABUT_OK;
}

static void draw(stage *s) {
    for (size_t i = 0; i < s->count; ++i) {
        stage_body *body = &s->bodies[i];
        testbed_colour rest =
            palette_mix(body->touches ? palette_vermilion : palette_sky, palette_dim, (uint32_t)(i % 6), 12);
        body->colour = palette_mix(rest, palette_yellow, body->heat, heat_max);
    }
}

static void tear_down(void) {
    scene_destroy(&boxes);
}

static void keep(past_walk *w, const stage *s) {
    past_piece(w, boxes.poses, s->count * sizeof *boxes.poses);
    past_piece(w, boxes.spins, boxes.mover_count * sizeof *boxes.spins);
    past_piece(w, &boxes.rng, sizeof boxes.rng);
}

static void take(stage *s, size_t body, abut_vec3 velocity) {
    boxes.poses[body] = s->bodies[body].pose;
    boxes.spins[body].velocity = vec_scale(velocity, 1.0f / 60);
}

const stage_scene stage_tumbling = {10000, 50000, set_up, move, ask, draw, tear_down, keep, take};
