/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What workers gain: the same frames and questions with one worker and with as many as there are processors. Beside
 * them, what plain threads gain that share nothing: as many loops of arithmetic, copies of memory, worlds, or parts of
 * a batch side by side. No library can gain more than they do. */

#include "groups.h"
#include "scene_rng.h"
#include "stepper.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MOST = 16, CAMERAS = 4, RAYS = 8192, CASTS = 2048 };

/* --- plain threads --- */

typedef struct job {
    void (*run)(struct job *job);
    void *data;
    size_t part, parts;
} job;

static void *run_job(void *data) {
    job *j = data;
    j->run(j);
    return NULL;
}

/* Runs all jobs at the same time, the first on the caller; returns the seconds for one of them if there were only one.
 */
static double run_jobs(job *jobs, size_t n) {
    pthread_t thread[THREADS_MOST];
    double start = bench_now();
    for (size_t i = 1; i < n; ++i) {
        if (pthread_create(&thread[i], NULL, run_job, &jobs[i]) != 0) {
            bench_fail("a thread cannot be made");
        }
    }
    jobs[0].run(&jobs[0]);
    for (size_t i = 1; i < n; ++i) {
        (void)pthread_join(thread[i], NULL);
    }
    return bench_now() - start;
}

typedef struct crew {
    job jobs[THREADS_MOST];
    size_t count;
    double seconds; /* of the last run, for one job */
} crew;

static void run_crew(void *state, uint8_t *answers) {
    (void)answers;
    crew *c = state;
    c->seconds = run_jobs(c->jobs, c->count) / (double)c->count;
}

/* The same for jobs that are parts of one: all of them together are what others do alone. */
static void run_parts(void *state, uint8_t *answers) {
    (void)answers;
    crew *c = state;
    c->seconds = run_jobs(c->jobs, c->count);
}

static crew crew_of(size_t count, void (*run)(job *)) {
    crew c = {.count = count};
    for (size_t i = 0; i < count; ++i) {
        c.jobs[i] = (job){.run = run, .part = i, .parts = count};
    }
    return c;
}

/* --- loops that share nothing --- */

static void multiply(job *j) {
    static const size_t times = 4000000;
    double x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t i = 0; i < times; ++i) {
        for (int k = 0; k < 8; ++k) {
            x[k] = x[k] * 0.999 + 0.001;
        }
    }
    *(volatile double *)j->data = x[0] + x[7];
}

enum { COPIED = 32 << 20 };

static void copy(job *j) {
    char *bytes = j->data;
    memcpy(bytes, bytes + COPIED, COPIED);
}

static void hold_loops(size_t threads, const char *name, void (*run)(job *), size_t bytes, size_t rounds,
                       contest_list *list) {
    crew one = crew_of(1, run), all = crew_of(threads, run);
    void *data[THREADS_MOST] = {NULL};
    for (size_t i = 0; i < threads; ++i) {
        all.jobs[i].data = data[i] = bench_alloc(bytes, 1);
        memset(data[i], (int)i, bytes);
    }
    one.jobs[0].data = data[0];
    contest c = contest_of_frames("threads", NULL, NULL);
    snprintf(c.input, sizeof c.input, "%s", name);
    contest_add(&c, "one thread", &one, run_crew)->seconds = &one.seconds;
    contest_refer(&c);
    contest_add(&c, "plain threads, each", &all, run_crew)->seconds = &all.seconds;
    contest_hold(&c, rounds, list);
    for (size_t i = 0; i < threads; ++i) {
        free(data[i]);
    }
}

/* --- frames --- */

static void step_world(job *j) {
    stepper_run(j->data, NULL);
}

static void advance(contest *c, void *user) {
    (void)c;
    scene_advance(user);
}

static void hold_frames(abut_pool *pool, size_t boxes, size_t rounds, contest_list *list) {
    const abut_world_def def = {.parallel = abut_pool_parallel(pool)};
    size_t threads = def.parallel.workers < THREADS_MOST ? def.parallel.workers : THREADS_MOST;
    scene s;
    stepper one, all, apart[THREADS_MOST];
    crew worlds = crew_of(threads, step_world);
    if (!scene_create(&s, SCENE_TUMBLING, boxes, 1)) {
        bench_fail("out of memory");
    }
    stepper_create(&one, &s, NULL);
    stepper_create(&all, &s, &def);
    for (size_t i = 0; i < threads; ++i) {
        stepper_create(&apart[i], &s, NULL);
        worlds.jobs[i].data = &apart[i];
    }
    contest c = contest_of_frames("threads", advance, &s);
    snprintf(c.input, sizeof c.input, "frames, %zu tumbling boxes, manifolds", boxes);
    contest_add(&c, "one worker", &one, stepper_run)->found = &one.contacts;
    contest_refer(&c);
    contest_method *m = contest_add(&c, "all workers", &all, stepper_run);
    m->found = &all.contacts;
    m = contest_add(&c, "plain threads, a world each", &worlds, run_crew);
    m->found = &apart[0].contacts;
    m->seconds = &worlds.seconds;
    contest_hold(&c, rounds, list);
    stepper_destroy(&one);
    stepper_destroy(&all);
    for (size_t i = 0; i < threads; ++i) {
        stepper_destroy(&apart[i]);
    }
    scene_destroy(&s);
}

/* --- questions --- */

typedef struct questions {
    const abut_world *world;
    size_t bodies;
    abut_frustum camera[CAMERAS];
    abut_ray ray[RAYS];
    abut_cast cast[CASTS];
    abut_hit ray_hit[RAYS], cast_hit[CASTS];
    abut_visible *visible; /* by part, as many as there are bodies */
} questions;

