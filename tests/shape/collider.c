/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What a collider keeps of a rotation, and what validation says of bounds. */

#include "shape/shape.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>

static const abut_vec3 half = {1, 2, 3};

static double largest_of(abut_quat q) {
    return fmax(fmax(fabs((double)q.x), fabs((double)q.y)), fmax(fabs((double)q.z), fabs((double)q.w)));
}

/* Neither squares of floats nor their sum overflow or lose digits, and the rotation is the same but for its length: a
 * power of two. */
static void check_in_range(abut_quat q) {
    abut_collider collider;
    assert_true(abut_collider_from_obb(&(abut_obb){{0, 0, 0}, q, half}, &collider));
    const abut_quat kept = collider.rotation;
    const double largest = largest_of(kept);
    assert_true(largest >= 0x1p-10 && largest <= 0x1p+10);
    const int more = ilogb(largest) - ilogb(largest_of(q));
    for (int k = 0; k < 4; k++) {
        assert_true((double)(&kept.x)[k] == ldexp((double)(&q.x)[k], more));
    }
}

static void rotations_of_any_length_come_into_range(void **state) {
    (void)state;
    for (int exponent = -140; exponent < 128; exponent++) { /* below, a denormal has no digits left for four parts */
        rng r = rng_make(test_seed(), (uint64_t)(exponent + 1000));
        abut_quat q;
        for (int k = 0; k < 4; k++) {
            (&q.x)[k] = (float)ldexp(rng_sign(&r) * (1 + (double)rng_below(&r, 256) / 256), exponent);
        }
        check_in_range(q);
    }
    check_in_range((abut_quat){0x1p-149f, 0, 0, 0});
    check_in_range((abut_quat){0, 0x1.fffffep+127f, 0, 0x1.fffffep+127f});
    abut_collider collider;
    assert_true(abut_collider_from_obb(&(abut_obb){{0, 0, 0}, {0, 0, 0, 0}, half}, &collider));
    assert_true(collider.rotation.w == 1 && collider.rotation.x == 0);
}

/* Usual rotations are kept to the last bit. */
static void rotations_of_about_unit_length_stay(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(1000); i++) {
        rng r = rng_make(test_seed(), i);
        const float scale = (float)rng_log_range(&r, 0x1p-8, 0x1p+8);
        abut_quat q = rng_rotation(&r);
        q = (abut_quat){q.x * scale, q.y * scale, q.z * scale, q.w * scale};
        abut_collider collider;
        assert_true(abut_collider_keeps(q));
        assert_true(abut_collider_from_obb(&(abut_obb){{0, 0, 0}, q, half}, &collider));
        assert_memory_equal(&collider.rotation, &q, sizeof q);
    }
}

/* Also of shapes without any extent, at any place. */
static void bounds_of_points_are_valid(void **state) {
    (void)state;
    for (int k = 0; k < 8; k++) {
        const abut_vec3 flat = {k & 1 ? 1.0f : 0, k & 2 ? 0x1p-149f : 0, k & 4 ? 1e9f : 0};
        for (int radius = 0; radius < 2; radius++) {
            const abut_shape shape = {.half = flat, .radius = (float)radius};
            const abut_pose pose = {{(float)k, 0, -1e6f}, {0, 0, 0, 1}};
            abut_collider collider;
            assert_true(abut_collider_from_shape(&shape, &pose, &collider));
            assert_true(abut_collider_bounds_valid(&collider));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_of_any_length_come_into_range),
        cmocka_unit_test(rotations_of_about_unit_length_stay),
        cmocka_unit_test(bounds_of_points_are_valid),
    };
    return test_run(tests);
}
