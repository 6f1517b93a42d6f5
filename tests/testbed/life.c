/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Opening, stepping, and the hash of the results; and the pointer's actions in the placement scene. */
#include "support/test.h"
#include "testbed.h"

/* Small ones: the test compares bits, not speed. */
static const uint32_t counts[TESTBED_SCENE_COUNT] = {21, 900, 150, 900, 40, 150, 200, 300, 100};

static uint64_t hash_of(uint32_t scene) {
    assert_int_equal(testbed_open(scene, counts[scene]), ABUT_OK);
    const unsigned long frames = test_count(120);
    for (unsigned long i = 0; i < frames; ++i) {
        assert_int_equal(testbed_step(), ABUT_OK);
    }
    const testbed_report *report = testbed_get_report();
    assert_int_equal(report->frame, frames);
    return (uint64_t)report->hash_high << 32 | report->hash_low;
}

static void every_instruction_set_comes_to_the_same_hash(void **state) {
    (void)state;
    abut_isa best = abut_isa_active();
    for (uint32_t scene = 0; scene < TESTBED_SCENE_COUNT; ++scene) {
        uint64_t hash = hash_of(scene);
        for (abut_isa isa = ABUT_ISA_PORTABLE; isa <= ABUT_ISA_WASM; ++isa) {
            if (isa != best && abut_isa_select(isa) == ABUT_OK) {
                assert_true(hash_of(scene) == hash);
            }
        }
        assert_int_equal(abut_isa_select(best), ABUT_OK);
        assert_true(hash_of(scene) == hash); /* earlier scenes do not matter */
    }
}

static void hash_differs_by_frame_and_scene(void **state) {
    (void)state;
    uint64_t before = 0;
    for (uint32_t scene = 0; scene < TESTBED_SCENE_COUNT; ++scene) {
        uint64_t now = hash_of(scene);
        assert_true(now != before);
        assert_int_equal(testbed_step(), ABUT_OK);
        const testbed_report *report = testbed_get_report();
        assert_true(((uint64_t)report->hash_high << 32 | report->hash_low) != now);
        before = now;
    }
}

static void counts_are_kept_within_bounds(void **state) {
    (void)state;
    for (uint32_t scene = 0; scene < TESTBED_SCENE_COUNT; ++scene) {
        uint32_t usual = testbed_count_usual(scene), most = testbed_count_max(scene), at_most;
        assert_true(usual > 0 && usual <= most);
        assert_int_equal(testbed_open(scene, most), ABUT_OK);
        at_most = testbed_get_report()->bodies;
        assert_int_equal(testbed_open(scene, UINT32_MAX), ABUT_OK);
        assert_int_equal(testbed_get_report()->bodies, at_most);
        assert_int_equal(testbed_open(scene, 1), ABUT_OK);
        assert_true(testbed_get_report()->bodies < at_most);
        assert_int_equal(testbed_step(), ABUT_OK);
        assert_int_equal(testbed_draw(7), ABUT_OK);
    }
    assert_int_equal(testbed_count_usual(TESTBED_SCENE_COUNT), 0);
    assert_int_equal(testbed_count_max(TESTBED_SCENE_COUNT), 0);
}

static void is_empty(void) {
    assert_int_equal(testbed_step(), ABUT_ERROR_ARGUMENT);
    assert_int_equal(testbed_draw(0), ABUT_ERROR_ARGUMENT);
    assert_int_equal(testbed_instance_count(), 0);
    assert_int_equal(testbed_mesh_count(), 0);
    assert_int_equal(testbed_get_report()->bodies, 0);
    assert_int_equal(testbed_pick(-1, -1, 1, 1), 0);
    assert_int_equal(testbed_pick_body(1), 0);
    assert_null(testbed_picked(0));
    assert_int_equal(testbed_build(), 0);
    testbed_hold(0, 0, 0, 1, 1);
    testbed_aim(100, 0.1f);
    assert_true(testbed_aimed()->speed == 0);
}

static void nothing_is_there_when_closed_or_unknown(void **state) {
    (void)state;
    testbed_close();
    is_empty();
    assert_int_equal(testbed_open(TESTBED_PILE, 10), ABUT_OK);
    assert_int_equal(testbed_open(TESTBED_SCENE_COUNT, 0), ABUT_ERROR_ARGUMENT);
    is_empty();
    testbed_close();
    testbed_close();
}

/* --- the scene of placements --- */

static abut_vec3 middle_of_a_building(uint32_t i) {
    assert_int_equal(testbed_draw(0), ABUT_OK);
    return testbed_instances()[i].position;
}

static void a_building_is_pushed_out_and_built(void **state) {
    (void)state;
    assert_int_equal(testbed_open(TESTBED_PLACEMENT, 40), ABUT_OK);
    assert_int_equal(testbed_step(), ABUT_OK);
    const testbed_report *report = testbed_get_report();
    for (uint32_t i = 0; i < 40; ++i) {
        abut_vec3 at = middle_of_a_building(i);
        testbed_hold(at.x, at.z, (int32_t)i - 20, 2, 1.5f);
        assert_false(report->free);
        assert_true(report->blockers > 0 && report->first_blocker > 0);
        assert_int_equal(testbed_build(), 0);
        uint32_t first = report->first_blocker;
        testbed_hold(at.x + report->push_x, at.z + report->push_z, (int32_t)i - 20, 2, 1.5f);
        assert_true(report->free || report->first_blocker != first);
    }
    testbed_hold(500, 500, 3, 2, 1.5f);
    assert_true(report->free);
    assert_int_equal(testbed_build(), 1);
    assert_false(report->free);
    assert_int_equal(testbed_step(), ABUT_OK);
    assert_int_equal(report->bodies, 41);
    assert_int_equal(report->first_blocker, 41);
    assert_int_equal(testbed_build(), 0);
}

static void a_hand_takes_over_where_the_path_has_come_to(void **state) {
    (void)state;
    assert_int_equal(testbed_open(TESTBED_PLACEMENT, 0), ABUT_OK);
    for (int i = 0; i < 200; ++i) {
        assert_int_equal(testbed_step(), ABUT_OK);
    }
    testbed_building held = *testbed_held();
    assert_true(held.half_x > 0 && held.half_z > 0);
    testbed_hold(held.x, held.z, held.turn + 48, held.half_x, held.half_z);
    assert_int_equal(testbed_step(), ABUT_OK);
    testbed_building still = *testbed_held();
    assert_memory_equal(&still, &held, sizeof held);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_comes_to_the_same_hash),
        cmocka_unit_test(hash_differs_by_frame_and_scene),
        cmocka_unit_test(counts_are_kept_within_bounds),
        cmocka_unit_test(nothing_is_there_when_closed_or_unknown),
        cmocka_unit_test(a_building_is_pushed_out_and_built),
        cmocka_unit_test(a_hand_takes_over_where_the_path_has_come_to),
    };
    return test_run(tests);
}
