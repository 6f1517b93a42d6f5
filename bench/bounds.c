/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The bounds of boxes, one by one and many at once, beside a plain loop. */

#include "groups.h"
#include "scalar.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct boxes {
    size_t count;
    abut_obb *box;
    abut_aabb *bounds;
} boxes;

static void run_one_by_one(void *state, uint8_t *answers) {
    const boxes *b = state;
    (void)answers;
    for (size_t i = 0; i < b->count; ++i) {
        b->bounds[i] = abut_obb_bounds(&b->box[i]);
    }
}

static void run_many(void *state, uint8_t *answers) {
    const boxes *b = state;
    (void)answers;
    bench_check(abut_obb_bounds_many(b->box, b->count, b->bounds), "abut_obb_bounds_many");
}

static void run_plain(void *state, uint8_t *answers) {
    const boxes *b = state;
    (void)answers;
    for (size_t i = 0; i < b->count; ++i) {
        b->bounds[i] = scalar_bounds(&b->box[i]);
    }
}

static void hold(const char *input, bool turned, const bench_size *size, contest_list *list) {
    boxes b = {.count = size->pairs};
    uint64_t rng = 7;
    b.box = bench_alloc(b.count, sizeof *b.box);
    b.bounds = bench_alloc(b.count, sizeof *b.bounds);
    for (size_t i = 0; i < b.count; ++i) {
        abut_obb other;
        make_random(&rng, &other, &b.box[i]);
        if (!turned) {
            b.box[i].rotation = (abut_quat){0.0f, 0.0f, 0.0f, 1.0f};
        }
    }
    contest c = {.group = "calls", .unit = "box", .units = b.count, .units_max = b.count};
    snprintf(c.input, sizeof c.input, "bounds, %s", input);
    contest_add(&c, "abut_obb_bounds", &b, run_one_by_one)->silent = true;
    contest_refer(&c);
    contest_add(&c, "abut_obb_bounds_many", &b, run_many)->silent = true;
    contest_refer(&c);
    contest_add(&c, "plain loop (not exact)", &b, run_plain)->silent = true;
    contest_hold(&c, size->rounds, list);
    free(b.box);
    free(b.bounds);
}

void bench_bounds(const bench_size *size, contest_list *list) {
    hold("turned boxes", true, size, list);
    hold("boxes along the axes", false, size, list);
}
