/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rectangles against the shadows of bodies with a radius, and with a clearance, judged by the exact oracle; and minimum
 * translations out of both. */

#include "scene.h"
#include "support/rng.h"
#include "support/test.h"
#include <float.h>
#include <math.h>

static void shadows_grown_by_discs_are_decided_exactly(void **state) {
    (void)state;
    if (!ground_oracle_available()) {
        skip();
    }
    unsigned long scenes = test_count(16000);
    tally t = {0};
    scenes_run(scene_make_grown, scenes, UINT64_C(2) << 40, false, &t);
    assert_true(t.overlapping > scenes / 5);
    assert_true(t.apart > scenes / 5);
    assert_true(t.close > scenes / 20);
    assert_true(t.closest > scenes / 50);
    assert_true(t.hulls > scenes / 10);
}

static void translations_leave_the_clearance_and_are_the_shortest(void **state) {
    (void)state;
    if (!ground_oracle_available()) {
        skip();
    }
    unsigned long scenes = test_count(8000);
    tally t = {0};
    scenes_run(scene_make_grown, scenes, UINT64_C(3) << 40, true, &t);
    assert_true(t.deep > scenes / 20);
}

static void grids_and_tangent_discs_touch_exactly(void **state) {
    (void)state;
    if (!ground_oracle_available()) {
        skip();
    }
    unsigned long scenes = test_count(8000);
    tally t = {0};
    scenes_run(scene_make_on_grid, scenes, UINT64_C(4) << 40, true, &t);
    assert_true(t.touching > scenes / 4);
}

static const int ground[2] = {0, 2};

static abut_collider body(abut_vec3 at, abut_quat rotation, abut_shape shape) {
    abut_collider collider;
    const abut_pose pose = {at, rotation};
    assert_true(abut_collider_from_shape(&shape, &pose, &collider));
    return collider;
}

static abut_np_footprint footprint_of(abut_obb2 rectangle, float clearance, abut_touch touch) {
    abut_np_footprint out;
    assert_true(abut_np_footprint_of(&rectangle, clearance, touch, ground, &out));
    return out;
}

static bool meets(abut_obb2 rectangle, float clearance, abut_touch touch, const abut_collider *collider) {
    const abut_np_footprint footprint = footprint_of(rectangle, clearance, touch);
    return abut_np_footprint_meets(&footprint, collider);
}

/* Just that close: in the way by the closed rule alone; nearer by a little: by both; farther: by none. */
static void check_tangent(abut_obb2 rectangle, float clearance, const abut_collider *collider) {
    assert_true(meets(rectangle, clearance, ABUT_TOUCH_IS_OVERLAP, collider));
    assert_false(meets(rectangle, clearance, ABUT_TOUCH_IS_FREE, collider));
    assert_true(meets(rectangle, nextafterf(clearance, INFINITY), ABUT_TOUCH_IS_FREE, collider));
    abut_collider smaller = *collider;
    smaller.radius = nextafterf(collider->radius, 0);
    float less = collider->radius > 0 ? clearance : nextafterf(clearance, 0);
    assert_false(meets(rectangle, less, ABUT_TOUCH_IS_OVERLAP, &smaller));
}

