/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_hull_create against the exact checks of check.h. */

#include "base/spatial.h"
#include "shape/hull/assemble.h"
#include "shape/hull/check.h"
#include "shape/hull/clouds.h"
#include "shape/hull/simplify.h"
#include "support/failing_allocator.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void complain(unsigned long index, const char *what) {
    fprintf(stderr, "seed 0x%llx cloud %lu (%s): %s\n", (unsigned long long)test_seed(), index, cloud_family(index),
            what);
    fail();
}

static void random_clouds_give_exact_hulls(void **state) {
    (void)state;
    unsigned long clouds = test_count(420), made = 0;
    for (unsigned long i = 0; i < clouds; i++) {
        abut_vec3 points[CLOUD_MAX];
        uint32_t n = cloud_make(test_seed(), i, points);
        abut_hull *hull;
        abut_result result = abut_hull_create(points, n, NULL, &hull);
        if (result != ABUT_OK && (result != ABUT_ERROR_DEGENERATE || hull)) {
            complain(i, abut_result_name(result));
        }
        if (hull && !check_hull(hull, points, n, false)) {
            complain(i, "not the hull");
        }
        made += hull != NULL;
        abut_hull_destroy(&hull);
        assert_null(hull);
    }
    printf("%lu of %lu clouds have a hull\n", made, clouds);
    assert_true(made > clouds / 2);
}

static void the_order_and_repetition_of_points_do_not_matter(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(3000); i++) {
        abut_vec3 points[2 * CLOUD_MAX];
        uint32_t n = cloud_make(test_seed(), i, points), total = n;
        rng r = rng_make(test_seed() + 1, i);
        abut_hull *hull, *other;
        abut_result result = abut_hull_create(points, n, NULL, &hull);
        for (uint32_t k = 0; k < n / 4; k++) {
            points[total++] = points[rng_below(&r, n)];
        }
        for (uint32_t k = total; k > 1; k--) {
            uint32_t j = rng_below(&r, k);
            abut_vec3 swap = points[j];
            points[j] = points[k - 1];
            points[k - 1] = swap;
        }
        for (uint32_t k = 0; k < total; k++) {
            points[k].x = points[k].x == 0 ? -0.0f : points[k].x;
        }
        if (abut_hull_create(points, total, NULL, &other) != result) {
            complain(i, "another result for another order");
        }
        size_t size, other_size;
        const void *bytes = abut_hull_data(hull, &size), *others = abut_hull_data(other, &other_size);
        if (size != other_size || (size && memcmp(bytes, others, size) != 0)) {
            complain(i, "other bytes for another order");
        }
        abut_hull_destroy(&hull);
        abut_hull_destroy(&other);
    }
}

/* Few points are put together in a way of their own; with more of them inside the hull they are not. */
static void points_inside_change_nothing(void **state) {
    enum { MOST = 32, INSIDE = 32 };
    (void)state;
    for (unsigned long i = 0; i < test_count(400); i++) {
        abut_vec3 points[MOST + INSIDE];
        const uint32_t n = 4 + (uint32_t)(i % (MOST - 3));
        rng r = rng_make(test_seed() + 2, i);
        abut_hull *few = NULL, *many = NULL;
        for (uint32_t k = 0; k < n; k++) {
            points[k] = rng_vec3(&r, -1, 1);
        }
        assert_int_equal(abut_hull_create(points, n, NULL, &few), ABUT_OK);
        const abut_vec3 middle = abut_hull_centroid(few);
        for (uint32_t k = n; k < n + INSIDE; k++) {
            const abut_vec3 off = rng_vec3(&r, -1e-4, 1e-4);
            points[k] = (abut_vec3){middle.x + off.x, middle.y + off.y, middle.z + off.z};
        }
        if (abut_hull_volume(few) > 0.01f) { /* else the middle may be close to the surface */
            size_t size, other;
            assert_int_equal(abut_hull_create(points, n + INSIDE, NULL, &many), ABUT_OK);
            const void *bytes = abut_hull_data(few, &size), *others = abut_hull_data(many, &other);
            if (size != other || memcmp(bytes, others, size) != 0) {
                complain(i, "other bytes for more points inside");
            }
        }
        abut_hull_destroy(&few);
        abut_hull_destroy(&many);
    }
}

