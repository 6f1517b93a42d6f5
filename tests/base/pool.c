/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The pool: every task runs exactly once, whoever calls, however many loops there are, and inside other loops. */

#include "base/workers/pool.h"
#include "base/compiler.h"
#include "base/workers/wait.h"
#include "support/test.h"
#include <abut/parallel.h>
#include <string.h>

#if defined(ABUT_TEST_THREADS)
#  include <pthread.h>
#endif

typedef struct count {
    abut_atomic_u32 runs[ABUT_WORKERS_MAX];
    const abut_parallel *inner; /* NULL: tasks begin no loops */
    struct count *below;
} count;

static void note(void *data, uint32_t index) {
    count *c = data;
    (void)abut_atomic_add(&c->runs[index], 1);
    if (c->inner && index < 4) {
        c->inner->run(note, &c->below[index], 3, c->inner->user);
    }
}

static void assert_runs(const count *c, uint32_t n, uint32_t times) {
    for (uint32_t i = 0; i < ABUT_WORKERS_MAX; i++) {
        assert_int_equal(abut_atomic_load(&c->runs[i]), i < n ? times : 0);
    }
}

static void every_task_runs_once(void **state) {
    (void)state;
    for (uint32_t workers = 0; workers < 6; workers++) {
        abut_pool *pool = NULL;
        abut_result result = abut_pool_create(workers, &pool);
        if (result == ABUT_ERROR_LIMIT) {
            assert_null(pool); /* no threads here */
            continue;
        }
        assert_int_equal(result, ABUT_OK);
        abut_parallel p = abut_pool_parallel(pool);
        assert_true(workers == 0 ? p.workers >= 1 : p.workers == workers);
#if ABUT_HAS_THREADS
        assert_int_equal(pool->threads, p.workers - 1); /* and the caller */
#endif
        for (uint32_t n = 1; n <= p.workers; n++) {
            for (int k = 0; k < 300; k++) {
                count c;
                memset(&c, 0, sizeof c);
                p.run(note, &c, n, p.user);
                assert_runs(&c, n, 1);
            }
        }
        abut_pool_destroy(&pool);
        assert_null(pool);
    }
}

/* Two tasks, each of which waits until the other has begun: they need two threads. A pool whose threads do not wake
 * hangs here, until the time limit of the test. */
static void meet(void *data, uint32_t index) {
    count *c = data;
    uint32_t turns = 0;
    (void)abut_atomic_add(&c->runs[index], 1);
    while (abut_atomic_load(&c->runs[1 - index]) == 0) {
        abut_wait(&turns);
    }
}

static void threads_take_part_awake_and_asleep(void **state) {
    (void)state;
    abut_pool *pool = NULL;
    if (abut_pool_create(2, &pool)) {
        skip();
    }
    abut_parallel p = abut_pool_parallel(pool);
    for (int k = 0; k < 40; k++) {
        count c;
        memset(&c, 0, sizeof c);
        p.run(meet, &c, 2, p.user);
        assert_runs(&c, 2, 1);
        for (uint32_t turns = 0, n = 0; n < 100u * (uint32_t)(k % 8); n++) { /* yields: some loops find it asleep */
            abut_wait(&turns);
        }
    }
    abut_pool_destroy(&pool);
}

#if ABUT_HAS_THREADS
/* One task of two waits until the loop is closed, which the thread that found no third one must have done: only the
 * caller may be waiting. A pool that leaves that to its caller hangs here. */
static void wait_until_closed(void *data, uint32_t index) {
    const abut_pool *pool = data;
    for (uint32_t turns = 0; index == 0 && abut_atomic_load(&pool->state) & ABUT_POOL_OPEN;) {
        abut_wait(&turns);
    }
}

static void whoever_finds_no_task_closes_the_loop(void **state) {
    (void)state;
    abut_pool *pool = NULL;
    if (abut_pool_create(2, &pool)) {
        skip();
    }
    abut_parallel p = abut_pool_parallel(pool);
    for (int k = 0; k < 300; k++) {
        p.run(wait_until_closed, pool, 2, p.user);
        assert_int_equal(abut_atomic_load(&pool->state), 0);
    }
    abut_pool_destroy(&pool);
}
#endif

static void pools_come_and_go(void **state) {
    (void)state;
    for (uint32_t k = 0; k < 200; k++) {
        abut_pool *pool = NULL;
        abut_result result = abut_pool_create(1 + k % 8, &pool);
        assert_true(result == ABUT_OK || result == ABUT_ERROR_LIMIT);
        abut_pool_destroy(&pool);
    }
}

static void loops_in_loops_run_on_their_callers(void **state) {
    (void)state;
    abut_pool *pool = NULL;
    if (abut_pool_create(4, &pool)) {
        skip();
    }
    abut_parallel p = abut_pool_parallel(pool);
    for (int k = 0; k < 300; k++) {
        count below[4], c;
        memset(below, 0, sizeof below);
        memset(&c, 0, sizeof c);
        c.inner = &p;
        c.below = below;
        p.run(note, &c, 4, p.user);
        assert_runs(&c, 4, 1);
        for (int i = 0; i < 4; i++) {
            assert_runs(&below[i], 3, 1);
        }
    }
    abut_pool_destroy(&pool);
}

#if defined(ABUT_TEST_THREADS)
typedef struct caller {
    abut_parallel p;
    count c;
} caller;

enum { CALLERS = 3, LOOPS = 500 };

static void *call_often(void *data) {
    caller *c = data;
    for (int k = 0; k < LOOPS; k++) {
        c->p.run(note, &c->c, c->p.workers, c->p.user);
    }
    return NULL;
}
#endif

static void several_threads_call(void **state) {
    (void)state;
#if defined(ABUT_TEST_THREADS)
    abut_pool *pool = NULL;
    pthread_t thread[CALLERS];
    static caller callers[CALLERS];
    assert_int_equal(abut_pool_create(3, &pool), ABUT_OK);
    memset(callers, 0, sizeof callers);
    for (int i = 0; i < CALLERS; i++) {
        callers[i].p = abut_pool_parallel(pool);
        assert_int_equal(pthread_create(&thread[i], NULL, call_often, &callers[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_runs(&callers[i].c, 3, LOOPS);
    }
    abut_pool_destroy(&pool);
#else
    skip();
#endif
}

static void bad_calls_are_refused(void **state) {
    (void)state;
    abut_pool *pool = (abut_pool *)(void *)&pool;
    assert_int_equal(abut_pool_create(1, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_pool_create(ABUT_WORKERS_MAX + 1, &pool), ABUT_ERROR_LIMIT);
    assert_null(pool);
    abut_pool_destroy(NULL);
    abut_pool_destroy(&pool);
    abut_parallel none = abut_pool_parallel(NULL);
    assert_true(!none.run && none.workers == 0 && !none.user);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once),
        cmocka_unit_test(threads_take_part_awake_and_asleep),
        cmocka_unit_test(pools_come_and_go),
        cmocka_unit_test(loops_in_loops_run_on_their_callers),
        cmocka_unit_test(several_threads_call),
        cmocka_unit_test(bad_calls_are_refused),
#if ABUT_HAS_THREADS
        cmocka_unit_test(whoever_finds_no_task_closes_the_loop),
#endif
    };
    return test_run(tests);
}
