/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Going back: what a scene shows and how it goes on are the same as the first time. */
#include "support/test.h"
#include "testbed.h"
#include <stdlib.h>

enum { frames = 60 };

static const uint32_t counts[TESTBED_SCENE_COUNT] = {21, 300, 150, 600, 40, 150, 100, 300, 100};

static uint64_t hash(void) {
    const testbed_report *report = testbed_get_report();
    return (uint64_t)report->hash_high << 32 | report->hash_low;
}

static uint64_t mixed(uint64_t sum, const void *memory, size_t size) {
    for (size_t i = 0; i < size; ++i) {
        sum = (sum ^ ((const unsigned char *)memory)[i]) * UINT64_C(0x100000001b3);
    }
    return sum;
}

/* Of all that is drawn. */
static uint64_t picture(void) {
    assert_int_equal(testbed_draw(TESTBED_SHOW_CONTACTS | TESTBED_SHOW_BOUNDS), ABUT_OK);
    uint64_t sum = mixed(0, testbed_instances(), testbed_instance_count() * sizeof(testbed_instance));
    sum = mixed(sum, testbed_line_vertices(), testbed_line_vertex_count() * sizeof(testbed_vertex));
    return mixed(sum, testbed_points(), testbed_point_count() * sizeof(testbed_vertex));
}

static void step(void) {
    assert_int_equal(testbed_step(), ABUT_OK);
}

static void open_scene(uint32_t scene) {
    assert_int_equal(testbed_open(scene, counts[scene]), ABUT_OK);
    assert_int_equal(testbed_get_past()->last, 0);
}

static void every_scene_goes_back_and_on(void **state) {
    (void)state;
    for (uint32_t scene = 0; scene < TESTBED_SCENE_COUNT; ++scene) {
        uint64_t hashes[frames + 1], pictures[frames + 1];
        open_scene(scene);
        for (uint32_t i = 1; i <= frames; ++i) {
            step();
            hashes[i] = hash();
            pictures[i] = picture();
        }
        assert_int_equal(testbed_get_past()->first, 1);
        assert_int_equal(testbed_get_past()->last, frames);
        static const uint32_t visited[] = {frames / 2, 3, frames, 17}; /* also forth again */
        for (size_t k = 0; k < sizeof visited / sizeof visited[0]; ++k) {
            assert_int_equal(testbed_return(visited[k]), ABUT_OK);
            assert_int_equal(testbed_get_report()->frame, visited[k]);
            assert_int_equal(hash(), hashes[visited[k]]);
            assert_int_equal(picture(), pictures[visited[k]]);
        }
        for (uint32_t i = visited[3] + 1; i <= frames; ++i) {
            step();
            assert_int_equal(testbed_get_past()->last, i);
            assert_int_equal(hash(), hashes[i]);
            assert_int_equal(picture(), pictures[i]);
        }
    }
    testbed_close();
}

static void ten_seconds_are_kept(void **state) {
    (void)state;
    open_scene(TESTBED_FIGHT);
    for (int i = 0; i < 700; ++i) {
        step();
    }
    assert_int_equal(testbed_get_past()->first, 101);
    assert_int_equal(testbed_get_past()->last, 700);
    assert_int_equal(testbed_return(100), ABUT_ERROR_ARGUMENT);
    assert_int_equal(testbed_get_report()->frame, 700);
    assert_int_equal(testbed_return(UINT32_MAX), ABUT_OK);
    assert_int_equal(testbed_get_report()->frame, 700);
    testbed_close();
    assert_int_equal(testbed_return(1), ABUT_ERROR_ARGUMENT);
}

static void large_scenes_keep_fewer_frames_for_as_long(void **state) {
    (void)state;
    assert_int_equal(testbed_open(TESTBED_TUMBLING, 20000), ABUT_OK);
    for (int i = 0; i < 60; ++i) {
        step();
    }
    const testbed_past *past = testbed_get_past();
    assert_true(past->stride > 1 && past->bytes <= 96 << 20);
    assert_true(past->first <= past->stride && past->last > 60 - past->stride);
    const uint32_t last = past->last;
    assert_int_equal(testbed_return(last - 1), ABUT_OK);
    assert_int_equal(testbed_get_report()->frame, last - testbed_get_past()->stride);
    testbed_close();
}

/* What was built later is not there, and its place is free again. */
static void buildings_are_taken_back(void **state) {
    (void)state;
    open_scene(TESTBED_PLACEMENT);
    step();
    const uint32_t bodies = testbed_get_report()->bodies;
    testbed_hold(500, 500, 0, 2, 2);
    assert_int_equal(testbed_build(), 1);
    step();
    assert_int_equal(testbed_get_report()->bodies, bodies + 1);
    assert_int_equal(testbed_return(1), ABUT_OK);
    assert_int_equal(testbed_get_report()->bodies, bodies);
    testbed_hold(500, 500, 0, 2, 2);
    assert_int_equal(testbed_build(), 1);
    step();
    assert_int_equal(testbed_get_report()->bodies, bodies + 1);
    testbed_close();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_goes_back_and_on),
        cmocka_unit_test(ten_seconds_are_kept),
        cmocka_unit_test(large_scenes_keep_fewer_frames_for_as_long),
        cmocka_unit_test(buildings_are_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
