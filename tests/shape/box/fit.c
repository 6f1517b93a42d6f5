/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_obb_fit: contains every point exactly, and is tight. */

#include "shape/hull/check.h"
#include "shape/hull/clouds.h"
#include "support/failing_allocator.h"
#include "support/print.h"
#include "support/quad.h"
#include "support/test.h"
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double measure(const abut_obb *box) {
    return 8.0 * box->half.x * box->half.y * box->half.z;
}

static void boxes_contain_random_clouds(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        abut_vec3 points[CLOUD_MAX];
        abut_obb box;
        uint32_t n = cloud_make(test_seed(), i, points);
        rng r = rng_make(test_seed() + 1, i);
        /* A quarter of the clouds are flat, on a line, or a single point. */
        uint32_t kind = rng_below(&r, 16);
        for (uint32_t k = 0; kind < 4 && k < n; k++) {
            points[k] = kind == 3 ? points[0] : points[k];
            points[k].z = kind >= 1 ? points[0].z : points[k].x / 2 + points[k].y / 2; /* within the limit */
            points[k].y = kind == 2 ? points[0].y : points[k].y;
        }
        assert_int_equal(abut_obb_fit(points, n, &box), ABUT_OK);
        if (!check_box_contains(&box, points, n)) {
            fprintf(stderr, "seed 0x%llx cloud %lu (%s)\n", (unsigned long long)test_seed(), i, cloud_family(i));
            print_obb("box", &box);
            fail();
        }
        if (kind >= 1 && kind < 4) {
            assert_true(box.half.x == 0 || box.half.y == 0 || box.half.z == 0);
        }
    }
}

/* Clouds that lie in a plane and are a few floats wide, far from zero or near it: what is beside their plane may round
 * into it, and their middle to one of the points. */
static void check_fit(const abut_vec3 *points, uint32_t n, unsigned long cloud) {
    abut_obb box;
    assert_int_equal(abut_obb_fit(points, n, &box), ABUT_OK);
    if (!check_box_contains(&box, points, n)) {
        fprintf(stderr, "seed 0x%llx cloud %lu\n", (unsigned long long)test_seed(), cloud);
        print_obb("box", &box);
        fail();
    }
}

static void flat_clouds_of_few_floats_have_boxes(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(4000); i++) {
        rng r = rng_make(test_seed(), i);
        uint32_t axis = rng_below(&r, 3), n = 3 + rng_below(&r, 4), wide = 1 + rng_below(&r, 4);
        abut_vec3 points[6];
        float far = ldexpf(1, rng_chance(&r, 0.5) ? 25 : 0), level = rng_chance(&r, 0.5) ? far : 0;
        for (uint32_t k = 0; k < n; k++) {
            float at[3] = {level, level, level};
            for (uint32_t other = 1; other < 3; other++) {
                at[(axis + other) % 3] = far + (float)rng_below(&r, wide + 1) * ldexpf(far, -23);
            }
            points[k] = (abut_vec3){at[0], at[1], at[2]};
        }
        check_fit(points, n, i);
    }
}

/* Points on a line through zero but for one beside it, so near that its plane is lost where coordinates are subtracted
 * in double. */
static void slivers_have_boxes(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(4000); i++) {
        rng r = rng_make(test_seed(), i);
        uint32_t axis = rng_below(&r, 3), order = 1 + rng_below(&r, 2), n = 3 + rng_below(&r, 3);
        float along[3] = {5.5f, 0.1f, 3.25f};
        abut_vec3 points[5];
        for (uint32_t k = 0; k < 3 && i >= 6; k++) {
            along[k] = rng_chance(&r, 0.2) ? 0 : (float)rng_log_range(&r, 1e-3, 1e3) * rng_sign(&r);
        }
        for (uint32_t k = 0; k < n; k++) {
            const float times = k ? ldexpf(1, (int)k - 1) : 0;
            float at[3];
            for (uint32_t other = 0; other < 3; other++) {
                at[(axis + other * order) % 3] = times * along[other];
            }
            at[axis] += k ? 0 : i < 6 ? 6.1e-17f : (float)rng_log_range(&r, 1e-30, 1e-10);
            points[k] = (abut_vec3){at[0], at[1], at[2]};
        }
        check_fit(points, n, i);
    }
}

