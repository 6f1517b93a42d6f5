/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Plots with buildings, and one more building to place: it follows the pointer, or a path of its own until there is a
 * pointer. */
#include "placement.h"
#include "hash.h"
#include "palette.h"
#include "past.h"
#include "scene_rng.h"
#include "vec.h"
#include <stdlib.h>

enum {
    raster_side = 32,
    raster_count = raster_side * raster_side,
    blockers_max = 16,
    built_max = 1024,
    steps_round = 48
};
static const float plot = 10, raster_pitch = 1;

static struct {
    uint64_t rng;
    uint32_t side;        /* of the square of plots */
    uint32_t built;       /* by the pointer */
    bool held;            /* there is a pointer */
    abut_obb2 building;   /* to be placed */
    abut_quat turn, path; /* of it about y; of the path */
    abut_placement answer;
    abut_body_id blockers[blockers_max];
    uint32_t blocker_count;
    abut_obb2 raster[raster_count];
    abut_placement places[raster_count];
} town;

static const abut_placement_rules rules = {.touch = ABUT_TOUCH_IS_FREE, .clearance = 0.25f};

/* --- what stands there --- */

static abut_result add_building(stage *s, abut_vec3 at, abut_vec3 degrees, abut_vec3 half) {
    abut_pose pose = {at, quat_degrees(degrees)};
    return stage_add(s, (abut_body_def){.pose = pose, .half = half, .motion = ABUT_STATIC}, 0, palette_slate);
}

static abut_vec3 random_between(abut_vec3 low, abut_vec3 high) {
    return scene_rng_vec3(&town.rng, low, high);
}

/* Most are parallel to the streets; some are rotated, and some lean, which makes their footprint a hexagon. */
static abut_result add_any(stage *s, float x, float z) {
    uint32_t kind = scene_rng_below(&town.rng, 8);
    abut_vec3 half = random_between(vec(1.2f, 0.8f, 1.2f), vec(3.6f, 4, 3.6f));
    abut_vec3 at = vec_add(vec(x, half.y, z), random_between(vec(-0.8f, 0, -0.8f), vec(0.8f, 0, 0.8f)));
    abut_vec3 degrees = random_between(vec(-25, -45, -25), vec(25, 45, 25));
    if (kind == 7) {
        half = vec(0.9f, 1.5f * half.y, 0.9f);
        at.y = half.y - 0.3f;
    } else {
        degrees = vec(0, kind < 3 ? degrees.y : 0, 0);
    }
    return add_building(s, at, degrees, half);
}

static float plot_at(uint32_t i) {
    return plot * ((float)i + 0.5f - 0.5f * (float)town.side);
}

static abut_result set_up(stage *s, uint32_t count) {
    uint32_t plots = count + (count + 1) / 2, left = count;
    town.side = 1;
    while (town.side * town.side < plots) {
        ++town.side;
    }
    plots = town.side * town.side;
    town.rng = 3;
    town.built = town.blocker_count = 0;
    town.held = false;
    town.building = (abut_obb2){{0, 0}, {1, 0}, {2.5f, 1.75f}};
    town.turn = town.path = quat_none;
    town.answer = (abut_placement){.free = true};
    float width = plot * (float)town.side;
    s->camera = (testbed_camera){.eye = {0.15f * width, 0.62f * width, 0.72f * width}};
    abut_result result = abut_world_create(&(abut_world_def){.body_capacity = count}, &s->world);
    for (uint32_t i = 0; i < plots && result == ABUT_OK; ++i) {
        if (scene_rng_below(&town.rng, plots - i) < left) { /* so that the total becomes `count` */
            --left;
            result = add_any(s, plot_at(i % town.side), plot_at(i / town.side));
        }
    }
    return result;
}

/* --- the building to be placed --- */

static abut_quat turn_of(int32_t steps) {
    abut_quat q = quat_none, step = quat_degrees(vec(0, 7.5f, 0));
    for (int32_t i = 0; i < (steps % steps_round + steps_round) % steps_round; ++i) {
        q = quat_unit(quat_multiply(q, step));
    }
    return q;
}

