/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What calls without a world refuse: half an allocator, numbers that are none, pointers that are null or no shape. */

#include "shape/mesh/mesh.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *take(size_t size, size_t align, void *user) {
    (void)user;
    (void)align;
    return malloc(size);
}

static const abut_allocator half_an_allocator = {.alloc = take};
static const abut_vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t index[3] = {0, 1, 2};

static void half_an_allocator_is_refused(void **state) {
    (void)state;
    const float heights[4] = {0, 0, 0, 0};
    const abut_hull_def hull_def = {.allocator = half_an_allocator};
    const abut_mesh_def mesh_def = {
        .vertices = corner, .vertex_count = 4, .indices = index, .triangle_count = 1, .allocator = half_an_allocator};
    const abut_mesh_grid_def grid_def = {
        .heights = heights, .columns = 2, .rows = 2, .spacing = {1, 1, 1}, .allocator = half_an_allocator};
    abut_hull *hull;
    abut_mesh *mesh;
    size_t size;
    assert_int_equal(abut_hull_create(corner, 4, &hull_def, &hull), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_hull_create_cylinder(1, 1, 5, &hull_def, &hull), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_mesh_create(&mesh_def, &mesh), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_mesh_create_grid(&grid_def, &mesh), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_hull_create(corner, 4, NULL, &hull), ABUT_OK);
    abut_hull *copy;
    const void *bytes = abut_hull_data(hull, &size);
    assert_int_equal(abut_hull_load(bytes, size, &hull_def, &copy), ABUT_ERROR_ARGUMENT);
    assert_null(copy);
    abut_hull_destroy(&hull);
}

static void numbers_that_are_none_are_refused(void **state) {
    (void)state;
    const float bad[] = {NAN, INFINITY, -1};
    abut_hull *hull;
    for (int i = 0; i < 3; i++) {
        const abut_hull_def def = {.coplanar_tolerance = bad[i]};
        assert_int_equal(abut_hull_create(corner, 4, &def, &hull), ABUT_ERROR_ARGUMENT);
        assert_int_equal(abut_hull_create_wedge((abut_vec3){bad[i], 1, 1}, NULL, &hull), ABUT_ERROR_ARGUMENT);
        assert_int_equal(abut_hull_create_wedge((abut_vec3){1, bad[i], 1}, NULL, &hull), ABUT_ERROR_ARGUMENT);
        assert_int_equal(abut_hull_create_wedge((abut_vec3){1, 1, bad[i]}, NULL, &hull), ABUT_ERROR_ARGUMENT);
        for (int k = 0; k < 3; k++) {
            abut_obb box = {.half = {1, 1, 1}};
            const abut_obb good = box;
            abut_manifold m;
            (&box.half.x)[k] = bad[i];
            assert_false(abut_obb_overlap(&box, &good));
            assert_false(abut_obb_overlap(&good, &box));
            assert_false(abut_obb_collide(&box, &good, 0, &m));
            assert_false(abut_obb_collide(&good, &box, 0, &m));
            const abut_shape shape = {.half = box.half};
            const abut_pose pose = {.rotation = {0, 0, 0, 1}};
            assert_true(isnan(abut_shape_bounds(&shape, &pose).min.x));
        }
    }
    assert_int_equal(abut_hull_digest(NULL), 0);
    assert_int_equal(abut_mesh_digest(NULL), 0);
}

static void what_is_no_hull_is_refused(void **state) {
    (void)state;
    _Alignas(64) char bytes[512];
    memset(bytes, 0x55, sizeof bytes);
    const abut_shape shape = {.hull = (const abut_hull *)(const void *)bytes}, box = {.half = {1, 1, 1}};
    const abut_shape mesh = {.mesh = (const abut_mesh *)(const void *)bytes};
    const abut_pose pose = {.rotation = {0, 0, 0, 1}}, bad = {.position = {NAN, 0, 0}};
    const abut_ray ray = {.translation = {1, 0, 0}};
    abut_manifold m;
    abut_hit hit;
    assert_false(abut_shape_overlap(&shape, &pose, &box, &pose));
    assert_false(abut_shape_overlap(&box, &pose, &shape, &pose));
    assert_false(abut_shape_collide(&shape, &pose, &box, &pose, 0, &m));
    assert_false(abut_shape_overlap(&box, &bad, &box, &pose));
    assert_true(isnan(abut_shape_bounds(&shape, &pose).min.x));
    assert_true(isnan(abut_shape_bounds(&mesh, &pose).min.x));
    assert_true(isnan(abut_shape_bounds(&box, &bad).min.x));
    assert_false(abut_shape_cast_ray(&mesh, &pose, &ray, &hit));
    assert_false(abut_shape_cast_ray(&box, &bad, &ray, &hit));
    for (int k = 0; k < 3; k++) {
        abut_ray far = {.translation = {1, 0, 0}};
        (&far.origin.x)[k] = 2 * ABUT_MAX_COORDINATE;
        assert_false(abut_shape_cast_ray(&box, &pose, &far, &hit));
    }
}

