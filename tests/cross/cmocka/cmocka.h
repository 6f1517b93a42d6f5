/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The part of cmocka's interface that the tests use, for targets without cmocka. A failure prints its place and ends
 * the program, because WebAssembly has no setjmp. There is no filter, and messages have no values. */
#ifndef ABUT_TESTS_CROSS_CMOCKA_H
#define ABUT_TESTS_CROSS_CMOCKA_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int stand_in_fixture(void **state);

struct CMUnitTest {
    const char *name;
    void (*function)(void **state);
    stand_in_fixture *setup, *teardown; /* of this test, or NULL */
    void *initial_state;                /* what the test gets instead of the group's state, unless NULL */
};

/* One for the program, whichever file asks. */
extern bool abut_stand_in_skipped;

static inline void stand_in_check(bool holds, const char *what, const char *file, int line) {
    if (!holds) {
        fprintf(stderr, "%s:%d: error: %s\n[  FAILED  ]\n", file, line, what);
        exit(EXIT_FAILURE);
    }
}

static inline bool stand_in_is_between(uintmax_t x, uintmax_t least, uintmax_t most) {
    return least <= x && x <= most;
}

static inline int stand_in_run(const struct CMUnitTest *tests, size_t count, stand_in_fixture *setup,
                               stand_in_fixture *teardown) {
    void *group = NULL;
    stand_in_check(!setup || setup(&group) == 0, "setup", __FILE__, __LINE__);
    for (size_t i = 0; i < count; i++) {
        void *state = tests[i].initial_state ? tests[i].initial_state : group;
        printf("[ RUN      ] %s\n", tests[i].name);
        fflush(stdout);
        abut_stand_in_skipped = false;
        stand_in_check(!tests[i].setup || tests[i].setup(&state) == 0, "setup", __FILE__, __LINE__);
        tests[i].function(&state);
        stand_in_check(!tests[i].teardown || tests[i].teardown(&state) == 0, "teardown", __FILE__, __LINE__);
        printf("%s %s\n", abut_stand_in_skipped ? "[  SKIPPED ]" : "[       OK ]", tests[i].name);
    }
    stand_in_check(!teardown || teardown(&group) == 0, "teardown", __FILE__, __LINE__);
    return EXIT_SUCCESS;
}

#define cmocka_unit_test(f)                                                                                            \
  { #f, f, NULL, NULL, NULL }
#define cmocka_unit_test_setup_teardown(f, setup, teardown)                                                            \
  { #f, f, setup, teardown, NULL }
#define cmocka_run_group_tests(tests, setup, teardown)                                                                 \
  stand_in_run(tests, sizeof(tests) / sizeof(tests)[0], setup, teardown)
#define cmocka_set_test_filter(filter) ((void)(filter))

#define assert_true(x) stand_in_check(!!(x), #x, __FILE__, __LINE__)
#define assert_false(x) stand_in_check(!(x), "not " #x, __FILE__, __LINE__)
#define assert_null(x) stand_in_check(!(x), #x " is null", __FILE__, __LINE__)
#define assert_non_null(x) stand_in_check(!!(x), #x " is not null", __FILE__, __LINE__)
#define assert_int_equal(x, y) stand_in_check((uintmax_t)(x) == (uintmax_t)(y), #x " == " #y, __FILE__, __LINE__)
#define assert_in_range(x, least, most)                                                                                \
  stand_in_check(stand_in_is_between(x, least, most), #x " in range", __FILE__, __LINE__)
#define assert_int_not_equal(x, y) stand_in_check((uintmax_t)(x) != (uintmax_t)(y), #x " != " #y, __FILE__, __LINE__)
#define assert_ptr_equal(x, y) stand_in_check((x) == (y), #x " == " #y, __FILE__, __LINE__)
#define assert_ptr_not_equal(x, y) stand_in_check((x) != (y), #x " != " #y, __FILE__, __LINE__)
#define assert_memory_equal(x, y, n) stand_in_check(memcmp(x, y, n) == 0, #x " as " #y, __FILE__, __LINE__)
#define assert_memory_not_equal(x, y, n) stand_in_check(memcmp(x, y, n) != 0, #x " not as " #y, __FILE__, __LINE__)
#define assert_string_equal(x, y) stand_in_check(strcmp(x, y) == 0, #x " as " #y, __FILE__, __LINE__)
#define print_error(...) fprintf(stderr, __VA_ARGS__)
#define _fail(file, line) stand_in_check(false, "fail", file, line)
#define fail() stand_in_check(false, "fail", __FILE__, __LINE__)
#define fail_msg(...) (fprintf(stderr, __VA_ARGS__), stand_in_check(false, "fail", __FILE__, __LINE__))
#define skip() /* in a test itself */                                                                                  \
  do {                                                                                                                 \
    abut_stand_in_skipped = true;                                                                                      \
    return;                                                                                                            \
  } while (0)

#endif
