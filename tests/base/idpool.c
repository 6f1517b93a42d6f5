/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Id pools: which index is next, which ids are live, and when an index is retired. */
#include "base/idpool.h"
#include "support/rng.h"
#include "support/test.h"
#include <string.h>

enum { ROOM = 64 };

typedef struct fixture {
    uint32_t generation[ROOM], link[ROOM];
    abut_idpool pool;
} fixture;

static void set_up(fixture *f) {
    memset(f, 0, sizeof *f);
    f->pool = (abut_idpool){.generation = f->generation, .link = f->link};
}

static void indices_are_reused_last_freed_first(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(abut_idpool_take(&f.pool), i);
    }
    abut_idpool_release(&f.pool, 1);
    abut_idpool_release(&f.pool, 3);
    assert_int_equal(abut_idpool_needed(&f.pool, 3), 5);
    assert_int_equal(abut_idpool_take(&f.pool), 3);
    assert_int_equal(abut_idpool_take(&f.pool), 1);
    assert_int_equal(abut_idpool_take(&f.pool), 4);
    assert_true(abut_idpool_validate(&f.pool));
}

static void stale_and_garbage_names_are_refused(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    uint32_t index = abut_idpool_take(&f.pool), generation = f.generation[index];
    assert_true(abut_idpool_names(&f.pool, index + 1, generation));
    assert_false(abut_idpool_names(&f.pool, 0, generation));
    assert_false(abut_idpool_names(&f.pool, index + 2, generation));
    assert_false(abut_idpool_names(&f.pool, UINT32_MAX, generation));
    abut_idpool_release(&f.pool, index);
    assert_false(abut_idpool_names(&f.pool, index + 1, generation));
    assert_false(abut_idpool_names(&f.pool, index + 1, generation + 1)); /* the next one: not yet */
    assert_int_equal(abut_idpool_take(&f.pool), index);
    assert_false(abut_idpool_names(&f.pool, index + 1, generation));
    assert_true(abut_idpool_names(&f.pool, index + 1, generation + 1));
}

static void a_used_up_index_is_retired(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    uint32_t index = abut_idpool_take(&f.pool);
    f.generation[index] = UINT32_MAX;
    abut_idpool_release(&f.pool, index);
    assert_true(abut_idpool_validate(&f.pool));
    assert_int_equal(abut_idpool_take(&f.pool), index + 1);
    assert_false(abut_idpool_is_live(&f.pool, index));
}

static void random_use_stays_valid_and_below_the_peak(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    rng r = rng_make(test_seed(), 0);
    uint32_t peak = 0;
    for (int i = 0; i < 20000; i++) {
        uint32_t index = rng_below(&r, ROOM);
        if (abut_idpool_is_live(&f.pool, index)) {
            abut_idpool_release(&f.pool, index);
        } else if (f.pool.live_count < ROOM) {
            assert_false(abut_idpool_needed(&f.pool, 1) > ROOM);
            uint32_t taken = abut_idpool_take(&f.pool);
            peak = f.pool.live_count > peak ? f.pool.live_count : peak;
            assert_true(taken < peak);
        }
        assert_true(abut_idpool_validate(&f.pool));
    }
    assert_true(peak > ROOM / 3);
}

static void validate_sees_a_broken_list(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    for (int i = 0; i < 3; i++) {
        (void)abut_idpool_take(&f.pool);
    }
    abut_idpool_release(&f.pool, 0);
    abut_idpool_release(&f.pool, 1);
    f.link[0] = 2; /* 1 -> 0 -> 1: a cycle */
    assert_false(abut_idpool_validate(&f.pool));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_are_reused_last_freed_first),
        cmocka_unit_test(stale_and_garbage_names_are_refused),
        cmocka_unit_test(a_used_up_index_is_retired),
        cmocka_unit_test(random_use_stays_valid_and_below_the_peak),
        cmocka_unit_test(validate_sees_a_broken_list),
    };
    return test_run(tests);
}
