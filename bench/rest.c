/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The cost of a step in which nothing, or everything, was moved, created or destroyed. */

#include "broad_scenes.h"
#include "groups.h"
#include "stepper.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct rest_case {
    broad_scene scene;
    stepper moved, rested;
    double filling, emptying; /* seconds */
} rest_case;

static void advance(contest *c, void *user) {
    (void)c;
    broad_scene_advance(user);
}

static void hold_rest(size_t boxes, abut_detail detail, size_t rounds, contest_list *list) {
    rest_case r;
    broad_scene_create(&r.scene, BROAD_UNIFORM, boxes);
    scene_set_detail(&r.scene.scene, detail, true);
    stepper_create(&r.moved, &r.scene.scene, NULL);
    stepper_create(&r.rested, &r.scene.scene, NULL);
    r.rested.posed = 0;
    contest c = contest_of_frames("rest", advance, &r.scene);
    snprintf(c.input, sizeof c.input, "%zu boxes, %s", boxes, detail == ABUT_DETAIL_BOUNDS ? "bounds" : "manifolds");
    contest_method *m = contest_add(&c, "all poses set, step", &r.moved, stepper_run);
    m->found = &r.moved.contacts;
    contest_refer(&c);
    m = contest_add(&c, "step, no pose set", &r.rested, stepper_run);
    m->found = &r.rested.contacts;
    m->may_differ = true; /* its bodies are in their first places */
    contest_hold(&c, rounds, list);
    stepper_destroy(&r.moved);
    stepper_destroy(&r.rested);
    broad_scene_destroy(&r.scene);
}

/* Worlds are created and destroyed outside the timed part. */

static void run_fill(void *state, uint8_t *answers) {
    (void)answers;
    rest_case *r = state;
    abut_world *world;
    abut_body_id *ids = bench_alloc(r->scene.scene.count, sizeof *ids);
    bench_check(abut_world_create(NULL, &world), "abut_world_create");
    double start = bench_now();
    bench_check(abut_bodies_create(world, r->scene.scene.defs, r->scene.scene.count, ids), "abut_bodies_create");
    bench_check(abut_world_step(world, NULL, NULL), "abut_world_step");
    r->filling = bench_now() - start;
    abut_world_destroy(&world);
    free(ids);
}

static void run_empty(void *state, uint8_t *answers) {
    rest_case *r = state;
    stepper s;
    stepper_create(&s, &r->scene.scene, NULL);
    stepper_run(&s, answers);
    double start = bench_now();
    for (size_t i = 0; i < r->scene.scene.count; ++i) {
        bench_check(abut_body_destroy(s.world, s.ids[i]), "abut_body_destroy");
    }
    bench_check(abut_world_step(s.world, NULL, NULL), "abut_world_step");
    r->emptying = bench_now() - start;
    stepper_destroy(&s);
}

static void hold_bulk(size_t boxes, size_t rounds, contest_list *list) {
    rest_case r;
    broad_scene_create(&r.scene, BROAD_UNIFORM, boxes);
    stepper_create(&r.moved, &r.scene.scene, NULL);
    contest c = contest_of_frames("rest", advance, &r.scene);
    snprintf(c.input, sizeof c.input, "%zu boxes come and go, manifolds", boxes);
    contest_add(&c, "all poses set, step", &r.moved, stepper_run)->found = &r.moved.contacts;
    contest_refer(&c);
    contest_add(&c, "all made in one call, step", &r, run_fill)->seconds = &r.filling;
    contest_add(&c, "all destroyed one by one, step", &r, run_empty)->seconds = &r.emptying;
    contest_hold(&c, rounds, list);
    stepper_destroy(&r.moved);
    broad_scene_destroy(&r.scene);
}

void bench_rest(bool quick, contest_list *list) {
    size_t boxes = quick ? 2000 : 100000, rounds = quick ? 3 : 15;
    hold_rest(boxes, ABUT_DETAIL_BOUNDS, rounds, list);
    hold_rest(boxes, ABUT_DETAIL_MANIFOLD, rounds, list);
    hold_bulk(boxes, rounds, list);
}
