/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_quat_from_axis_angle, abut_quat_from_matrix, abut_pose_to_matrix, and the sines behind them, against libm. */

#include "shape/angle.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/pose.h>
#include <math.h>
#include <string.h>

static void near(double found, double wanted, double tolerance) {
    assert_true(fabs(found - wanted) <= tolerance);
}

static void sines_are_those_of_libm(void **state) {
    (void)state;
    rng r = rng_make(test_seed(), 1);
    for (unsigned long n = 0; n < test_count(20000); n++) {
        const double reach = pow(2, rng_range(&r, -30, 40)), x = reach * rng_range(&r, -1, 1);
        const abut_angle angle = abut_angle_of_radians(x);
        near(angle.sine, sin(x), 0x1p-48);
        near(angle.cosine, cos(x), 0x1p-48);
    }
}

static void parts_of_a_turn_mirror_each_other(void **state) {
    (void)state;
    for (uint32_t whole = 1; whole <= 360; whole++) {
        for (uint32_t part = 0; part < whole; part++) {
            const abut_angle angle = abut_angle_of_part(part, whole);
            near(angle.sine, sin(2 * acos(-1) * part / whole), 0x1p-48);
            near(angle.cosine, cos(2 * acos(-1) * part / whole), 0x1p-48);
            const abut_angle mirrored = abut_angle_of_part((whole - part) % whole, whole);
            assert_true(mirrored.sine == -angle.sine && mirrored.cosine == angle.cosine);
        }
        if (whole % 4 == 0) {
            const abut_angle quarter = abut_angle_of_part(whole / 4, whole);
            assert_true(quarter.sine == 1 && quarter.cosine == 0);
        }
    }
}

static abut_vec3 random_axis(rng *r) {
    return (abut_vec3){(float)rng_range(r, -1, 1), (float)rng_range(r, -1, 1), (float)rng_range(r, -1, 1)};
}

static abut_vec3 times(const float m[16], abut_vec3 v) {
    return (abut_vec3){m[0] * v.x + m[4] * v.y + m[8] * v.z + m[12], m[1] * v.x + m[5] * v.y + m[9] * v.z + m[13],
                       m[2] * v.x + m[6] * v.y + m[10] * v.z + m[14]};
}

static void axis_and_angle_turn_as_a_right_hand(void **state) {
    (void)state;
    float m[16];
    const abut_pose quarter = {.position = {1, 2, 3},
                               .rotation = abut_quat_from_axis_angle((abut_vec3){0, 0, 5}, 1.57079637f)};
    near(quarter.rotation.z, sqrt(0.5), 0x1p-23);
    near(quarter.rotation.w, sqrt(0.5), 0x1p-23);
    abut_pose_to_matrix(&quarter, m);
    const abut_vec3 y = times(m, (abut_vec3){1, 0, 0}); /* x turns to y */
    near(y.x, 1, 1e-6);
    near(y.y, 3, 1e-6);
    near(y.z, 3, 1e-6);
    rng r = rng_make(test_seed(), 2);
    for (unsigned long n = 0; n < test_count(5000); n++) {
        const abut_vec3 axis = random_axis(&r);
        const float angle = (float)rng_range(&r, -100, 100);
        const abut_quat q = abut_quat_from_axis_angle(axis, angle);
        const double length = sqrt((double)axis.x * axis.x + (double)axis.y * axis.y + (double)axis.z * axis.z);
        near(q.x, sin(0.5 * angle) * axis.x / length, 0x1p-24);
        near(q.y, sin(0.5 * angle) * axis.y / length, 0x1p-24);
        near(q.z, sin(0.5 * angle) * axis.z / length, 0x1p-24);
        near(q.w, cos(0.5 * angle), 0x1p-24);
    }
}

static void matrices_return_to_rotations(void **state) {
    (void)state;
    rng r = rng_make(test_seed(), 3);
    for (unsigned long n = 0; n < test_count(5000); n++) {
        float m[16];
        const abut_pose pose = {random_axis(&r),
                                abut_quat_from_axis_angle(random_axis(&r), (float)rng_range(&r, -4, 4))};
        abut_pose_to_matrix(&pose, m);
        assert_true(m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1);
        assert_memory_equal(&m[12], &pose.position, sizeof pose.position);
        for (int j = 0; j < 3; j++) { /* scales play no part, however large they are */
            const float scale = ldexpf((float)rng_range(&r, 0.5, 2), (int)rng_range(&r, -60, 60));
            for (int i = 0; i < 3; i++) {
                m[4 * j + i] *= scale;
            }
        }
        const abut_quat q = abut_quat_from_matrix(m), p = pose.rotation;
        const double sign = p.w < 0 ? -1 : 1;
        assert_true(q.w >= 0);
        if (fabsf(p.w) > 1e-3f) {
            near(q.x, sign * p.x, 1e-6);
            near(q.y, sign * p.y, 1e-6);
            near(q.z, sign * p.z, 1e-6);
            near(q.w, sign * p.w, 1e-6);
        }
    }
}

