/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_obb_bounds and abut_obb_corners against the exact corners. */

#include "base/lanes/control.h"
#include "shape/collider.h"
#include "support/near_touch.h"
#include "support/oracle.h"
#include "support/print.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/obb.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The spacing of floats at |x|. */
static double ulp(double x) {
    int exponent;
    (void)frexp(x, &exponent);
    return ldexp(1, exponent - 24 > -149 ? exponent - 24 : -149);
}

/* Rotated by nearly a quarter turn, or so that a sum of four squares cancels in some other way. Often flat along some
 * axes, where a bound consists of one small entry of the rotation matrix. */
static abut_obb nearly_aligned_box(rng *r) {
    abut_obb box = {rng_vec3(r, -1, 1), {0, 0, 0, 0}, rng_vec3(r, 0, 2)};
    float *part = &box.rotation.x, *center = &box.center.x, *half = &box.half.x;
    for (int k = 0; k < 4; k++) {
        part[k] = rng_chance(r, 0.3) ? 0 : rng_sign(r) * (rng_chance(r, 0.7) ? 1 : (float)rng_range(r, 0.5, 2));
        part[k] += rng_chance(r, 0.5) ? 0 : (float)rng_log_range(r, 1e-12, 1e-2);
    }
    for (int k = 0; k < 3; k++) {
        center[k] *= rng_chance(r, 0.5) ? 0 : (float)rng_log_range(r, 1e-9, 1);
        half[k] *= rng_chance(r, 0.4) ? 0 : 1;
    }
    if (part[0] == 0 && part[1] == 0 && part[2] == 0) {
        part[3] = 1;
    }
    return box;
}

/* A quarter each: ordinary, of any size, nearly aligned, and from the near-touch generator. */
static abut_obb random_box(unsigned long index) {
    rng r = rng_make(test_seed(), index);
    near_touch pair = near_touch_pair(test_seed(), index);
    abut_obb box = {rng_vec3(&r, -10, 10), rng_rotation(&r), rng_vec3(&r, 0, 2)};
    switch (index % 4) {
    case 0:
        return box;
    case 1:
        for (int k = 0; k < 3; k++) {
            double at = rng_log_range(&r, 1e-36, 1e36);
            *(&box.center.x + k) = (float)at * rng_sign(&r);
            *(&box.half.x + k) = (float)rng_log_range(&r, 1e-36, 1e36);
        }
        return box;
    case 2:
        return nearly_aligned_box(&r);
    default:
        return index / 4 % 2 ? pair.a : pair.b;
    }
}

static void bounds_contain_the_exact_corners_tightly(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    unsigned long boxes = test_count(1000000), within2 = 0;
    double largest = 0;
    for (unsigned long i = 0; i < boxes; i++) {
        abut_obb box = random_box(i);
        abut_aabb bounds = abut_obb_bounds(&box);
        double excess[6];
        oracle_obb_bounds_excess(&box, &bounds, excess);
        const float *c = &box.center.x, *low = &bounds.min.x, *high = &bounds.max.x;
        bool good = true;
        double worst = 0;
        for (int f = 0; f < 6; f++) {
            double extent = f < 3 ? (double)c[f] - low[f] : (double)high[f - 3] - c[f - 3];
            double units = excess[f] / ulp(fabs((double)c[f % 3]) + fabs(extent));
            good = good && excess[f] >= 0 && units <= 16;
            worst = fmax(worst, units);
        }
        within2 += worst <= 2;
        largest = fmax(largest, worst);
        if (!good) {
            fprintf(stderr, "seed 0x%llx box %lu: a corner sticks out, or %g ulp loose\n",
                    (unsigned long long)test_seed(), i, worst);
            print_obb("box", &box);
            fail();
        }
    }
    printf("%lu boxes: largest %g ulp, %lu within 2\n", boxes, largest, within2);
    assert_true(within2 > boxes - boxes / 20);
}