static void discs_touch_where_geometry_says(void **state) {
    (void)state;
    static const abut_quat any = {0.25f, -3, 0.7f, 0.1f}; /* a sphere has no rotation */
    for (int k = 0; k < 4; k++) {
        float x = k & 1 ? -1.0f : 1.0f, y = k & 2 ? -1.0f : 1.0f;
        abut_collider near = body((abut_vec3){7 * x, 9, 3 * y}, any, abut_sphere(2));
        check_tangent((abut_obb2){{0, 0}, {0, 0}, {5, 4}}, 0, &near);          /* its side */
        check_tangent((abut_obb2){{2 * x, -2 * y}, {0, 0}, {2, 1}}, 3, &near); /* its corner is 3, 4 off */
        abut_collider beyond = body((abut_vec3){9 * x, -1, 12 * y}, any, abut_sphere(2));
        check_tangent((abut_obb2){{0, 0}, {3 * x, 4 * y}, {5, 0}}, 8, &beyond); /* the end of a wall */
        abut_collider beside = body((abut_vec3){-8 * x, -1, 6 * y}, any, abut_sphere(2));
        check_tangent((abut_obb2){{0, 0}, {3 * x, 4 * y}, {5, 5}}, 3, &beside); /* a turned side */
    }
    abut_collider disc = body((abut_vec3){1, 0, 1}, any, abut_sphere(1));
    for (int rule = 0; rule < 2; rule++) { /* a point and a wall in it, and on its border */
        abut_touch touch = (abut_touch)rule;
        assert_true(meets((abut_obb2){{1.5f, 1}, {1, 2}, {0, 0}}, 0, touch, &disc));
        assert_true(meets((abut_obb2){{1, 1}, {1, 0}, {5, 0}}, 0, touch, &disc));
        assert_int_equal(meets((abut_obb2){{2, 1}, {1, 0}, {0, 0}}, 0, touch, &disc), touch == ABUT_TOUCH_IS_OVERLAP);
        assert_int_equal(meets((abut_obb2){{2, 1}, {0, 1}, {5, 0}}, 0, touch, &disc), touch == ABUT_TOUCH_IS_OVERLAP);
    }
}

static void grown_cores_touch_where_geometry_says(void **state) {
    (void)state;
    abut_collider lying = body((abut_vec3){0, 3, 0}, (abut_quat){0, 0, 1, 1}, abut_capsule(4, 1));
    check_tangent((abut_obb2){{0, -5}, {1, 0}, {1, 2}}, 2, &lying); /* its side */
    check_tangent((abut_obb2){{9, 6}, {1, 0}, {2, 2}}, 4, &lying);  /* its cap */
    abut_collider upright = body((abut_vec3){0, 3, 0}, (abut_quat){0, 0, 0, 1}, abut_capsule(4, 1));
    check_tangent((abut_obb2){{5, 6}, {1, 0}, {2, 2}}, 4, &upright);
    /* Half a turn about (2, 0, 1) takes x to (3, 0, 4) / 5. */
    const abut_shape rod = {.half = {5, 0, 0}, .radius = 3}, box = {.half = {5, 1, 5}, .radius = 2};
    abut_collider turned = body((abut_vec3){0, 3, 0}, (abut_quat){2, 0, 1, 0}, rod);
    check_tangent((abut_obb2){{-8, 6}, {3, 4}, {1, 2}}, 5, &turned);
    check_tangent((abut_obb2){{6, 8}, {3, 4}, {0, 2}}, 2, &turned);
    turned = body((abut_vec3){0, 3, 0}, (abut_quat){2, 0, 1, 0}, box);
    check_tangent((abut_obb2){{-8, 6}, {3, 4}, {4, 2}}, 1, &turned);
    check_tangent((abut_obb2){{19, 6}, {1, 0}, {8, 2}}, 3, &turned); /* its corner (7, 1) is 4, 3 off */
    const abut_vec3 corners[8] = {{1, 1, 1},  {-1, 1, 1},  {1, -1, 1},  {-1, -1, 1},
                                  {1, 1, -1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, -1}};
    abut_hull *cube = NULL;
    assert_int_equal(abut_hull_create(corners, 8, NULL, &cube), ABUT_OK);
    abut_collider hull = body((abut_vec3){0, 0, 0}, (abut_quat){0, 0, 0, 1}, abut_convex(cube, 1));
    check_tangent((abut_obb2){{5, 6}, {0, 0}, {1, 1}}, 4, &hull);
    check_tangent((abut_obb2){{5, 0}, {0, 0}, {1, 1}}, 2, &hull);
    abut_hull_destroy(&cube);
}

/* A strip around the candidate has round corners, also around a body without a radius. */
static void a_clearance_is_a_distance(void **state) {
    (void)state;
    abut_collider house = body((abut_vec3){0, 0, 0}, (abut_quat){0, 0, 0, 1}, abut_box(1, 1, 1));
    for (int rule = 0; rule < 2; rule++) {
        abut_touch touch = (abut_touch)rule;
        assert_true(meets((abut_obb2){{2.75f, 0}, {0, 0}, {1, 1}}, 1, touch, &house));
        assert_true(meets((abut_obb2){{2.7f, 2.7f}, {0, 0}, {1, 1}}, 1, touch, &house));
        assert_false(meets((abut_obb2){{2.75f, 2.75f}, {0, 0}, {1, 1}}, 1, touch, &house));
    }
    check_tangent((abut_obb2){{5, 6}, {0, 0}, {1, 1}}, 5, &house);
}