static void quarter_turns_are_exact(void **state) {
    (void)state;
    static const float turn[16] = {0, 3, 0, 7, 0, 0, 5, 7, 2, 0, 0, 7, 9, 9, 9, 7}; /* x to y to z to x */
    const abut_quat q = abut_quat_from_matrix(turn);
    assert_true(q.x == 0.5f && q.y == 0.5f && q.z == 0.5f && q.w == 0.5f);
    float m[16];
    abut_pose_to_matrix(&(abut_pose){.rotation = {2, 2, 2, 2}}, m);
    static const float wanted[16] = {0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1};
    assert_memory_equal(m, wanted, sizeof m);
    abut_pose_to_matrix(&(abut_pose){.position = {0, 0, 0}}, m); /* no rotation is the identity */
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    assert_memory_equal(m, identity, sizeof m);
}

static void is_refused(abut_quat q) {
    assert_true(isnan(q.x) && isnan(q.y) && isnan(q.z) && isnan(q.w));
}

static void bad_input_gives_nan(void **state) {
    (void)state;
    is_refused(abut_quat_from_axis_angle((abut_vec3){0, 0, 0}, 1));
    is_refused(abut_quat_from_axis_angle((abut_vec3){NAN, 0, 1}, 1));
    is_refused(abut_quat_from_axis_angle((abut_vec3){INFINITY, 0, 1}, 1));
    is_refused(abut_quat_from_axis_angle((abut_vec3){0, 0, 1}, NAN));
    is_refused(abut_quat_from_axis_angle((abut_vec3){0, 0, 1}, INFINITY));
    is_refused(abut_quat_from_axis_angle((abut_vec3){0, 0, 1}, 0x1.000002p40f));
    const abut_quat most = abut_quat_from_axis_angle((abut_vec3){0, 0, 1e-40f}, -0x1p40f);
    near(most.z, sin(-0x1p39), 0x1p-24);
    near(most.w, cos(-0x1p39), 0x1p-24);
    is_refused(abut_quat_from_matrix(NULL));
    static const float mirrored[16] = {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const float flat[16] = {1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const float infinite[16] = {1, 0, 0, 0, 0, 1, INFINITY, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    is_refused(abut_quat_from_matrix(mirrored));
    is_refused(abut_quat_from_matrix(flat));
    is_refused(abut_quat_from_matrix(infinite));
    float m[16] = {42};
    abut_pose_to_matrix(NULL, m);
    abut_pose_to_matrix(&(abut_pose){.position = {0, 0, 0}}, NULL);
    assert_true(m[0] == 42);
}

/* Whole numbers, whose determinant is a whole number: the third column is the sum of the others, or barely beside it.
 */
static void the_sign_of_the_determinant_is_exact(void **state) {
    (void)state;
    rng r = rng_make(test_seed(), 4);
    for (unsigned long n = 0; n < test_count(20000); n++) {
        int64_t c[3][3];
        float m[16] = {0};
        for (int i = 0; i < 3; i++) {
            c[0][i] = (int64_t)rng_range(&r, -0x1p19, 0x1p19);
            c[1][i] = (int64_t)rng_range(&r, -0x1p19, 0x1p19);
            c[2][i] = c[0][i] + c[1][i] + (n % 2 ? (int64_t)rng_below(&r, 3) - 1 : 0);
        }
        const int64_t determinant = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) +
                                    c[0][1] * (c[1][2] * c[2][0] - c[1][0] * c[2][2]) +
                                    c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]);
        for (int j = 0; j < 3; j++) {
            const int exponent = (int)rng_range(&r, -100, 100);
            for (int i = 0; i < 3; i++) {
                m[4 * j + i] = ldexpf((float)c[j][i], exponent);
            }
        }
        const abut_quat q = abut_quat_from_matrix(m);
        if (determinant > 0) {
            near(sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w), 1, 0x1p-22);
        } else {
            is_refused(q);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sines_are_those_of_libm),
        cmocka_unit_test(parts_of_a_turn_mirror_each_other),
        cmocka_unit_test(axis_and_angle_turn_as_a_right_hand),
        cmocka_unit_test(matrices_return_to_rotations),
        cmocka_unit_test(quarter_turns_are_exact),
        cmocka_unit_test(bad_input_gives_nan),
        cmocka_unit_test(the_sign_of_the_determinant_is_exact),
    };
    return test_run(tests);
}