/* Bounds rounded to nearest: the test above must be able to distinguish them. */
static void the_oracle_rejects_bounds_rounded_to_nearest(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    unsigned long boxes = 10000, outside = 0;
    for (unsigned long i = 0; i < boxes; i++) {
        abut_obb box = random_box(4 * i);
        double excess[6];
        abut_aabb bounds = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
        abut_vec3 corners[8];
        abut_obb_corners(&box, corners);
        for (int k = 0; k < 8; k++) {
            bounds.min.x = fminf(bounds.min.x, corners[k].x), bounds.max.x = fmaxf(bounds.max.x, corners[k].x);
            bounds.min.y = fminf(bounds.min.y, corners[k].y), bounds.max.y = fmaxf(bounds.max.y, corners[k].y);
            bounds.min.z = fminf(bounds.min.z, corners[k].z), bounds.max.z = fmaxf(bounds.max.z, corners[k].z);
        }
        oracle_obb_bounds_excess(&box, &bounds, excess);
        bool out = false;
        for (int f = 0; f < 6; f++) {
            out = out || excess[f] < 0;
        }
        outside += out;
    }
    assert_true(outside > boxes / 2);
}

static void corners_are_the_exact_ones_rounded(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    unsigned long boxes = test_count(50000);
    for (unsigned long i = 0; i < boxes; i++) {
        abut_obb box = random_box(i / 2);
        abut_vec3 corners[8];
        abut_obb_corners(&box, corners);
        if (i % 2) { /* one corner near the origin, so that all digits before it cancel */
            box.center = (abut_vec3){box.center.x - corners[i / 2 % 8].x, box.center.y - corners[i / 2 % 8].y,
                                     box.center.z - corners[i / 2 % 8].z};
            abut_obb_corners(&box, corners);
        }
        for (int k = 0; k < 8; k++) {
            double error[3];
            oracle_obb_corner_error(&box, k, corners[k], error);
            const float *at = &corners[k].x;
            double sum = (double)box.half.x + (double)box.half.y + (double)box.half.z;
            for (int d = 0; d < 3; d++) { /* beside half a unit, what 113 bits leave */
                double allowed = 0.5 * ulp(at[d]) + 0x1p-104 * (sum + fabs((double)*(&box.center.x + d)));
                assert_true(fabs(error[d]) <= allowed);
            }
        }
    }
}

static float whole(rng *r, int low, int high) {
    return (float)(low + (int)rng_below(r, (uint32_t)(high - low + 1)));
}

static abut_obb square_box(rng *r) {
    static const float turns[4][4] = {{0, 0, 0, 1}, {0, 0, 1, 1}, {0, 1, 0, -1}, {1, 1, -1, 1}};
    const float *q = turns[rng_below(r, 4)];
    uint32_t k = rng_below(r, 4);
    float length = ldexpf(1, (int)whole(r, -3, 3));
    abut_obb box;
    box.rotation =
        (abut_quat){q[k] * length, q[(k + 1) % 4] * length, q[(k + 2) % 4] * length, q[(k + 3) % 4] * length};
    box.center = (abut_vec3){whole(r, -8, 8), whole(r, -8, 8), whole(r, -8, 8)};
    box.half = (abut_vec3){whole(r, 0, 8), whole(r, 0, 8), whole(r, 0, 8)};
    return box;
}

/* Rotations of the cube: nothing is rounded, so bounds must be exact, and no zero may be negative. */
/* Rotations whose sines are quotients, such as 3/5, take these to whole numbers, many of them halfway between floats.
 */