static void expect_counts(const abut_vec3 *points, size_t n, size_t v, size_t e, size_t f, float volume) {
    abut_hull *hull;
    assert_int_equal(abut_hull_create(points, n, NULL, &hull), ABUT_OK);
    assert_int_equal(abut_hull_vertex_count(hull), v);
    assert_int_equal(abut_hull_edge_count(hull), e);
    assert_int_equal(abut_hull_face_count(hull), f);
    assert_true(volume == 0 || abut_hull_volume(hull) == volume);
    assert_true(check_hull(hull, points, n, false));
    abut_hull_destroy(&hull);
}

static void solids_have_the_counts_of_their_polyhedra(void **state) {
    (void)state;
    abut_vec3 cube[125], octahedron[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const abut_vec3 tetrahedron[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 6}};
    for (int i = 0; i < 125; i++) {
        cube[i] = (abut_vec3){(float)(i % 5), (float)(i / 5 % 5), (float)(i / 25)};
    }
    expect_counts(cube, 125, 8, 12, 6, 64);
    expect_counts(octahedron, 6, 6, 12, 8, 0);
    expect_counts(tetrahedron, 4, 4, 6, 4, 1);
}

static void turned_boxes_have_six_faces(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_quat q = rng_rotation(&r);
        abut_vec3 half = rng_vec3(&r, 0.1, 1), at = rng_vec3(&r, -1, 1), corner[8];
        for (int k = 0; k < 8; k++) {
            abut_vec3 v = {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
            corner[k] = cloud_place(at, q, v);
        }
        abut_hull *hull;
        assert_int_equal(abut_hull_create(corner, 8, NULL, &hull), ABUT_OK);
        if (abut_hull_face_count(hull) != 6 || abut_hull_edge_count(hull) != 12 || hull->vertex_count != 8) {
            complain(i, "a turned box without six faces");
        }
        assert_true(i % 64 || check_hull(hull, corner, 8, false));
        abut_hull_destroy(&hull);
    }
}

static void tolerance_merges_or_keeps_a_bevel(void **state) {
    (void)state;
    const abut_vec3 roof[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},         {0, 0, 1},
                              {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0, 0.5f, 1.001f}, {1, 0.5f, 1.001f}};
    abut_hull_def def = {.coplanar_tolerance = 0};
    abut_hull *hull;
    assert_int_equal(abut_hull_create(roof, 10, &def, &hull), ABUT_OK);
    assert_int_equal(abut_hull_face_count(hull), 7);
    abut_hull_destroy(&hull);
    def.coplanar_tolerance = 0.01f;
    assert_int_equal(abut_hull_create(roof, 10, &def, &hull), ABUT_OK);
    /* The ridge may not go: its ends would be left with two faces. */
    assert_int_equal(abut_hull_face_count(hull), 7);
    assert_true(check_hull(hull, roof, 10, false));
    abut_hull_destroy(&hull);
    const abut_vec3 wedge[] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, 0},
                               {0, 0, 1}, {2, 0, 1}, {0, 2, 1}, {2, 2, 1.001f}};
    def.coplanar_tolerance = 1e-6f;
    assert_int_equal(abut_hull_create(wedge, 8, &def, &hull), ABUT_OK);
    assert_int_equal(abut_hull_face_count(hull), 7);
    abut_hull_destroy(&hull);
    def.coplanar_tolerance = 0.01f;
    assert_int_equal(abut_hull_create(wedge, 8, &def, &hull), ABUT_OK);
    assert_int_equal(abut_hull_face_count(hull), 6);
    assert_true(check_hull(hull, wedge, 8, false));
    abut_hull_destroy(&hull);
}

