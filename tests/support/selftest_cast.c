/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The oracle of casts against distances at many fractions, and against answers that are wrong by a known amount. */

#include "support/move_families.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 40 };

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

static quad apart_at(quad fraction) {
    quad_pose at = cast_pose(&made->a, made->way, fraction), still = quad_pose_of(&made->b.pose);
    return distance_between(made->a.core, &at, made->b.core, &still).distance - made->a.radius - made->b.radius;
}

static void first_touches_agree_with_distances_on_the_way(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long met = 0, unsure = 0, count = test_count(60);
    for (unsigned long i = 0; i < count * MOVE_FAMILIES; i++) {
        move_family family = (move_family)(i % MOVE_FAMILIES);
        move_cast_case(hulls, family, test_seed(), i, made);
        cast_truth t = cast_oracle(&made->a, made->way, &made->b);
        unsure += !t.sure;
        met += t.meets;
        if (!t.sure || family == MOVE_HUGE) {
            continue;
        }
        quad hair = (quad)(1e-27 * t.size), graze = (quad)(1e-20 * t.size); /* where ways graze, roots are coarser */
        for (int k = 0; k <= SAMPLES; k++) {
            quad f = (quad)k / SAMPLES, d = apart_at(f);
            assert_true(t.meets ? f >= t.first || d > -hair : d > -hair);
            assert_true(t.near_meets ? f >= t.near_first || d > (quad)t.e - hair : d > (quad)t.e - hair);
        }
        assert_true(!t.meets || t.touched || quad_abs(apart_at(t.first)) <= graze);
        assert_true(!t.near_meets || t.near_touched || quad_abs(apart_at(t.near_first) - t.e) <= graze);
    }
    printf("%lu casts, %lu meet, %lu unsure\n", count * MOVE_FAMILIES, met, unsure);
    assert_true(met > count && unsure <= 3 + count / 20);
}

static void wrong_fractions_are_found(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long judged = 0;
    for (unsigned long i = 0; i < test_count(200); i++) {
        move_cast_case(hulls, MOVE_TOWARDS, test_seed() + 1, i, made);
        cast_truth t = cast_oracle(&made->a, made->way, &made->b);
        double first = (double)t.first, grown = (double)t.near_first;
        if (!t.sure || !t.meets || t.near_touched || first >= 1) {
            continue;
        }
        judged++;
        assert_null(cast_fraction_fault(&t, grown + (first - grown) / 2));
        assert_string_equal(cast_fraction_fault(&t, INFINITY), "missed");
        assert_string_equal(cast_fraction_fault(&t, first * (1 + 1e-15)), "too late");
        assert_string_equal(cast_fraction_fault(&t, grown * (1 - 1e-11)), "too early");
        assert_string_equal(cast_fraction_fault(&t, -1), "a touch at the start is invented");
    }
    assert_true(judged > 10);
}

static void wrong_normals_and_positions_are_found(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    core point, box;
    core_of_box((abut_vec3){0, 0, 0}, &point);
    core_of_box((abut_vec3){1, 1, 1}, &box);
    const grown_core a = {&point, 1, {{0, 5, 0}, {0, 0, 0, 1}}}, b = {&box, 0, {{0, 0, 0}, {0, 0, 0, 1}}};
    const abut_vec3 way = {0, -6, 0}, up = {0, 1, 0}, there = {0, 1, 0};
    const abut_vec3 tilted = {0.01f, 0.99995f, 0}, off = {1.25e-6f, 1, 0}, down = {0, -1, 0}, beside = {0.01f, 1, 0};
    cast_truth t = cast_oracle(&a, way, &b);
    assert_true(t.meets && quad_abs(t.first - (quad)0.5) < (quad)1e-28);
    assert_null(cast_place_fault(&t, &a, way, &b, 0.5, there, up));
    assert_string_equal(cast_place_fault(&t, &a, way, &b, 0.5, there, tilted), "the normal does not separate");
    assert_string_equal(cast_place_fault(&t, &a, way, &b, 0.5, there, off),
                        "the normal is not that of the closest points");
    assert_string_equal(cast_place_fault(&t, &a, way, &b, 0.5, there, down), "the normal leads along the way");
    assert_string_equal(cast_place_fault(&t, &a, way, &b, 0.5, beside, up), "the position lies outside of a");
    assert_string_equal(cast_place_fault(&t, &a, way, &b, 0.5, (abut_vec3){0, 1.01f, 0}, up),
                        "the position lies outside of b");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(first_touches_agree_with_distances_on_the_way, make_hulls, release_hulls),
        cmocka_unit_test_setup_teardown(wrong_fractions_are_found, make_hulls, release_hulls),
        cmocka_unit_test(wrong_normals_and_positions_are_found),
    };
    return test_run(tests);
}