static void turned_boxes_are_found_again(void **state) {
    (void)state;
    double worst = 0;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_quat q = rng_rotation(&r);
        abut_vec3 half = rng_vec3(&r, 0.1, 1), at = rng_vec3(&r, -1, 1), points[40];
        for (uint32_t k = 0; k < 40; k++) {
            abut_vec3 v = {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
            float inward = k < 8 ? 1 : 0.7f;
            points[k] = cloud_place(at, q, (abut_vec3){v.x * inward, v.y * inward, v.z * inward});
        }
        abut_obb box;
        assert_int_equal(abut_obb_fit(points, 40, &box), ABUT_OK);
        worst = fmax(worst, measure(&box) / (8.0 * half.x * half.y * half.z));
    }
    printf("worst volume %.9f of the box\n", worst);
    assert_true(worst < 1.0001);
}

/* Spheres and paraboloids, also very flat ones: the box along the world's axes is about as
 * tight as any. */
static void curved_clouds_of_many_points_have_boxes(void **state) {
    (void)state;
    enum { MANY = 20000 };
    static abut_vec3 points[MANY];
    static const float height[] = {1, 0.25f, 0x1p-10f};
    for (uint32_t i = 0; i < 6; i++) {
        rng r = rng_make(test_seed(), i);
        const float high = height[i % 3];
        for (uint32_t k = 0; k < MANY; k++) {
            abut_vec3 v = rng_direction(&r);
            const float paraboloid = 1 - v.x * v.x - v.y * v.y;
            points[k] = (abut_vec3){v.x, v.y, high * (i < 3 ? v.z : paraboloid)};
        }
        abut_obb box;
        assert_int_equal(abut_obb_fit(points, MANY, &box), ABUT_OK);
        assert_true(check_box_contains(&box, points, MANY));
        assert_true(measure(&box) < 4.1f * high * (i < 3 ? 2 : 1));
    }
}

static void axis_aligned_boxes_are_found_exactly(void **state) {
    (void)state;
    const abut_vec3 corner[] = {{1, 2, 3}, {3, 2, 3}, {1, 8, 3}, {3, 8, 3}, {1, 2, 4}, {3, 2, 4}, {1, 8, 4}, {3, 8, 4}};
    const size_t count[4] = {8, 4, 2, 1};
    const abut_obb wanted[4] = {{{2, 5, 3.5f}, {0, 0, 0, 1}, {1, 3, 0.5f}},
                                {{2, 5, 3}, {0, 0, 0, 1}, {1, 3, 0}},
                                {{2, 2, 3}, {0, 0, 0, 1}, {1, 0, 0}},
                                {{1, 2, 3}, {0, 0, 0, 1}, {0, 0, 0}}};
    for (int i = 0; i < 4; i++) {
        abut_obb box;
        assert_int_equal(abut_obb_fit(corner, count[i], &box), ABUT_OK);
        assert_memory_equal(&box, &wanted[i], sizeof box);
    }
}

static void a_turned_plate_has_the_area_of_its_rectangle(void **state) {
    (void)state;
    /* All multiples of (3, 4, 0) and (-4, 3, 5) within 2 by 4. */
    abut_vec3 points[15];
    for (int i = 0; i < 15; i++) {
        float a = (float)(i % 3), b = (float)(i / 3);
        points[i] = (abut_vec3){3 * a - 4 * b, 4 * a + 3 * b, 5 * b};
    }
    abut_obb box;
    assert_int_equal(abut_obb_fit(points, 15, &box), ABUT_OK);
    const float *h = &box.half.x;
    double area = 4.0 * ((double)h[0] * h[1] + (double)h[1] * h[2] + (double)h[2] * h[0]);
    assert_true(area < 10 * 4 * sqrt(50) * 1.0001);
    assert_true(check_box_contains(&box, points, 15));
}

/* A caller may have made exceptions trap, and nothing here sets the library's mode. Registers of rectangles are seldom
 * full. */
static void nothing_is_divided_by_zero(void **state) {
    (void)state;
#if defined(FE_INVALID) && defined(FE_DIVBYZERO)
    for (uint32_t flat = 0; flat < 2; flat++) {
        abut_vec3 point[8];
        abut_obb box;
        for (uint32_t i = 0; i < 8; i++) {
            const float x = (float)(i & 1), y = (float)(i >> 1 & 1), z = (float)(i >> 2);
            point[i] = (abut_vec3){x + 0.25f * y, y - 0.125f * z, flat ? 0 : z + 0.5f * x * y};
        }
        assert_int_equal(feclearexcept(FE_INVALID | FE_DIVBYZERO), 0);
        assert_int_equal(abut_obb_fit(point, 8, &box), ABUT_OK);
        assert_int_equal(fetestexcept(FE_INVALID | FE_DIVBYZERO), 0);
    }
#endif
}

