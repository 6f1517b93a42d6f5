/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes, spheres, capsules and hulls that roll down the hills of a terrain, over inner edges of its triangles without a
 * bump. Who falls through the pit or over the brink, and now and then one that rests, comes down again elsewhere. */
#include "mesh.h"
#include "palette.h"
#include "past.h"
#include "scene_hulls.h"
#include "scene_rng.h"
#include "stone.h"
#include "vec.h"
#include <stdlib.h>

enum { kinds = 4, stone_count = 8, side = 101, mounds = 40, layers = 4, frames_to_next = 4 };
static const float cell = 0.6f, half = 30, abyss = -15, sky = 9, plain = -1.2f;

static struct {
    uint64_t rng;
    heap heap;
    stone stones[stone_count];
    float heights[side * side];
    abut_mesh *ground;
    uint32_t next; /* body to come down again, if it rests */
} hills;

/* --- the ground --- */

static float *height_at(int column, int row) {
    return &hills.heights[row * side + column];
}

/* A smooth mound or hollow; distances are in halves of the terrain. */
static void add_mound(float x, float z, float radius, float rise) {
    for (int row = 0; row < side; ++row) {
        for (int column = 0; column < side; ++column) {
            float u = (float)column / 50 - 1 - x, v = (float)row / 50 - 1 - z;
            float rest = 1 - (u * u + v * v) / (radius * radius);
            *height_at(column, row) += rest > 0 ? rise * rest * rest : 0;
        }
    }
}

/* Low places become exactly flat plains, the border rises, and a hole is cut into the middle. */
static void finish_heights(void) {
    for (int row = 0; row < side; ++row) {
        for (int column = 0; column < side; ++column) {
            float *height = height_at(column, row), u = fabsf((float)column / 50 - 1), v = fabsf((float)row / 50 - 1);
            float rim = fmaxf(fmaxf(u, v) - 0.8f, 0) / 0.2f;
            float rough = scene_rng_range(&hills.rng, -0.04f, 0.04f);
            *height = fmaxf(*height + rough, plain) + 5 * rim * rim;
            if (fmaxf(u, v) < 0.05f) {
                *height = NAN;
            }
        }
    }
}

static abut_result make_ground(void) {
    for (int i = 0; i < side * side; ++i) {
        hills.heights[i] = 0;
    }
    add_mound(0, 0, 0.5f, -2.5f);
    for (int i = 0; i < mounds; ++i) {
        float x = scene_rng_range(&hills.rng, -1, 1), z = scene_rng_range(&hills.rng, -1, 1);
        float radius = scene_rng_range(&hills.rng, 0.15f, 0.45f);
        add_mound(x, z, radius, scene_rng_range(&hills.rng, -7, 8) * radius);
    }
    finish_heights();
    const abut_mesh_grid_def def = {
        .heights = hills.heights, .columns = side, .rows = side, .spacing = {cell, 1, cell}};
    return abut_mesh_create_grid(&def, &hills.ground);
}

static abut_result add_ground(stage *s) {
    const abut_body_def def = {.pose.position = {-half, 0, -half}, .mesh = hills.ground, .motion = ABUT_STATIC};
    uint32_t mesh = (uint32_t)s->meshes.count;
    abut_result result = mesh_add_surface(s, hills.ground);
    hills.heap.bodies[s->count] = (heap_body){.at = def.pose.position};
    return result == ABUT_OK ? stage_add(s, def, mesh, palette_dim) : result;
}

/* --- the bodies --- */

static abut_result make_stones(stage *s) {
    static const abut_shape shapes[] = {
        {.half = {0.5f, 0.3f, 0.4f}},    {.radius = 0.45f}, {.half = {0, 0.4f, 0}, .radius = 0.3f},  {.radius = 0},
        {.half = {0.35f, 0.35f, 0.35f}}, {.radius = 0.6f},  {.half = {0.6f, 0, 0}, .radius = 0.25f}, {.radius = 0}};
    abut_result result = ABUT_OK;
    for (size_t i = 0; i < stone_count && result == ABUT_OK; ++i) {
        stone *st = &hills.stones[i];
        st->shape = shapes[i];
        if (i % kinds == kinds - 1) {
            st->hull = scene_hull_create(&hills.rng, 1 + i / kinds);
            st->shape.hull = st->hull;
            result = st->hull == NULL ? ABUT_ERROR_MEMORY : ABUT_OK;
        }
        result = result == ABUT_OK ? stone_finish(s, st) : result;
    }
    return result;
}

/* In layers above the ground. */
static abut_result add_body(stage *s, uint32_t i, uint32_t width) {
    float pitch = 1.6f * half / (float)width;
    float x = (float)(i / layers % width) - 0.5f * (float)(width - 1);
    float z = (float)(i / layers / width) - 0.5f * (float)(width - 1);
    abut_vec3 at = vec(pitch * x, 5 + 1.6f * (float)(i % layers), pitch * z);
    return stone_add(s, &hills.heap, &hills.stones[i % stone_count], at, scene_rng_rotation(&hills.rng));
}