/* Where a part of n begins. */
static size_t part_of(const job *j, size_t part, size_t n) {
    return n * part / j->parts;
}

static void cull(job *j) {
    questions *q = j->data;
    size_t i = part_of(j, j->part, CAMERAS), end = part_of(j, j->part + 1, CAMERAS);
    (void)abut_world_cull(q->world, &q->camera[i], end - i, NULL, q->visible + i * q->bodies, q->bodies);
}

static void cast_rays(job *j) {
    questions *q = j->data;
    size_t i = part_of(j, j->part, RAYS), end = part_of(j, j->part + 1, RAYS);
    bench_check(abut_world_cast_rays(q->world, &q->ray[i], end - i, NULL, &q->ray_hit[i]), "abut_world_cast_rays");
}

static void cast_shapes(job *j) {
    questions *q = j->data;
    size_t i = part_of(j, j->part, CASTS), end = part_of(j, j->part + 1, CASTS);
    bench_check(abut_world_cast_shapes(q->world, &q->cast[i], end - i, NULL, &q->cast_hit[i]),
                "abut_world_cast_shapes");
}

static abut_vec3 any_place(uint64_t *r, float side) {
    return (abut_vec3){scene_rng_range(r, 0, side), scene_rng_range(r, 0, side), scene_rng_range(r, 0, side)};
}

static questions *make_questions(size_t boxes) {
    questions *q = bench_alloc(1, sizeof *q);
    uint64_t r = 1;
    float side = (float)cbrt(4.0 * (double)boxes);
    q->bodies = boxes;
    q->visible = bench_alloc(CAMERAS * boxes, sizeof *q->visible);
    for (int i = 0; i < CAMERAS; ++i) {
        const abut_pose pose = {{side / 2, side / 2, side / 2}, {0, sinf(0.7f * (float)i), 0, cosf(0.7f * (float)i)}};
        bench_check(abut_frustum_camera(&pose, 0.7f, 0.4f, 0.1f, side, &q->camera[i]), "abut_frustum_camera");
    }
    for (int i = 0; i < RAYS; ++i) {
        abut_vec3 a = any_place(&r, side), b = any_place(&r, side);
        q->ray[i] = (abut_ray){.origin = a, .translation = {b.x - a.x, b.y - a.y, b.z - a.z}};
    }
    for (int i = 0; i < CASTS; ++i) {
        abut_vec3 a = any_place(&r, side), b = any_place(&r, 40);
        q->cast[i] = (abut_cast){
            .shape = abut_sphere(0.5f), .from = {a, {0, 0, 0, 1}}, .translation = {b.x - 20, b.y - 20, b.z - 20}};
    }
    return q;
}

/* The same questions to a world without workers and to one with. */
typedef struct asked {
    questions *q;
    const abut_world *world;
    void (*run)(job *);
} asked;

static void ask(void *state, uint8_t *answers) {
    (void)answers;
    const asked *a = state;
    a->q->world = a->world;
    job all = {.run = a->run, .data = a->q, .parts = 1};
    a->run(&all);
}

static void hold_questions(const char *what, void (*run)(job *), questions *q, const abut_world *plain,
                           const abut_world *wide, size_t threads, size_t rounds, contest_list *list) {
    asked one = {q, plain, run}, all = {q, wide, run};
    crew parts = crew_of(threads, run);
    for (size_t i = 0; i < threads; ++i) {
        parts.jobs[i].data = q;
    }
    q->world = plain;
    contest c = contest_of_frames("threads", NULL, NULL);
    snprintf(c.input, sizeof c.input, "%s among %zu boxes", what, q->bodies);
    contest_add(&c, "one worker", &one, ask);
    contest_refer(&c);
    contest_add(&c, "all workers", &all, ask);
    contest_add(&c, "plain threads, a part each", &parts, run_parts)->seconds = &parts.seconds;
    contest_hold(&c, rounds, list);
}

static void hold_all_questions(abut_pool *pool, size_t boxes, size_t rounds, contest_list *list) {
    const abut_world_def def = {.parallel = abut_pool_parallel(pool)};
    size_t threads = def.parallel.workers < CAMERAS ? def.parallel.workers : CAMERAS;
    scene s;
    stepper one, all;
    if (!scene_create(&s, SCENE_TUMBLING, boxes, 1)) {
        bench_fail("out of memory");
    }
    stepper_create(&one, &s, NULL);
    stepper_create(&all, &s, &def);
    questions *q = make_questions(boxes);
    hold_questions("a cull by 4 cameras", cull, q, one.world, all.world, threads, rounds, list);
    hold_questions("8,192 rays", cast_rays, q, one.world, all.world, threads, rounds, list);
    hold_questions("2,048 casts of spheres", cast_shapes, q, one.world, all.world, threads, rounds, list);
    free(q->visible);
    free(q);
    stepper_destroy(&one);
    stepper_destroy(&all);
    scene_destroy(&s);
}

void bench_threads(bool quick, contest_list *list) {
    abut_pool *pool = NULL;
    size_t rounds = quick ? 3 : 21;
    if (abut_pool_create(0, &pool) != ABUT_OK) {
        return; /* no threads here */
    }
    size_t threads = abut_pool_parallel(pool).workers;
    threads = threads < THREADS_MOST ? threads : THREADS_MOST;
    hold_loops(threads, "arithmetic", multiply, sizeof(double), rounds, list);
    hold_loops(threads, "copying memory", copy, 2 * (size_t)COPIED, rounds, list);
    hold_frames(pool, quick ? 2000 : 10000, rounds, list);
    if (!quick) {
        hold_frames(pool, 100000, rounds, list);
    }
    hold_all_questions(pool, quick ? 2000 : 100000, rounds, list);
    abut_pool_destroy(&pool);
}
