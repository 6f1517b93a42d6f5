/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_pose_between: straight lines, and the shorter arc at constant speed. */

#include "support/rng.h"
#include "support/test.h"
#include <abut/shape.h>
#include <math.h>
#include <string.h>

static abut_pose random_pose(rng *r) {
    return (abut_pose){rng_vec3(r, -10, 10), rng_rotation(r)};
}

static double dot(abut_quat p, abut_quat q) {
    return (double)p.x * q.x + (double)p.y * q.y + (double)p.z * q.z + (double)p.w * q.w;
}

/* The angle of the rotation that leads from one to the other, by its sine and cosine. */
static double angle_between(abut_quat p, abut_quat q) {
    double x = (double)p.w * q.x - (double)p.x * q.w - (double)p.y * q.z + (double)p.z * q.y;
    double y = (double)p.w * q.y + (double)p.x * q.z - (double)p.y * q.w - (double)p.z * q.x;
    double z = (double)p.w * q.z - (double)p.x * q.y + (double)p.y * q.x - (double)p.z * q.w;
    return 2 * atan2(sqrt(x * x + y * y + z * z), fabs(dot(p, q)));
}

static void the_ends_come_back_bit_for_bit(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(1000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_pose from = random_pose(&r), to = random_pose(&r);
        const float before[] = {0, -0.0f, -1, -INFINITY}, after[] = {1, 2, INFINITY};
        for (int k = 0; k < 4; k++) {
            abut_pose at = abut_pose_between(&from, &to, before[k]);
            assert_memory_equal(&at, &from, sizeof at);
        }
        for (int k = 0; k < 3; k++) {
            abut_pose at = abut_pose_between(&from, &to, after[k]);
            assert_memory_equal(&at, &to, sizeof at);
        }
    }
}

static void the_way_is_straight_and_even(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_pose from = random_pose(&r), to = random_pose(&r);
        if (rng_chance(&r, 0.3)) { /* hardly turned */
            to.rotation = from.rotation;
            to.rotation.x += (float)rng_log_range(&r, 1e-7, 1e-2);
        }
        float fraction = (float)rng_range(&r, 0.001, 0.999);
        abut_pose at = abut_pose_between(&from, &to, fraction), flipped = to;
        const float *p = &from.position.x, *q = &to.position.x, *x = &at.position.x;
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(x[k] - ((1 - (double)fraction) * p[k] + (double)fraction * q[k])) <= 2e-6);
        }
        double whole = angle_between(from.rotation, to.rotation), part = angle_between(from.rotation, at.rotation);
        double rest = angle_between(at.rotation, to.rotation);
        assert_true(fabs(part - fraction * whole) < 2e-6 && fabs(part + rest - whole) < 2e-6);
        flipped.rotation = (abut_quat){-to.rotation.x, -to.rotation.y, -to.rotation.z, -to.rotation.w};
        abut_pose same = abut_pose_between(&from, &flipped, fraction);
        assert_true(angle_between(same.rotation, at.rotation) < 1e-6);
        assert_true(fabs(dot(at.rotation, at.rotation) - 1) < 1e-6);
    }
}

/* Half turns: the way that the signs of the quaternions give. */
static void half_turns_go_as_given(void **state) {
    (void)state;
    const abut_pose from = {{0, 0, 0}, {0, 0, 0, 1}}, to = {{2, 4, 6}, {0, 0, 1, 0}},
                    other = {{2, 4, 6}, {0, 0, -1, 0}};
    abut_pose at = abut_pose_between(&from, &to, 0.5f), back = abut_pose_between(&from, &other, 0.5f);
    assert_true(at.position.x == 1 && at.position.y == 2 && at.position.z == 3);
    assert_true(fabsf(at.rotation.z - 0.70710678f) < 1e-6f && fabsf(at.rotation.w - 0.70710678f) < 1e-6f);
    assert_true(fabsf(back.rotation.z + 0.70710678f) < 1e-6f && fabsf(back.rotation.w - 0.70710678f) < 1e-6f);
}

static void assert_all_nan(abut_pose pose) {
    float values[7];
    memcpy(values, &pose, sizeof values);
    for (int k = 0; k < 7; k++) {
        assert_true(isnan(values[k]));
    }
}

static void invalid_poses_give_nan(void **state) {
    (void)state;
    const abut_pose good = {{1, 2, 3}, {0, 0, 0, 1}};
    const float bad[] = {NAN, INFINITY, -INFINITY};
    assert_all_nan(abut_pose_between(&good, &good, NAN));
    assert_all_nan(abut_pose_between(NULL, &good, 0.5f));
    assert_all_nan(abut_pose_between(&good, NULL, 0.5f));
    for (int k = 0; k < 21; k++) {
        abut_pose pose = good;
        float *value = k % 7 < 3 ? &pose.position.x + k % 7 : &pose.rotation.x + (k % 7 - 3);
        *value = bad[k / 7];
        assert_all_nan(abut_pose_between(&pose, &good, 0.5f));
        assert_all_nan(abut_pose_between(&good, &pose, 0.5f));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ends_come_back_bit_for_bit),
        cmocka_unit_test(the_way_is_straight_and_even),
        cmocka_unit_test(half_turns_go_as_given),
        cmocka_unit_test(invalid_poses_give_nan),
    };
    return test_run(tests);
}
