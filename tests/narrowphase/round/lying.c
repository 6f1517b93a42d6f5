/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A capsule over a face has two points if it is parallel to it within 2 degrees: of a box, a
 * hull and a rounded hull alike. */
#include "support/rng.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>

enum { FLOORS = 3 };

static abut_hull *hull_of_box(float x, float y, float z) {
    abut_vec3 corner[8];
    abut_hull *hull;
    for (int i = 0; i < 8; i++) {
        corner[i] = (abut_vec3){i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z};
    }
    assert_int_equal(abut_hull_create(corner, 8, NULL, &hull), ABUT_OK);
    return hull;
}

static void two_points_within_2_degrees(void **state) {
    (void)state;
    const abut_vec3 y = {0, 1, 0}, z = {0, 0, 1};
    abut_hull *hull = hull_of_box(4, 0.5f, 4);
    const abut_shape floors[FLOORS] = {abut_box(4, 0.5f, 4), abut_convex(hull, 0), abut_convex(hull, 0.125f)};
    for (unsigned long i = 0; i < test_count(300); i++) {
        rng r = rng_make(test_seed() + 61, i);
        const bool lies = rng_chance(&r, 0.5);
        const float degrees = rng_sign(&r) * (float)(lies ? rng_range(&r, 0, 1.99) : rng_range(&r, 2.01, 80));
        const float half_length = (float)rng_range(&r, 0.1, 1), radius = (float)rng_range(&r, 0.1, 1);
        const float tilt = degrees * 0.017453293f, gap = (float)rng_range(&r, -0.05, 0.05);
        const abut_shape capsule = abut_capsule(half_length, radius);
        const abut_quat turn = abut_quat_from_axis_angle(y, (float)rng_range(&r, -3, 3));
        for (int f = 0; f < FLOORS; f++) {
            const float height = 0.5f + floors[f].radius + radius + half_length * fabsf(sinf(tilt)) + gap;
            const abut_pose floor = {{0, 0, 0}, turn};
            const abut_pose pose = {{0, height, 0}, abut_quat_from_axis_angle(z, 1.5707964f + tilt)};
            abut_manifold m;
            assert_true(abut_shape_collide(&floors[f], &floor, &capsule, &pose, 3, &m));
            assert_int_equal(m.count, lies ? 2 : 1);
            assert_true(fabsf(m.normal.y - 1) < 1e-5f);
            assert_true(abut_shape_collide(&capsule, &pose, &floors[f], &floor, 3, &m));
            assert_int_equal(m.count, lies ? 2 : 1);
        }
    }
    abut_hull_destroy(&hull);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_points_within_2_degrees),
    };
    return test_run(tests);
}
