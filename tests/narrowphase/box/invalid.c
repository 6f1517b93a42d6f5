/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Invalid boxes: every function reports them and writes nothing. */

#include "support/test.h"
#include <abut/obb.h>
#include <math.h>
#include <string.h>

static const abut_obb good = {{1, 2, 3}, {0.5f, 0.5f, 0.5f, 0.5f}, {1, 1, 1}};

static bool all_nan(const float *values, int n) {
    for (int i = 0; i < n; i++) {
        if (!isnan(values[i])) {
            return false;
        }
    }
    return true;
}

static void assert_refused(const abut_obb *bad) {
    abut_manifold manifold, before;
    memset(&manifold, 0x5b, sizeof manifold);
    before = manifold;
    assert_false(abut_obb_overlap(bad, &good));
    assert_false(abut_obb_overlap(&good, bad));
    assert_false(abut_obb_overlap(bad, bad));
    for (int margin = 0; margin < 2; margin++) {
        assert_false(abut_obb_collide(bad, &good, (float)margin, &manifold));
        assert_false(abut_obb_collide(&good, bad, (float)margin, &manifold));
    }
    assert_memory_equal(&manifold, &before, sizeof manifold);
    abut_aabb bounds = abut_obb_bounds(bad);
    assert_true(all_nan(&bounds.min.x, 3) && all_nan(&bounds.max.x, 3));
    abut_vec3 corners[8] = {{0, 0, 0}};
    abut_obb_corners(bad, corners);
    for (int i = 0; i < 8; i++) {
        assert_true(all_nan(&corners[i].x, 3));
    }
    uint8_t overlap[2] = {7, 7};
    abut_obb a[2], b[2] = {good, good};
    a[0] = bad ? *bad : (abut_obb){.half = {NAN, 1, 1}};
    a[1] = good;
    assert_int_equal(abut_obb_overlap_many(a, b, 2, overlap), 1);
    assert_int_equal(overlap[0], 0);
    assert_int_equal(overlap[1], 1);
}

static void set_field(abut_obb *box, int field, float value) {
    float *at = field < 3   ? &box->center.x + field
                : field < 7 ? &box->rotation.x + (field - 3)
                            : &box->half.x + (field - 7);
    *at = value;
}

static void nan_and_infinity_anywhere_are_no_box(void **state) {
    (void)state;
    const float values[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (int field = 0; field < 10; field++) {
        for (int v = 0; v < 4; v++) {
            abut_obb bad = good;
            set_field(&bad, field, values[v]);
            assert_refused(&bad);
        }
    }
}

static void negative_extents_are_no_box(void **state) {
    (void)state;
    const float values[] = {-1, -0x1p-149f, -1e30f};
    for (int field = 7; field < 10; field++) {
        for (int v = 0; v < 3; v++) {
            abut_obb bad = good;
            set_field(&bad, field, values[v]);
            assert_refused(&bad);
        }
    }
}

static void null_is_no_box(void **state) {
    (void)state;
    assert_refused(NULL);
    abut_obb_corners(&good, NULL);
}

static void a_zero_quaternion_is_the_identity(void **state) {
    (void)state;
    abut_obb zero = {{1, 2, 3}, {0, 0, 0, 0}, {1, 2, 0.5f}}, one = {{1, 2, 3}, {0, 0, 0, 1}, {1, 2, 0.5f}};
    abut_obb minus = {{1, 2, 3}, {-0.0f, 0, -0.0f, -0.0f}, {1, 2, 0.5f}};
    abut_aabb expected = {{0, 0, 2.5f}, {2, 4, 3.5f}};
    abut_aabb a = abut_obb_bounds(&zero), b = abut_obb_bounds(&one), c = abut_obb_bounds(&minus);
    assert_memory_equal(&a, &expected, sizeof a);
    assert_memory_equal(&b, &expected, sizeof b);
    assert_memory_equal(&c, &expected, sizeof c);
    abut_manifold m1, m2;
    assert_true(abut_obb_collide(&zero, &good, 0, &m1) && abut_obb_collide(&one, &good, 0, &m2));
    assert_memory_equal(&m1, &m2, sizeof m1);
}

static void a_negative_zero_extent_is_a_plate(void **state) {
    (void)state;
    abut_obb plate = {{1, 2, 3}, {0, 0, 0, 1}, {1, -0.0f, 1}};
    assert_true(abut_obb_overlap(&plate, &good));
    assert_true(abut_obb_overlap(&plate, &plate));
    abut_aabb bounds = abut_obb_bounds(&plate);
    assert_true(bounds.min.y == 2 && bounds.max.y == 2);
}

static void a_bad_margin_is_refused(void **state) {
    (void)state;
    const float margins[] = {NAN, -1, -0x1p-149f, INFINITY, -INFINITY};
    abut_manifold manifold, before;
    memset(&manifold, 0x5b, sizeof manifold);
    before = manifold;
    for (int i = 0; i < 5; i++) {
        assert_false(abut_obb_collide(&good, &good, margins[i], &manifold));
    }
    assert_false(abut_obb_collide(&good, &good, 0, NULL));
    assert_memory_equal(&manifold, &before, sizeof manifold);
    assert_true(abut_obb_collide(&good, &good, -0.0f, &manifold));
}

static void separated_boxes_leave_the_manifold_alone(void **state) {
    (void)state;
    abut_obb far = good;
    far.center.y = 9;
    abut_manifold manifold, before;
    memset(&manifold, 0x5b, sizeof manifold);
    before = manifold;
    assert_false(abut_obb_collide(&good, &far, 0, &manifold));
    assert_false(abut_obb_collide(&good, &far, 4.99f, &manifold));
    assert_memory_equal(&manifold, &before, sizeof manifold);
    assert_true(abut_obb_collide(&good, &far, 5, &manifold));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nan_and_infinity_anywhere_are_no_box),
        cmocka_unit_test(negative_extents_are_no_box),
        cmocka_unit_test(null_is_no_box),
        cmocka_unit_test(a_zero_quaternion_is_the_identity),
        cmocka_unit_test(a_negative_zero_extent_is_a_plate),
        cmocka_unit_test(a_bad_margin_is_refused),
        cmocka_unit_test(separated_boxes_leave_the_manifold_alone),
    };
    return test_run(tests);
}
