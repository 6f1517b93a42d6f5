/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_shape_distance against the oracle, for pairs that nearly touch and pairs that lie apart. */

#include "narrowphase/round/check.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>

static void check_distances(round_spread spread, unsigned long count) {
    unsigned long wrong = 0, apart = 0;
    round_errors errors = {0};
    round_hulls *hulls = round_hulls_make(test_seed());
    for (unsigned long i = 0; i < count && wrong < 10; i++) {
        round_pair p;
        near_round_pair(hulls, test_seed() + 1, i, spread, &p);
        round_truth truth = round_truth_of(&p);
        const char *fault = round_distance_fault(&p, &truth, &errors);
        apart += truth.gap > 0;
        if (fault) {
            wrong++;
            round_report(i, fault, &p, &truth, 0);
        }
    }
    round_hulls_release(hulls);
    printf("%lu pairs, %lu apart; worst of what is allowed: distance %.3f, surface %.3f, between the points %.3f\n",
           count, apart, errors.distance, errors.on_surface, errors.apart);
    assert_int_equal(wrong, 0);
    assert_true(apart > count / 5);
}

static void distances_of_shapes_that_nearly_touch(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    check_distances(ROUND_NEAR, test_count(10000));
}

static void distances_of_shapes_that_lie_apart(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    check_distances(ROUND_APART, test_count(15000));
}

static void expect(abut_shape a, abut_vec3 at_a, abut_shape b, abut_vec3 at_b, abut_vec3 on_a, abut_vec3 on_b,
                   float distance) {
    const abut_pose pose_a = {at_a, {0, 0, 0, 1}}, pose_b = {at_b, {0, 0, 0, 0}};
    abut_vec3 p, q;
    float d = abut_shape_distance(&a, &pose_a, &b, &pose_b, &p, &q);
    assert_true(fabsf(d - distance) <= 1e-6f * distance);
    const float *x = &p.x, *y = &q.x, *u = &on_a.x, *v = &on_b.x;
    for (int k = 0; k < 3; k++) {
        assert_true(fabsf(x[k] - u[k]) < 1e-5f && fabsf(y[k] - v[k]) < 1e-5f);
    }
}

static void distances_known_by_hand(void **state) {
    (void)state;
    const abut_vec3 zero = {0, 0, 0};
    expect(abut_sphere(1), zero, abut_sphere(2), (abut_vec3){0, 10, 0}, (abut_vec3){0, 1, 0}, (abut_vec3){0, 8, 0}, 7);
    expect(abut_sphere(1), zero, abut_point(), (abut_vec3){2, 3, 6}, (abut_vec3){2.0f / 7, 3.0f / 7, 6.0f / 7},
           (abut_vec3){2, 3, 6}, 6);
    expect(abut_point(), zero, abut_point(), (abut_vec3){1, 2, 2}, zero, (abut_vec3){1, 2, 2}, 3);
    expect(abut_box(1, 1, 1), zero, abut_sphere(1), (abut_vec3){4, 5, 0}, (abut_vec3){1, 1, 0},
           (abut_vec3){4 - 0.6f, 5 - 0.8f, 0}, 4);
    expect(abut_capsule(2, 1), zero, abut_sphere(1), (abut_vec3){3, 6, 0}, (abut_vec3){0.6f, 2.8f, 0},
           (abut_vec3){2.4f, 5.2f, 0}, 3);
    expect(abut_capsule(2, 1), zero, abut_sphere(1), (abut_vec3){5, 1, 0}, (abut_vec3){1, 1, 0}, (abut_vec3){4, 1, 0},
           3);
    expect(abut_box(0, 0, 0), zero, abut_box(2, 0, 2), (abut_vec3){1, -3, 1}, zero, (abut_vec3){0, -3, 0}, 3);
}

static void touching_shapes_share_the_point_that_is_returned(void **state) {
    (void)state;
    const abut_pose origin = {{0, 0, 0}, {0, 0, 0, 1}}, beside = {{3, 4, 0}, {0, 0, 0, 1}};
    const abut_shape a = abut_sphere(2), b = abut_sphere(3), point = abut_point();
    abut_vec3 p, q;
    assert_true(abut_shape_distance(&a, &origin, &b, &beside, &p, &q) == 0);
    assert_true(fabsf(p.x - 1.2f) < 1e-6f && fabsf(p.y - 1.6f) < 1e-6f && p.z == 0 && p.x == q.x && p.y == q.y);
    assert_true(abut_shape_distance(&point, &origin, &point, &origin, &p, NULL) == 0 && p.x == 0 && p.y == 0);
    assert_true(abut_shape_distance(&point, &beside, &point, &beside, NULL, &q) == 0 && q.x == 3 && q.y == 4);
    assert_true(abut_shape_distance(&a, &origin, &a, &origin, &p, &q) == 0 && p.x == q.x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_known_by_hand),
        cmocka_unit_test(touching_shapes_share_the_point_that_is_returned),
        cmocka_unit_test(distances_of_shapes_that_nearly_touch),
        cmocka_unit_test(distances_of_shapes_that_lie_apart),
    };
    return test_run(tests);
}
