/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_hull_bounds_fast and _tight against the exact vertices. */

#include "shape/hull/check.h"
#include "shape/hull/clouds.h"
#include "support/quad.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>

/* How far the bounds lie outside the exact vertices at each of the six faces, in units of the spacing of floats there.
 */
static void excess_of(const abut_hull *hull, const abut_pose *pose, const abut_aabb *bounds, double excess[6]) {
    abut_quat r = pose->rotation;
    if (r.x == 0 && r.y == 0 && r.z == 0 && r.w == 0) {
        r.w = 1;
    }
    quad x = r.x, y = r.y, z = r.z, w = r.w, n = x * x + y * y + z * z + w * w;
    const quad m[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    const abut_vec3 *v = abut_hull_vertices(hull);
    for (int k = 0; k < 3; k++) {
        quad low = 0, high = 0, origin = (&pose->position.x)[k];
        for (size_t i = 0; i < abut_hull_vertex_count(hull); i++) {
            quad at = m[k][0] * v[i].x + m[k][1] * v[i].y + m[k][2] * v[i].z;
            low = i == 0 || at < low ? at : low;
            high = i == 0 || at > high ? at : high;
        }
        float min = (&bounds->min.x)[k], max = (&bounds->max.x)[k];
        double unit = 0x1p-24 * (fabs((double)origin) + hull->radius);
        excess[k] = (double)(origin + low / n - min) / unit;
        excess[k + 3] = (double)(max - origin - high / n) / unit;
        /* A sign that rounding to double might lose. */
        if ((min - origin) * n > low || (max - origin) * n < high) {
            excess[k] = -1;
        }
    }
}

static abut_pose random_pose(rng *r) {
    abut_pose pose = {rng_vec3(r, -5, 5), rng_rotation(r)};
    switch (rng_below(r, 6)) {
    case 0:
        pose.position = rng_vec3(r, -1e6, 1e6);
        break;
    case 1:
        pose.rotation = (abut_quat){0, rng_sign(r), 0, (float)rng_below(r, 2)};
        break;
    case 2:
        pose.rotation = (abut_quat){0, 0, 0, 0};
        break;
    case 3: {
        float factor = (float)rng_log_range(r, 1e-15, 1e15);
        pose.rotation = (abut_quat){pose.rotation.x * factor, pose.rotation.y * factor, pose.rotation.z * factor,
                                    pose.rotation.w * factor};
        break;
    }
    default:
        break;
    }
    return pose;
}

static void bounds_contain_the_exact_vertices(void **state) {
    (void)state;
    double loosest = 0, loosest_fast = 0;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    for (unsigned long i = 0; i < test_count(5000); i++) {
        abut_vec3 points[CLOUD_MAX];
        uint32_t n = cloud_make(test_seed(), i, points);
        abut_hull *hull;
        if (abut_hull_create(points, n, NULL, &hull) != ABUT_OK) {
            continue;
        }
        for (unsigned long k = 0; k < 10; k++) {
            rng r = rng_make(test_seed() + 1, 10 * i + k);
            abut_pose pose = random_pose(&r);
            abut_aabb tight = abut_hull_bounds_tight(hull, &pose), fast = abut_hull_bounds_fast(hull, &pose);
            double excess[6], excess_fast[6];
            excess_of(hull, &pose, &tight, excess);
            excess_of(hull, &pose, &fast, excess_fast);
            for (int f = 0; f < 6; f++) {
                loosest = fmax(loosest, excess[f]);
                loosest_fast = fmax(loosest_fast, excess_fast[f]);
                if (!(excess[f] >= 0) || !(excess_fast[f] >= 0) || excess[f] > 3) {
                    fprintf(stderr, "seed 0x%llx cloud %lu (%s) pose %lu face %d: tight %g fast %g\n",
                            (unsigned long long)test_seed(), i, cloud_family(i), k, f, excess[f], excess_fast[f]);
                    fail();
                }
            }
        }
        abut_hull_destroy(&hull);
    }
    printf("tight: at most %g, fast: %g units\n", loosest, loosest_fast);
}

/* Turned by a quaternion of small whole numbers, multiples of its squared length land on whole numbers. A position can
 * then bring a face to zero exactly, where floats are dense and the slightest error on the wrong side shows. */
static void bounds_hold_at_zero(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_vec3 points[12];
        float q[4], n = 0;
        for (int k = 0; k < 4; k++) {
            q[k] = (float)rng_below(&r, 7) - 3;
            n += q[k] * q[k];
        }
        for (int k = 0; k < 12; k++) {
            points[k] =
                (abut_vec3){n * (float)rng_below(&r, 9), n * (float)rng_below(&r, 9), n * (float)rng_below(&r, 9)};
        }
        if (i % 4 > 1) { /* the box between the first two points: the fitted one has its corners */
            abut_vec3 low = points[0], high = points[1];
            for (int k = 0; k < 12; k++) {
                points[k] = (abut_vec3){k & 1 ? low.x : high.x, k & 2 ? low.y : high.y, k & 4 ? low.z : high.z};
            }
        }
        abut_pose pose = {{0, 0, 0}, {q[0], q[1], q[2], q[3]}};
        abut_hull *hull;
        if (abut_hull_create(points, 12, NULL, &hull) == ABUT_OK) {
            abut_aabb tight = abut_hull_bounds_tight(hull, &pose);
            for (int k = 0; k < 3; k++) {
                (&pose.position.x)[k] = -roundf((i % 2 ? &tight.min.x : &tight.max.x)[k]);
            }
            tight = abut_hull_bounds_tight(hull, &pose);
            abut_aabb fast = abut_hull_bounds_fast(hull, &pose);
            double excess[6], excess_fast[6];
            excess_of(hull, &pose, &tight, excess);
            excess_of(hull, &pose, &fast, excess_fast);
            for (int f = 0; f < 6; f++) {
                assert_true(excess[f] >= 0 && excess_fast[f] >= 0);
            }
        }
        abut_hull_destroy(&hull);
    }
}

