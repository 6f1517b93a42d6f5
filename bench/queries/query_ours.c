/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "query_ours.h"
#include "bench.h"
#include <math.h>
#include <stdlib.h>

void query_ours_create(query_ours *o, const query_scene *s) {
    *o = (query_ours){.scene = s};
    bench_check(abut_world_create(NULL, &o->world), "abut_world_create");
    o->ids = bench_alloc(s->world.count, sizeof *o->ids);
    bench_check(abut_bodies_create(o->world, s->defs, s->world.count, o->ids), "abut_bodies_create");
    bench_check(abut_bodies_set_poses(o->world, o->ids, s->poses, s->world.count), "abut_bodies_set_poses");
    for (size_t i = 0; i < s->world.count; ++i) {
        if (o->ids[i].index1 != i + 1) {
            bench_fail("bodies are not numbered in order"); /* the answers rely on it */
        }
    }
    bench_check(abut_world_refresh(o->world), "abut_world_refresh");
    o->hits = bench_alloc(QUERY_COUNT_MAX, sizeof *o->hits);
    o->blocked = bench_alloc(QUERY_COUNT_MAX, 1);
    o->bodies = bench_alloc((size_t)QUERY_COUNT_MAX * QUERY_BODIES_MAX, sizeof *o->bodies);
    o->ends = bench_alloc(QUERY_COUNT_MAX, sizeof *o->ends);
    o->near = bench_alloc((size_t)QUERY_COUNT_MAX * QUERY_K_MAX, sizeof *o->near);
    o->counts = bench_alloc(QUERY_COUNT_MAX, sizeof *o->counts);
}

void query_ours_destroy(query_ours *o) {
    abut_world_destroy(&o->world);
    free(o->ids);
    free(o->hits);
    free(o->blocked);
    free(o->bodies);
    free(o->ends);
    free(o->near);
    free(o->counts);
    *o = (query_ours){0};
}

void query_ours_update(void *state) {
    query_ours *o = state;
    bench_check(abut_bodies_set_poses(o->world, o->ids, o->scene->poses, o->scene->world.count),
                "abut_bodies_set_poses");
}

/* --- answers; ids become numbers of bodies --- */

static void write_hits(const query_ours *o, size_t n, query_answer *answers) {
    for (size_t i = 0; i < n; ++i) {
        const abut_hit *hit = &o->hits[i];
        bool found = hit->body.index1 != 0;
        answers[i] = (query_answer){found, 0, hit->fraction};
    }
}

static void first_batch(void *state, const query_set *questions, query_answer *answers) {
    query_ours *o = state;
    bench_check(abut_world_cast_rays(o->world, questions->rays, questions->count, NULL, o->hits),
                "abut_world_cast_rays");
    write_hits(o, questions->count, answers);
}

static void first_single(void *state, const query_set *questions, query_answer *answers) {
    query_ours *o = state;
    for (size_t i = 0; i < questions->count; ++i) {
        bench_check(abut_world_cast_rays(o->world, &questions->rays[i], 1, NULL, &o->hits[i]), "abut_world_cast_rays");
    }
    write_hits(o, questions->count, answers);
}

static void write_blocked(const query_ours *o, size_t n, query_answer *answers) {
    for (size_t i = 0; i < n; ++i) {
        answers[i] = (query_answer){o->blocked[i], 0, 0.0f};
    }
}

static void sight_batch(void *state, const query_set *questions, query_answer *answers) {
    query_ours *o = state;
    bench_check(abut_world_test_rays(o->world, questions->rays, questions->count, NULL, o->blocked),
                "abut_world_test_rays");
    write_blocked(o, questions->count, answers);
}

static void sight_single(void *state, const query_set *questions, query_answer *answers) {
    query_ours *o = state;
    for (size_t i = 0; i < questions->count; ++i) {
        bench_check(abut_world_test_rays(o->world, &questions->rays[i], 1, NULL, &o->blocked[i]),
                    "abut_world_test_rays");
    }
    write_blocked(o, questions->count, answers);
}

/* The answer for `found` ids. */
static query_answer sum_of(const abut_body_id *ids, size_t found) {
    query_answer answer = {(uint32_t)found, 0, 0.0f};
    for (size_t i = 0; i < found; ++i) {
        answer.sum += ids[i].index1 - 1;
    }
    return answer;
}

static void overlap_batch(void *state, const query_set *questions, query_answer *answers) {
    query_ours *o = state;
    bench_check(abut_world_overlaps_many(o->world, questions->shapes, questions->poses, questions->count, NULL,
                                         o->bodies, (size_t)QUERY_COUNT_MAX * QUERY_BODIES_MAX, o->ends),
                "abut_world_overlaps_many");
    for (size_t i = 0; i < questions->count; ++i) {
        size_t start = i > 0 ? o->ends[i - 1] : 0;
        answers[i] = sum_of(o->bodies + start, o->ends[i] - start);
    }
}

