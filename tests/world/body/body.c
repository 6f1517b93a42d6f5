/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Definitions of bodies, ids, and calls with invalid ids. */

#include "world/world_test.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

static const abut_body_def unit = {.half = {1, 1, 1}};

/* A world with some bodies and contacts, so that "nothing has changed" means something. */
static abut_world *lively_world(void) {
    abut_world *world = make_world(NULL);
    abut_body_id first = add_cube(world, 0, 0, 0, 1);
    (void)add_cube(world, 1, 0, 0, 1);
    (void)add_body(world, &(abut_body_def){.half = {1, 1, 1}, .parent = first, .pose = pose_at(0, 3, 0)});
    (void)add_cube(world, 0, 4, 0, 1);
    assert_int_equal(step_world(world), 2);
    return world;
}

static void refused(abut_world *world, const abut_body_def *def, abut_result why) {
    picture before = picture_take(world);
    abut_body_id id = {77, 88};
    abut_result result = abut_body_create(world, def, &id);
    if (result != why) {
        print_error("expected %s, got %s\n", abut_result_name(why), abut_result_name(result));
    }
    assert_int_equal(result, why);
    assert_true(abut_body_id_equal(id, id_of(0, 0)));
    picture_close(&before, world);
}

/* Every float of a definition in turn becomes NaN or infinite. */
static void not_finite_is_refused_in_every_place(void **state) {
    (void)state;
    abut_world *world = lively_world();
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        for (int field = 0; field < 17; field++) {
            abut_body_def def = unit;
            def.pose.rotation.w = 1;
            def.box.rotation.w = 1;
            float *const fields[17] = {&def.pose.position.x, &def.pose.position.y, &def.pose.position.z,
                                       &def.pose.rotation.x, &def.pose.rotation.y, &def.pose.rotation.z,
                                       &def.pose.rotation.w, &def.half.x,          &def.half.y,
                                       &def.half.z,          &def.box.position.x,  &def.box.position.y,
                                       &def.box.position.z,  &def.box.rotation.x,  &def.box.rotation.y,
                                       &def.box.rotation.z,  &def.box.rotation.w};
            *fields[field] = bad[i];
            refused(world, &def, ABUT_ERROR_ARGUMENT);
        }
    }
    abut_world_destroy(&world);
}

static void bad_extents_are_refused(void **state) {
    (void)state;
    abut_world *world = lively_world();
    refused(world, &(abut_body_def){0}, ABUT_ERROR_ARGUMENT);
    refused(world, &(abut_body_def){.half = {-0.0f, 0, -0.0f}}, ABUT_ERROR_ARGUMENT);
    refused(world, &(abut_body_def){.half = {-1, 1, 1}}, ABUT_ERROR_ARGUMENT);
    refused(world, &(abut_body_def){.half = {1, -FLT_MIN, 1}}, ABUT_ERROR_ARGUMENT);
    refused(world, &(abut_body_def){.half = {1, 1, -1e30f}}, ABUT_ERROR_ARGUMENT);
    abut_world_destroy(&world);
}

static void plates_and_rods_are_legal(void **state) {
    (void)state;
    const abut_vec3 halves[] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {1e-30f, 0, 0}};
    abut_world *world = make_world(NULL);
    for (size_t i = 0; i < 7; i++) {
        (void)add_body(world, &(abut_body_def){.half = halves[i]});
    }
    assert_int_equal(step_world(world), 21);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

