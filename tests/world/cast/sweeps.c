/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Sweeps in worlds of all kinds, at any time in their history, against every pair by itself. */

#include "world/cast/judge.h"

/* So that nothing passes because nothing was there. */
static void check_tally(void) {
    const cast_tally *t = &judged_casts;
    assert_true(t->hits > 100 && t->misses > 100 && t->errors > 5 && t->touched > 10);
    assert_true(t->ties > 5 && t->both > 10 && t->attached > 3 && t->failed > 1);
}

static void sweeps_in_worlds_of_all_kinds(void **state) {
    (void)state;
    judged_casts = (cast_tally){0};
    history_of_all_kinds(judge_sweeps, 6, test_count(2));
    check_tally();
}

static void sweeps_see_single_changes(void **state) {
    (void)state;
    history_of_single_changes(judge_sweeps, 6, test_count(6));
}

static void sweeps_in_worlds_that_grow_and_shrink(void **state) {
    (void)state;
    history_of_growth(judge_sweeps, 6, test_count(1));
}

static void sweeps_while_bodies_come_one_by_one(void **state) {
    (void)state;
    history_of_slow_growth(judge_sweeps, 6, test_count(1));
}

static void sweeps_far_from_the_origin(void **state) {
    (void)state;
    history_of_far_places(judge_sweeps, 6, test_count(20));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sweeps_in_worlds_of_all_kinds, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(sweeps_see_single_changes, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(sweeps_in_worlds_that_grow_and_shrink, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(sweeps_while_bodies_come_one_by_one, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(sweeps_far_from_the_origin, restore_isa, restore_isa),
    };
    return test_run(tests);
}
