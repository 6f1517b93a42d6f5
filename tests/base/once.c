/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/once.h"
#include "support/test.h"

#ifdef ABUT_TEST_THREADS
#  include <pthread.h>
#endif

static void it_is_made_once_until_it_is_out_of_date(void **state) {
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

/* Things that are all of one number when they are made; `made` counts how often that happened. */
typedef struct thing {
    abut_once once;
    int made;
    int value[SIZE];
} thing;

static thing things[THINGS];

/* Asks for every thing. Returns NULL, or the first that was not whole. */
static void *look_at_all(void *unused) {
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

static void threads_see_what_the_first_of_them_made(void **state) {
    (void)state;
    pthread_t thread[THREADS];
    for (int k = 0; k < THREADS; k++) {
        assert_int_equal(pthread_create(&thread[k], NULL, look_at_all, NULL), 0);
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

static void threads_see_what_the_first_of_them_made(void **state) {
    (void)state;
    skip();
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_made_once_until_it_is_out_of_date),
        cmocka_unit_test(threads_see_what_the_first_of_them_made),
    };
    return test_run(tests);
}
