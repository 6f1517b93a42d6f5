/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Shapes with a radius: whole frames, single pairs, the narrow phase of a step, growth. And the distance of shapes that
 * are apart. */

#include "groups.h"
#include "scene_rng.h"
#include "stepper.h"
#include <stdio.h>
#include <stdlib.h>

/* --- single pairs --- */

typedef struct shape_pairs {
    size_t count;
    abut_shape *shapes; /* [2 * pair + which] */
    const abut_pose *poses;
} shape_pairs;

static shape_pairs shape_pairs_create(const pair_set *set) {
    shape_pairs p = {set->pair_count, bench_alloc(set->body_count, sizeof *p.shapes), set->poses};
    for (size_t i = 0; i < set->body_count; ++i) {
        p.shapes[i] = pair_set_shape(set, (uint32_t)i);
    }
    return p;
}

static void run_collide(void *state, uint8_t *answers) {
    const shape_pairs *p = state;
    abut_manifold manifold;
    for (size_t i = 0; i < p->count; ++i) {
        answers[i] = abut_shape_collide(&p->shapes[2 * i], &p->poses[2 * i], &p->shapes[2 * i + 1],
                                        &p->poses[2 * i + 1], 0.0f, &manifold);
    }
}

static void run_distance(void *state, uint8_t *answers) {
    const shape_pairs *p = state;
    abut_vec3 on_a, on_b;
    for (size_t i = 0; i < p->count; ++i) {
        answers[i] = abut_shape_distance(&p->shapes[2 * i], &p->poses[2 * i], &p->shapes[2 * i + 1],
                                         &p->poses[2 * i + 1], &on_a, &on_b) > FAR_GAP;
    }
}

/* One contest on a set of pairs, which is freed. */
static void hold_pairs(pair_set *set, const char *input, peer_task task, size_t rounds, contest_list *list) {
    bool far = task == PEER_DISTANCE;
    shape_pairs p = shape_pairs_create(set);
    contest c = {.group = "round", .unit = "pair", .units = set->pair_count, .units_max = set->pair_count};
    snprintf(c.input, sizeof c.input, "%s", input);
    contest_add(&c, far ? "abut_shape_distance" : "abut_shape_collide", &p, far ? run_distance : run_collide);
    contest_refer(&c);
    bench_add_peers(&c, task, set, NULL);
    contest_hold(&c, rounds, list);
    free(p.shapes);
    pair_set_destroy(set);
}

static void hold_collide(const bench_size *size, contest_list *list) {
    static const struct {
        const char *input;
        round_kind a, b;
    } kinds[] = {{"collide, sphere and sphere", ROUND_SPHERE, ROUND_SPHERE},
                 {"collide, sphere and box", ROUND_SPHERE, ROUND_BOX},
                 {"collide, sphere and capsule", ROUND_SPHERE, ROUND_CAPSULE},
                 {"collide, capsule and capsule", ROUND_CAPSULE, ROUND_CAPSULE},
                 {"collide, capsule and box", ROUND_CAPSULE, ROUND_BOX}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        pair_set set = pair_set_of_round(19, size->pairs, kinds[i].a, kinds[i].b);
        hold_pairs(&set, kinds[i].input, PEER_ROUND_MANIFOLD, size->rounds, list);
    }
}

static void hold_distance(const bench_size *size, contest_list *list) {
    static const size_t vertices[] = {8, 16, 32, 64};
    enum { shape_count = 16 };
    uint64_t rng = 23;
    pair_set boxes = pair_set_of_boxes(29, size->pairs / 2, make_near);
    pair_set_part(&boxes, 31);
    hold_pairs(&boxes, "distance, boxes", PEER_DISTANCE, size->rounds, list);
    for (size_t v = 0; v < sizeof vertices / sizeof vertices[0]; ++v) {
        hull_set hulls = hull_set_create(&rng, shape_count, vertices[v]);
        pair_set set = pair_set_of_hulls(37, size->pairs / 2, &hulls, HULLS_NEAR);
        char input[CONTEST_NAME_SIZE];
        snprintf(input, sizeof input, "distance, hulls of %zu vertices", vertices[v]);
        pair_set_part(&set, 41);
        hold_pairs(&set, input, PEER_DISTANCE, size->rounds, list);
        hull_set_destroy(&hulls);
    }
}

/* --- the narrow phase of a step --- */

static void hold_step(const bench_size *size, scene_kind kind, contest_list *list) {
    contest c = {.group = "round", .unit = "candidate"};
    snprintf(c.input, sizeof c.input, "step, %zu bodies, %s", size->bodies, scene_name(kind));
    bench_step(&c, size, &(step_input){.kind = kind, .moving = true}, list);
}

/* --- growth --- */

enum { size_count = 5 };

typedef struct growth_case {
    scene scenes[size_count];
    stepper steppers[size_count];
} growth_case;

static void advance(contest *c, void *user) {
    (void)c;
    growth_case *g = user;
    for (size_t i = 0; i < size_count; ++i) {
        scene_advance(&g->scenes[i]);
    }
}

static void hold_growth(bool quick, scene_kind kind, contest_list *list) {
    static const size_t full[size_count] = {1000, 3000, 10000, 30000, 100000},
                        few[size_count] = {100, 200, 500, 800, 1000};
    const size_t *sizes = quick ? few : full;
    growth_case g;
    contest c = contest_of_frames("round", advance, &g);
    snprintf(c.input, sizeof c.input, "growth, %zu to %zu %s", sizes[0], sizes[size_count - 1], scene_name(kind));
    for (size_t i = 0; i < size_count; ++i) {
        if (!scene_create(&g.scenes[i], kind, sizes[i], 1)) {
            bench_fail("no memory for the scene");
        }
        stepper_create(&g.steppers[i], &g.scenes[i], NULL);
        char name[CONTEST_NAME_SIZE];
        snprintf(name, sizeof name, "poses and step, manifolds, %zu", sizes[i]);
        contest_method *m = contest_add(&c, name, &g.steppers[i], stepper_run);
        m->found = &g.steppers[i].contacts;
        m->may_differ = true;
        if (sizes[i] == sizes[2]) {
            contest_refer(&c); /* the others are compared with the middle one */
        }
    }
    contest_hold(&c, quick ? 3 : 11, list);
    for (size_t i = 0; i < size_count; ++i) {
        stepper_destroy(&g.steppers[i]);
        scene_destroy(&g.scenes[i]);
    }
}

void bench_round(const bench_size *size, bool quick, contest_list *list) {
    static const scene_kind kinds[] = {SCENE_SPHERES, SCENE_CAPSULES, SCENE_ROUND};
    bench_round_worlds(quick, list);
    hold_collide(size, list);
    hold_distance(size, list);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        hold_step(size, kinds[i], list);
    }
    hold_growth(quick, SCENE_SPHERES, list);
    hold_growth(quick, SCENE_CAPSULES, list);
}