static abut_result set_up(stage *s, uint32_t count) {
    uint32_t width = 1;
    while (layers * width * width < count) {
        ++width;
    }
    hills.rng = 23;
    hills.next = 0;
    hills.heap.bodies = calloc(count + 1, sizeof *hills.heap.bodies);
    s->camera.eye = vec(0.55f * half, 0.75f * half, 1.15f * half);
    s->camera.target = vec(0, -2, 0.1f * half);
    if (hills.heap.bodies == NULL) {
        return ABUT_ERROR_MEMORY;
    }
    abut_result result = abut_world_create(&(abut_world_def){.contact_margin = 0.02f}, &s->world);
    if (result == ABUT_OK) {
        result = make_ground();
    }
    if (result == ABUT_OK) {
        result = make_stones(s);
    }
    for (uint32_t i = 0; i < count && result == ABUT_OK; ++i) {
        result = add_body(s, i, width);
    }
    s->movers = s->count;
    return result == ABUT_OK ? add_ground(s) : result;
}

static void come_down_again(stage *s, size_t i) {
    static const abut_vec3 low = {-0.8f, 1, -0.8f}, high = {0.8f, 1.5f, 0.8f};
    heap_body *body = &hills.heap.bodies[i];
    abut_vec3 place = scene_rng_vec3(&hills.rng, low, high);
    body->at = vec(half * place.x, sky * place.y, half * place.z);
    body->velocity = body->spin = vec(0, 0, 0);
    body->still_frames = 0;
    s->bodies[i].pose.position = vec_sub(body->at, quat_turn(s->bodies[i].pose.rotation, body->centre));
}

static abut_result move(stage *s) {
    abut_result result = heap_move(&hills.heap, s);
    for (size_t i = 0; i < s->movers; ++i) {
        if (hills.heap.bodies[i].at.y < abyss) {
            come_down_again(s, i);
        }
    }
    if (s->report.frame % frames_to_next == 0) {
        if (s->bodies[hills.next].rests) {
            s->bodies[hills.next].rests = false;
            come_down_again(s, hills.next);
        }
        hills.next = (hills.next + 1) % (uint32_t)s->movers;
    }
    return result;
}

static abut_result ask(stage *s) {
    size_t count;
    (void)abut_world_parts(s->world, &count);
    s->report.parts = (uint32_t)count;
    return ABUT_OK;
}

/* --- what is shown --- */

/* Triangles that are touched, and where and which way. */
static void draw_part(stage *s, const abut_contact_part *part) {
    const abut_vec3 ground = {-half, 0.01f, -half};
    const abut_manifold *m = &part->manifold;
    abut_vec3 v[3];
    if (!abut_mesh_triangle(hills.ground, part->part, v)) {
        return;
    }
    for (int k = 0; k < 3; ++k) {
        stage_line(s, vec_add(v[k], ground), vec_add(v[(k + 1) % 3], ground), palette_yellow);
    }
    for (uint32_t k = 0; k < m->count; ++k) {
        abut_vec3 from = m->points[k].position;
        stage_line(s, from, vec_along(from, -0.5f, m->normal), palette_white);
        stage_point(s, from, palette_white);
    }
}

static void draw(stage *s) {
    static const testbed_colour colours[kinds] = {
        {86, 180, 233, 255}, {0, 158, 115, 255}, {230, 159, 0, 255}, {255, 112, 196, 255}};
    size_t count;
    const abut_contact_part *parts = abut_world_parts(s->world, &count);
    for (size_t i = 0; i < s->movers; ++i) {
        uint32_t dim = (uint32_t)(i / stone_count % 5) + (s->bodies[i].rests ? 5 : 0);
        s->bodies[i].colour = palette_mix(colours[i % kinds], palette_dim, dim, 16);
    }
    s->bodies[s->movers].colour = palette_dim;
    for (size_t i = 0; i < count; ++i) {
        draw_part(s, &parts[i]);
    }
}

static void tear_down(void) {
    for (int i = 0; i < stone_count; ++i) {
        stone_forget(&hills.stones[i]);
    }
    heap_forget(&hills.heap);
    free(hills.heap.bodies);
    hills.heap.bodies = NULL;
    abut_mesh_destroy(&hills.ground);
}

static void keep(past_walk *w, const stage *s) {
    past_piece(w, &hills.rng, sizeof hills.rng);
    past_piece(w, &hills.next, sizeof hills.next);
    heap_keep(&hills.heap, w, s->count);
}

static void take(stage *s, size_t body, abut_vec3 velocity) {
    heap_take(&hills.heap, s, body, velocity);
}

const stage_scene stage_terrain = {500, 3000, set_up, move, ask, draw, tear_down, keep, take};
