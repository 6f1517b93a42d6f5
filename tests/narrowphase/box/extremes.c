/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Sizes and quaternions at the ends of the range of floats, which calls without a world take as they are. */
#include "support/rng.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>

static float scaled(rng *r, float scale) {
    return scale * (float)rng_range(r, -1, 1);
}

static abut_obb random_box(rng *r, float size, float length) {
    abut_obb box = {.half = {fabsf(scaled(r, size)), fabsf(scaled(r, size)), fabsf(scaled(r, size))}};
    box.center = (abut_vec3){scaled(r, size), scaled(r, size), scaled(r, size)};
    box.rotation = (abut_quat){scaled(r, length), scaled(r, length), scaled(r, length), scaled(r, length)};
    return box;
}

static void many_boxes_answer_as_one_by_one_at_any_size(void **state) {
    (void)state;
    enum { PAIRS = 512 };
    static abut_obb a[PAIRS], b[PAIRS];
    static uint8_t overlap[PAIRS];
    rng r = rng_make(test_seed(), 1);
    for (int size = -110; size <= 110; size += 10) {
        for (int length = -60; length <= 60; length += 6) {
            for (int i = 0; i < PAIRS; i++) {
                a[i] = random_box(&r, ldexpf(1, size), ldexpf(1, length));
                b[i] = random_box(&r, ldexpf(1, size), i % 2 ? 1 : ldexpf(1, length));
            }
            abut_obb_overlap_many(a, b, PAIRS, overlap);
            for (int i = 0; i < PAIRS; i++) {
                assert_int_equal(overlap[i], abut_obb_overlap(&a[i], &b[i]));
            }
        }
    }
}

static void a_huge_box_meets_a_hull_as_it_meets_a_box(void **state) {
    (void)state;
    const abut_vec3 corners[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                  {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    const abut_obb cube = {.half = {1, 1, 1}};
    const abut_pose pose = {.position = {0, 0, 0}};
    abut_hull *hull;
    unsigned long yes = 0, pairs = test_count(20000);
    rng r = rng_make(test_seed(), 2);
    assert_int_equal(abut_hull_create(corners, 8, NULL, &hull), ABUT_OK);
    for (unsigned long i = 0; i < pairs; i++) {
        abut_obb box = random_box(&r, i % 2 ? 3.3e38f : 1e36f, 1);
        abut_manifold manifold;
        bool expected = abut_obb_overlap(&box, &cube);
        assert_int_equal(abut_obb_hull_overlap(&box, hull, &pose), expected);
        assert_int_equal(abut_obb_hull_collide(&box, hull, &pose, 0, &manifold), expected);
        yes += expected;
    }
    assert_true(yes > pairs / 10 && yes < pairs);
    abut_hull_destroy(&hull);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_boxes_answer_as_one_by_one_at_any_size),
                                       cmocka_unit_test(a_huge_box_meets_a_hull_as_it_meets_a_box)};
    return test_run(tests);
}