static void overlap_single(void *state, const query_set *questions, query_answer *answers) {
    query_ours *o = state;
    for (size_t i = 0; i < questions->count; ++i) {
        size_t found = abut_world_overlaps(o->world, &questions->shapes[i], &questions->poses[i], NULL, o->bodies,
                                           QUERY_COUNT_MAX);
        answers[i] = sum_of(o->bodies, found);
    }
}

static void bounds(void *state, const query_set *questions, query_answer *answers) {
    query_ours *o = state;
    for (size_t i = 0; i < questions->count; ++i) {
        size_t found = abut_world_in_bounds(o->world, &questions->boxes[i], NULL, o->bodies, QUERY_COUNT_MAX);
        answers[i] = sum_of(o->bodies, found);
    }
}

static void nearest_batch(void *state, const query_set *questions, query_answer *answers) {
    query_ours *o = state;
    size_t k = questions->k;
    bench_check(
        abut_world_nearest_many(o->world, questions->points, questions->count, INFINITY, NULL, o->near, k, o->counts),
        "abut_world_nearest_many");
    for (size_t i = 0; i < questions->count; ++i) {
        size_t found = o->counts[i];
        answers[i] = (query_answer){(uint32_t)found, 0, found > 0 ? o->near[i * k + found - 1].distance : 0.0f};
    }
}

static void nearest_single(void *state, const query_set *questions, query_answer *answers) {
    query_ours *o = state;
    const abut_shape point = abut_point();
    for (size_t i = 0; i < questions->count; ++i) {
        const abut_pose at = {questions->points[i], {0.0f, 0.0f, 0.0f, 1.0f}};
        size_t found = abut_world_nearest(o->world, &point, &at, INFINITY, NULL, o->near, questions->k);
        answers[i] = (query_answer){(uint32_t)found, 0, found > 0 ? o->near[found - 1].distance : 0.0f};
    }
}

static void cast_batch(void *state, const query_set *questions, query_answer *answers) {
    query_ours *o = state;
    bench_check(abut_world_cast_shapes(o->world, questions->casts, questions->count, NULL, o->hits),
                "abut_world_cast_shapes");
    write_hits(o, questions->count, answers);
}

static void cast_single(void *state, const query_set *questions, query_answer *answers) {
    query_ours *o = state;
    for (size_t i = 0; i < questions->count; ++i) {
        bench_check(abut_world_cast_shapes(o->world, &questions->casts[i], 1, NULL, &o->hits[i]),
                    "abut_world_cast_shapes");
    }
    write_hits(o, questions->count, answers);
}

static void cast_all(void *state, const query_set *questions, query_answer *answers) {
    query_ours *o = state;
    for (size_t i = 0; i < questions->count; ++i) {
        size_t found = abut_world_shape_hits(o->world, &questions->casts[i], NULL, o->hits, QUERY_COUNT_MAX);
        answers[i] = (query_answer){(uint32_t)found, 0, 0.0f};
        for (size_t k = 0; k < found; ++k) {
            answers[i].sum += o->hits[k].body.index1 - 1;
        }
    }
}

static void sweep_batch(void *state, const query_set *questions, query_answer *answers) {
    query_ours *o = state;
    for (size_t i = 0; i < questions->count; ++i) {
        o->bodies[i] = o->ids[questions->movers[i]];
    }
    bench_check(abut_world_sweep(o->world, o->bodies, questions->targets, questions->count, NULL, o->hits),
                "abut_world_sweep");
    write_hits(o, questions->count, answers);
}

static void sweep_single(void *state, const query_set *questions, query_answer *answers) {
    query_ours *o = state;
    for (size_t i = 0; i < questions->count; ++i) {
        bench_check(
            abut_world_sweep(o->world, &o->ids[questions->movers[i]], &questions->targets[i], 1, NULL, &o->hits[i]),
            "abut_world_sweep");
    }
    write_hits(o, questions->count, answers);
}

void (*const query_ours_batch[QUERY_TASK_COUNT])(void *, const query_set *, query_answer *) = {
    first_batch, sight_batch, overlap_batch, bounds, nearest_batch, cast_batch, cast_all, sweep_batch};
void (*const query_ours_single[QUERY_TASK_COUNT])(void *, const query_set *, query_answer *) = {
    first_single, sight_single, overlap_single, NULL, nearest_single, cast_single, NULL, sweep_single};
