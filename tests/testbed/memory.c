/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Every allocation of the testbed itself fails once: the call returns an error, and the testbed is empty. */
#include "support/test.h"
#include "testbed.h"
#include <limits.h>
#include <stdlib.h>

void *starved_malloc(size_t size);
void *starved_calloc(size_t n, size_t size);
void *starved_realloc(void *p, size_t size);

static unsigned long served; /* before the one that fails */

static bool fails(void) {
    return served-- == 0;
}

void *starved_malloc(size_t size) {
    return fails() ? NULL : malloc(size);
}

void *starved_calloc(size_t n, size_t size) {
    return fails() ? NULL : calloc(n, size);
}

void *starved_realloc(void *p, size_t size) {
    return fails() ? NULL : realloc(p, size);
}

static void opening_fails_cleanly(void **state) {
    (void)state;
    for (uint32_t scene = 0; scene < TESTBED_SCENE_COUNT; ++scene) {
        int32_t result = ABUT_ERROR_MEMORY;
        for (unsigned long i = 0; result != ABUT_OK; ++i) {
            served = i;
            result = testbed_open(scene, 100);
            assert_true(result == ABUT_OK ? i > 2 : result == ABUT_ERROR_MEMORY);
            assert_int_equal(testbed_get_report()->bodies > 0, result == ABUT_OK);
            assert_int_equal(testbed_mesh_count() > 0, result == ABUT_OK);
        }
    }
    testbed_close();
}

static void stepping_and_drawing_fail_cleanly(void **state) {
    (void)state;
    for (uint32_t scene = 0; scene < TESTBED_SCENE_COUNT; ++scene) {
        unsigned long failures = 0;
        int32_t result = ABUT_ERROR_MEMORY;
        for (unsigned long i = 0; result != ABUT_OK; ++i) {
            served = ULONG_MAX;
            assert_int_equal(testbed_open(scene, 100), ABUT_OK);
            served = i;
            result = testbed_step();
            result = result == ABUT_OK ? testbed_draw(7) : result;
            assert_true(result == ABUT_OK || result == ABUT_ERROR_MEMORY);
            assert_int_equal(testbed_instance_count() > 0, result == ABUT_OK);
            failures += result != ABUT_OK;
        }
        assert_true(failures > 2);
    }
    testbed_close();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opening_fails_cleanly),
        cmocka_unit_test(stepping_and_drawing_fail_cleanly),
    };
    return test_run(tests);
}
