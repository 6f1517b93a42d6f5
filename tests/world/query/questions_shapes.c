/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What touches a shape or a box, in worlds of all kinds, at any time in their history, against every body by itself. */

#include "world/query/questions_histories.h"

/* So that nothing passes because nothing was there. */
static void check_tally(void) {
    assert_true(judged.touching > 100 && judged.contacts > 100 && judged.in_bounds > 100);
}

static void shapes_in_worlds_of_all_kinds(void **state) {
    (void)state;
    judged = (tally){0};
    history_of_all_kinds(judge_shapes, 2, test_count(5));
    check_tally();
}

static void shapes_see_single_changes(void **state) {
    (void)state;
    history_of_single_changes(judge_shapes, 2, test_count(13));
}

static void shapes_in_worlds_that_grow_and_shrink(void **state) {
    (void)state;
    history_of_growth(judge_shapes, 2, test_count(2));
}

static void shapes_while_bodies_come_one_by_one(void **state) {
    (void)state;
    history_of_slow_growth(judge_shapes, 2, test_count(2));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(shapes_in_worlds_of_all_kinds, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(shapes_see_single_changes, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(shapes_in_worlds_that_grow_and_shrink, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(shapes_while_bodies_come_one_by_one, restore_isa, restore_isa),
    };
    return test_run(tests);
}
