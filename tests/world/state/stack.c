/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* How much stack each public call uses: none may need more than 64 KB, and a thread of 128 KB runs any of them. Each
 * call runs in a thread whose stack was filled with one value, and the bytes that no longer have it are counted; and in
 * one with a small stack behind a guard page. Worlds of several kinds take the different ways through the library:
 * boxes that touch exactly, hulls, huge boxes among small ones, all in one place; with many bodies that changed since
 * the step, and with none. tests/policy/stack.py adds up frames instead, along every way.
 *
 *     ABUT_TEST_STACK_TABLE=1 build-release/tests/test-world-stack      prints a table; tools/stack.sh adds what each
 * function takes */

#define _POSIX_C_SOURCE 200809L /* pthread_attr_setstack */
#include "support/test.h"

#ifdef ABUT_TEST_THREADS

#  include "world/state/stack_calls.h"
#  include <pthread.h>
#  include <stdio.h>
#  include <stdlib.h>
#  include <string.h>

enum {
    LIMIT = 64 * 1024,
    SMALL = 128 * 1024,
    STACK = 1024 * 1024, /* more than the limit, so that a call beyond it is counted, not a crash */
    ALIGNMENT = 64 * 1024,
    PAINT = 0xA5,
};

/* --- a thread with a painted stack --- */

typedef struct job {
    const stack_call *call;
    stack_subject *subject;
} job;

static void *run_job(void *user) {
    job *j = user;
    j->call->run(j->subject);
    return NULL;
}

/* The bytes of stack that the thread used, its own start and end included. */
static size_t count_stack(const stack_call *call, stack_subject *s) {
    static unsigned char *stack;
    if (!stack) {
        stack = aligned_alloc(ALIGNMENT, STACK);
        assert_non_null(stack);
    }
    memset(stack, PAINT, STACK);
    job j = {call, s};
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_job, &j), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
    size_t untouched = 0;
    while (untouched < STACK && stack[untouched] == PAINT) {
        untouched++;
    }
    return STACK - untouched;
}

/* --- a thread with a small stack --- */

static size_t run_in_small_thread(const stack_call *call, stack_subject *s) {
    job j = {call, s};
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, SMALL), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_job, &j), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
    return 0;
}

/* --- lives of worlds --- */

/* Runs all calls in one way; used[i] becomes the most that call i has used so far. */
static void live(scene_kind kind, size_t n, size_t (*run)(const stack_call *call, stack_subject *s),
                 size_t used[STACK_CALLS]) {
    static stack_subject s;
    stack_prepare(&s, kind, n);
    for (size_t i = 0; i < STACK_CALLS; i++) {
        size_t bytes = run(&stack_calls[i], &s);
        used[i] = bytes > used[i] ? bytes : used[i];
    }
    assert_true(s.report.bodies > 0);
    scene_destroy(&s.scene);
}

/* The most that calls of this name used at any moment. */
static size_t most_of(const char *name, const size_t used[STACK_CALLS]) {
    size_t most = 0;
    for (size_t i = 0; i < STACK_CALLS; i++) {
        most = strcmp(stack_calls[i].name, name) == 0 && used[i] > most ? used[i] : most;
    }
    return most;
}

static void print_table(const size_t used[STACK_CALLS]) {
    puts("| call | bytes of stack |\n|---|---|");
    for (size_t i = 0; i < STACK_CALLS; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++) {
            again = again || strcmp(stack_calls[k].name, stack_calls[i].name) == 0;
        }
        if (!again) {
            printf("| `%s` | %zu |\n", stack_calls[i].name, most_of(stack_calls[i].name, used) - used[0]);
        }
    }
}

static const struct {
    scene_kind kind;
    size_t bodies;
} lives[] = {{SCENE_TUMBLING, STACK_BODIES}, {SCENE_HULLS, STACK_BODIES}, {SCENE_LATTICE, STACK_BODIES},
             {SCENE_MIXED, STACK_BODIES},    {SCENE_FLAT, STACK_BODIES},  {SCENE_CITY, STACK_BODIES},
             {SCENE_COINCIDENT, 60}};

static void calls_need_at_most_64_kb(void **state) {
    (void)state;
    if (test_sanitized()) {
        skip(); /* frames are several times larger there */
    }
    size_t used[STACK_CALLS] = {0};
    abut_isa best = abut_isa_active();
    for (int isa = 0; isa <= ABUT_ISA_WASM; isa++) {
        if (abut_isa_select((abut_isa)isa) != ABUT_OK) {
            continue;
        }
        for (size_t k = 0; k < sizeof lives / sizeof *lives; k++) {
            live(lives[k].kind, lives[k].bodies, count_stack, used);
        }
    }
    assert_int_equal(abut_isa_select(best), ABUT_OK);
    size_t worst = 0;
    for (size_t i = 0; i < STACK_CALLS; i++) {
        worst = used[i] > used[worst] ? i : worst;
    }
    printf("[stack] at most %zu bytes, in %s\n", used[worst], stack_calls[worst].name);
    if (getenv("ABUT_TEST_STACK_TABLE")) {
        print_table(used);
    }
    assert_true(used[worst] <= LIMIT);
}

/* A thread that does not end well ends the program. */
static void threads_of_128_kb_run_all_calls(void **state) {
    (void)state;
    size_t used[STACK_CALLS] = {0};
    if (test_sanitized()) {
        skip();
    }
    for (size_t k = 0; k < sizeof lives / sizeof *lives; k++) {
        live(lives[k].kind, lives[k].bodies, run_in_small_thread, used);
    }
}

#else

static void threads_of_128_kb_run_all_calls(void **state) {
    (void)state;
    skip();
}

static void calls_need_at_most_64_kb(void **state) {
    (void)state;
    skip();
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(calls_need_at_most_64_kb),
                                       cmocka_unit_test(threads_of_128_kb_run_all_calls)};
    return test_run(tests);
}
