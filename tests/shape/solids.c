/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Cylinders, cones and wedges: counts, where their corners lie, bad input, memory. */

#include "shape/hull/check.h"
#include "support/failing_allocator.h"
#include "support/test.h"
#include <math.h>

typedef abut_result create_round(float half_length, float radius, uint32_t sides, const abut_hull_def *def,
                                 abut_hull **hull);

static void has(const abut_hull *hull, size_t vertices, size_t faces) {
    assert_int_equal(abut_hull_vertex_count(hull), vertices);
    assert_int_equal(abut_hull_face_count(hull), faces);
    assert_true(check_hull(hull, abut_hull_vertices(hull), vertices, false));
}

static void lies_on_the_circle(abut_vec3 v, double radius) {
    const double across = sqrt((double)v.x * v.x + (double)v.z * v.z);
    assert_true(fabs(across - radius) <= 0x1p-23 * radius);
}

static void cylinders(void **state) {
    (void)state;
    static const uint32_t sides[] = {3, 4, 5, 7, 8, 12, 16, 24, 32, 64, 100};
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        abut_hull *hull;
        assert_int_equal(abut_hull_create_cylinder(1.5f, 0.3f, sides[k], NULL, &hull), ABUT_OK);
        has(hull, 2 * sides[k], sides[k] + 2);
        const abut_vec3 *v = abut_hull_vertices(hull);
        bool first = false;
        for (size_t i = 0; i < 2 * sides[k]; i++) {
            lies_on_the_circle(v[i], 0.3f);
            assert_true(fabsf(v[i].y) == 1.5f);
            first = first || (v[i].x == 0.3f && v[i].z == 0);
        }
        assert_true(first);
        abut_hull_destroy(&hull);
    }
}

static void cones(void **state) {
    (void)state;
    for (uint32_t sides = 3; sides <= 48; sides += 5) {
        abut_hull *hull;
        assert_int_equal(abut_hull_create_cone(2, 0.7f, sides, NULL, &hull), ABUT_OK);
        has(hull, sides + 1, sides + 1);
        const abut_vec3 *v = abut_hull_vertices(hull);
        size_t tips = 0;
        for (size_t i = 0; i < sides + 1; i++) {
            if (v[i].y == 2) {
                assert_true(v[i].x == 0 && v[i].z == 0);
                ++tips;
            } else {
                lies_on_the_circle(v[i], 0.7f);
            }
        }
        assert_int_equal(tips, 1);
        abut_hull_destroy(&hull);
    }
}

static void a_wedge_rises_along_x(void **state) {
    (void)state;
    abut_hull *hull;
    assert_int_equal(abut_hull_create_wedge((abut_vec3){2, 1, 3}, NULL, &hull), ABUT_OK);
    has(hull, 6, 5);
    const abut_obb low = {.center = {-1.9f, 0.9f, 0}}, high = {.center = {1.9f, 0.9f, 0}}; /* points */
    const abut_pose here = {.position = {0, 0, 0}};
    assert_false(abut_obb_hull_overlap(&low, hull, &here));
    assert_true(abut_obb_hull_overlap(&high, hull, &here));
    abut_hull_destroy(&hull);
}