static void beyond_the_limit_is_refused(void **state) {
    (void)state;
    abut_world *world = lively_world();
    const float far = ABUT_MAX_COORDINATE;
    refused(world, &(abut_body_def){.half = {1, 1, 1}, .pose = pose_at(far, 0, 0)}, ABUT_ERROR_LIMIT);
    refused(world, &(abut_body_def){.half = {1, 1, 1}, .pose = pose_at(0, -far * 1.01f, 0)}, ABUT_ERROR_LIMIT);
    refused(world, &(abut_body_def){.half = {1, 1, 1}, .pose = pose_at(0, 0, FLT_MAX)}, ABUT_ERROR_LIMIT);
    refused(world, &(abut_body_def){.half = {1, 1, 2 * far}}, ABUT_ERROR_LIMIT);
    refused(world, &(abut_body_def){.half = {FLT_MAX, FLT_MAX, FLT_MAX}}, ABUT_ERROR_LIMIT);
    refused(world, &(abut_body_def){.half = {1, 1, 1}, .box = pose_at(0, far, 0)}, ABUT_ERROR_LIMIT);
    refused(world, &(abut_body_def){.half = {1, 1, 1}, .box = pose_at(FLT_MAX, 0, 0), .pose = pose_at(FLT_MAX, 0, 0)},
            ABUT_ERROR_LIMIT);
    abut_body_id id = add_cube(world, far * 0.5f, -far * 0.5f, 0, far * 0.49f);
    abut_aabb bounds;
    assert_int_equal(abut_body_get_bounds(world, id, &bounds), ABUT_OK);
    assert_true(bounds.max.x <= far && bounds.min.y >= -far);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

static void unknown_enums_and_categories_are_refused(void **state) {
    (void)state;
    abut_world *world = lively_world();
    for (int bad = -1; bad <= 1000; bad += 1001) {
        abut_body_def def = unit;
        def.motion = (abut_motion)(bad < 0 ? -1 : 2);
        refused(world, &def, ABUT_ERROR_ARGUMENT);
        def = unit;
        def.detail = (abut_detail)(bad < 0 ? -1 : 3);
        refused(world, &def, ABUT_ERROR_ARGUMENT);
    }
    abut_body_def def = unit;
    def.filter.category = ABUT_MASK_NONE;
    refused(world, &def, ABUT_ERROR_ARGUMENT);
    def.filter.category = ABUT_MASK_NONE | 1;
    refused(world, &def, ABUT_ERROR_ARGUMENT);
    abut_world_destroy(&world);
}

static void null_arguments_of_create_are_refused(void **state) {
    (void)state;
    abut_world *world = lively_world();
    refused(world, NULL, ABUT_ERROR_ARGUMENT);
    refused(world, NULL, ABUT_ERROR_ARGUMENT);
    picture before = picture_take(world);
    abut_body_id id = {5, 5};
    assert_int_equal(abut_body_create(world, &unit, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_create(world, &unit, 1, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_create(world, NULL, 1, &id), ABUT_ERROR_ARGUMENT);
    assert_true(abut_body_id_equal(id, id_of(0, 0)));
    id = id_of(5, 5);
    assert_int_equal(abut_body_create(NULL, &unit, &id), ABUT_ERROR_ARGUMENT);
    assert_true(abut_body_id_equal(id, id_of(0, 0)));
    picture_close(&before, world);
    abut_world_destroy(&world);
}

static void bad_parents_are_refused(void **state) {
    (void)state;
    abut_world *world = lively_world();
    abut_body_id gone = add_cube(world, 50, 0, 0, 1);
    assert_int_equal(abut_body_destroy(world, gone), ABUT_OK);
    const abut_body_id bad[] = {gone, {0, 1}, {1, 999}, {UINT32_MAX, 1}, {UINT32_MAX, UINT32_MAX}, {1000, 0}};
    for (size_t i = 0; i < 6; i++) {
        abut_body_def def = unit;
        def.parent = bad[i];
        refused(world, &def, ABUT_ERROR_HANDLE);
    }
    abut_world_destroy(&world);
}

/* Every function that takes an id must refuse this one and change nothing. */
static void id_is_refused_everywhere(abut_world *world, abut_body_id id) {
    picture before = picture_take(world);
    const abut_pose sentinel = {{1, 2, 3}, {4, 5, 6, 7}};
    abut_pose pose = sentinel;
    abut_aabb bounds = {{1, 2, 3}, {4, 5, 6}};
    abut_filter filter = {1, 2, 3};
    abut_motion motion = ABUT_STATIC;
    abut_detail detail = ABUT_DETAIL_BOUNDS;
    uint64_t user = 42;
    uint32_t index = 42;
    size_t first_bad = 42;
    assert_int_equal(abut_body_set_pose(world, id, &sentinel), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_bodies_set_poses(world, &id, &sentinel, 1), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_bodies_set_poses_strided(world, &id, 0, &sentinel, 0, 1, &first_bad), ABUT_ERROR_HANDLE);
    assert_int_equal(first_bad, 0);
    assert_int_equal(abut_body_get_pose(world, id, &pose), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_body_get_world_pose(world, id, &pose), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_body_get_bounds(world, id, &bounds), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_body_set_filter(world, id, &filter), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_body_get_filter(world, id, &filter), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_body_set_motion(world, id, ABUT_MOVING), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_body_get_motion(world, id, &motion), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_body_set_detail(world, id, ABUT_DETAIL_OVERLAP), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_body_get_detail(world, id, &detail), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_body_set_user(world, id, 1), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_body_get_user(world, id, &user), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_body_destroy(world, id), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_bodies_destroy(world, &id, 1), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_bodies_get_poses(world, &id, &pose, 1), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_bodies_get_world_poses(world, &id, &pose, 1), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_bodies_get_bounds(world, &id, &bounds, 1), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_body_contacts(world, id, &index, 1), 0);
    assert_false(abut_body_is_valid(world, id));
    assert_true(bits_equal(&pose, &sentinel, sizeof pose) && bounds.min.x == 1 && bounds.max.z == 6);
    assert_true(filter.category == 1 && filter.mask == 2 && filter.group == 3 && motion == ABUT_STATIC);
    assert_true(detail == ABUT_DETAIL_BOUNDS && user == 42 && index == 42);
    picture_close(&before, world);
}

static void ids_that_name_nothing_are_refused_everywhere(void **state) {
    (void)state;
    abut_world *world = lively_world();
    abut_body_id stale = add_cube(world, 0.5f, 0, 0, 1);
    assert_int_equal(step_world(world), 4);
    assert_int_equal(abut_body_destroy(world, stale), ABUT_OK);
    id_is_refused_everywhere(world, stale);
    abut_body_id reused = add_cube(world, 0.5f, 0, 0, 1);
    assert_int_equal(reused.index1, stale.index1);
    assert_true(reused.generation != stale.generation);
    id_is_refused_everywhere(world, stale);
    rng r = rng_make(test_seed(), 0);
    const abut_body_id bad[] = {{0, 0},           {0, 1},          {reused.index1, 0},  {reused.index1, UINT32_MAX},
                                {UINT32_MAX, 1},  {UINT32_MAX, 0}, {INT32_MAX, 1},      {reused.index1 + 1, 1},
                                {64, 1},          {65, 0},         {UINT32_MAX - 1, 1}, {0, UINT32_MAX},
                                {0x80000000u, 1}, {1, 0},          {1, UINT32_MAX}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        id_is_refused_everywhere(world, bad[i]);
    }
    for (int i = 0; i < 200; i++) {
        id_is_refused_everywhere(world, id_of((uint32_t)rng_u64(&r) | 16, (uint32_t)rng_u64(&r)));
    }
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

static void id_of_a_larger_world_is_refused(void **state) {
    (void)state;
    abut_world *small = lively_world(), *large = make_world(NULL);
    abut_body_id last = {0};
    for (int i = 0; i < 3000; i++) {
        last = add_cube(large, 0, 0, (float)i * 3, 1);
    }
    id_is_refused_everywhere(small, last);
    abut_world_destroy(&small);
    abut_world_destroy(&large);
}

static void null_pointers_of_getters_and_setters_are_refused(void **state) {
    (void)state;
    abut_world *world = lively_world();
    abut_body_id id = id_of(0, 0);
    assert_int_equal(abut_world_bodies(world, &id, 1), 4);
    picture before = picture_take(world);
    assert_int_equal(abut_body_set_pose(world, id, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_get_pose(world, id, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_get_world_pose(world, id, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_get_bounds(world, id, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_set_filter(world, id, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_get_filter(world, id, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_get_motion(world, id, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_get_detail(world, id, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_get_user(world, id, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_set_motion(world, id, (abut_motion)2), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_set_motion(world, id, (abut_motion)-1), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_set_detail(world, id, (abut_detail)3), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_set_detail(world, id, (abut_detail)-1), ABUT_ERROR_ARGUMENT);
    abut_pose pose = pose_at(0, 0, 0);
    assert_int_equal(abut_body_set_pose(NULL, id, &pose), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_get_pose(NULL, id, &pose), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_destroy(NULL, id), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_set_poses(world, NULL, &pose, 1), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_set_poses(world, &id, NULL, 1), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_set_poses(NULL, &id, &pose, 1), ABUT_ERROR_ARGUMENT);
    picture_close(&before, world);
    abut_world_destroy(&world);
}

static void setters_and_getters_agree(void **state) {
    (void)state;
    abut_world *world = lively_world();
    abut_body_id id = add_body(
        world,
        &(abut_body_def){.half = {1, 2, 3}, .motion = ABUT_STATIC, .detail = ABUT_DETAIL_BOUNDS, .user = UINT64_MAX});
    abut_motion motion;
    abut_detail detail;
    uint64_t user, hash = abut_world_hash(world);
    assert_int_equal(abut_body_get_motion(world, id, &motion), ABUT_OK);
    assert_int_equal(abut_body_get_detail(world, id, &detail), ABUT_OK);
    assert_int_equal(abut_body_get_user(world, id, &user), ABUT_OK);
    assert_true(motion == ABUT_STATIC && detail == ABUT_DETAIL_BOUNDS && user == UINT64_MAX);
    assert_int_equal(abut_body_set_motion(world, id, ABUT_MOVING), ABUT_OK);
    assert_int_equal(abut_body_set_detail(world, id, ABUT_DETAIL_OVERLAP), ABUT_OK);
    assert_true(abut_world_hash(world) != hash);
    assert_int_equal(abut_body_set_user(world, id, 12), ABUT_OK);
    assert_int_equal(abut_body_get_motion(world, id, &motion), ABUT_OK);
    assert_int_equal(abut_body_get_detail(world, id, &detail), ABUT_OK);
    assert_int_equal(abut_body_get_user(world, id, &user), ABUT_OK);
    assert_true(motion == ABUT_MOVING && detail == ABUT_DETAIL_OVERLAP && user == 12);
    assert_int_equal(abut_body_set_motion(world, id, ABUT_STATIC), ABUT_OK);
    assert_int_equal(abut_body_set_detail(world, id, ABUT_DETAIL_BOUNDS), ABUT_OK);
    assert_true(abut_world_hash(world) == hash);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_finite_is_refused_in_every_place),
        cmocka_unit_test(bad_extents_are_refused),
        cmocka_unit_test(plates_and_rods_are_legal),
        cmocka_unit_test(beyond_the_limit_is_refused),
        cmocka_unit_test(unknown_enums_and_categories_are_refused),
        cmocka_unit_test(null_arguments_of_create_are_refused),
        cmocka_unit_test(bad_parents_are_refused),
        cmocka_unit_test(ids_that_name_nothing_are_refused_everywhere),
        cmocka_unit_test(id_of_a_larger_world_is_refused),
        cmocka_unit_test(null_pointers_of_getters_and_setters_are_refused),
        cmocka_unit_test(setters_and_getters_agree),
    };
    return test_run(tests);
}