/* A dome of three rings, so shallow that whole parts of it are one face: merging must look at what lies above them,
 * too, and not close a ring. */
static void shallow_domes_keep_their_tolerance(void **state) {
    (void)state;
    static const float ring[3][2] = {{0.25f, -0.046875f}, {0.625f, -0.140625f}, {0.75f, -0.203125f}};
    const abut_hull_def def = {.coplanar_tolerance = 0.28125f};
    abut_vec3 points[44] = {{0, 0, 0}, {0, 0, -16}};
    for (int i = 0; i < 42; i++) {
        double angle = 2 * acos(-1) / 14 * (i % 14), radius = ring[i / 14][0];
        points[2 + i] = (abut_vec3){(float)(radius * cos(angle)), (float)(radius * sin(angle)), ring[i / 14][1]};
    }
    abut_hull *hull;
    assert_int_equal(abut_hull_create(points, 44, &def, &hull), ABUT_OK);
    assert_int_equal(abut_hull_vertex_count(hull), 44);
    assert_true(check_hull(hull, points, 44, false));
    abut_hull_destroy(&hull);
}

/* Clouds of all kinds with tolerances of up to their size. */
static void any_tolerance_gives_a_hull(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(84); i++) {
        abut_vec3 points[CLOUD_MAX];
        abut_obb box;
        uint32_t n = cloud_make(test_seed(), i, points);
        rng r = rng_make(test_seed() + 2, i);
        abut_hull *hull;
        assert_int_equal(abut_obb_fit(points, n, &box), ABUT_OK);
        double size = (double)box.half.x + box.half.y + box.half.z;
        const abut_hull_def def = {.coplanar_tolerance = (float)(rng_log_range(&r, 1e-3, 1) * size)};
        abut_result result = abut_hull_create(points, n, &def, &hull);
        if (result == ABUT_OK ? !check_hull(hull, points, n, false) : result != ABUT_ERROR_DEGENERATE) {
            complain(i, "not the hull, or faces beyond the tolerance");
        }
        abut_hull_destroy(&hull);
    }
}

static void expect_error(const abut_vec3 *points, size_t n, const abut_hull_def *def, abut_result wanted) {
    abut_hull *hull = (abut_hull *)(void *)&hull;
    assert_int_equal(abut_hull_create(points, n, def, &hull), wanted);
    assert_null(hull);
}

static void flat_clouds_are_degenerate(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(2000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_vec3 points[50];
        uint32_t n = 1 + rng_below(&r, 50), spanned = rng_below(&r, 3);
        for (uint32_t k = 0; k < n; k++) {
            /* Whole multiples of two whole vectors lie in one plane, exactly. */
            float a = (float)rng_below(&r, 1000), b = spanned > 1 ? (float)rng_below(&r, 1000) : 0;
            a = spanned ? a : 7;
            points[k] = (abut_vec3){3 * a - 5 * b, 11 * a + 2 * b, 7 * b - a};
        }
        expect_error(points, n, NULL, ABUT_ERROR_DEGENERATE);
    }
    /* And a hair off the plane is not. */
    abut_vec3 hair[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25f, 0.25f, 0x1p-140f}};
    expect_counts(hair, 4, 4, 6, 4, 0);
}

/* A pyramid on a tilted base, lower than what differences in double resolve. */
static void a_hair_has_a_volume(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(200); i++) {
        rng r = rng_make(test_seed(), i);
        abut_vec3 points[20];
        for (int k = 0; k < 19; k++) {
            float x = (float)rng_below(&r, 1 << 22), y = (float)rng_below(&r, 1 << 22);
            points[k] = (abut_vec3){x, y, x + y};
        }
        points[19] = (abut_vec3){0, 0, -0x1p-40f};
        abut_hull *hull;
        assert_int_equal(abut_hull_create(points, 20, NULL, &hull), ABUT_OK);
        assert_true(check_hull(hull, points, 20, false));
        assert_true(abut_hull_volume(hull) < 100);
        abut_hull_destroy(&hull);
    }
}