/* A point just inside a turned side, and just outside: by much more than g, and by much less than double can tell. */
static void a_tiny_clearance_does_not_hide_an_overlap(void **state) {
    (void)state;
    const abut_vec3 corners[8] = {{5, 5, 5},  {-5, 5, 5},  {5, -5, 5},  {-5, -5, 5},
                                  {5, 5, -5}, {-5, 5, -5}, {5, -5, -5}, {-5, -5, -5}};
    abut_hull *cube = NULL;
    assert_int_equal(abut_hull_create(corners, 8, NULL, &cube), ABUT_OK);
    const abut_shape shapes[2] = {abut_box(5, 5, 5), abut_convex(cube, 0)};
    for (int k = 0; k < 4; k++) {
        abut_collider house = body((abut_vec3){-4, 0, 3}, (abut_quat){2, 0, 1, 0}, shapes[k / 2]);
        abut_touch touch = (abut_touch)(k % 2);
        for (float tiny = 1e-20f; tiny < 1e-10f; tiny *= 10) {
            const abut_obb2 inside = {{-4 * tiny, 3 * tiny}, {1, 0}, {0, 0}};
            const abut_obb2 outside = {{4 * tiny, -3 * tiny}, {1, 0}, {0, 0}};
            assert_true(meets(inside, 1e-3f * tiny, touch, &house));
            assert_false(meets(outside, 1e-3f * tiny, touch, &house));
            assert_true(meets(outside, 5.001f * tiny, touch, &house));
        }
    }
    abut_hull_destroy(&cube);
}

/* Points on turned sides, to within what double-double can tell: they are met whatever their radius, or the clearance,
 * is. */
static void a_point_on_a_turned_side_is_met(void **state) {
    (void)state;
    for (int k = 0; k < 64; k++) {
        float x = k & 1 ? -1.0f : 1.0f, y = k & 2 ? -1.0f : 1.0f, along = (float)(k >> 3) / 8;
        /* On the side 5 away from the middle along (4, 3) / 5. */
        const abut_vec3 at = {x * (4 - 3 * along), 0, y * (3 + 4 * along)};
        const abut_obb2 rectangle = {{0, 0}, {-3 * x, 4 * y}, {7, 5}};
        abut_touch touch = (abut_touch)(k >> 2 & 1);
        abut_collider ball = body(at, (abut_quat){0, 0, 0, 1}, abut_sphere(1e-20f));
        assert_true(meets(rectangle, 0, touch, &ball));
        abut_collider point = body(at, (abut_quat){0, 0, 0, 1}, abut_point());
        assert_true(meets(rectangle, 1e-20f, touch, &point));
        assert_int_equal(meets(rectangle, 0, touch, &point), touch == ABUT_TOUCH_IS_OVERLAP);
    }
}

static abut_vec2 move_out(abut_obb2 rectangle, float clearance, abut_touch touch, const abut_collider *collider) {
    abut_np_footprint made = footprint_of(rectangle, clearance, touch);
    abut_vec2 translation = abut_np_footprint_translation(&made, collider);
    rectangle.center.x += translation.x;
    rectangle.center.y += translation.y;
    assert_false(meets(rectangle, clearance, touch, collider));
    return translation;
}

