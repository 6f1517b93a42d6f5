/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Questions to the world: a laser that turns and is reflected, a fan of rays around a walker with the bodies that he
 * sees, and a probe with its nearest neighbours. */
#include "queries.h"
#include "hash.h"
#include "mesh.h"
#include "palette.h"
#include "past.h"
#include "scene_hulls.h"
#include "scene_rng.h"
#include "vec.h"
#include <stdlib.h>

enum { fan_rays = 2048, spokes = 64, bounces = 4, neighbours = 8, kinds = 4, movers_of_ten = 4 };
static const float eye_height = 0.6f, probe_radius = 0.3f;

typedef struct walk { /* round and round, about y */
    abut_vec3 pivot, arm;
    abut_quat turn, pace; /* pace: of a frame */
} walk;

static struct {
    uint64_t rng;
    float width;      /* of the square */
    abut_hull *stone; /* of kind 3 */
    abut_hull *drawn[kinds];
    walk *walks; /* of the movers */
    walk laser, eye, probe;
    bool is_held;    /* the page moves the probe */
    abut_vec3 at;    /* of the probe */
    abut_vec3 *ways; /* of the fan */
    abut_ray *rays;  /* the fan, then one to each body */
    abut_hit *fan, beam[bounces];
    abut_vec3 ends[bounces + 1]; /* of the parts of the beam */
    uint32_t beam_count;
    uint8_t *blocked; /* the ray to each body */
    abut_near near[neighbours];
    size_t near_count;
} square;

/* --- the square --- */

static walk make_walk(float x, float y, float z, float radius, float degrees) {
    return (walk){vec(x, y, z), vec(radius, 0, 0), quat_none, quat_degrees(vec(0, degrees, 0))};
}

static void advance(walk *w) {
    w->turn = quat_unit(quat_multiply(w->turn, w->pace));
}

static abut_vec3 place_of(const walk *w) {
    return vec_add(w->pivot, quat_turn(w->turn, w->arm));
}

/* Mesh k shows shape k; mesh 0 is a box. */
static abut_result make_shapes(stage *s, abut_shape shapes[kinds]) {
    square.stone = scene_hull_create(&square.rng, 3);
    shapes[0] = abut_box(0.4f, 0.7f, 0.25f);
    shapes[1] = abut_sphere(0.5f);
    shapes[2] = abut_capsule(0.6f, 0.25f);
    shapes[3] = abut_convex(square.stone, 0);
    abut_result result = square.stone == NULL ? ABUT_ERROR_MEMORY : ABUT_OK;
    for (int i = 1; i < kinds && result == ABUT_OK; ++i) {
        result =
            shapes[i].radius > 0 ? mesh_add_round(s, &shapes[i], &square.drawn[i]) : mesh_add_hull(s, shapes[i].hull);
    }
    return result;
}

static abut_result add_body(stage *s, const abut_shape *shape, uint32_t kind, bool moves) {
    const float half = 0.5f * square.width;
    const abut_vec3 low = {-half, -0.2f, -half}, high = {half, 0.2f, half};
    abut_vec3 at = scene_rng_vec3(&square.rng, low, high), turn = scene_rng_vec3(&square.rng, low, high);
    abut_body_def def = {.half = shape->half, .hull = shape->hull, .radius = shape->radius};
    at.y += eye_height;
    if (moves) {
        walk *w = &square.walks[s->count];
        *w = make_walk(at.x, at.y, at.z, 1.5f, turn.x / half + 0.3f);
        def.pose = (abut_pose){place_of(w), w->turn};
    } else {
        def.motion = ABUT_STATIC;
        def.pose = (abut_pose){at, quat_degrees(vec(0, 60 * turn.x / half, 0))};
    }
    abut_result result = stage_add(s, def, kind, palette_slate);
    if (result == ABUT_OK && square.drawn[kind] != NULL) {
        stage_show_as(s, square.drawn[kind]);
    }
    return result;
}

static void make_fan(void) {
    const abut_quat step = quat_degrees(vec(0, 360.0f / fan_rays, 0));
    abut_quat turn = quat_none;
    for (int i = 0; i < fan_rays; ++i) {
        square.ways[i] = quat_turn(turn, vec(0.4f * square.width, 0, 0));
        turn = quat_unit(quat_multiply(turn, step));
    }
}

static bool make_room(uint32_t count) {
    square.walks = calloc(count, sizeof *square.walks);
    square.ways = malloc(fan_rays * sizeof *square.ways);
    square.rays = calloc(fan_rays + count, sizeof *square.rays);
    square.fan = calloc(fan_rays, sizeof *square.fan);
    square.blocked = calloc(count, sizeof *square.blocked);
    return square.walks != NULL && square.ways != NULL && square.rays != NULL && square.fan != NULL &&
           square.blocked != NULL;
}

