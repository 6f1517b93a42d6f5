/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Quaternions, matrices and poses in double. */
#include "base/spatial.h"
#include "support/rng.h"
#include "support/test.h"

static bool same_bits(abut_quat p, abut_quat q) {
    return memcmp(&p, &q, sizeof p) == 0;
}

static void normalising_is_idempotent_and_unit(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(1000000); i++) {
        rng r = rng_make(test_seed(), i);
        double length = rng_log_range(&r, 1e-30, 1e30);
        abut_quat q = rng_rotation(&r);
        abut_dquat given = {q.x * length, q.y * length, q.z * length, i % 5 ? q.w * length : 0};
        abut_quat once = abut_quat_normalise(given), twice = abut_quat_normalise(abut_dquat_from(once));
        assert_true(same_bits(once, twice));
        abut_dquat d = abut_dquat_from(once);
        assert_true(fabs(d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w - 1) < 2e-7);
    }
}

static void the_zero_quaternion_is_the_identity(void **state) {
    (void)state;
    const abut_dquat zero = {0, 0, 0, 0};
    assert_true(same_bits(abut_quat_normalise(zero), (abut_quat){0, 0, 0, 1}));
}

static void composing_with_the_identity_is_exact(void **state) {
    (void)state;
    rng r = rng_make(test_seed(), 0);
    const abut_pose identity = {.rotation = {0, 0, 0, 1}};
    abut_pose pose = {rng_vec3(&r, -100, 100), rng_rotation(&r)};
    pose = abut_pose_round(abut_dpose_from(&pose));
    abut_pose left = abut_pose_round(abut_dpose_compose(abut_dpose_from(&identity), abut_dpose_from(&pose)));
    abut_pose right = abut_pose_round(abut_dpose_compose(abut_dpose_from(&pose), abut_dpose_from(&identity)));
    assert_memory_equal(&left, &pose, sizeof pose);
    assert_memory_equal(&right, &pose, sizeof pose);
}

static void rotation_of_a_quarter_turn_about_z_takes_x_to_y(void **state) {
    (void)state;
    double m[3][3];
    abut_dquat_matrix((abut_dquat){0, 0, 3, 3}, m);
    abut_d3 y = abut_d3_rotate(m, (abut_d3){{1, 0, 0}});
    assert_true(fabs(y.x[0]) < 1e-15 && fabs(y.x[1] - 1) < 1e-15 && y.x[2] == 0);
    abut_d3 x = abut_d3_unrotate(m, y);
    assert_true(fabs(x.x[0] - 1) < 1e-15 && fabs(x.x[1]) < 1e-15);
}

static void matrix_rotates_as_the_quaternion_does(void **state) {
    (void)state;
    for (unsigned long i = 0; i < 1000; i++) {
        rng r = rng_make(test_seed(), i);
        abut_dquat q = abut_dquat_from(rng_rotation(&r));
        abut_d3 v = abut_d3_from(rng_vec3(&r, -1, 1));
        double m[3][3], norm2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
        abut_dquat_matrix(q, m);
        abut_dquat product = abut_dquat_multiply(abut_dquat_multiply(q, (abut_dquat){v.x[0], v.x[1], v.x[2], 0}),
                                                 abut_dquat_conjugate(q));
        abut_d3 turned = abut_d3_rotate(m, v), back = abut_d3_unrotate(m, turned);
        assert_true(fabs(turned.x[0] - product.x / norm2) < 1e-14);
        assert_true(fabs(turned.x[1] - product.y / norm2) < 1e-14);
        assert_true(fabs(turned.x[2] - product.z / norm2) < 1e-14);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(back.x[k] - v.x[k]) < 1e-14);
        }
    }
}

static void quaternions_are_recovered_from_axes(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(100000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_quat q = rng_rotation(&r);
        float *part = &q.x; /* small components reach each of the four cases */
        part[rng_below(&r, 4)] *= rng_chance(&r, 0.5) ? 1e-6f : 0;
        part[rng_below(&r, 4)] *= rng_chance(&r, 0.5) ? 1e-6f : 1;
        q = abut_quat_normalise_floats(q);
        double m[3][3];
        abut_d3 axis[3];
        abut_dquat_matrix(abut_dquat_from(q), m);
        for (int k = 0; k < 9; k++) {
            axis[k / 3].x[k % 3] = m[k % 3][k / 3];
        }
        abut_quat found = abut_quat_of_axes(axis);
        double same = (double)found.x * q.x + (double)found.y * q.y + (double)found.z * q.z + (double)found.w * q.w;
        double size = abut_dquat_norm2(abut_dquat_from(q)) * abut_dquat_norm2(abut_dquat_from(found));
        assert_true(found.w >= 0 && same * same >= size * (1 - 1e-13));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normalising_is_idempotent_and_unit),
        cmocka_unit_test(the_zero_quaternion_is_the_identity),
        cmocka_unit_test(composing_with_the_identity_is_exact),
        cmocka_unit_test(rotation_of_a_quarter_turn_about_z_takes_x_to_y),
        cmocka_unit_test(matrix_rotates_as_the_quaternion_does),
        cmocka_unit_test(quaternions_are_recovered_from_axes),
    };
    return test_run(tests);
}
