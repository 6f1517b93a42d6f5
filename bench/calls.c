/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "bench.h"
#include "inputs.h"
#include <math.h>
#include <stdlib.h>

enum { pair_count = 4096, body_count = 10000, runs_full = 31, runs_quick = 5, seed = 7 };

typedef struct pairs {
    abut_obb *a, *b;
    uint8_t *overlap;
} pairs;

/* Results are added here, so that no compiler removes the calls. */
static volatile size_t sink;

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
    box_maker make;
    size_t compare_with; /* a row above; its own index: no comparison */
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

/* --- shapes: half of the pairs touch, the bounds of the others do --- */

typedef struct shapes {
    abut_shape *a, *b;
    abut_pose *at_a, *at_b;
} shapes;

static void call_shape_overlap(const shapes *s) {
    size_t n = 0;
    for (size_t i = 0; i < pair_count; ++i) {
        n += abut_shape_overlap(&s->a[i], &s->at_a[i], &s->b[i], &s->at_b[i]);
    }
    sink = n;
}

static void call_shape_collide(const shapes *s) {
    size_t n = 0;
    abut_manifold manifold;
    for (size_t i = 0; i < pair_count; ++i) {
        if (abut_shape_collide(&s->a[i], &s->at_a[i], &s->b[i], &s->at_b[i], 0.0f, &manifold)) {
            n += manifold.count;
        }
    }
    sink = n;
}

static void call_shape_distance(const shapes *s) {
    float sum = 0.0f;
    for (size_t i = 0; i < pair_count; ++i) {
        sum += abut_shape_distance(&s->a[i], &s->at_a[i], &s->b[i], &s->at_b[i], NULL, NULL);
    }
    sink = (size_t)sum;
}

static void call_shape_bounds(const shapes *s) {
    float sum = 0.0f;
    for (size_t i = 0; i < pair_count; ++i) {
        sum += abut_shape_bounds(&s->b[i], &s->at_b[i]).min.x;
    }
    sink = (size_t)fabsf(sum);
}

/* From one shape past the middle of the other. */
static void call_shape_ray(const shapes *s) {
    size_t n = 0;
    for (size_t i = 0; i < pair_count; ++i) {
        const abut_vec3 from = s->at_a[i].position, to = s->at_b[i].position;
        const abut_ray ray = {.origin = from, .translation = {to.x - from.x, to.y - from.y, to.z - from.z + 0.5f}};
        n += abut_shape_cast_ray(&s->b[i], &s->at_b[i], &ray, NULL);
    }
    sink = n;
}

static const struct {
    const char *call, *input;
    void (*run)(const shapes *s);
    round_kind a, b;
} rows_of_shapes[] = {
    {"abut_shape_bounds", "spheres", call_shape_bounds, ROUND_SPHERE, ROUND_SPHERE},
    {"abut_shape_bounds", "boxes", call_shape_bounds, ROUND_BOX, ROUND_BOX},
    {"abut_shape_cast_ray", "spheres", call_shape_ray, ROUND_SPHERE, ROUND_SPHERE},
    {"abut_shape_cast_ray", "capsules", call_shape_ray, ROUND_SPHERE, ROUND_CAPSULE},
    {"abut_shape_cast_ray", "boxes", call_shape_ray, ROUND_SPHERE, ROUND_BOX},
    {"abut_shape_overlap", "spheres", call_shape_overlap, ROUND_SPHERE, ROUND_SPHERE},
    {"abut_shape_overlap", "sphere, capsule", call_shape_overlap, ROUND_SPHERE, ROUND_CAPSULE},
    {"abut_shape_overlap", "capsules", call_shape_overlap, ROUND_CAPSULE, ROUND_CAPSULE},
    {"abut_shape_overlap", "sphere, box", call_shape_overlap, ROUND_SPHERE, ROUND_BOX},
    {"abut_shape_overlap", "boxes", call_shape_overlap, ROUND_BOX, ROUND_BOX},
    {"abut_shape_collide", "spheres", call_shape_collide, ROUND_SPHERE, ROUND_SPHERE},
    {"abut_shape_collide", "sphere, capsule", call_shape_collide, ROUND_SPHERE, ROUND_CAPSULE},
    {"abut_shape_collide", "capsules", call_shape_collide, ROUND_CAPSULE, ROUND_CAPSULE},
    {"abut_shape_collide", "sphere, box", call_shape_collide, ROUND_SPHERE, ROUND_BOX},
    {"abut_shape_collide", "boxes", call_shape_collide, ROUND_BOX, ROUND_BOX},
    {"abut_shape_distance", "spheres", call_shape_distance, ROUND_SPHERE, ROUND_SPHERE},
    {"abut_shape_distance", "sphere, box", call_shape_distance, ROUND_SPHERE, ROUND_BOX},
};
enum { rows_of_shapes_count = sizeof rows_of_shapes / sizeof rows_of_shapes[0] };
_Static_assert(rows_of_pairs_count + rows_of_shapes_count + 1 <= CALL_RESULTS_MAX, "room for all rows");

static shapes shapes_of(const pair_set *set) {
    shapes s = {bench_alloc(pair_count, sizeof *s.a), bench_alloc(pair_count, sizeof *s.b),
                bench_alloc(pair_count, sizeof *s.at_a), bench_alloc(pair_count, sizeof *s.at_b)};
    for (size_t i = 0; i < pair_count; ++i) {
        s.a[i] = pair_set_shape(set, set->pairs[i].a), s.at_a[i] = set->poses[set->pairs[i].a];
        s.b[i] = pair_set_shape(set, set->pairs[i].b), s.at_b[i] = set->poses[set->pairs[i].b];
    }
    return s;
}

static double time_shapes(size_t row, size_t runs) {
    double samples[runs_full];
    pair_set set = pair_set_of_round(seed, pair_count, rows_of_shapes[row].a, rows_of_shapes[row].b);
    shapes s = shapes_of(&set);
    rows_of_shapes[row].run(&s);
    for (size_t run = 0; run < runs; ++run) {
        double start = bench_now();
        rows_of_shapes[row].run(&s);
        samples[run] = bench_now() - start;
    }
    free(s.a);
    free(s.b);
    free(s.at_a);
    free(s.at_b);
    pair_set_destroy(&set);
    return 1e9 * bench_median(samples, runs) / pair_count;
}

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
    size_t n = rows_of_pairs_count;
    for (size_t i = 0; i < rows_of_shapes_count; ++i) {
        rows[n++] = (call_result){
            .call = rows_of_shapes[i].call, .input = rows_of_shapes[i].input, .nanoseconds = time_shapes(i, runs)};
    }
    rows[n++] =
        (call_result){.call = "abut_bodies_set_poses", .input = "tumbling", .nanoseconds = time_set_poses(runs)};
    return n;
}