static abut_result set_up(stage *s, uint32_t count) {
    abut_shape shapes[kinds];
    const float width = 3 * sqrtf((float)count) + 4;
    if (!make_room(count)) {
        return ABUT_ERROR_MEMORY;
    }
    square.rng = 11;
    square.width = width;
    square.is_held = false;
    square.beam_count = 0;
    square.near_count = 0;
    square.laser = make_walk(0, eye_height, 0, 0.5f * width, 0.25f);
    square.eye = make_walk(-0.1f * width, eye_height, 0, 0.25f * width, 0.15f);
    square.probe = make_walk(0.15f * width, eye_height, 0.1f * width, 0.2f * width, -0.2f);
    square.at = place_of(&square.probe);
    make_fan();
    s->camera.eye = vec(0.25f * width, 0.6f * width, 0.6f * width);
    abut_result result = abut_world_create(&(abut_world_def){.body_capacity = count}, &s->world);
    if (result == ABUT_OK) {
        result = make_shapes(s, shapes);
    }
    s->movers = (count * movers_of_ten + 9) / 10;
    for (uint32_t i = 0; i < count && result == ABUT_OK; ++i) {
        result = add_body(s, &shapes[i % kinds], i % kinds, i < s->movers);
    }
    return result;
}

static abut_result move(stage *s) {
    for (size_t i = 0; i < s->movers; ++i) {
        advance(&square.walks[i]);
        s->bodies[i].pose = (abut_pose){place_of(&square.walks[i]), square.walks[i].turn};
    }
    advance(&square.laser);
    advance(&square.eye);
    advance(&square.probe);
    if (!square.is_held) {
        square.at = place_of(&square.probe);
    }
    return ABUT_OK;
}

/* --- the questions --- */

/* Each part begins where the one before was reflected, slightly off the surface. */
static abut_result shoot(stage *s) {
    abut_vec3 way = quat_turn(square.laser.turn, square.laser.arm);
    abut_result result = ABUT_OK;
    square.ends[0] = square.laser.pivot;
    square.beam_count = 0;
    for (uint32_t i = 0; i < bounces && result == ABUT_OK; ++i) {
        abut_hit *hit = &square.beam[i];
        const abut_ray ray = {.origin = i == 0 ? square.ends[0] : vec_along(square.ends[i], 1e-3f, hit[-1].normal),
                              .translation = way};
        result = abut_world_cast_rays(s->world, &ray, 1, NULL, hit);
        square.beam_count = i + 1;
        square.ends[i + 1] = hit->body.index1 == 0 ? vec_add(ray.origin, way) : hit->position;
        way = vec_along(way, -2 * vec_dot(way, hit->normal), hit->normal);
        if (hit->body.index1 == 0 || vec_dot(hit->normal, hit->normal) == 0) {
            break; /* into the open, or it began within a body */
        }
    }
    return result;
}

/* The fan, and one ray to the middle of each body, which does not stand in its own light. */
static abut_result look_around(stage *s) {
    const abut_vec3 eye = place_of(&square.eye);
    abut_ray *to_bodies = square.rays + fan_rays;
    for (size_t i = 0; i < fan_rays; ++i) {
        square.rays[i] = (abut_ray){.origin = eye, .translation = square.ways[i]};
    }
    for (size_t i = 0; i < s->count; ++i) {
        const abut_vec3 way = vec_sub(s->bodies[i].pose.position, eye);
        to_bodies[i] = (abut_ray){.origin = eye, .translation = way, .ignore = {s->bodies[i].id}};
    }
    abut_result result = abut_world_cast_rays(s->world, square.rays, fan_rays, NULL, square.fan);
    return result == ABUT_OK ? abut_world_test_rays(s->world, to_bodies, s->count, NULL, square.blocked) : result;
}

static void find_neighbours(stage *s) {
    const abut_shape ball = abut_sphere(probe_radius);
    const abut_pose pose = {square.at, quat_none};
    square.near_count = abut_world_nearest(s->world, &ball, &pose, INFINITY, NULL, square.near, neighbours);
    s->report.nearest = square.near_count > 0 ? square.near[0].distance : 0;
}

