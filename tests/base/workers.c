/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Loops over blocks, under every schedule of tests/support/schedules.h. */
#include "base/workers/workers.h"
#include "support/schedules.h"
#include "support/test.h"
#include <string.h>

enum { BLOCKS = 700, INNER = 5 };

typedef struct work {
    abut_workers *workers;
    abut_atomic_u32 done[BLOCKS], inner[BLOCKS];
    abut_atomic_u32 busy[ABUT_WORKERS_MAX]; /* whether a block runs as this worker */
    abut_atomic_u32 wrong;
    uint32_t count; /* of workers */
    bool nested;
} work;

static void do_inner(void *context, uint32_t block, uint32_t worker) {
    work *w = context;
    (void)worker;
    (void)abut_atomic_add(&w->inner[block], 1);
}

static void do_block(void *context, uint32_t block, uint32_t worker) {
    work *w = context;
    if (block >= BLOCKS || worker >= w->count || !abut_atomic_replace(&w->busy[worker], 0, 1)) {
        (void)abut_atomic_add(&w->wrong, 1);
        return;
    }
    (void)abut_atomic_add(&w->done[block], 1);
    if (w->nested) {
        abut_workers_loop(w->workers, INNER, do_inner, w);
    }
    for (volatile int spin = 0; spin < 50; spin++) {
    }
    abut_atomic_store(&w->busy[worker], 0);
}

static work w; /* large */

static void check_loop(abut_workers *workers, uint32_t blocks, bool nested) {
    memset(&w, 0, sizeof w);
    w.workers = workers;
    w.count = abut_workers_count(workers);
    w.nested = nested;
    abut_workers_loop(workers, blocks, do_block, &w);
    assert_int_equal(w.wrong, 0);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        assert_int_equal(w.done[i], i < blocks);
        assert_int_equal(w.inner[i], nested && i < INNER ? blocks : 0);
    }
    assert_int_equal(workers->taken, 0);
}

static void every_block_runs_once_under_every_schedule(void **state) {
    (void)state;
    static const uint32_t blocks[] = {0, 1, 2, 3, 17, 255, 257, BLOCKS};
    for (int kind = 0; kind < SCHEDULE_KINDS; kind++) {
        for (int n = 0; n < SCHEDULE_WORKERS; n++) {
            schedule s = {.kind = (schedule_kind)kind, .workers = schedule_workers[n], .seed = test_seed()};
            abut_workers workers = {.parallel = schedule_parallel(&s)};
            for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
                check_loop(&workers, blocks[i], false);
                check_loop(&workers, blocks[i], true);
            }
            assert_int_equal(s.wrong, 0);
            assert_int_equal(s.tasks, 0);
            assert_true(s.workers == 1 || s.loops > 0);
        }
    }
}

/* Already two blocks, and two workers. */
static void whatever_can_be_shared_is_shared(void **state) {
    (void)state;
    for (uint32_t workers = 1; workers <= 3; workers++) {
        for (uint32_t blocks = 0; blocks <= 3; blocks++) {
            schedule s = {.kind = SCHEDULE_ASCENDING, .workers = workers, .seed = test_seed()};
            abut_workers of = {.parallel = schedule_parallel(&s)};
            check_loop(&of, blocks, false);
            assert_int_equal(s.loops, workers >= 2 && blocks >= 2);
        }
    }
}

static void without_workers_blocks_run_on_the_caller(void **state) {
    (void)state;
    abut_workers none = {0};
    check_loop(&none, BLOCKS, false);
    check_loop(&none, 0, true);
    check_loop(&none, 3, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_runs_once_under_every_schedule),
        cmocka_unit_test(whatever_can_be_shared_is_shared),
        cmocka_unit_test(without_workers_blocks_run_on_the_caller),
    };
    return test_run(tests);
}
