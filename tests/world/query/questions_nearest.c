/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What is nearest, in worlds of all kinds, at any time in their history, against every body by itself. */

#include "world/query/questions_histories.h"

/* So that nothing passes because nothing was there. */
static void check_tally(void) {
    assert_true(judged.near > 100 && judged.at_zero > 10 && judged.near_ties > 10);
}

static void nearest_in_worlds_of_all_kinds(void **state) {
    (void)state;
    judged = (tally){0};
    history_of_all_kinds(judge_nearest, 3, test_count(5));
    check_tally();
}

static void nearest_see_single_changes(void **state) {
    (void)state;
    history_of_single_changes(judge_nearest, 3, test_count(13));
}

static void nearest_in_worlds_that_grow_and_shrink(void **state) {
    (void)state;
    history_of_growth(judge_nearest, 3, test_count(2));
}

static void nearest_while_bodies_come_one_by_one(void **state) {
    (void)state;
    history_of_slow_growth(judge_nearest, 3, test_count(2));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nearest_in_worlds_of_all_kinds, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(nearest_see_single_changes, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(nearest_in_worlds_that_grow_and_shrink, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(nearest_while_bodies_come_one_by_one, restore_isa, restore_isa),
    };
    return test_run(tests);
}