/* Vertices that are farther away than a float is, by less than double shows. */
static void the_radius_is_beyond_every_vertex(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        abut_vec3 points[4] = {{0, 0, 0}, {0, 0, 0.5f}, {0.5f, 0.5f, 0}, {0, 0.5f, 0}};
        (&points[0].x)[k] = -1;
        (&points[0].x)[(k + 1) % 3] = 0x1p-30f;
        abut_hull *hull;
        assert_int_equal(abut_hull_create(points, 4, NULL, &hull), ABUT_OK);
        assert_true(hull->radius > 1 && hull->radius < 1 + 0x1p-22f);
        assert_true(check_hull(hull, points, 4, false));
        abut_hull_destroy(&hull);
    }
}

static void invalid_input_is_refused(void **state) {
    (void)state;
    abut_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    const float bad[3] = {NAN, INFINITY, -INFINITY};
    assert_int_equal(abut_hull_create(points, 5, NULL, NULL), ABUT_ERROR_ARGUMENT);
    expect_error(NULL, 5, NULL, ABUT_ERROR_ARGUMENT);
    expect_error(points, 0, NULL, ABUT_ERROR_ARGUMENT);
    for (uint32_t most = 1; most < 4; most++) {
        expect_error(points, 5, &(abut_hull_def){.max_vertices = most}, ABUT_ERROR_ARGUMENT);
    }
    expect_error(points, 5, &(abut_hull_def){.coplanar_tolerance = -1}, ABUT_ERROR_ARGUMENT);
    expect_error(points, 5, &(abut_hull_def){.coplanar_tolerance = NAN}, ABUT_ERROR_ARGUMENT);
    for (int i = 0; i < 15; i++) {
        float kept = *(&points[i / 3].x + i % 3);
        *(&points[i / 3].x + i % 3) = bad[i % 3];
        expect_error(points, 5, NULL, ABUT_ERROR_ARGUMENT);
        *(&points[i / 3].x + i % 3) = 1.0001e9f;
        expect_error(points, 5, NULL, ABUT_ERROR_LIMIT);
        *(&points[i / 3].x + i % 3) = kept;
    }
}

static void accessors_of_null_say_nothing(void **state) {
    (void)state;
    abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    size_t size = 7;
    abut_hull *none = NULL;
    assert_null(abut_hull_data(NULL, &size));
    assert_int_equal(size, 0);
    assert_null(abut_hull_data(NULL, NULL));
    assert_int_equal(abut_hull_vertex_count(NULL) + abut_hull_face_count(NULL) + abut_hull_edge_count(NULL), 0);
    assert_null(abut_hull_vertices(NULL));
    assert_true(abut_hull_volume(NULL) == 0);
    assert_true(isnan(abut_hull_centroid(NULL).y) && isnan(abut_hull_obb(NULL).half.z));
    assert_true(isnan(abut_hull_bounds_fast(NULL, &pose).min.x) && isnan(abut_hull_bounds_tight(NULL, &pose).max.z));
    abut_hull_destroy(&none);
    abut_hull_destroy(NULL);
}

/* Points of a sphere, nearly all extreme. */
static void make_sphere(abut_vec3 *points, size_t n) {
    for (size_t i = 0; i < n; i++) {
        rng r = rng_make(test_seed(), i);
        points[i] = rng_direction(&r);
    }
}

static void too_many_vertices_are_refused(void **state) {
    (void)state;
    static abut_vec3 points[6000];
    make_sphere(points, 6000);
    expect_error(points, 6000, NULL, ABUT_ERROR_LIMIT);
    abut_hull *hull;
    assert_int_equal(abut_hull_create(points, 4000, NULL, &hull), ABUT_OK);
    assert_true(abut_hull_vertex_count(hull) > 3900);
    abut_hull_destroy(&hull);
}

