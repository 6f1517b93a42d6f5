/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Finds on workers against the same finds on one thread: pairs, counts and comparisons. */

#include "broadphase/broadphase.h"
#include "support/rng.h"
#include "support/schedules.h"
#include "support/test.h"
#include <stdlib.h>
#include <string.h>

enum { KEYS = 20000, STEPS = 6 };

typedef struct scene {
    float side[3];     /* of the space */
    float size;        /* of boxes: half to all of this */
    uint32_t statics;  /* of a hundred */
    uint32_t clusters; /* where most boxes are; 0: none */
} scene;

static abut_bp_box any_box(rng *r, const scene *s, uint32_t key) {
    abut_bp_box box;
    rng cluster = rng_make(99, s->clusters > 0 ? key % s->clusters : 0);
    for (int k = 0; k < 3; k++) {
        float at = (float)rng_range(r, 0, s->side[k]), middle = (float)rng_range(&cluster, 0, s->side[k]);
        at = s->clusters > 0 ? middle + (at - s->side[k] / 2) * 0.02f : at;
        box.min[k] = at;
        box.max[k] = at + (float)rng_range(r, 0.5, 1) * s->size;
    }
    return box;
}

typedef struct finder {
    abut_bp bp;
    abut_workers *workers;
    uint32_t keys;
} finder;

static void find(finder *f, bool exact_room) {
    static const abut_allocator zero;
    abut_allocator allocator;
    assert_true(abut_memory_init(&allocator, &zero));
    for (size_t pairs; pairs = abut_bp_find(&f->bp, f->keys, f->workers), !abut_bp_has_room(&f->bp, pairs);) {
        assert_int_equal(abut_bp_reserve_pairs(&f->bp, &allocator, exact_room ? pairs : pairs + pairs / 8), ABUT_OK);
    }
}

static void assert_same_list(abut_bp_pair_list a, abut_bp_pair_list b) {
    assert_int_equal(a.count, b.count);
    if (a.count > 0) {
        assert_memory_equal(a.pair, b.pair, a.count * sizeof *a.pair);
    }
}

static void assert_same_pairs(const finder f[2]) {
    assert_same_list(abut_bp_active_pairs(&f[0].bp), abut_bp_active_pairs(&f[1].bp));
    assert_same_list(abut_bp_resting_pairs(&f[0].bp), abut_bp_resting_pairs(&f[1].bp));
    assert_int_equal(abut_bp_tests(&f[0].bp), abut_bp_tests(&f[1].bp));
    assert_true(abut_bp_pair_count(&f[0].bp) > 1000);
}

static void run(const scene *s, abut_workers *workers, rng r, bool exact_room) {
    static const abut_allocator zero;
    abut_allocator allocator;
    finder f[2] = {{.workers = NULL, .keys = KEYS}, {.workers = workers, .keys = KEYS}};
    uint8_t *moved = calloc(KEYS + 8, 1);
    assert_non_null(moved);
    assert_true(abut_memory_init(&allocator, &zero));
    for (int k = 0; k < 2; k++) {
        assert_int_equal(abut_bp_reserve(&f[k].bp, &allocator, KEYS + 8), ABUT_OK);
    }
    for (int step = 0; step < STEPS; step++) {
        for (uint32_t key = 0; key < KEYS; key++) {
            moved[key] = step == 0 || step == 4 || rng_below(&r, 10) == 0;
            abut_bp_box box = any_box(&r, s, key);
            bool is_static = key % 100 < s->statics;
            for (int k = 0; k < 2 && moved[key]; k++) {
                abut_bp_activate(&f[k].bp, key, is_static);
                f[k].bp.box[key] = box;
            }
        }
        for (int k = 0; k < 2; k++) {
            find(&f[k], exact_room);
        }
        assert_same_pairs(f);
        for (int k = 0; k < 2; k++) {
            abut_bp_put_to_rest(&f[k].bp, moved, 1);
        }
    }
    abut_bp_release(&f[0].bp, &allocator);
    abut_bp_release(&f[1].bp, &allocator);
    free(moved);
}

static void same_pairs_with_workers(void **state) {
    static const scene scenes[] = {
        {.side = {45, 45, 45}, .size = 1},        {.side = {45, 45, 45}, .size = 1, .statics = 60},
        {.side = {400, 2, 100}, .size = 1},       {.side = {200, 200, 200}, .size = 1, .clusters = 7},
        {.side = {20000, 0.5f, 0.5f}, .size = 2}, /* one column */
    };
    (void)state;
    for (unsigned long i = 0; i < test_count(40); i++) {
        rng r = rng_make(test_seed(), i);
        schedule s = schedule_random(&r);
        s.workers = schedule_workers[1 + i % (SCHEDULE_WORKERS - 1)];
        abut_workers workers = {.parallel = schedule_parallel(&s)};
        run(&scenes[i % (sizeof scenes / sizeof *scenes)], &workers, r, i % 3 == 0);
        assert_int_equal(abut_atomic_load(&s.wrong), 0);
        assert_true(abut_atomic_load(&s.loops) > 0);
    }
}