static void at_rest_both_are_exact(void **state) {
    (void)state;
    const abut_vec3 box[] = {{0, 0, 0}, {1, 0, 0}, {0, 3, 0}, {1, 3, 0}, {0, 0, 5}, {1, 0, 5}, {0, 3, 5}, {1, 3, 5}};
    const abut_aabb wanted[2] = {{{2, 3, 4}, {3, 6, 9}}, {{-1, 3, 4}, {2, 4, 9}}};
    const abut_pose pose[2] = {{{2, 3, 4}, {0, 0, 0, 0}}, {{2, 3, 4}, {0, 0, 0.5f, 0.5f}}};
    abut_hull *hull;
    assert_int_equal(abut_hull_create(box, 8, NULL, &hull), ABUT_OK);
    for (int i = 0; i < 2; i++) {
        abut_aabb tight = abut_hull_bounds_tight(hull, &pose[i]), fast = abut_hull_bounds_fast(hull, &pose[i]);
        assert_memory_equal(&tight, &wanted[i], sizeof tight);
        assert_memory_equal(&fast, &wanted[i], sizeof fast);
    }
    abut_hull_destroy(&hull);
}

static void invalid_poses_have_no_bounds(void **state) {
    (void)state;
    const abut_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 3, 0}, {1, 3, 4}};
    abut_hull *hull;
    assert_int_equal(abut_hull_create(points, 4, NULL, &hull), ABUT_OK);
    for (int i = -1; i < 7; i++) {
        abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
        if (i >= 0) {
            (i < 3 ? &pose.position.x : &pose.rotation.x)[i < 3 ? i : i - 3] = i % 2 ? NAN : INFINITY;
        }
        abut_aabb tight = abut_hull_bounds_tight(hull, i < 0 ? NULL : &pose);
        abut_aabb fast = abut_hull_bounds_fast(hull, i < 0 ? NULL : &pose);
        assert_true(isnan(tight.min.x) && isnan(tight.max.z) && isnan(fast.min.y) && isnan(fast.max.x));
    }
    abut_hull_destroy(&hull);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_contain_the_exact_vertices),
        cmocka_unit_test(bounds_hold_at_zero),
        cmocka_unit_test(at_rest_both_are_exact),
        cmocka_unit_test(invalid_poses_have_no_bounds),
    };
    return test_run(tests);
}