/* The stages by themselves, without the block that they share otherwise. */
static void every_stage_may_be_without_memory(void **state) {
    (void)state;
    abut_vec3 points[600];
    make_sphere(points, 600);
    failing_allocator books = {0};
    const abut_allocator allocator = failing_allocator_of(&books);
    size_t failed = 0, stages = 0;
    for (size_t at = 1;; at++) {
        abut_polyhedron polyhedron;
        abut_hull *hull = NULL;
        failing_allocator_fail_once(&books, at);
        abut_result result = abut_polyhedron_make(&polyhedron, points, 600, &allocator);
        result = result ? result : abut_simplify(&polyhedron, 12);
        result = result ? result : abut_hull_assemble(&polyhedron, 0, &allocator, &hull);
        abut_polyhedron_release(&polyhedron);
        abut_hull_destroy(&hull);
        assert_int_equal(books.failed > failed ? ABUT_ERROR_MEMORY : ABUT_OK, result);
        assert_true(failing_allocator_clean(&books));
        stages++;
        if (books.failed == failed) {
            break;
        }
        failed = books.failed;
    }
    assert_true(stages > 20);
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    abut_vec3 points[600];
    make_sphere(points, 600);
    for (uint32_t most = 0; most <= 12; most += 12) {
        failing_allocator books = {0};
        size_t failed = 0;
        abut_hull_def def = {.max_vertices = most, .allocator = failing_allocator_of(&books)};
        abut_hull *hull, *copy;
        for (size_t at = 1;; at++) {
            failing_allocator_fail_once(&books, at);
            abut_result result = abut_hull_create(points, 600, &def, &hull);
            assert_int_equal(books.failed > failed, result != ABUT_OK); /* no failure passes unnoticed */
            failed = books.failed;
            if (result == ABUT_OK) {
                break;
            }
            assert_int_equal(result, ABUT_ERROR_MEMORY);
            assert_null(hull);
            assert_true(failing_allocator_clean(&books));
        }
        size_t size;
        const void *bytes = abut_hull_data(hull, &size);
        assert_int_equal((uintptr_t)bytes % 64, 0);
        for (size_t at = 1;; at++) {
            failing_allocator_fail_once(&books, at);
            abut_result result = abut_hull_load(bytes, size, &def, &copy);
            assert_int_equal(books.failed > failed, result != ABUT_OK);
            failed = books.failed;
            if (result == ABUT_OK) {
                break;
            }
            assert_int_equal(result, ABUT_ERROR_MEMORY);
            assert_null(copy);
        }
        abut_hull_destroy(&hull);
        abut_hull_destroy(&copy);
        assert_true(failing_allocator_clean(&books));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_clouds_give_exact_hulls),
        cmocka_unit_test(the_order_and_repetition_of_points_do_not_matter),
        cmocka_unit_test(points_inside_change_nothing),
        cmocka_unit_test(solids_have_the_counts_of_their_polyhedra),
        cmocka_unit_test(turned_boxes_have_six_faces),
        cmocka_unit_test(tolerance_merges_or_keeps_a_bevel),
        cmocka_unit_test(shallow_domes_keep_their_tolerance),
        cmocka_unit_test(any_tolerance_gives_a_hull),
        cmocka_unit_test(flat_clouds_are_degenerate),
        cmocka_unit_test(a_hair_has_a_volume),
        cmocka_unit_test(the_radius_is_beyond_every_vertex),
        cmocka_unit_test(invalid_input_is_refused),
        cmocka_unit_test(accessors_of_null_say_nothing),
        cmocka_unit_test(too_many_vertices_are_refused),
        cmocka_unit_test(every_stage_may_be_without_memory),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return test_run(tests);
}