static void the_most_sides(void **state) {
    (void)state;
    abut_hull *hull;
    assert_int_equal(abut_hull_create_cylinder(1, 1, ABUT_HULL_MAX_VERTICES / 2, NULL, &hull), ABUT_OK);
    assert_int_equal(abut_hull_vertex_count(hull), ABUT_HULL_MAX_VERTICES);
    abut_hull_destroy(&hull);
    assert_int_equal(abut_hull_create_cone(1, 1, ABUT_HULL_MAX_VERTICES - 1, NULL, &hull), ABUT_OK);
    assert_int_equal(abut_hull_vertex_count(hull), ABUT_HULL_MAX_VERTICES);
    abut_hull_destroy(&hull);
    assert_int_equal(abut_hull_create_cylinder(1, 1, ABUT_HULL_MAX_VERTICES / 2 + 1, NULL, &hull), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_hull_create_cone(1, 1, ABUT_HULL_MAX_VERTICES, NULL, &hull), ABUT_ERROR_ARGUMENT);
    const abut_hull_def few = {.max_vertices = 16};
    static const uint32_t too_many[] = {ABUT_HULL_MAX_VERTICES + 1, 5000,
                                        178956971 /* 12 bytes each: 2^32 + 8 in all */};
    for (size_t k = 0; k < sizeof too_many / sizeof *too_many; k++) {
        assert_int_equal(abut_hull_create_cylinder(1, 1, too_many[k], NULL, &hull), ABUT_ERROR_ARGUMENT);
        assert_int_equal(abut_hull_create_cylinder(1, 1, too_many[k], &few, &hull), ABUT_ERROR_ARGUMENT);
        assert_int_equal(abut_hull_create_cone(1, 1, too_many[k], &few, &hull), ABUT_ERROR_ARGUMENT);
    }
    assert_int_equal(abut_hull_create_cylinder(1, 1, 64, &few, &hull), ABUT_OK);
    assert_true(abut_hull_vertex_count(hull) <= 16);
    abut_hull_destroy(&hull);
}

static void bad_extents_are_refused(create_round *create) {
    abut_hull *hull;
    assert_int_equal(create(1, 1, 8, NULL, NULL), ABUT_ERROR_ARGUMENT);
    static const struct {
        float half_length, radius;
        uint32_t sides;
        abut_result result;
    } cases[] = {
        {-1, 1, 8, ABUT_ERROR_ARGUMENT},       {1, -1, 8, ABUT_ERROR_ARGUMENT},
        {1, 1, 2, ABUT_ERROR_ARGUMENT},        {NAN, 1, 8, ABUT_ERROR_ARGUMENT},
        {1, INFINITY, 8, ABUT_ERROR_ARGUMENT}, {1, 1, UINT32_MAX, ABUT_ERROR_ARGUMENT},
        {0, 1, 8, ABUT_ERROR_DEGENERATE},      {1, 0, 8, ABUT_ERROR_DEGENERATE},
        {2e9f, 1, 8, ABUT_ERROR_LIMIT},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        hull = (abut_hull *)&cases;
        assert_int_equal(create(cases[k].half_length, cases[k].radius, cases[k].sides, NULL, &hull), cases[k].result);
        assert_null(hull);
    }
}

static void bad_input_is_refused(void **state) {
    (void)state;
    bad_extents_are_refused(abut_hull_create_cylinder);
    bad_extents_are_refused(abut_hull_create_cone);
    abut_hull *hull = (abut_hull *)&state;
    assert_int_equal(abut_hull_create_wedge((abut_vec3){-1, 1, 1}, NULL, &hull), ABUT_ERROR_ARGUMENT);
    assert_null(hull);
    assert_int_equal(abut_hull_create_wedge((abut_vec3){1, 1, NAN}, NULL, &hull), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_hull_create_wedge((abut_vec3){1, 0, 1}, NULL, &hull), ABUT_ERROR_DEGENERATE);
    assert_int_equal(abut_hull_create_wedge((abut_vec3){1, 1, 1}, NULL, NULL), ABUT_ERROR_ARGUMENT);
}

static void no_memory(void **state) {
    (void)state;
    abut_result result = ABUT_ERROR_MEMORY;
    size_t at = 1;
    for (; result != ABUT_OK; at++) {
        failing_allocator books = {0};
        const abut_hull_def def = {.allocator = failing_allocator_of(&books)};
        failing_allocator_fail_once(&books, at);
        abut_hull *hull;
        result = abut_hull_create_cylinder(1, 1, 12, &def, &hull);
        assert_true(result == ABUT_OK ? hull != NULL : result == ABUT_ERROR_MEMORY && !hull);
        abut_hull_destroy(&hull);
        assert_true(failing_allocator_clean(&books));
    }
    assert_true(at > 3); /* the points and the hull */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cylinders),
        cmocka_unit_test(cones),
        cmocka_unit_test(a_wedge_rises_along_x),
        cmocka_unit_test(the_most_sides),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(no_memory),
    };
    return test_run(tests);
}