static void a_mesh_of_another_layout_is_refused(void **state) {
    (void)state;
    const abut_mesh_def def = {.vertices = corner, .vertex_count = 4, .indices = index, .triangle_count = 1};
    const abut_pose pose = {.rotation = {0, 0, 0, 1}}, bad = {.position = {0, NAN, 0}};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    const abut_shape shape = {.mesh = mesh};
    assert_true(abut_shape_bounds(&shape, &pose).max.x >= 1);
    assert_true(isnan(abut_shape_bounds(&shape, &bad).max.x));
    assert_true(isnan(abut_shape_bounds(&shape, NULL).max.x));
    for (int i = 0; i < 2; i++) {
        uint32_t *number = i ? &mesh->version : &mesh->magic;
        ++*number;
        assert_true(isnan(abut_shape_bounds(&shape, &pose).max.x));
        --*number;
    }
    abut_mesh_destroy(&mesh);
}

static void frusta_need_a_right_angle(void **state) {
    (void)state;
    const abut_vec3 eye = {0, 0, 0}, left = {1, 0, 0}, up = {0, 1, 0}, direction = {0, 0, 1}, tilted = {0.5f, 0.5f, 1};
    abut_frustum f;
    assert_int_equal(abut_frustum_perspective(eye, left, up, direction, 1, 1, 1, 9, &f), ABUT_OK);
    assert_int_equal(abut_frustum_perspective(eye, left, up, tilted, 1, 1, 1, 9, &f), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_frustum_perspective(eye, left, tilted, direction, 1, 1, 1, 9, &f), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_frustum_perspective(eye, tilted, up, direction, 1, 1, 1, 9, &f), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_frustum_perspective(eye, (abut_vec3){1, 0, 0.5f}, up, direction, 1, 1, 1, 9, &f),
                     ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_frustum_perspective(eye, left, (abut_vec3){0, 1, 0.5f}, direction, 1, 1, 1, 9, &f),
                     ABUT_ERROR_ARGUMENT);
}

static void moved_shapes_that_are_none_are_refused(void **state) {
    (void)state;
    const abut_shape box = abut_box(1, 1, 1), bad = abut_sphere(NAN);
    const abut_pose at = {.rotation = {0, 0, 0, 1}}, to = {{5, 0, 0}, {0, 0, 0, 1}},
                    bad_pose = {.position = {NAN, 0, 0}};
    abut_hit hit;
    memset(&hit, 0x55, sizeof hit);
    const abut_hit before = hit;
    assert_false(abut_shape_sweep(&bad, &at, &to, &box, &to, &to, ABUT_INITIAL_CLOSING, &hit));
    assert_false(abut_shape_sweep(&box, &at, &to, &bad, &to, &to, ABUT_INITIAL_CLOSING, &hit));
    assert_false(abut_shape_sweep(&box, &bad_pose, &to, &box, &to, &to, ABUT_INITIAL_CLOSING, &hit));
    assert_false(abut_shape_sweep(&box, &at, &bad_pose, &box, &to, &to, ABUT_INITIAL_CLOSING, &hit));
    assert_false(abut_shape_sweep(&box, &at, &to, &box, &to, &to, (abut_initial)3, &hit));
    assert_memory_equal(&hit, &before, sizeof hit);
    assert_true(abut_shape_sweep(&box, &at, &to, &box, &to, &to, ABUT_INITIAL_CLOSING, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_an_allocator_is_refused), cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(what_is_no_hull_is_refused),   cmocka_unit_test(a_mesh_of_another_layout_is_refused),
        cmocka_unit_test(frusta_need_a_right_angle),    cmocka_unit_test(moved_shapes_that_are_none_are_refused),
    };
    return test_run(tests);
}
