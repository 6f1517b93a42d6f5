/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The oracle of sweeps: its poses against abut_pose_between, its first touches against distances at many fractions, and
 * against answers that are wrong by a known amount. */

#include "support/move_families.h"
#include "support/sweep_oracle.h"
#include "support/test.h"
#include <abut/shape.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 100 };

static round_hulls *hulls;
static move_case *made;

static int make_hulls(void **state) {
    (void)state;
    hulls = round_hulls_make(test_seed());
    made = malloc(sizeof *made);
    return made ? 0 : 1;
}

static int release_hulls(void **state) {
    (void)state;
    round_hulls_release(hulls);
    free(made);
    return 0;
}

static void poses_are_those_of_between(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    for (unsigned long i = 0; i < test_count(500); i++) {
        move_sweep_case(hulls, MOVE_TOWARDS, test_seed(), i, made);
        quad_way way = quad_way_of(&made->a, &made->to[0]);
        float fraction = (float)i / (float)test_count(500);
        abut_pose between = abut_pose_between(&made->a.pose, &made->to[0], fraction);
        quad_pose expected = quad_pose_of(&between), got = quad_way_at(&way, fraction);
        for (int k = 0; k < 3; k++) {
            for (int l = 0; l < 3; l++) {
                assert_true(quad_abs(expected.m[k][l] - got.m[k][l]) < (quad)5e-7);
            }
        }
    }
}

static quad apart_at(const quad_way *a, const quad_way *b, quad fraction) {
    quad_pose p = quad_way_at(a, fraction), q = quad_way_at(b, fraction);
    return distance_between(a->body.core, &p, b->body.core, &q).distance - a->body.radius - b->body.radius;
}

static void first_touches_agree_with_distances_on_the_way(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long met = 0, unsure = 0, count = test_count(20);
    for (unsigned long i = 0; i < count * MOVE_FAMILIES; i++) {
        move_sweep_case(hulls, (move_family)(i % MOVE_FAMILIES), test_seed(), i, made);
        quad_way a = quad_way_of(&made->a, &made->to[0]), b = quad_way_of(&made->b, &made->to[1]);
        sweep_truth t = sweep_oracle(&a, &b);
        unsure += !t.sure;
        met += t.meets;
        for (int k = 0; k <= SAMPLES && t.sure; k++) {
            double f = (double)k / SAMPLES, d = (double)apart_at(&a, &b, f);
            assert_true(t.meets ? f >= t.first || d > 0 : d > 0);
            assert_true(t.near_meets ? f >= t.near_first || d > t.e : d > t.e);
        }
        assert_true(!t.sure || !t.meets || t.touched || apart_at(&a, &b, t.first) <= (quad)t.hair);
        assert_true(!t.sure || !t.near_meets || t.near_touched ||
                    apart_at(&a, &b, t.near_first) <= (quad)(t.e + t.hair));
    }
    printf("%lu sweeps, %lu meet, %lu unsure\n", count * MOVE_FAMILIES, met, unsure);
    assert_true(met > count && unsure <= 3 + count / 20);
}

static void wrong_fractions_are_found(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long judged = 0;
    for (unsigned long i = 0; i < test_count(100); i++) {
        move_sweep_case(hulls, MOVE_TOWARDS, test_seed() + 1, i, made);
        quad_way a = quad_way_of(&made->a, &made->to[0]), b = quad_way_of(&made->b, &made->to[1]);
        sweep_truth t = sweep_oracle(&a, &b);
        if (!t.sure || !t.meets || t.near_touched || t.first >= 1) {
            continue;
        }
        judged++;
        assert_null(sweep_fraction_fault(&t, t.near_first + (t.first - t.near_first) / 2));
        assert_string_equal(sweep_fraction_fault(&t, INFINITY), "missed");
        assert_string_equal(sweep_fraction_fault(&t, t.first * (1 + 1e-11)), "too late");
        assert_string_equal(sweep_fraction_fault(&t, t.near_first * (1 - 1e-6)), "too early");
    }
    assert_true(judged > 5);
}

/* A rod that turns by half a turn meets a ball after an angle that is known. */
static void a_turning_rod_meets_a_ball_where_the_sine_says(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    core rod, ball;
    core_of_box((abut_vec3){2, 0, 0}, &rod);
    core_of_box((abut_vec3){0, 0, 0}, &ball);
    const grown_core a = {&rod, 0, {{0, 0, 0}, {0, 0, 0, 1}}}, b = {&ball, 0.5f, {{0, 1, 0}, {0, 0, 0, 1}}};
    const abut_pose to = {{0, 0, 0}, {0, 0, 1, 0}};
    quad_way p = quad_way_of(&a, &to), q = quad_way_of(&b, &b.pose);
    sweep_truth t = sweep_oracle(&p, &q);
    assert_true(t.sure && t.meets && !t.near_touched); /* sin(90 - x) = 1 / 2 */
    assert_true(fabs(t.first - 1.0 / 3) < 1e-12 && t.near_first < t.first && t.near_first > t.first - 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(poses_are_those_of_between, make_hulls, release_hulls),
        cmocka_unit_test(a_turning_rod_meets_a_ball_where_the_sine_says),
        cmocka_unit_test_setup_teardown(first_touches_agree_with_distances_on_the_way, make_hulls, release_hulls),
        cmocka_unit_test_setup_teardown(wrong_fractions_are_found, make_hulls, release_hulls),
    };
    return test_run(tests);
}
