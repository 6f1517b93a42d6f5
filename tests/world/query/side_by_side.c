/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/side_by_side.h"
#include <stdlib.h>

#ifdef ABUT_TEST_THREADS
#  include <pthread.h>
#endif

static const uint32_t workers_of[SIDE_WORLDS] = {0, 1, 2, 3, 16};

uint32_t side_workers(int world) {
    return workers_of[world];
}

typedef struct job {
    void (*task)(void *data, uint32_t index);
    void *data;
    uint32_t index;
} job;

#ifdef ABUT_TEST_THREADS
static void *run_job(void *user) {
    const job *j = user;
    j->task(j->data, j->index);
    return NULL;
}

static void run_on_threads(void (*task)(void *data, uint32_t index), void *data, uint32_t count) {
    pthread_t thread[ABUT_WORKERS_MAX];
    job jobs[ABUT_WORKERS_MAX];
    for (uint32_t k = 0; k < count; k++) {
        jobs[k] = (job){task, data, k};
        assert_int_equal(pthread_create(&thread[k], NULL, run_job, &jobs[k]), 0);
    }
    for (uint32_t k = 0; k < count; k++) {
        assert_int_equal(pthread_join(thread[k], NULL), 0);
    }
}
#endif

static void run(void (*task)(void *data, uint32_t index), void *data, uint32_t count, void *user) {
    side_runner *runner = user;
    uint32_t order[ABUT_WORKERS_MAX];
    assert_in_range(count, 1, ABUT_WORKERS_MAX);
    runner->loops++;
#ifdef ABUT_TEST_THREADS
    if (runner->order == SIDE_THREADS) {
        run_on_threads(task, data, count);
        return;
    }
#endif
    for (uint32_t k = 0; k < count; k++) {
        uint32_t at = runner->order >= SIDE_SHUFFLED ? (uint32_t)rng_below(&runner->r, k + 1) : k;
        order[k] = order[at];
        order[at] = runner->order == SIDE_REVERSE ? count - 1 - k : k;
    }
    for (uint32_t k = 0; k < count; k++) {
        task(data, order[k]);
    }
}

abut_parallel side_parallel(side_runner *runner, uint32_t workers) {
    return workers ? (abut_parallel){run, workers, runner} : (abut_parallel){0};
}

/* A seventh of the bodies get a filter of their own, some a parent, and some are destroyed again. */
static void fill(side_worlds *s, abut_world *world, uint64_t stream) {
    rng r = rng_make(test_seed(), stream);
    assert_int_equal(abut_bodies_create(world, s->scene.defs, s->scene.count, s->ids), ABUT_OK);
    for (size_t k = 0; k < s->scene.count; k++) {
        const abut_filter filter = {.category = UINT64_C(1) << (k % 5), .mask = ~(UINT64_C(1) << (k % 3))};
        if (rng_chance(&r, 1.0 / 7)) {
            assert_int_equal(abut_body_set_filter(world, s->ids[k], &filter), ABUT_OK);
        }
    }
    for (size_t k = 0; k < s->scene.count / 20; k++) {
        abut_body_def child = s->scene.defs[k];
        abut_body_id id;
        child.parent = s->ids[rng_below(&r, (uint32_t)s->scene.count)];
        child.pose = pose_at(0.5f, 0.25f, 0);
        assert_int_equal(abut_body_create(world, &child, &id), ABUT_OK);
    }
    for (size_t k = 0; k < s->scene.count / 50; k++) {
        (void)abut_body_destroy(world, s->ids[rng_below(&r, (uint32_t)s->scene.count)]);
    }
}

void side_begin(side_worlds *s, scene_kind kind, size_t n, uint64_t stream) {
    *s = (side_worlds){.runner = {.r = rng_make(test_seed(), stream)}};
    assert_true(scene_create(&s->scene, kind, n, stream));
    s->ids = calloc(n, sizeof *s->ids);
    assert_non_null(s->ids);
    for (int k = 0; k < SIDE_WORLDS; k++) {
        const abut_world_def def = {.parallel = side_parallel(&s->runner, side_workers(k))};
        s->world[k] = make_world(&def);
        fill(s, s->world[k], stream);
    }
}

void side_end(side_worlds *s) {
    for (int k = 0; k < SIDE_WORLDS; k++) {
        abut_world_destroy(&s->world[k]);
    }
    free(s->ids);
    scene_destroy(&s->scene);
}
