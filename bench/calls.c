/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "bench.h"
#include "scene_rng.h"
#include <math.h>
#include <stdlib.h>

enum { pair_count = 4096, body_count = 10000, runs_full = 31, runs_quick = 5, seed = 7 };

typedef struct pairs {
    abut_obb *a, *b;
    uint8_t *overlap;
} pairs;

/* What the calls return goes here, so that no compiler leaves them out. */
static volatile size_t sink;

/* --- inputs: pairs of boxes near each other --- */

static abut_obb random_box(uint64_t *rng) {
    const abut_vec3 low = {0.25f, 0.25f, 0.25f}, high = {0.75f, 0.75f, 0.75f};
    return (abut_obb){.rotation = scene_rng_rotation(rng), .half = scene_rng_vec3(rng, low, high)};
}

/* b's centre at this distance from a's, in a direction that a quaternion's vector part gives. */
static void place(abut_obb *b, abut_quat direction, float distance) {
    b->center = (abut_vec3){distance * direction.x, distance * direction.y, distance * direction.z};
}

static void make_random(uint64_t *rng, abut_obb *a, abut_obb *b) {
    *a = random_box(rng);
    *b = random_box(rng);
    place(b, scene_rng_rotation(rng), scene_rng_range(rng, 0.5f, 3.0f));
}

static void make_separated(uint64_t *rng, abut_obb *a, abut_obb *b) {
    do {
        make_random(rng, a, b);
    } while (abut_obb_overlap(a, b));
}

static void make_overlapping(uint64_t *rng, abut_obb *a, abut_obb *b) {
    do {
        make_random(rng, a, b);
    } while (!abut_obb_overlap(a, b));
}

/* Moves b away along a line until the last float at which it still touches. */
static void make_touching(uint64_t *rng, abut_obb *a, abut_obb *b) {
    *a = random_box(rng);
    *b = random_box(rng);
    abut_quat direction = scene_rng_rotation(rng);
    float near = 0.0f, far = 64.0f;
    for (;;) {
        float middle = 0.5f * (near + far);
        if (middle <= near || middle >= far) {
            break;
        }
        place(b, direction, middle);
        *(abut_obb_overlap(a, b) ? &near : &far) = middle;
    }
    place(b, direction, near);
}

/* Grid-aligned cubes that share a face, an edge or a corner exactly. */
static void make_aligned(uint64_t *rng, abut_obb *a, abut_obb *b) {
    *a = *b = (abut_obb){.half = {0.5f, 0.5f, 0.5f}};
    b->center.x = 1.0f;
    b->center.y = (float)scene_rng_below(rng, 3) - 1.0f;
    b->center.z = (float)scene_rng_below(rng, 3) - 1.0f;
}

static void make_mixed(uint64_t *rng, abut_obb *a, abut_obb *b) {
    (scene_rng_below(rng, 2) == 0 ? make_separated : make_overlapping)(rng, a, b);
}

/* --- calls: one run over all pairs, boxes or bodies --- */

static void call_overlap(const pairs *p) {
    size_t n = 0;
    for (size_t i = 0; i < pair_count; ++i) {
        n += abut_obb_overlap(&p->a[i], &p->b[i]);
    }
    sink = n;
}

static void call_overlap_many(const pairs *p) {
    sink = abut_obb_overlap_many(p->a, p->b, pair_count, p->overlap);
}

static void call_collide(const pairs *p) {
    size_t n = 0;
    abut_manifold manifold;
    for (size_t i = 0; i < pair_count; ++i) {
        if (abut_obb_collide(&p->a[i], &p->b[i], 0.0f, &manifold)) {
            n += manifold.count;
        }
    }
    sink = n;
}

static void call_bounds(const pairs *p) {
    float sum = 0.0f;
    for (size_t i = 0; i < pair_count; ++i) {
        sum += abut_obb_bounds(&p->a[i]).min.x;
    }
    sink = (size_t)fabsf(sum);
}

/* --- rows --- */

