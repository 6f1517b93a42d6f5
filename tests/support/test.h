/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The start of every test program: cmocka after the headers it needs, and the settings of a run.
 *
 *     ABUT_TEST_SEED=0x1f   another random run (decimal or hex); each run prints its seed
 *     ABUT_TEST_SCALE=100   this many times as many random cases
 *     ABUT_TEST_SHARE=20    only a 20th of the cases: for emulated machines
 *     ABUT_TEST_BEST_ISA=1  pinned answers with the best instruction set alone: for emulated machines
 *     ABUT_TEST_FILTER=*x*  only the tests whose name matches
 */
#ifndef ABUT_TESTS_SUPPORT_TEST_H
#define ABUT_TESTS_SUPPORT_TEST_H

/* cmocka.h needs these four before it. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <stdbool.h>

/* The seed of this run. Give each random case its own stream of it (rng_make), so that it can be replayed alone. */
uint64_t test_seed(void);

/* A multiplier for random counts, at least 1. */
unsigned long test_scale(void);

/* How many random cases to run where `count` is the number for a plain build: times test_scale(), a tenth of it
 * under a sanitizer, and less where ABUT_TEST_SHARE says so. */
unsigned long test_count(unsigned long count);

/* Whether pins are to hold with the instruction set in use, and no other is tried. */
bool test_best_isa_alone(void);

/* Whether this build has a sanitizer, under which memory, stack and time mean little. */
bool test_sanitized(void);

/* Prints the seed and sets the filter; test_run does it. */
void test_begin(void);

/* For main: `return test_run(tests);` with `const struct CMUnitTest tests[]`. */
#define test_run(tests) (test_begin(), cmocka_run_group_tests(tests, NULL, NULL))

#endif