static void corners_of_whole_numbers_are_rounded_once(void **state) {
    (void)state;
    static const int32_t part[][2] = {{1, 2}, {1, 4}, {2, 3}, {3, 4}, {1, 8}, {2, 7}, {4, 7}, {5, 8}}; /* z, w */
    rng r = rng_make(test_seed(), 7);
    for (unsigned long i = 0; i < test_count(50000); i++) {
        const int32_t z = part[i % 8][0], w = part[i % 8][1], n = w * w + z * z, cosine = w * w - z * z,
                      sine = 2 * w * z;
        const double reach = rng_log_range(&r, 1, 0x1p17);
        const int64_t a = (int64_t)rng_range(&r, 0, reach), b = (int64_t)rng_range(&r, 0, reach);
        const float cx = (float)((int64_t)rng_range(&r, -4, 4) * (cosine * a + sine * b));
        const float cy = (float)rng_sign(&r) * (float)(int64_t)rng_log_range(&r, 1, 0x1p30);
        const float scale = (float)rng_below(&r, 1000) + 1; /* so that squares take more digits */
        const abut_obb box = {
            {cx, cy, 3}, {0, 0, (float)z * scale, (float)w * scale}, {(float)(n * a), (float)(n * b), 2}};
        abut_vec3 corners[8];
        abut_obb_corners(&box, corners);
        for (int k = 0; k < 8; k++) {
            const int64_t u = k & 1 ? a : -a, v = k & 2 ? b : -b;
            assert_true(corners[k].x == (float)((double)cx + (double)(cosine * u - sine * v)));
            assert_true(corners[k].y == (float)((double)cy + (double)(sine * u + cosine * v)));
            assert_true(corners[k].z == (k & 4 ? 5 : 1));
        }
    }
}

static void bounds_of_aligned_boxes_are_exact(void **state) {
    (void)state;
    if (!oracle_available()) {
        skip();
    }
    unsigned long exact = 0;
    for (unsigned long i = 0; i < 20000; i++) {
        rng r = rng_make(test_seed(), i);
        abut_obb box = square_box(&r);
        abut_aabb bounds = abut_obb_bounds(&box);
        double excess[6];
        oracle_obb_bounds_excess(&box, &bounds, excess);
        const float *low = &bounds.min.x, *high = &bounds.max.x;
        for (int f = 0; f < 3; f++) {
            exact += excess[f] == 0 && excess[f + 3] == 0;
            assert_true(excess[f] >= 0 && excess[f + 3] >= 0);
            assert_false(low[f] == 0 && signbit(low[f]));
            assert_false(high[f] == 0 && signbit(high[f]));
        }
    }
    assert_int_equal(exact, 60000);
}

static void plates_and_rods_in_axis_planes_stay_thin(void **state) {
    (void)state;
    for (unsigned long i = 0; i < 20000; i++) {
        rng r = rng_make(test_seed(), i);
        uint32_t thin = rng_below(&r, 3);
        abut_obb box = {rng_vec3(&r, -10, 10), {0, 0, 0, (float)rng_range(&r, -1, 1)}, rng_vec3(&r, 0, 2)};
        (&box.rotation.x)[thin] = (float)rng_range(&r, -1, 1);
        (&box.half.x)[thin] = 0;
        (&box.half.x)[(thin + 1) % 3] *= rng_chance(&r, 0.5) ? 0 : 1;
        abut_aabb bounds = abut_obb_bounds(&box);
        assert_true((&bounds.min.x)[thin] == (&box.center.x)[thin] && (&bounds.max.x)[thin] == (&box.center.x)[thin]);
    }
}

/* Ends whose one difference is a double, and whose sum is none. */
static void one_end_may_take_more_digits(void **state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        float at = k < 3 ? 0x1p30f : -0x1p30f;
        abut_obb box = {{0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0}};
        (&box.center.x)[k % 3] = at;
        (&box.half.x)[k % 3] = 0x1p-23f;
        abut_aabb bounds = abut_obb_bounds(&box);
        for (int i = 0; i < 3; i++) {
            float low = i == k % 3 ? nextafterf(at, -INFINITY) : 0, high = i == k % 3 ? nextafterf(at, INFINITY) : 0;
            assert_true((&bounds.min.x)[i] == low && (&bounds.max.x)[i] == high);
        }
    }
}

static void the_longest_valid_box_has_bounds(void **state) {
    (void)state;
    abut_obb box = {{FLT_MAX, -FLT_MAX, 0}, {1, 2, 3, 4}, {FLT_MAX, FLT_MAX, FLT_MAX}};
    abut_aabb bounds = abut_obb_bounds(&box);
    assert_true(bounds.max.x >= FLT_MAX && bounds.min.y <= -FLT_MAX);
    assert_true(bounds.min.x <= 0 && bounds.max.y >= 0);
    assert_true(bounds.min.z <= -FLT_MAX && bounds.max.z >= FLT_MAX);
}