static void translations_follow_the_closest_points(void **state) {
    (void)state;
    abut_collider disc = body((abut_vec3){0, 0, 0}, (abut_quat){0, 0, 0, 1}, abut_sphere(2));
    abut_vec2 out = move_out((abut_obb2){{3, 0.5f}, {1, 0}, {2, 1}}, 0, ABUT_TOUCH_IS_FREE, &disc);
    assert_true(out.x == 1 && out.y == 0);
    out = move_out((abut_obb2){{3.5f, 4}, {1, 0}, {2, 2}}, 3, ABUT_TOUCH_IS_FREE, &disc); /* a corner at (1.5, 2) */
    assert_true(out.x >= 1.5f && out.x < 1.500001f && out.y >= 2 && out.y < 2.000001f);
    /* All ways are equally short: along x. So they are where only a corner is on the centre. */
    out = move_out((abut_obb2){{0, 0}, {1, 0}, {1, 1}}, 0.5f, ABUT_TOUCH_IS_FREE, &disc);
    assert_true(out.x == 3.5f && out.y == 0);
    out = move_out((abut_obb2){{-1, -1}, {1, 0}, {1, 1}}, 0, ABUT_TOUCH_IS_FREE, &disc);
    assert_true(out.x == -2 && out.y == 0);
    out = move_out((abut_obb2){{-3, 0}, {1, 0}, {1, 1}}, 0, ABUT_TOUCH_IS_OVERLAP, &disc);
    assert_true(out.x < 0 && out.x > -1e-6f && out.y == 0);
    /* Sizes at the end of what floats hold. */
    abut_collider all = body((abut_vec3){0, 0, 0}, (abut_quat){0, 0, 0, 1}, abut_sphere(FLT_MAX));
    abut_np_footprint made = footprint_of((abut_obb2){{1, 2}, {1, 1}, {FLT_MAX, FLT_MAX}}, FLT_MAX, ABUT_TOUCH_IS_FREE);
    out = abut_np_footprint_translation(&made, &all);
    assert_true(isfinite(out.x) && isfinite(out.y));
    made = footprint_of((abut_obb2){{0x1p-149f, 0}, {0x1p-149f, 0x1p-149f}, {0, 0}}, 0x1p-149f, ABUT_TOUCH_IS_OVERLAP);
    disc.radius = 0x1p-149f;
    assert_true(abut_np_footprint_meets(&made, &disc));
    out = abut_np_footprint_translation(&made, &disc);
    assert_true(fabsf(out.x) + fabsf(out.y) > 0 && fabsf(out.x) + fabsf(out.y) < 0x1p-144f);
}

/* A quarter of a plane whose corner is cut off by a side that is too short to be tried as one. From a point in front of
 * it the way out is still along its normal: along the others it is longer by a tenth. Mirrored, it is so in all four
 * quarters. */
static void translations_see_the_shortest_sides(void **state) {
    (void)state;
    const float cut = 1e-8f, near = -5e-9f, clearance = 1e-7f;
    for (int k = 0; k < 4; k++) {
        float x = k & 1 ? -1.0f : 1.0f, z = k & 2 ? -1.0f : 1.0f;
        const abut_vec3 points[8] = {{cut * x, 1, 0},  {0, 1, cut * z},  {x, 1, 0},  {0, 1, z},
                                     {cut * x, -1, 0}, {0, -1, cut * z}, {x, -1, 0}, {0, -1, z}};
        abut_hull *wedge = NULL;
        assert_int_equal(abut_hull_create(points, 8, NULL, &wedge), ABUT_OK);
        abut_collider hull = body((abut_vec3){0, 0, 0}, (abut_quat){0, 0, 0, 1}, abut_convex(wedge, 0));
        abut_vec2 out =
            move_out((abut_obb2){{near * x, near * z}, {1, 0}, {0, 0}}, clearance, ABUT_TOUCH_IS_FREE, &hull);
        double least = clearance - (cut - 2 * near) * 0.70710678118654752, length = hypot(out.x, out.y);
        assert_true(length >= least * (1 - 1e-6) && length < least * (1 + 1e-6));
        assert_true(out.x * x < 0 && out.y * z < 0);
        abut_hull_destroy(&wedge);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shadows_grown_by_discs_are_decided_exactly),
        cmocka_unit_test(translations_leave_the_clearance_and_are_the_shortest),
        cmocka_unit_test(grids_and_tangent_discs_touch_exactly),
        cmocka_unit_test(discs_touch_where_geometry_says),
        cmocka_unit_test(grown_cores_touch_where_geometry_says),
        cmocka_unit_test(a_clearance_is_a_distance),
        cmocka_unit_test(a_tiny_clearance_does_not_hide_an_overlap),
        cmocka_unit_test(a_point_on_a_turned_side_is_met),
        cmocka_unit_test(translations_follow_the_closest_points),
        cmocka_unit_test(translations_see_the_shortest_sides),
    };
    return test_run(tests);
}
