/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The clock for reports shows the time, parts of seconds included. */
#include "base/clock.h"
#include "support/test.h"
#include <math.h>

static void the_clock_shows_the_time(void **state) {
    (void)state;
#ifdef TIME_UTC
    const double before = (double)time(NULL), now = abut_clock_seconds(), after = (double)time(NULL);
    assert_true(before <= now && now < after + 2); /* the clock of time() may be a little late */
#endif
}

/* More readings than a clock that moves a hundred times a second shows the same time. */
static void the_clock_has_parts_of_seconds(void **state) {
    (void)state;
    double now = abut_clock_seconds();
    for (int i = 0; i < 10000000 && now == floor(now); i++) {
        now = abut_clock_seconds();
    }
    assert_true(now != floor(now));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_shows_the_time),
        cmocka_unit_test(the_clock_has_parts_of_seconds),
    };
    return test_run(tests);
}
