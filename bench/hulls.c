/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Pairs of convex hulls: whether and where they touch, per call and in the step, beside the peers. And the bounds of
 * hulls that move. */

#include "groups.h"
#include "scene_rng.h"
#include <stdio.h>
#include <stdlib.h>

enum { shape_count = 16 };

static void run_overlap(void *state, uint8_t *answers) {
    const pair_set *set = state;
    for (size_t i = 0; i < set->pair_count; ++i) {
        uint32_t a = set->pairs[i].a, b = set->pairs[i].b;
        answers[i] = abut_hull_overlap(set->hulls->shapes[set->shapes[a]], &set->poses[a],
                                       set->hulls->shapes[set->shapes[b]], &set->poses[b]);
    }
}

static void run_collide(void *state, uint8_t *answers) {
    const pair_set *set = state;
    abut_manifold manifold;
    for (size_t i = 0; i < set->pair_count; ++i) {
        uint32_t a = set->pairs[i].a, b = set->pairs[i].b;
        answers[i] = abut_hull_collide(set->hulls->shapes[set->shapes[a]], &set->poses[a],
                                       set->hulls->shapes[set->shapes[b]], &set->poses[b], 0.0f, &manifold);
    }
}

static void hold_calls(pair_set *set, const char *input, peer_task task, const bench_size *size, contest_list *list) {
    bool overlap = task == PEER_HULL_OVERLAP;
    contest c = {.group = "hulls", .unit = "pair", .units = set->pair_count, .units_max = set->pair_count};
    snprintf(c.input, sizeof c.input, "%s, %zu vertices, %s", overlap ? "overlap" : "collide", set->hulls->vertices,
             input);
    contest_add(&c, overlap ? "abut_hull_overlap" : "abut_hull_collide", set, overlap ? run_overlap : run_collide);
    contest_refer(&c);
    bench_add_peers(&c, task, set, NULL);
    contest_hold(&c, size->rounds, list);
}

static void hold_step(const hull_set *hulls, const bench_size *size, bool moving, contest_list *list) {
    bench_size smaller = {.bodies = size->bodies / 5, .rounds = size->rounds};
    contest c = {.group = "hulls", .unit = "candidate"};
    snprintf(c.input, sizeof c.input, "step, %zu vertices, %zu hulls%s", hulls->vertices, smaller.bodies,
             moving ? "" : " at rest");
    bench_step(&c, &smaller, &(step_input){.kind = SCENE_TUMBLING, .hulls = hulls, .moving = moving}, list);
}

/* Bodies with hulls, all of which get a pose before every step. */
typedef struct bounds_case {
    scene scene;
    const hull_set *hulls;
    uint32_t *shapes; /* per body */
    abut_world *world;
    abut_body_id *ids;
    double seconds, sum; /* sum: keeps the compiler from removing the work */
} bounds_case;

static void next_poses(contest *c, void *user) {
    bounds_case *b = user;
    (void)c;
    scene_advance(&b->scene);
    bench_check(abut_bodies_set_poses(b->world, b->ids, b->scene.poses, b->scene.count), "abut_bodies_set_poses");
}

static void run_step_bounds(void *state, uint8_t *answers) {
    bounds_case *b = state;
    abut_step_report report;
    (void)answers;
    bench_check(abut_world_step(b->world, NULL, &report), "abut_world_step");
    b->seconds = report.seconds_bounds;
}

static void run_bounds(void *state, uint8_t *answers) {
    bounds_case *b = state;
    (void)answers;
    for (size_t i = 0; i < b->scene.count; ++i) {
        b->sum += abut_hull_bounds_tight(b->hulls->shapes[b->shapes[i]], &b->scene.poses[i]).min.x;
    }
}

/* The least and greatest of one row of the matrix times each point. */
static void plain_extent(const abut_vec3 *p, size_t n, const float row[3], float *low, float *high) {
    *low = *high = row[0] * p->x + row[1] * p->y + row[2] * p->z;
    for (size_t i = 1; i < n; ++i) {
        float v = row[0] * p[i].x + row[1] * p[i].y + row[2] * p[i].z;
        *low = v < *low ? v : *low;
        *high = v > *high ? v : *high;
    }
}

/* In float, without a bound of its rounding errors. */
static void run_plain_bounds(void *state, uint8_t *answers) {
    bounds_case *b = state;
    (void)answers;
    for (size_t i = 0; i < b->scene.count; ++i) {
        const abut_quat q = b->scene.poses[i].rotation;
        const float row[3][3] = {
            {1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)},
            {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)},
            {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}};
        for (int k = 0; k < 3; ++k) {
            float low, high;
            plain_extent(b->hulls->points + b->shapes[i] * b->hulls->vertices, b->hulls->vertices, row[k], &low, &high);
            b->sum += (&b->scene.poses[i].position.x)[k] + low + high;
        }
    }
}

static void hold_bounds(const hull_set *hulls, const bench_size *size, contest_list *list) {
    bounds_case b = {.hulls = hulls};
    uint64_t rng = 3;
    if (!scene_create(&b.scene, SCENE_TUMBLING, size->bodies / 5, 1)) {
        bench_fail("no memory for the scene");
    }
    b.ids = bench_alloc(b.scene.count, sizeof *b.ids);
    b.shapes = bench_alloc(b.scene.count, sizeof *b.shapes);
    for (size_t i = 0; i < b.scene.count; ++i) {
        b.shapes[i] = scene_rng_below(&rng, (uint32_t)hulls->count);
        b.scene.defs[i].half = (abut_vec3){0};
        b.scene.defs[i].hull = hulls->shapes[b.shapes[i]];
    }
    bench_check(abut_world_create(NULL, &b.world), "abut_world_create");
    bench_check(abut_bodies_create(b.world, b.scene.defs, b.scene.count, b.ids), "abut_bodies_create");
    contest c = {.group = "hulls", .unit = "body", .units = b.scene.count, .units_max = b.scene.count};
    snprintf(c.input, sizeof c.input, "bounds, %zu vertices, %zu moving hulls", hulls->vertices, b.scene.count);
    c.next = next_poses;
    c.user = &b;
    contest_method *m = contest_add(&c, "abut_world_step, bounds", &b, run_step_bounds);
    m->seconds = &b.seconds;
    m->silent = true;
    contest_refer(&c);
    contest_add(&c, "abut_hull_bounds_tight", &b, run_bounds)->silent = true;
    contest_add(&c, "plain loop of dot products", &b, run_plain_bounds)->silent = true;
    contest_hold(&c, size->rounds, list);
    abut_world_destroy(&b.world);
    free(b.ids);
    free(b.shapes);
    scene_destroy(&b.scene);
}

void bench_hulls(const bench_size *size, contest_list *list) {
    static const size_t vertices[] = {8, 16, 32, 64};
    uint64_t rng = 13;
    for (size_t v = 0; v < sizeof vertices / sizeof vertices[0]; ++v) {
        hull_set hulls = hull_set_create(&rng, shape_count, vertices[v]);
        for (int input = 0; input < HULL_INPUT_COUNT; ++input) {
            pair_set set = pair_set_of_hulls(17, size->pairs / 2, &hulls, (hull_input)input);
            hold_calls(&set, hull_input_names[input], PEER_HULL_OVERLAP, size, list);
            hold_calls(&set, hull_input_names[input], PEER_HULL_MANIFOLD, size, list);
            pair_set_destroy(&set);
        }
        hold_bounds(&hulls, size, list);
        hold_step(&hulls, size, true, list);
        hold_step(&hulls, size, false, list);
        hull_set_destroy(&hulls);
    }
}