/* Single calls have a path of their own, and so have calls for many; the world takes that of colliders. */
static void all_ways_give_the_same_bits(void **state) {
    enum { N = 700 };
    static abut_obb boxes[N];
    static abut_aabb many[N + 1];
    (void)state;
    for (unsigned long round = 0, rounds = test_count(300); round < rounds; round++) {
        rng r = rng_make(~test_seed(), round);
        for (unsigned long i = 0; i < N; i++) {
            boxes[i] = random_box(round * N + i);
            if (rng_chance(&r, 0.1)) { /* none, or half a turn; any length; not valid */
                float *part = &boxes[i].rotation.x, scale = (float)rng_log_range(&r, 1e-30, 1e30);
                memset(part, 0, 4 * sizeof *part);
                part[rng_below(&r, 4)] = scale;
                part[rng_chance(&r, 0.3) ? 3 : rng_below(&r, 4)] = scale;
                memset(part, 0, rng_chance(&r, 0.3) ? 3 * sizeof *part : 0);
                (&boxes[i].half.x)[rng_below(&r, 3)] = rng_chance(&r, 0.2) ? NAN : -0.0f;
                (&boxes[i].center.x)[rng_below(&r, 3)] = rng_chance(&r, 0.2) ? INFINITY : -0.0f;
            }
        }
        size_t n = rng_below(&r, N + 1);
        memset(many, 0x5a, sizeof many);
        assert_int_equal(abut_obb_bounds_many(boxes, n, many), ABUT_OK);
        for (size_t i = 0; i < n; i++) {
            abut_collider collider;
            bool valid = abut_collider_from_obb(&boxes[i], &collider);
            abut_aabb one = abut_obb_bounds(&boxes[i]);
            if (valid) {
                abut_aabb wanted = abut_collider_bounds(&collider);
                assert_memory_equal(&one, &wanted, sizeof one);
            }
            assert_true(valid == !isnan(one.min.x));
            assert_memory_equal(&many[i], &one, sizeof one);
        }
        assert_int_equal(((unsigned char *)&many[n])[0], 0x5a);
    }
    assert_int_equal(abut_obb_bounds_many(NULL, 1, many), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_obb_bounds_many(boxes, 1, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_obb_bounds_many(NULL, 0, NULL), ABUT_OK);
}

/* A quaternion of denormal floats, which are read but flushed when they are written: sine 24/25 and cosine 7/25. */
static void flushed_denormals_have_bounds(void **state) {
    (void)state;
    const abut_obb box = {{1, 2, 3}, {0, 0, 3 * 0x1p-149f, 4 * 0x1p-149f}, {25, 50, 1}};
    const abut_aabb usual = abut_obb_bounds(&box);
    assert_true(usual.min.x <= -54 && usual.min.x > -54.001f && usual.max.y >= 40 && usual.max.y < 40.001f);
#if ABUT_CONTROL_USUAL == 0x1f80u
    const uint64_t found = abut_control_read();
    abut_control_write(found | 0x8000u);
    const abut_aabb flushed = abut_obb_bounds(&box);
    abut_control_write(found);
    assert_memory_equal(&flushed, &usual, sizeof usual);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_contain_the_exact_corners_tightly),
        cmocka_unit_test(the_oracle_rejects_bounds_rounded_to_nearest),
        cmocka_unit_test(corners_are_the_exact_ones_rounded),
        cmocka_unit_test(corners_of_whole_numbers_are_rounded_once),
        cmocka_unit_test(bounds_of_aligned_boxes_are_exact),
        cmocka_unit_test(plates_and_rods_in_axis_planes_stay_thin),
        cmocka_unit_test(one_end_may_take_more_digits),
        cmocka_unit_test(the_longest_valid_box_has_bounds),
        cmocka_unit_test(all_ways_give_the_same_bits),
        cmocka_unit_test(flushed_denormals_have_bounds),
    };
    return test_run(tests);
}