static void note_answers(stage *s) {
    s->report.rays = fan_rays + (uint32_t)s->count + square.beam_count;
    s->report.rays_met = 0;
    for (uint32_t i = 0; i < square.beam_count; ++i) {
        s->report.rays_met += square.beam[i].body.index1 > 0;
        hash_floats(&s->hash, square.beam[i].fraction, square.beam[i].normal.x);
    }
    for (uint32_t i = 0; i < fan_rays; ++i) {
        s->report.rays_met += square.fan[i].body.index1 > 0;
        hash_u32s(&s->hash, square.fan[i].body.index1, i);
        hash_floats(&s->hash, square.fan[i].fraction, square.fan[i].normal.z);
    }
    for (size_t i = 0; i < s->count; ++i) {
        s->report.rays_met += square.blocked[i];
    }
    for (size_t i = 0; i < square.near_count; ++i) {
        hash_u32s(&s->hash, square.near[i].body.index1, s->report.rays_met);
        hash_floats(&s->hash, square.near[i].distance, square.near[i].position.x);
    }
}

static abut_result ask(stage *s) {
    double since = 0;
    stage_lap(&since);
    abut_result result = shoot(s);
    if (result == ABUT_OK) {
        result = look_around(s);
    }
    find_neighbours(s);
    s->report.ms_query = stage_lap(&since);
    note_answers(s);
    return result;
}

void queries_probe(stage *s, float x, float z) {
    if (fabsf(x) <= square.width && fabsf(z) <= square.width) {
        square.is_held = true;
        square.at = vec(x, eye_height, z);
        find_neighbours(s);
    }
}

/* --- what is shown --- */

static abut_vec3 end_of(uint32_t i) {
    const abut_hit *hit = &square.fan[i];
    return vec_along(square.rays[i].origin, hit->fraction, square.rays[i].translation);
}

static void draw_fan(stage *s) {
    static const testbed_colour rim = {0, 158, 115, 255}, spoke = {22, 84, 78, 255};
    for (uint32_t i = 0; i < fan_rays; ++i) {
        stage_line(s, end_of(i), end_of((i + 1) % fan_rays), rim);
        if (i % (fan_rays / spokes) == 0) {
            stage_line(s, square.rays[i].origin, end_of(i), spoke);
        }
    }
}

static void draw_beam(stage *s) {
    for (uint32_t i = 0; i < square.beam_count; ++i) {
        const abut_hit *hit = &square.beam[i];
        stage_line(s, square.ends[i], square.ends[i + 1], palette_vermilion);
        if (hit->body.index1 > 0) {
            s->bodies[hit->user].colour = palette_vermilion;
            stage_line(s, hit->position, vec_along(hit->position, 0.8f, hit->normal), palette_white);
            stage_point(s, hit->position, palette_white);
        }
    }
}

static void draw(stage *s) {
    const abut_vec3 small = vec(probe_radius, probe_radius, probe_radius);
    for (size_t i = 0; i < s->count; ++i) {
        s->bodies[i].colour = square.blocked[i] ? palette_dim : palette_sky;
    }
    stage_box(s, vec(0, -0.6f, 0), quat_none, vec(0.6f * square.width, 0.5f, 0.6f * square.width), palette_ground);
    if (s->report.frame == 0) {
        return;
    }
    for (size_t i = 0; i < square.near_count; ++i) {
        const abut_near *near = &square.near[i];
        s->bodies[near->user].colour = palette_yellow;
        stage_line(s, vec_along(near->position, near->distance, near->normal), near->position, palette_yellow);
        stage_point(s, near->position, palette_yellow);
    }
    stage_box(s, square.at, quat_none, small, palette_yellow);
    stage_box(s, square.rays[0].origin, quat_none, small, palette_green);
    draw_fan(s);
    draw_beam(s);
}

static void tear_down(void) {
    void *const arrays[] = {square.walks, square.ways, square.rays, square.fan, square.blocked};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        free(arrays[i]);
    }
    abut_hull_destroy(&square.stone);
    for (int i = 0; i < kinds; ++i) {
        abut_hull_destroy(&square.drawn[i]);
    }
    square.walks = NULL;
    square.ways = NULL;
    square.rays = NULL;
    square.fan = NULL;
    square.blocked = NULL;
}

static void keep(past_walk *w, const stage *s) {
    past_piece(w, &square, sizeof square);
    past_piece(w, square.walks, s->movers * sizeof *square.walks);
    past_piece(w, square.rays, (fan_rays + s->count) * sizeof *square.rays);
    past_piece(w, square.fan, fan_rays * sizeof *square.fan);
    past_piece(w, square.blocked, s->count * sizeof *square.blocked);
}

const stage_scene stage_queries = {1000, 20000, set_up, move, ask, draw, tear_down, keep, NULL};
