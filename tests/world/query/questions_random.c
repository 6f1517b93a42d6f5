/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* All questions in turns, in worlds of all kinds, at any time in their history, against every body by itself. */

#include "world/cast/judge.h"

static void judge_some(subject *s) {
    static const judge all[5] = {judge_rays, judge_shapes, judge_nearest, judge_casts, judge_sweeps};
    uint32_t first = rng_below(&s->r, 5);
    for (uint32_t i = 0; i < 1 + rng_below(&s->r, 2); i++) {
        all[(first + i) % 5](s);
    }
}

/* So that nothing passes because nothing was there. */
static void check_tally(void) {
    assert_true(judged.hits > 0 && judged.touching > 0 && judged.contacts > 0 && judged.near > 0);
    assert_true(judged_casts.hits > 0);
}

static void answers_in_worlds_of_all_kinds(void **state) {
    (void)state;
    judged = (tally){0};
    judged_casts = (cast_tally){0};
    history_of_all_kinds(judge_some, 4, test_count(3));
    check_tally();
}

static void answers_see_single_changes(void **state) {
    (void)state;
    history_of_single_changes(judge_some, 4, test_count(13));
}

static void answers_in_worlds_that_grow_and_shrink(void **state) {
    (void)state;
    history_of_growth(judge_some, 4, test_count(2));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_in_worlds_of_all_kinds, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(answers_see_single_changes, restore_isa, restore_isa),
        cmocka_unit_test_setup_teardown(answers_in_worlds_that_grow_and_shrink, restore_isa, restore_isa),
    };
    return test_run(tests);
}