/* The nearest step of rotation, for a pointer that takes over. */
testbed_building placement_held(void) {
    testbed_building held = {town.building.center.x, town.building.center.y, 0, town.building.half.x,
                             town.building.half.y};
    float best = -1;
    for (int32_t i = 0; i < steps_round; ++i) {
        abut_quat q = turn_of(i);
        float alike = fabsf(q.y * town.turn.y + q.w * town.turn.w);
        held.turn = alike > best ? i : held.turn;
        best = fmaxf(best, alike);
    }
    return held;
}

/* A rose curve with three petals, while no pointer holds the building. */
static abut_result move(stage *s) {
    (void)s;
    if (!town.held) {
        town.path = quat_unit(quat_multiply(town.path, (abut_quat){0, 0.0022f, 0, 1}));
        town.turn = quat_unit(quat_multiply(town.turn, (abut_quat){0, 0.004f, 0, 1}));
        abut_vec3 a = quat_turn(town.path, vec(1, 0, 0));
        float three = a.x * (a.x * a.x - 3 * a.z * a.z), reach = plot * (float)town.side * (0.26f + 0.16f * three);
        town.building.center = (abut_vec2){reach * a.x, reach * a.z};
    }
    abut_vec3 axis = quat_turn(town.turn, vec(1, 0, 0));
    town.building.axis = (abut_vec2){axis.x, axis.z};
    return ABUT_OK;
}

/* Finds all blockers: a test reports the first one, the next test ignores it and reports the next, and so on. */
static abut_result find_blockers(stage *s) {
    abut_placement_rules beside = rules;
    abut_placement next = town.answer;
    abut_result result = ABUT_OK;
    town.blocker_count = 0;
    while (result == ABUT_OK && !next.free && town.blocker_count < blockers_max) {
        town.blockers[town.blocker_count++] = next.first_blocker;
        beside.ignore = town.blockers;
        beside.ignore_count = town.blocker_count;
        result = abut_world_test_placements(s->world, &town.building, 1, &beside, &next);
    }
    return result;
}

/* Tests a grid around the building in one call. */
static abut_result test_raster(stage *s) {
    const float snap = 1 / raster_pitch;
    abut_vec2 middle = town.building.center;
    middle.x = (float)(int32_t)(middle.x * snap) * raster_pitch;
    middle.y = (float)(int32_t)(middle.y * snap) * raster_pitch;
    for (int i = 0; i < raster_count; ++i) {
        float x = (float)(i % raster_side - raster_side / 2), y = (float)(i / raster_side - raster_side / 2);
        town.raster[i] = town.building;
        town.raster[i].center = (abut_vec2){middle.x + raster_pitch * x, middle.y + raster_pitch * y};
    }
    return abut_world_test_placements(s->world, town.raster, raster_count, &rules, town.places);
}

static void hash_placement(uint64_t *hash, const abut_placement *p) {
    hash_u32s(hash, p->free, (uint32_t)p->blocker_count);
    hash_u64(hash, abut_body_id_pack(p->first_blocker));
    hash_floats(hash, p->push.x, p->push.y);
}

/* All answers about the building at its current place. */
static abut_result answer(stage *s) {
    double since = 0;
    stage_lap(&since);
    abut_result result = abut_world_test_placements(s->world, &town.building, 1, &rules, &town.answer);
    if (result == ABUT_OK) {
        result = test_raster(s);
    }
    s->report.ms_query = stage_lap(&since);
    if (result == ABUT_OK) {
        result = find_blockers(s);
    }
    s->report.free = town.answer.free;
    s->report.blockers = (uint32_t)town.answer.blocker_count;
    s->report.first_blocker = town.answer.first_blocker.index1;
    s->report.push_x = town.answer.push.x;
    s->report.push_z = town.answer.push.y;
    return result;
}