static const struct {
    const char *call, *input;
    void (*run)(const pairs *p);
    void (*make)(uint64_t *rng, abut_obb *a, abut_obb *b);
    size_t compare_with; /* a row above; its own index: none */
    const char *ratio_to;
} rows_of_pairs[] = {
    {"abut_obb_bounds", "random", call_bounds, make_random, 0, NULL},
    {"abut_obb_overlap", "separated", call_overlap, make_separated, 1, NULL},
    {"abut_obb_overlap", "overlapping", call_overlap, make_overlapping, 1, "separated"},
    {"abut_obb_overlap", "touching", call_overlap, make_touching, 1, "separated"},
    {"abut_obb_overlap", "aligned", call_overlap, make_aligned, 1, "separated"},
    {"abut_obb_overlap", "half and half", call_overlap, make_mixed, 1, "separated"},
    {"abut_obb_overlap_many", "half and half", call_overlap_many, make_mixed, 5, "one by one"},
    {"abut_obb_collide", "separated", call_collide, make_separated, 1, "overlap"},
    {"abut_obb_collide", "overlapping", call_collide, make_overlapping, 2, "overlap"},
    {"abut_obb_collide", "touching", call_collide, make_touching, 3, "overlap"},
    {"abut_obb_collide", "aligned", call_collide, make_aligned, 4, "overlap"},
};
enum { rows_of_pairs_count = sizeof rows_of_pairs / sizeof rows_of_pairs[0] };
_Static_assert(rows_of_pairs_count + 1 <= CALL_RESULTS_MAX, "room for all rows");

static double time_pairs(size_t row, size_t runs) {
    double samples[runs_full];
    pairs p = {bench_alloc(pair_count, sizeof *p.a), bench_alloc(pair_count, sizeof *p.b),
               bench_alloc(pair_count, sizeof *p.overlap)};
    uint64_t rng = seed;
    for (size_t i = 0; i < pair_count; ++i) {
        rows_of_pairs[row].make(&rng, &p.a[i], &p.b[i]);
    }
    rows_of_pairs[row].run(&p);
    for (size_t run = 0; run < runs; ++run) {
        double start = bench_now();
        rows_of_pairs[row].run(&p);
        samples[run] = bench_now() - start;
    }
    free(p.a);
    free(p.b);
    free(p.overlap);
    return 1e9 * bench_median(samples, runs) / pair_count;
}

static double time_set_poses(size_t runs) {
    double samples[runs_full];
    scene s;
    abut_world *world;
    abut_body_id *ids = bench_alloc(body_count, sizeof *ids);
    if (!scene_create(&s, SCENE_TUMBLING, body_count, seed)) {
        bench_fail("no memory for the scene");
    }
    bench_check(abut_world_create(NULL, &world), "abut_world_create");
    bench_check(abut_bodies_create(world, s.defs, s.count, ids), "abut_bodies_create");
    for (size_t run = 0; run < runs; ++run) {
        scene_advance(&s);
        double start = bench_now();
        bench_check(abut_bodies_set_poses(world, ids, s.poses, s.count), "abut_bodies_set_poses");
        samples[run] = bench_now() - start;
    }
    abut_world_destroy(&world);
    scene_destroy(&s);
    free(ids);
    return 1e9 * bench_median(samples, runs) / body_count;
}

size_t bench_calls(call_result rows[CALL_RESULTS_MAX], bool quick) {
    size_t runs = quick ? runs_quick : runs_full;
    for (size_t i = 0; i < rows_of_pairs_count; ++i) {
        size_t other = rows_of_pairs[i].compare_with;
        rows[i] = (call_result){.call = rows_of_pairs[i].call,
                                .input = rows_of_pairs[i].input,
                                .nanoseconds = time_pairs(i, runs),
                                .ratio_to = rows_of_pairs[i].ratio_to};
        if (rows[i].ratio_to != NULL && rows[other].nanoseconds > 0.0) {
            rows[i].ratio = rows[i].nanoseconds / rows[other].nanoseconds;
        }
    }
    rows[rows_of_pairs_count] =
        (call_result){.call = "abut_bodies_set_poses", .input = "tumbling", .nanoseconds = time_set_poses(runs)};
    return rows_of_pairs_count + 1;
}
