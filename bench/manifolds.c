/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Where two boxes touch: ours per call and in the step, beside the peers. */

#include "groups.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct boxes {
    size_t count;
    abut_obb *a, *b;
} boxes;

static void run_collide(void *state, uint8_t *answers) {
    const boxes *p = state;
    abut_manifold manifold;
    for (size_t i = 0; i < p->count; ++i) {
        answers[i] = abut_obb_collide(&p->a[i], &p->b[i], 0.0f, &manifold);
    }
}

static void hold_calls(const char *input, box_maker make, const bench_size *size, contest_list *list) {
    pair_set set = pair_set_of_boxes(11, size->pairs, make);
    boxes p = {set.pair_count, bench_alloc(set.pair_count, sizeof *p.a), bench_alloc(set.pair_count, sizeof *p.b)};
    for (size_t i = 0; i < p.count; ++i) {
        p.a[i] = pair_set_box(&set, set.pairs[i].a);
        p.b[i] = pair_set_box(&set, set.pairs[i].b);
    }
    contest c = {.group = "manifolds", .unit = "pair", .units = set.pair_count, .units_max = set.pair_count};
    snprintf(c.input, sizeof c.input, "%s", input);
    contest_add(&c, "abut_obb_collide", &p, run_collide);
    contest_refer(&c);
    bench_add_peers(&c, PEER_BOX_MANIFOLD, &set, NULL);
    contest_hold(&c, size->rounds, list);
    free(p.a);
    free(p.b);
    pair_set_destroy(&set);
}

static void hold_step(bench_size size, size_t bodies, bool moving, contest_list *list) {
    contest c = {.group = "manifolds", .unit = "candidate"};
    size.bodies = bodies;
    snprintf(c.input, sizeof c.input, "step, %zu boxes%s", bodies, moving ? "" : " at rest");
    bench_step(&c, &size, &(step_input){.kind = SCENE_TUMBLING, .moving = moving}, list);
}

void bench_manifolds(const bench_size *size, contest_list *list) {
    hold_calls("mixed", make_mixed, size, list);
    hold_calls("separated", make_separated, size, list);
    hold_calls("overlapping", make_overlapping, size, list);
    hold_calls("near touching", make_near, size, list);
    hold_calls("aligned", make_aligned, size, list);
    hold_step(*size, size->bodies / 10, true, list);
    hold_step(*size, size->bodies, true, list);
    hold_step(*size, size->bodies, false, list);
}
