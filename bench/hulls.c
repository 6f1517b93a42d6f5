/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Pairs of convex hulls: whether and where they touch, per call and in the step, beside the peers. */

#include "groups.h"
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
        hold_step(&hulls, size, true, list);
        hold_step(&hulls, size, false, list);
        hull_set_destroy(&hulls);
    }
}
