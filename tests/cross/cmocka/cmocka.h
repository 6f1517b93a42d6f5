/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* As much of cmocka's face as the tests use, for targets that have no cmocka: a failure says where and ends the test.
 * No filter, and no messages with values. */
#ifndef ABUT_TESTS_CROSS_CMOCKA_H
#define ABUT_TESTS_CROSS_CMOCKA_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*function)(void **state);
};

enum { STAND_IN_FAILED = 1, STAND_IN_SKIPPED = 2 };

typedef struct stand_in_jump {
    jmp_buf back;
} stand_in_jump;

/* One for the program, whichever file asks. */
static inline stand_in_jump **stand_in_current(void) {
    extern stand_in_jump *abut_stand_in_jump;
    return &abut_stand_in_jump;
}

static inline void stand_in_check(bool holds, const char *what, const char *file, int line) {
    if (!holds) {
        fprintf(stderr, "%s:%d: error: %s\n", file, line, what);
        longjmp((*stand_in_current())->back, STAND_IN_FAILED);
    }
}

static inline int stand_in_outcome(const struct CMUnitTest *test) {
    stand_in_jump here;
    void *state = NULL;
    *stand_in_current() = &here;
    int outcome = setjmp(here.back);
    if (outcome == 0) {
        test->function(&state);
    }
    return outcome;
}

static inline int stand_in_run(const struct CMUnitTest *tests, size_t count) {
    static const char *const said[] = {"[       OK ]", "[  FAILED  ]", "[  SKIPPED ]"};
    int failed = 0;
    for (size_t i = 0; i < count; i++) {
        printf("[ RUN      ] %s\n", tests[i].name);
        fflush(stdout);
        int outcome = stand_in_outcome(&tests[i]);
        failed += outcome == STAND_IN_FAILED;
        printf("%s %s\n", said[outcome], tests[i].name);
    }
    return failed;
}

#define cmocka_unit_test(f)                                                                                            \
  { #f, f }
#define cmocka_run_group_tests(tests, setup, teardown) stand_in_run(tests, sizeof(tests) / sizeof(tests)[0])
#define cmocka_set_test_filter(filter) ((void)(filter))

#define assert_true(x) stand_in_check(!!(x), #x, __FILE__, __LINE__)
#define assert_false(x) stand_in_check(!(x), "not " #x, __FILE__, __LINE__)
#define assert_null(x) stand_in_check(!(x), #x " is null", __FILE__, __LINE__)
#define assert_non_null(x) stand_in_check(!!(x), #x " is not null", __FILE__, __LINE__)
#define assert_int_equal(x, y) stand_in_check((uintmax_t)(x) == (uintmax_t)(y), #x " == " #y, __FILE__, __LINE__)
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
#define skip() longjmp((*stand_in_current())->back, STAND_IN_SKIPPED)

#endif
