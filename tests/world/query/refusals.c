/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What questions and getters refuse: null pointers, counts without arrays, numbers that are none. Nothing is written.
 */

#include "world/world_test.h"
#include <math.h>

static abut_world *world;
static abut_body_id cube;

static int begin(void **state) {
    (void)state;
    world = make_world(NULL);
    cube = add_cube(world, 0, 0, 0, 1);
    return 0;
}

static int end(void **state) {
    (void)state;
    abut_world_destroy(&world);
    return 0;
}

static const abut_query bad_query = {.initial = (abut_initial)9};

static void rays_are_refused(void **state) {
    (void)state;
    const abut_ray ray = {.origin = {-5, 0, 0}, .translation = {9, 0, 0}}, nan = {.origin = {NAN, 0, 0}};
    abut_ray far = ray;
    abut_hit hit, before;
    uint8_t blocked = 7;
    memset(&hit, 0x55, sizeof hit);
    before = hit;
    assert_int_equal(abut_world_cast_rays(NULL, &ray, 1, NULL, &hit), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_cast_rays(world, NULL, 1, NULL, &hit), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_cast_rays(world, &ray, 1, NULL, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_cast_rays(world, &ray, 1, &bad_query, &hit), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_test_rays(world, &ray, 1, NULL, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_test_rays(NULL, &ray, 1, NULL, &blocked), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_cast_rays(world, NULL, 0, NULL, NULL), ABUT_OK);
    assert_int_equal(abut_world_ray_hits(NULL, &ray, NULL, &hit, 1), 0);
    assert_int_equal(abut_world_ray_hits(world, NULL, NULL, &hit, 1), 0);
    assert_int_equal(abut_world_ray_hits(world, &nan, NULL, &hit, 1), 0);
    for (int axis = 0; axis < 3; axis++) {
        far.origin = (abut_vec3){0, 0, 0};
        (&far.origin.x)[axis] = -2 * ABUT_MAX_COORDINATE;
        assert_int_equal(abut_world_ray_hits(world, &far, NULL, &hit, 1), 0);
    }
    assert_int_equal(abut_world_ray_hits(world, &ray, &bad_query, &hit, 1), 0);
    assert_memory_equal(&hit, &before, sizeof hit);
    assert_int_equal(blocked, 7);
    assert_int_equal(abut_world_ray_hits(world, &ray, NULL, NULL, 0), 1);
}

static void nearest_is_refused(void **state) {
    (void)state;
    const abut_shape point = abut_point(), bad = abut_sphere(-1);
    const abut_pose pose = pose_at(3, 0, 0);
    abut_near near, before;
    uint32_t count = 7;
    memset(&near, 0x55, sizeof near);
    before = near;
    assert_int_equal(abut_world_nearest(NULL, &point, &pose, 9, NULL, &near, 1), 0);
    assert_int_equal(abut_world_nearest(world, NULL, &pose, 9, NULL, &near, 1), 0);
    assert_int_equal(abut_world_nearest(world, &bad, &pose, 9, NULL, &near, 1), 0);
    assert_int_equal(abut_world_nearest(world, &point, NULL, 9, NULL, &near, 1), 0);
    assert_int_equal(abut_world_nearest(world, &point, &pose, -1, NULL, &near, 1), 0);
    assert_int_equal(abut_world_nearest(world, &point, &pose, NAN, NULL, &near, 1), 0);
    assert_int_equal(abut_world_nearest(world, &point, &pose, 9, &bad_query, &near, 1), 0);
    assert_int_equal(abut_world_nearest(world, &point, &pose, 9, NULL, NULL, 1), 0);
    assert_int_equal(abut_world_nearest(world, &point, &pose, 9, NULL, &near, 0), 0);
    const abut_vec3 at = pose.position;
    assert_int_equal(abut_world_nearest_many(NULL, &at, 1, 9, NULL, &near, 1, &count), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_nearest_many(world, NULL, 1, 9, NULL, &near, 1, &count), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_nearest_many(world, &at, 1, -1, NULL, &near, 1, &count), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_nearest_many(world, &at, 1, 9, &bad_query, &near, 1, &count), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_nearest_many(world, &at, 1, 9, NULL, NULL, 1, &count), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_nearest_many(world, &at, 1, 9, NULL, &near, 1, NULL), ABUT_ERROR_ARGUMENT);
    assert_memory_equal(&near, &before, sizeof near);
    assert_int_equal(count, 7);
    assert_int_equal(abut_world_nearest_many(world, NULL, 0, 9, NULL, NULL, 1, NULL), ABUT_OK);
    assert_int_equal(abut_world_nearest_many(world, &at, 1, 9, NULL, NULL, 0, &count), ABUT_OK);
    assert_int_equal(count, 0);
}

static void shapes_and_boxes_are_refused(void **state) {
    (void)state;
    const abut_shape box = abut_box(1, 1, 1), bad = abut_box(NAN, 1, 1);
    const abut_pose pose = pose_at(1, 0, 0);
    const abut_aabb bounds = {{-1, -1, -1}, {1, 1, 1}}, nan = {{NAN, 0, 0}, {1, 1, 1}};
    abut_body_id found[2] = {{9, 9}, {9, 9}};
    abut_touching touching;
    size_t ends = 7;
    assert_int_equal(abut_world_overlaps(NULL, &box, &pose, NULL, found, 2), 0);
    assert_int_equal(abut_world_overlaps(world, NULL, &pose, NULL, found, 2), 0);
    assert_int_equal(abut_world_overlaps(world, &bad, &pose, NULL, found, 2), 0);
    assert_int_equal(abut_world_overlaps(world, &box, &pose, &bad_query, found, 2), 0);
    assert_int_equal(abut_world_collide(NULL, &box, &pose, 0, NULL, &touching, 1), 0);
    assert_int_equal(abut_world_collide(world, &box, NULL, 0, NULL, &touching, 1), 0);
    assert_int_equal(abut_world_collide(world, &box, &pose, -1, NULL, &touching, 1), 0);
    assert_int_equal(abut_world_collide(world, &box, &pose, NAN, NULL, &touching, 1), 0);
    assert_int_equal(abut_world_in_bounds(NULL, &bounds, NULL, found, 2), 0);
    assert_int_equal(abut_world_in_bounds(world, NULL, NULL, found, 2), 0);
    assert_int_equal(abut_world_in_bounds(world, &nan, NULL, found, 2), 0);
    assert_int_equal(abut_world_overlaps_many(NULL, &box, &pose, 1, NULL, found, 2, &ends), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_overlaps_many(world, NULL, &pose, 1, NULL, found, 2, &ends), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_overlaps_many(world, &box, NULL, 1, NULL, found, 2, &ends), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_overlaps_many(world, &box, &pose, 1, NULL, found, 2, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_overlaps_many(world, &box, &pose, 1, NULL, NULL, 2, &ends), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_refresh(NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(found[0].index1, 9);
}

static void getters_are_refused(void **state) {
    (void)state;
    abut_shape shape;
    abut_pose pose;
    abut_body_id id = {9, 9};
    const abut_body_id dead = id_of(77, 1);
    assert_int_equal(abut_body_get_shape(world, cube, NULL, &pose), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_get_shape(world, dead, &shape, &pose), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_body_get_shape(world, cube, &shape, NULL), ABUT_OK);
    assert_int_equal(abut_body_set_shape(world, cube, NULL, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_get_parent(world, cube, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_get_root(world, cube, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_get_parent(world, dead, &id), ABUT_ERROR_HANDLE);
    assert_int_equal(id.index1, 0);
    assert_int_equal(abut_body_get_root(world, dead, &id), ABUT_ERROR_HANDLE);
    assert_int_equal(id.index1, 0);
    assert_int_equal(abut_body_get_pose(world, cube, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_get_world_pose(world, cube, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_get_bounds(world, cube, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_validate(NULL), ABUT_ERROR_ARGUMENT);
}

static void worlds_need_as_many_workers_as_they_say(void **state) {
    (void)state;
    abut_world *made;
    abut_pool *pool;
    assert_int_equal(abut_pool_create(2, &pool), ABUT_OK);
    abut_parallel parallel = abut_pool_parallel(pool);
    const uint32_t bad[] = {0, ABUT_WORKERS_MAX + 1};
    for (int i = 0; i < 2 && parallel.run; i++) {
        parallel.workers = bad[i];
        assert_int_equal(abut_world_create(&(abut_world_def){.parallel = parallel}, &made), ABUT_ERROR_ARGUMENT);
        assert_null(made);
    }
    abut_pool_destroy(&pool);
}

static void no_world_has_no_lists(void **state) {
    (void)state;
    size_t count = 7;
    assert_null(abut_world_contacts(NULL, &count));
    assert_int_equal(count, 0);
    count = 7;
    assert_null(abut_world_pairs(NULL, &count));
    assert_int_equal(count, 0);
    count = 7;
    assert_null(abut_world_events(NULL, &count));
    assert_int_equal(count, 0);
    count = 7;
    assert_null(abut_world_parts(NULL, &count));
    assert_int_equal(count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rays_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(nearest_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(shapes_and_boxes_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(getters_are_refused, begin, end),
        cmocka_unit_test(worlds_need_as_many_workers_as_they_say),
        cmocka_unit_test(no_world_has_no_lists),
    };
    return test_run(tests);
}
