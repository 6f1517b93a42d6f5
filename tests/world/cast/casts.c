/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Casts in worlds of all kinds, at any time in their history, against every body by itself. */

#include "world/cast/judge.h"

/* So that nothing passes because nothing was there. */
static void check_tally(void) {
    const cast_tally *t = &judged_casts;
    assert_true(t->hits > 100 && t->misses > 100 && t->errors > 5);
    assert_true(t->touched > 10 && t->closing > 10 && t->ties > 10);
}

static void casts_in_worlds_of_all_kinds(void **state) {
    (void)state;
    judged_casts = (cast_tally){0};
    history_of_all_kinds(judge_casts, 5, test_count(3));
    check_tally();
}

static void casts_see_single_changes(void **state) {
    (void)state;
    history_of_single_changes(judge_casts, 5, test_count(5));
}

static void casts_in_worlds_that_grow_and_shrink(void **state) {
    (void)state;
    history_of_growth(judge_casts, 5, test_count(1));
}

static void casts_while_bodies_come_one_by_one(void **state) {
    (void)state;
    history_of_slow_growth(judge_casts, 5, test_count(1));
}

static void casts_far_from_the_origin(void **state) {
    (void)state;
    history_of_far_places(judge_casts, 5, test_count(20));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(casts_in_worlds_of_all_kinds, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(casts_see_single_changes, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(casts_in_worlds_that_grow_and_shrink, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(casts_while_bodies_come_one_by_one, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(casts_far_from_the_origin, restore_isa, restore_isa),
    };
    return test_run(tests);
}