/* Copies of resting boxes take so much memory that what is left for each worker has room for fewer copies than keys. */
static void same_pairs_beside_many_that_rest(void **state) {
    enum { LATE = KEYS * 9 / 20, ALL = KEYS + LATE };
    static const abut_allocator zero;
    static const scene where[] = {{.side = {50, 50, 50}, .size = 1},
                                  {.side = {20000, 0.5f, 0.5f}, .size = 2}}; /* one column */
    static const uint8_t unmoved[ALL];
    abut_allocator allocator;
    (void)state;
    assert_true(abut_memory_init(&allocator, &zero));
    for (uint32_t i = 0; i < 2 * SCHEDULE_KINDS; i++) {
        rng r = rng_make(test_seed(), i);
        schedule s = {.kind = (schedule_kind)(i / 2), .workers = 3, .seed = i};
        abut_workers workers = {.parallel = schedule_parallel(&s)};
        finder f[2] = {{.workers = NULL}, {.workers = &workers}};
        for (int late = 0; late < 2; late++) {
            uint32_t first = late ? KEYS : 0, end = late ? ALL : KEYS;
            for (uint32_t key = first; key < end; key++) {
                abut_bp_box box = any_box(&r, &where[i % 2], key);
                for (int k = 0; k < 2; k++) {
                    assert_int_equal(abut_bp_reserve(&f[k].bp, &allocator, ALL), ABUT_OK);
                    abut_bp_add(&f[k].bp, key, false);
                    abut_bp_boxes(&f[k].bp)[key] = box;
                }
            }
            for (int k = 0; k < 2; k++) {
                f[k].keys = end;
                find(&f[k], false);
                assert_int_equal(f[k].bp.resting_count, first);
            }
            assert_same_pairs(f);
            for (int k = 0; k < 2; k++) {
                abut_bp_put_to_rest(&f[k].bp, unmoved, 1);
            }
        }
        for (int k = 0; k < 2; k++) {
            abut_bp_release(&f[k].bp, &allocator);
        }
        assert_int_equal(abut_atomic_load(&s.wrong), 0);
        assert_true(abut_atomic_load(&s.loops) > 0);
    }
}

/* Some keys are on a line, so that a few columns have more boxes than a worker has room for; there is room for all
 * pairs in each worker's share, so that it is never swept again by one thread. */
static void same_pairs_where_every_worker_has_room(void **state) {
    static const scene all = {.side = {120, 40, 40}, .size = 1};
    static const abut_allocator zero;
    static const uint32_t workers_of[] = {2, 3, 16};
    abut_allocator allocator;
    (void)state;
    assert_true(abut_memory_init(&allocator, &zero));
    for (uint32_t i = 0; i < 9; i++) {
        rng r = rng_make(test_seed(), i);
        schedule s = {.kind = i % 2 ? SCHEDULE_LATE : SCHEDULE_THREADS, .workers = workers_of[i % 3], .seed = i};
        abut_workers workers = {.parallel = schedule_parallel(&s)};
        finder f[2] = {{.workers = NULL, .keys = KEYS}, {.workers = &workers, .keys = KEYS}};
        for (int k = 0; k < 2; k++) {
            assert_int_equal(abut_bp_reserve(&f[k].bp, &allocator, KEYS), ABUT_OK);
        }
        for (uint32_t key = 0; key < KEYS; key++) {
            abut_bp_box box = any_box(&r, &all, key);
            for (int axis = 1; axis < 3 && key % 5 == 0; axis++) {
                box.min[axis] = 20 + (float)(key % 2);
                box.max[axis] = 21 + (float)(key % 2);
            }
            for (int k = 0; k < 2; k++) {
                abut_bp_add(&f[k].bp, key, false);
                f[k].bp.box[key] = box;
            }
        }
        find(&f[0], false);
        size_t room = 2 * (size_t)s.workers * abut_bp_pair_count(&f[0].bp);
        assert_int_equal(abut_bp_reserve_pairs(&f[1].bp, &allocator, room), ABUT_OK);
        for (int times = 0; times < 2; times++) {
            find(&f[1], false);
            assert_same_pairs(f);
        }
        assert_true(abut_atomic_load(&s.loops) > 0 && abut_atomic_load(&s.wrong) == 0);
        abut_bp_release(&f[0].bp, &allocator);
        abut_bp_release(&f[1].bp, &allocator);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_pairs_with_workers),
        cmocka_unit_test(same_pairs_beside_many_that_rest),
        cmocka_unit_test(same_pairs_where_every_worker_has_room),
    };
    return test_run(tests);
}