static void order_does_not_matter(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(2000); i++) {
        abut_vec3 points[CLOUD_MAX], back[CLOUD_MAX];
        uint32_t n = cloud_make(test_seed(), i, points);
        for (uint32_t k = 0; k < n; k++) {
            back[k] = points[n - 1 - k];
        }
        abut_obb a, b;
        assert_int_equal(abut_obb_fit(points, n, &a), ABUT_OK);
        assert_int_equal(abut_obb_fit(back, n, &b), ABUT_OK);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

static void invalid_input_is_refused(void **state) {
    (void)state;
    abut_vec3 points[2] = {{0, 0, 0}, {1, 2, 3}};
    abut_obb box, before;
    memset(&box, 7, sizeof box);
    before = box;
    assert_int_equal(abut_obb_fit(points, 2, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_obb_fit(NULL, 2, &box), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_obb_fit(points, 0, &box), ABUT_ERROR_ARGUMENT);
    points[1].y = NAN;
    assert_int_equal(abut_obb_fit(points, 2, &box), ABUT_ERROR_ARGUMENT);
    points[1].y = -1.1e9f;
    assert_int_equal(abut_obb_fit(points, 2, &box), ABUT_ERROR_LIMIT);
    assert_memory_equal(&box, &before, sizeof box);
}

/* A solid, a flat, a straight and a single-point cloud: each kind makes its own allocations. */
static uint32_t cloud_of_dimension(uint32_t dimension, unsigned long i, abut_vec3 points[CLOUD_MAX]) {
    uint32_t n = cloud_make(test_seed(), i, points);
    for (uint32_t k = 0; k < n; k++) {
        points[k].z = dimension < 3 ? points[0].z : points[k].z;
        points[k].y = dimension < 2 ? points[0].y : points[k].y;
        points[k].x = dimension < 1 ? points[0].x : points[k].x;
    }
    return n;
}

static void memory_comes_from_the_allocator_alone(void **state) {
    (void)state;
    for (uint32_t dimension = 0; dimension <= 3; dimension++) {
        abut_vec3 points[CLOUD_MAX];
        abut_obb box, expected;
        uint32_t n = cloud_of_dimension(dimension, 7, points);
        failing_allocator books = {0};
        abut_allocator allocator = failing_allocator_of(&books);
        assert_int_equal(abut_obb_fit(points, n, &expected), ABUT_OK);
        assert_int_equal(abut_obb_fit_with(points, n, &allocator, &box), ABUT_OK);
        assert_memory_equal(&box, &expected, sizeof box);
        assert_true(books.calls > 0 && failing_allocator_clean(&books));
        assert_int_equal(abut_obb_fit_with(points, n, NULL, &box), ABUT_OK);
        assert_memory_equal(&box, &expected, sizeof box);
    }
}

static void failed_allocations_change_nothing(void **state) {
    (void)state;
    for (uint32_t dimension = 0; dimension <= 3; dimension++) {
        abut_vec3 points[CLOUD_MAX];
        abut_obb box, before;
        uint32_t n = cloud_of_dimension(dimension, 7, points);
        failing_allocator books = {0};
        abut_allocator allocator = failing_allocator_of(&books);
        abut_result result = ABUT_ERROR_MEMORY;
        memset(&before, 7, sizeof before);
        for (size_t fail_at = 1; result != ABUT_OK; fail_at++) {
            box = before;
            failing_allocator_fail_once(&books, fail_at);
            result = abut_obb_fit_with(points, n, &allocator, &box);
            assert_true(failing_allocator_clean(&books));
            if (result != ABUT_OK) {
                assert_int_equal(result, ABUT_ERROR_MEMORY);
                assert_memory_equal(&box, &before, sizeof box);
            }
        }
        assert_true(books.failed > 0);
    }
    const abut_vec3 point = {1, 2, 3};
    failing_allocator books = {0};
    abut_allocator half = failing_allocator_of(&books);
    abut_obb box;
    half.release = NULL;
    assert_int_equal(abut_obb_fit_with(&point, 1, &half, &box), ABUT_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_contain_random_clouds),
        cmocka_unit_test(flat_clouds_of_few_floats_have_boxes),
        cmocka_unit_test(slivers_have_boxes),
        cmocka_unit_test(turned_boxes_are_found_again),
        cmocka_unit_test(curved_clouds_of_many_points_have_boxes),
        cmocka_unit_test(axis_aligned_boxes_are_found_exactly),
        cmocka_unit_test(a_turned_plate_has_the_area_of_its_rectangle),
        cmocka_unit_test(nothing_is_divided_by_zero),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(invalid_input_is_refused),
        cmocka_unit_test(memory_comes_from_the_allocator_alone),
        cmocka_unit_test(failed_allocations_change_nothing),
    };
    return test_run(tests);
}
