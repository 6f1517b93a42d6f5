/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The hand: in every scene bodies can be held, dragged and thrown, and nothing else changes. */
#include "support/test.h"
#include "testbed.h"
#include <math.h>

static abut_vec3 place_of(uint32_t index1) {
    assert_int_equal(testbed_pick_body(index1), 1);
    const testbed_body *body = testbed_picked(0);
    assert_non_null(body);
    return body->pose.position;
}

static void steps(int count) {
    for (int i = 0; i < count; ++i) {
        assert_int_equal(testbed_step(), ABUT_OK);
    }
}

static double distance(abut_vec3 a, abut_vec3 b) {
    return sqrt(pow((double)a.x - (double)b.x, 2) + pow((double)a.y - (double)b.y, 2) +
                pow((double)a.z - (double)b.z, 2));
}

static void held_bodies_come_along(void **state) {
    (void)state;
    for (uint32_t scene = 0; scene < TESTBED_SCENE_COUNT; ++scene) {
        assert_int_equal(testbed_open(scene, (testbed_count_usual(scene) + 3) / 4), ABUT_OK);
        steps(5);
        assert_true(testbed_grab(1));
        abut_vec3 at = place_of(1), to = {at.x + 2, at.y + 6, at.z - 1};
        testbed_drag(to.x, to.y, to.z);
        steps(60);
        assert_true(distance(place_of(1), to) < 0.05);
        testbed_drag(to.x + 3, to.y, to.z);
        steps(3);
        testbed_release();
        abut_vec3 thrown = place_of(1);
        steps(1);
        assert_true(distance(place_of(1), thrown) > 0.1); /* it flies on */
        steps(240);                                       /* and comes down, or goes on as the scene wants */
        assert_true(isfinite(place_of(1).x));
        testbed_close();
    }
}

static void what_is_thrown_comes_down(void **state) {
    (void)state;
    assert_int_equal(testbed_open(TESTBED_CULLING, 200), ABUT_OK); /* of static bodies */
    steps(1);
    assert_true(testbed_grab(1));
    abut_vec3 at = place_of(1);
    testbed_drag(at.x + 8, at.y + 10, at.z);
    steps(30);
    testbed_release();
    steps(200);
    abut_vec3 there = place_of(1);
    assert_true(distance(there, at) > 3 && fabs((double)there.y - (double)at.y) < 0.5);
    steps(30);
    assert_true(distance(place_of(1), there) == 0); /* and stays */
    testbed_close();
}

static void nobody_and_the_ground_cannot_be_held(void **state) {
    (void)state;
    assert_int_equal(testbed_grab(1), 0);
    testbed_release();
    assert_int_equal(testbed_open(TESTBED_TERRAIN, 10), ABUT_OK);
    steps(1);
    assert_int_equal(testbed_grab(0), 0);
    assert_int_equal(testbed_grab(99), 0);
    assert_int_equal(testbed_grab(11), 0);
    assert_int_equal(testbed_grab(10), 1);
    testbed_close();
}

/* Hashes are those of a visitor who touches nothing: also after the hand let go and the past came back. */
static void the_past_knows_no_hand(void **state) {
    (void)state;
    assert_int_equal(testbed_open(TESTBED_PILE, 50), ABUT_OK);
    steps(40);
    uint32_t low = testbed_get_report()->hash_low;
    assert_int_equal(testbed_return(10), ABUT_OK);
    assert_true(testbed_grab(3));
    testbed_drag(0, 20, 0);
    steps(30);
    assert_int_not_equal(testbed_get_report()->hash_low, low);
    assert_int_equal(testbed_return(10), ABUT_OK);
    steps(30);
    assert_int_equal(testbed_get_report()->hash_low, low);
    testbed_close();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held_bodies_come_along),
        cmocka_unit_test(what_is_thrown_comes_down),
        cmocka_unit_test(nobody_and_the_ground_cannot_be_held),
        cmocka_unit_test(the_past_knows_no_hand),
    };
    return test_run(tests);
}
