/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Whether two boxes overlap: ours one at a time and in batches, plain loops, and the peers. */

#include "groups.h"
#include "scalar.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { isa_count = ABUT_ISA_WASM + 1 };

typedef struct box_arrays {
    size_t count;
    abut_obb *a, *b;
    scalar_box *matrices_a, *matrices_b;
} box_arrays;

typedef struct batch {
    const box_arrays *arrays;
    abut_isa isa, restore;
} batch;

static box_arrays box_arrays_create(const pair_set *set) {
    box_arrays arrays = {.count = set->pair_count};
    arrays.a = bench_alloc(arrays.count, sizeof *arrays.a);
    arrays.b = bench_alloc(arrays.count, sizeof *arrays.b);
    arrays.matrices_a = bench_alloc(arrays.count, sizeof *arrays.matrices_a);
    arrays.matrices_b = bench_alloc(arrays.count, sizeof *arrays.matrices_b);
    for (size_t i = 0; i < arrays.count; ++i) {
        arrays.a[i] = pair_set_box(set, set->pairs[i].a);
        arrays.b[i] = pair_set_box(set, set->pairs[i].b);
        arrays.matrices_a[i] = scalar_box_of(&arrays.a[i]);
        arrays.matrices_b[i] = scalar_box_of(&arrays.b[i]);
    }
    return arrays;
}

static void box_arrays_destroy(box_arrays *arrays) {
    free(arrays->a);
    free(arrays->b);
    free(arrays->matrices_a);
    free(arrays->matrices_b);
}

static void run_one_by_one(void *state, uint8_t *answers) {
    const box_arrays *p = state;
    for (size_t i = 0; i < p->count; ++i) {
        answers[i] = abut_obb_overlap(&p->a[i], &p->b[i]);
    }
}

static void run_batch(void *state, uint8_t *answers) {
    const batch *b = state;
    abut_isa_select(b->isa);
    abut_obb_overlap_many(b->arrays->a, b->arrays->b, b->arrays->count, answers);
    abut_isa_select(b->restore);
}

static void run_scalar(void *state, uint8_t *answers) {
    const box_arrays *p = state;
    scalar_overlap_boxes(p->a, p->b, p->count, answers);
}

static void run_matrices(void *state, uint8_t *answers) {
    const box_arrays *p = state;
    scalar_overlap_matrices(p->matrices_a, p->matrices_b, p->count, answers);
}

/* A row for every instruction set that this build and this processor have; the one in use is the reference. */
static void add_batches(contest *c, const box_arrays *arrays, batch batches[isa_count]) {
    abut_isa active = abut_isa_active();
    for (int i = 0; i < isa_count; ++i) {
        abut_isa isa = (abut_isa)i;
        if (abut_isa_select(isa) != ABUT_OK) {
            continue;
        }
        char name[CONTEST_NAME_SIZE];
        snprintf(name, sizeof name, "abut_obb_overlap_many, %s", abut_isa_name(isa));
        batches[i] = (batch){arrays, isa, active};
        contest_add(c, name, &batches[i], run_batch);
        if (isa == active) {
            contest_refer(c);
        }
    }
    bench_check(abut_isa_select(active), "abut_isa_select");
}

static void hold(const char *input, box_maker make, const bench_size *size, contest_list *list) {
    pair_set set = pair_set_of_boxes(7, size->pairs, make);
    box_arrays arrays = box_arrays_create(&set);
    batch batches[isa_count];
    contest c = {.group = "pairs", .unit = "pair", .units = set.pair_count, .units_max = set.pair_count};
    snprintf(c.input, sizeof c.input, "%s", input);
    contest_add(&c, "abut_obb_overlap", &arrays, run_one_by_one);
    contest_refer(&c);
    add_batches(&c, &arrays, batches);
    contest_add(&c, "plain loop, quaternions", &arrays, run_scalar);
    contest_add(&c, "plain loop, matrices", &arrays, run_matrices);
    bench_add_peers(&c, PEER_BOX_OVERLAP, &set, NULL);
    contest_hold(&c, size->rounds, list);
    box_arrays_destroy(&arrays);
    pair_set_destroy(&set);
}

/* In arrays that no cache holds, each read once per run. */
static void hold_cold(const char *input, box_maker make, const bench_size *size, contest_list *list) {
    pair_set set = pair_set_of_boxes(7, 256 * size->pairs, make);
    box_arrays arrays = box_arrays_create(&set);
    abut_isa active = abut_isa_active();
    batch many = {&arrays, active, active};
    contest c = {.group = "pairs", .unit = "pair", .units = set.pair_count, .units_max = set.pair_count};
    snprintf(c.input, sizeof c.input, "%s, cold caches", input);
    contest_add(&c, "abut_obb_overlap_many", &many, run_batch);
    contest_refer(&c);
    contest_add(&c, "abut_obb_overlap", &arrays, run_one_by_one);
    contest_add(&c, "plain loop, quaternions", &arrays, run_scalar);
    contest_add(&c, "plain loop, matrices", &arrays, run_matrices);
    contest_hold(&c, size->rounds, list);
    box_arrays_destroy(&arrays);
    pair_set_destroy(&set);
}

void bench_pairs(const bench_size *size, contest_list *list) {
    hold("mixed", make_mixed, size, list);
    hold("separated", make_separated, size, list);
    hold("overlapping", make_overlapping, size, list);
    hold("near touching", make_near, size, list);
    hold("touching", make_touching, size, list);
    hold("aligned", make_aligned, size, list);
    hold_cold("mixed", make_mixed, size, list);
    hold_cold("separated", make_separated, size, list);
}
