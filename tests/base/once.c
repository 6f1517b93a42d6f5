/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Data that is made once, locks, and waiting threads. */
#include "base/once.h"
#include "support/test.h"

#ifdef ABUT_TEST_THREADS
#  include <pthread.h>
#  include <time.h>
#endif

static void data_is_made_once_until_it_is_reset(void **state) {
    (void)state;
    abut_once once = {0};
    for (int round = 0; round < 3; round++) {
        assert_false(abut_once_is_made(&once));
        assert_true(abut_once_begin(&once));
        assert_false(abut_once_is_made(&once));
        abut_once_end(&once);
        assert_true(abut_once_is_made(&once));
        assert_false(abut_once_begin(&once));
        assert_false(abut_once_begin(&once));
        abut_once_reset(&once);
    }
}

#ifdef ABUT_TEST_THREADS

enum { THINGS = 2000, SIZE = 64, THREADS = 4 };

/* When a thing is made, all its values are one number; `made` counts how often it was made. */
typedef struct thing {
    abut_once once;
    int made;
    int value[SIZE];
} thing;

static thing things[THINGS];

/* Makes or reads every thing. Returns NULL, or the first thing with a value missing. */
static void *read_all(void *unused) {
    (void)unused;
    for (int i = 0; i < THINGS; i++) {
        thing *t = &things[i];
        if (abut_once_begin(&t->once)) {
            t->made++;
            for (int k = 0; k < SIZE; k++) {
                t->value[k] = i + 1;
            }
            abut_once_end(&t->once);
        }
        for (int k = 0; k < SIZE; k++) {
            if (t->value[k] != i + 1) {
                return t;
            }
        }
    }
    return NULL;
}

/* How often the library gave up the processor: this stands in for the C library's sched_yield. */
static abut_atomic_u32 yields;

#  if !defined(_WIN32)
int sched_yield(void) {
    while (true) {
        uint32_t seen = abut_atomic_load(&yields);
        if (abut_atomic_replace(&yields, seen, seen + 1)) {
            return 0;
        }
    }
}
#  endif

typedef struct waiting {
    abut_once once;
    abut_lock lock;
    abut_atomic_u32 is_in;
} waiting;

static void *wait_for_once(void *data) {
    waiting *w = data;
    abut_atomic_store(&w->is_in, 1);
    return abut_once_begin(&w->once) ? w : NULL;
}

static void *wait_for_lock(void *data) {
    waiting *w = data;
    abut_atomic_store(&w->is_in, 1);
    abut_lock_take(&w->lock);
    return NULL;
}

/* Holds what `wait` waits for until that thread yields, for half a minute at most. */
static void check_yields(void *(*wait)(void *)) {
    waiting w = {0};
    pthread_t thread;
    void *broken = &w;
    assert_true(abut_once_begin(&w.once));
    abut_lock_take(&w.lock);
    abut_atomic_store(&yields, 0);
    assert_int_equal(pthread_create(&thread, NULL, wait, &w), 0);
    time_t start = time(NULL);
    while (abut_atomic_load(&yields) == 0 && time(NULL) - start < 30) {
    }
    bool yielded = abut_atomic_load(&w.is_in) && abut_atomic_load(&yields) > 0;
    abut_lock_release(&w.lock);
    abut_once_end(&w.once);
    assert_int_equal(pthread_join(thread, &broken), 0);
    assert_null(broken);
    assert_true(yielded);
}

static void threads_that_wait_for_long_yield(void **state) {
    (void)state;
#  if defined(_WIN32)
    skip();
#  endif
    check_yields(wait_for_once);
    check_yields(wait_for_lock);
}

static void threads_see_what_the_first_of_them_made(void **state) {
    (void)state;
    pthread_t thread[THREADS];
    for (int k = 0; k < THREADS; k++) {
        assert_int_equal(pthread_create(&thread[k], NULL, read_all, NULL), 0);
    }
    for (int k = 0; k < THREADS; k++) {
        void *broken = &things;
        assert_int_equal(pthread_join(thread[k], &broken), 0);
        assert_null(broken);
    }
    for (int i = 0; i < THINGS; i++) {
        assert_int_equal(things[i].made, 1);
    }
}

#else

static void threads_that_wait_for_long_yield(void **state) {
    (void)state;
    skip();
}

static void threads_see_what_the_first_of_them_made(void **state) {
    (void)state;
    skip();
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_is_made_once_until_it_is_reset),
        cmocka_unit_test(threads_see_what_the_first_of_them_made),
        cmocka_unit_test(threads_that_wait_for_long_yield),
    };
    return test_run(tests);
}