static abut_result ask(stage *s) {
    abut_result result = answer(s);
    hash_placement(&s->hash, &town.answer);
    for (int i = 0; i < raster_count; ++i) {
        hash_placement(&s->hash, &town.places[i]);
    }
    return result;
}

/* The answer does not wait for the next frame, which may be late. The next frame reports any error. */
void placement_hold(stage *s, float x, float z, int32_t turn, float half_x, float half_z) {
    town.held = true;
    town.turn = turn_of(turn);
    town.building.center = (abut_vec2){x, z};
    town.building.half = (abut_vec2){half_x, half_z};
    move(s);
    (void)answer(s);
}

static float height_of(const abut_obb2 *building) {
    return 0.6f * (building->half.x + building->half.y);
}

bool placement_build(stage *s) {
    float high = height_of(&town.building);
    if (town.built == built_max || answer(s) != ABUT_OK || !town.answer.free) {
        return false;
    }
    abut_pose pose = {vec(town.building.center.x, high, town.building.center.y), town.turn};
    abut_body_def def = {
        .pose = pose, .half = {town.building.half.x, high, town.building.half.y}, .motion = ABUT_STATIC};
    bool done = stage_add(s, def, 0, palette_green) == ABUT_OK;
    town.built += done;
    (void)answer(s);
    return done;
}

/* --- what is shown --- */

static void draw_raster(stage *s) {
    static const testbed_colour colours[] = {{92, 52, 30, 255}, {22, 84, 78, 255}};
    for (int i = 0; i < raster_count; ++i) {
        abut_vec2 at = town.raster[i].center;
        stage_box(s, vec(at.x, 0.03f, at.y), quat_none, vec(0.3f, 0.02f, 0.3f), colours[town.places[i].free]);
    }
}

/* The building at the nearest place that is free of its first blocker. */
static void draw_ghost(stage *s, abut_vec3 at, abut_vec3 half) {
    abut_vec3 to = vec_add(at, vec(town.answer.push.x, 0, town.answer.push.y));
    stage_edges(s, to, town.turn, half, palette_white);
    at.y = to.y = 2 * half.y + 0.1f;
    stage_line(s, at, to, palette_yellow);
    stage_point(s, to, palette_yellow);
}

static void draw_plots(stage *s) {
    float width = plot * (float)town.side, half = 0.5f * plot - 0.7f;
    stage_box(s, vec(0, -0.6f, 0), quat_none, vec(0.5f * width + 2, 0.5f, 0.5f * width + 2), palette_ground);
    for (uint32_t i = 0; i < town.side * town.side; ++i) {
        stage_box(s, vec(plot_at(i % town.side), -0.1f, plot_at(i / town.side)), quat_none, vec(half, 0.1f, half),
                  palette_plot);
    }
}

static void draw(stage *s) {
    float high = height_of(&town.building);
    abut_vec3 at = vec(town.building.center.x, high, town.building.center.y);
    abut_vec3 half = vec(town.building.half.x, high, town.building.half.y);
    for (size_t i = 0; i < s->count; ++i) {
        s->bodies[i].colour = i + town.built < s->count ? palette_slate : palette_blue;
    }
    for (uint32_t i = 0; i < town.blocker_count; ++i) {
        uint64_t index;
        if (abut_body_get_user(s->world, town.blockers[i], &index) == ABUT_OK) {
            s->bodies[index].colour = palette_orange;
        }
    }
    draw_plots(s);
    stage_box(s, at, town.turn, half, town.answer.free ? palette_green : palette_vermilion);
    if (s->report.frame > 0) {
        draw_raster(s);
    }
    if (!town.answer.free) {
        draw_ghost(s, at, half);
    }
}

static void keep(past_walk *w, const stage *s) {
    (void)s;
    past_piece(w, &town, sizeof town);
}

const stage_scene stage_placement = {60, 4000, set_up, move, ask, draw, NULL, keep, NULL};
