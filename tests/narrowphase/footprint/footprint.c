/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rectangles against the shadows of boxes and hulls, judged by the exact oracle, and minimum translations out of them.
 */

#include "narrowphase/narrowphase.h"
#include "scene.h"
#include "support/rng.h"
#include "support/test.h"
#include <float.h>
#include <math.h>

static const int grounds[3][2] = {{0, 2}, {0, 1}, {1, 2}};

static void shadows_are_decided_exactly(void **state) {
    (void)state;
    if (!ground_oracle_available()) {
        skip();
    }
    unsigned long scenes = test_count(12000);
    tally t = {0};
    scenes_run(scene_make_sharp, scenes, 0, false, &t);
    assert_true(t.overlapping > scenes / 5);
    assert_true(t.apart > scenes / 5);
    assert_true(t.touching > scenes / 1000);
    assert_true(t.close > scenes / 40);
    assert_true(t.closest > scenes / 1000);
    assert_true(t.hulls > scenes / 4);
}

static void translations_separate_and_are_the_shortest(void **state) {
    (void)state;
    if (!ground_oracle_available()) {
        skip();
    }
    unsigned long scenes = test_count(6000);
    tally t = {0};
    scenes_run(scene_make_sharp, scenes, UINT64_C(1) << 40, true, &t);
    assert_true(t.deep > scenes / 20);
}

static abut_collider box_at(abut_vec3 center, abut_quat rotation, abut_vec3 half) {
    abut_collider collider;
    const abut_obb box = {center, rotation, half};
    assert_true(abut_collider_from_obb(&box, &collider));
    return collider;
}

static abut_np_footprint footprint_of(abut_obb2 rectangle, float clearance, abut_touch touch, const int ground[2]) {
    abut_np_footprint out;
    assert_true(abut_np_footprint_of(&rectangle, clearance, touch, ground, &out));
    return out;
}

static bool meets(abut_obb2 rectangle, float clearance, abut_touch touch, const int ground[2],
                  const abut_collider *collider) {
    abut_np_footprint made = footprint_of(rectangle, clearance, touch, ground);
    return abut_np_footprint_meets(&made, collider);
}

/* (x, y) on the ground, at height z. */
static abut_vec3 raised(float x, float y, float z, const int ground[2]) {
    abut_vec3 v = {z, z, z};
    *(&v.x + ground[0]) = x;
    *(&v.x + ground[1]) = y;
    return v;
}

/* Houses on the cells of a grid whose pitch is a float, and a candidate on one cell. With a clearance, houses at its
 * corners are farther away than those at its sides. */
static void check_cell(const abut_collider *collider, abut_obb2 rectangle, float clearance, const int ground[2], int i,
                       int j) {
    bool same = i == 0 && j == 0, near = clearance > 0 ? i * i + j * j <= 1 : i * i <= 1 && j * j <= 1;
    assert_int_equal(meets(rectangle, clearance, ABUT_TOUCH_IS_FREE, ground, collider), same);
    assert_int_equal(meets(rectangle, clearance, ABUT_TOUCH_IS_OVERLAP, ground, collider), near);
}

static void houses_of_a_grid_may_stand_side_by_side(void **state) {
    (void)state;
    static const abut_quat turns[4] = {{0, 0, 0, 1}, {0, 0, 0, -0.3f}, {2, 2, 2, 2}, {0, 0.7f, 0.7f, 0}};
    const abut_vec3 corners[8] = {{1, 1, 1},  {-1, 1, 1},  {1, -1, 1},  {-1, -1, 1},
                                  {1, 1, -1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, -1}};
    abut_hull *cube = NULL;
    assert_int_equal(abut_hull_create(corners, 8, NULL, &cube), ABUT_OK);
    for (int k = 0; k < 3 * 4 * 81; k++) {
        const int *ground = grounds[k % 3];
        int turn = k / 3 % 4, i = k / 12 % 9 - 4, j = k / 12 / 9 - 4;
        float x = 100.5f + 2 * (float)i, y = -7 + 2 * (float)j;
        const abut_obb2 rectangle = {{100.5f, -7}, {0, -4}, {1, 1}}, narrow = {{100.5f, -7}, {0, 0}, {0.75f, 0.75f}};
        abut_collider house = box_at(raised(x, y, 3, ground), turns[turn], (abut_vec3){1, 1, 1}), other;
        const abut_pose pose = {raised(x, y, 3, ground), turns[turn]};
        assert_true(abut_collider_from_hull(cube, &pose, &other));
        check_cell(&house, rectangle, 0, ground, i, j);
        check_cell(&house, narrow, 0.25f, ground, i, j);
        check_cell(&other, rectangle, 0, ground, i, j);
        check_cell(&other, narrow, 0.25f, ground, i, j);
    }
    abut_hull_destroy(&cube);
}

/* Half a turn about (2, 1, 0) takes x to (3, 4, 0) / 5: a grid of exact floats. */
static void houses_of_a_turned_grid_may_stand_side_by_side(void **state) {
    (void)state;
    for (int k = 0; k < 81; k++) {
        int i = k % 9 - 4, j = k / 9 - 4;
        float x = 3 * (float)i - 4 * (float)j, y = 4 * (float)i + 3 * (float)j;
        abut_collider house = box_at((abut_vec3){x, y, 0}, (abut_quat){2, 1, 0, 0}, (abut_vec3){2.5f, 2.5f, 1});
        check_cell(&house, (abut_obb2){{0, 0}, {3, 4}, {2.5f, 2.5f}}, 0, grounds[1], i, j);
        check_cell(&house, (abut_obb2){{0, 0}, {-0.8f * 5, 3}, {2, 2}}, 0.5f, grounds[1], i, j);
    }
}

/* The shadow of a cube on its edge is as wide as its diagonal; on its corner, the shadow is a hexagon. */
static void tilted_bodies_cast_their_exact_shadow(void **state) {
    (void)state;
    abut_collider edge =
        box_at((abut_vec3){0, 0, 0}, (abut_quat){0, 0, 0.38268343f, 0.92387953f}, (abut_vec3){1, 1, 1});
    for (int rule = 0; rule < 2; rule++) {
        assert_true(meets((abut_obb2){{2.4142f, 0}, {1, 0}, {1, 1}}, 0, (abut_touch)rule, grounds[0], &edge));
        assert_false(meets((abut_obb2){{2.4143f, 0}, {1, 0}, {1, 1}}, 0, (abut_touch)rule, grounds[0], &edge));
    }
    /* Its rotation takes (1, 1, 1) to up (0, 3, 0) / sqrt 3, nearly; a corner of the hexagon at sqrt (8 / 3). */
    abut_collider corner =
        box_at((abut_vec3){0, 5, 0}, (abut_quat){-0.3250576f, 0, 0.3250576f, 0.8880738f}, (abut_vec3){1, 1, 1});
    int inside = 0;
    for (int k = 0; k < 360; k++) {
        double angle = 0.017453292519943295 * k;
        abut_obb2 point = {{(float)(1.5 * cos(angle)), (float)(1.5 * sin(angle))}, {1, 2}, {0, 0}};
        inside += meets(point, 0, ABUT_TOUCH_IS_OVERLAP, grounds[0], &corner);
    }
    /* Its sides are sqrt 2 away: 12 acos(sqrt 2 / 1.5) of the circle lies outside. */
    assert_true(inside >= 123 && inside <= 130);
}

static void a_plate_on_its_edge_is_a_wall(void **state) {
    (void)state;
    abut_collider wall = box_at((abut_vec3){0, 0, 0}, (abut_quat){0, 0, 0, 1}, (abut_vec3){3, 2, 0});
    assert_true(meets((abut_obb2){{0, 0}, {1, 1}, {1, 1}}, 0, ABUT_TOUCH_IS_FREE, grounds[0], &wall));
    assert_false(meets((abut_obb2){{0, 1}, {1, 0}, {1, 1}}, 0, ABUT_TOUCH_IS_FREE, grounds[0], &wall));
    assert_true(meets((abut_obb2){{0, 1}, {1, 0}, {1, 1}}, 0, ABUT_TOUCH_IS_OVERLAP, grounds[0], &wall));
    assert_true(meets((abut_obb2){{0, 1}, {1, 0}, {1, 1}}, 0x1p-149f, ABUT_TOUCH_IS_FREE, grounds[0], &wall));
    assert_false(meets((abut_obb2){{2, 0}, {1, 0}, {1, 0}}, 0, ABUT_TOUCH_IS_FREE, grounds[0], &wall));
    /* A rod that stands upright is a point. */
    abut_collider post = box_at((abut_vec3){1, 0, 1}, (abut_quat){0, 0, 0, 1}, (abut_vec3){0, 2, 0});
    assert_true(meets((abut_obb2){{0, 0}, {3, 4}, {2, 2}}, 0, ABUT_TOUCH_IS_FREE, grounds[0], &post));
    assert_true(meets((abut_obb2){{0, 0}, {0, 0}, {1, 1}}, 0, ABUT_TOUCH_IS_OVERLAP, grounds[0], &post));
    assert_false(meets((abut_obb2){{0, 0}, {0, 0}, {1, 1}}, 0, ABUT_TOUCH_IS_FREE, grounds[0], &post));
}

static abut_vec2 move_out(abut_obb2 rectangle, abut_touch touch, const abut_collider *collider) {
    abut_np_footprint made = footprint_of(rectangle, 0, touch, grounds[0]);
    abut_vec2 translation = abut_np_footprint_translation(&made, collider);
    rectangle.center.x += translation.x;
    rectangle.center.y += translation.y;
    assert_false(meets(rectangle, 0, touch, grounds[0], collider));
    return translation;
}

static void translations_are_exact_on_a_grid_and_always_end(void **state) {
    (void)state;
    abut_collider house = box_at((abut_vec3){0, 0, 0}, (abut_quat){0, 0, 0, 1}, (abut_vec3){1, 1, 1});
    abut_vec2 translation = move_out((abut_obb2){{1.75f, 0.5f}, {1, 0}, {1, 1}}, ABUT_TOUCH_IS_FREE, &house);
    assert_true(translation.x == 0.25f && translation.y == 0);
    translation = move_out((abut_obb2){{0.5f, -1.75f}, {1, 0}, {1, 1}}, ABUT_TOUCH_IS_FREE, &house);
    assert_true(translation.x == 0 && translation.y == -0.25f);
    translation = move_out((abut_obb2){{2, 0.5f}, {1, 0}, {1, 1}}, ABUT_TOUCH_IS_OVERLAP, &house);
    assert_true(translation.x > 0 && translation.x < 1e-6f && translation.y == 0);
    translation =
        move_out((abut_obb2){{0, 0}, {1, 0}, {1, 1}}, ABUT_TOUCH_IS_FREE, &house); /* all four are equal: the first */
    assert_true(translation.x == 2 && translation.y == 0);
    /* Where floats are 8 apart, and the body is much thinner. */
    abut_collider far = box_at((abut_vec3){1e8f, 0, 1e8f}, (abut_quat){0, 0, 0, 1}, (abut_vec3){1e-3f, 1, 1e-3f});
    translation = move_out((abut_obb2){{1e8f, 1e8f}, {1, 0}, {1e-3f, 1e-3f}}, ABUT_TOUCH_IS_OVERLAP, &far);
    assert_true(translation.x <= 8 && translation.y == 0);
    translation = move_out((abut_obb2){{1e8f, 1e8f}, {2, 1}, {1e-3f, 1e-3f}}, ABUT_TOUCH_IS_OVERLAP, &far);
    assert_true(fabsf(translation.x) <= 8 && fabsf(translation.y) <= 8);
    translation = move_out((abut_obb2){{0, 0}, {1, 0}, {1e38f, 1e38f}}, ABUT_TOUCH_IS_OVERLAP, &house);
    assert_true(translation.x >= 1e38f && translation.x < 1.001e38f);
    /* A rectangle of the size of the float range cannot leave. */
    abut_np_footprint all =
        footprint_of((abut_obb2){{0, 0}, {1, 1}, {FLT_MAX, FLT_MAX}}, FLT_MAX, ABUT_TOUCH_IS_FREE, grounds[0]);
    translation = abut_np_footprint_translation(&all, &house);
    assert_true(isfinite(translation.x) && isfinite(translation.y));
    /* It goes as far as floats can say, away from the body, on either side of it. */
    for (float side = -1; side <= 1; side += 2) {
        const abut_vec3 vast = {1e38f, 1, FLT_MAX}, at = {-1e38f * side, 0, 0};
        abut_collider wide = box_at(at, (abut_quat){0, 0, 0, 1}, vast);
        for (int k = 0; k < 3; k++) { /* the last: where the addend, rounded outward, would lead to infinity */
            const float from = side * (k == 0 ? -1.0f : k == 1 ? -1e37f : 0x1.8p+103f);
            all = footprint_of((abut_obb2){{from, 0}, {1, 0}, {FLT_MAX, FLT_MAX}}, 0, ABUT_TOUCH_IS_FREE, grounds[0]);
            translation = abut_np_footprint_translation(&all, &wide);
            float there = from + translation.x;
            assert_true(translation.y == 0 && side * there <= FLT_MAX);
            assert_true(k < 2 ? side * translation.x == FLT_MAX : side * there >= 0x1.fffffcp+127f);
        }
    }
}

static void bounds_contain_the_rectangle(void **state) {
    (void)state;
    float min[2], max[2];
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        double scale = rng_log_range(&r, 1e-3, 1e4);
        abut_obb2 o = scene_rectangle(&r, scale);
        float clearance = rng_chance(&r, 0.5) ? 0 : (float)(scale * rng_unit(&r));
        o.center = (abut_vec2){(float)rng_range(&r, -scale, scale), (float)rng_range(&r, -scale, scale)};
        abut_np_footprint footprint = footprint_of(o, clearance, ABUT_TOUCH_IS_FREE, grounds[0]);
        abut_np_footprint_bounds(&footprint, min, max);
        const abut_vec2 axis = footprint.rectangle.axis;
        double x = axis.x, y = axis.y, length = hypot(x, y);
        const double extent[2] = {(fabs(x) * o.half.x + fabs(y) * o.half.y) / length + clearance,
                                  (fabs(y) * o.half.x + fabs(x) * o.half.y) / length + clearance};
        for (int k = 0; k < 2; k++) {
            double center = *(&o.center.x + k), slack = 0x1p-21 * (fabs(center) + extent[k]);
            assert_true(min[k] < center - extent[k] || extent[k] == 0);
            assert_true(max[k] > center + extent[k] || extent[k] == 0);
            assert_true(min[k] <= center && min[k] > center - extent[k] - slack - 1e-44);
            assert_true(max[k] >= center && max[k] < center + extent[k] + slack + 1e-44);
        }
    }
    abut_np_footprint footprint =
        footprint_of((abut_obb2){{1, 2}, {0, -2}, {0.5f, 0.25f}}, 0, ABUT_TOUCH_IS_FREE, grounds[0]);
    abut_np_footprint_bounds(&footprint, min, max);
    assert_true(min[0] <= 0.75f && min[1] <= 1.5f && max[0] >= 1.25f && max[1] >= 2.5f);
    assert_true(min[0] > 0.749999f && min[1] > 1.499999f && max[0] < 1.250001f && max[1] < 2.500001f);
    footprint = footprint_of((abut_obb2){{0, 0}, {1, 0}, {1, 1}}, 0x1p-60f, ABUT_TOUCH_IS_FREE, grounds[0]);
    abut_np_footprint_bounds(&footprint, min, max);
    assert_true(min[0] < -1 && min[1] < -1 && max[0] > 1 && max[1] > 1);
    footprint = footprint_of((abut_obb2){{FLT_MAX, -FLT_MAX}, {1, 1}, {FLT_MAX, FLT_MAX}}, FLT_MAX, ABUT_TOUCH_IS_FREE,
                             grounds[0]);
    abut_np_footprint_bounds(&footprint, min, max);
    assert_true(min[0] < 0 && min[1] == -FLT_MAX && max[0] == FLT_MAX && max[1] > 0);
}

static void invalid_input_makes_no_footprint(void **state) {
    (void)state;
    const abut_obb2 valid = {{0, 0}, {1, 0}, {1, 1}};
    const float bad[3] = {NAN, INFINITY, -INFINITY};
    abut_np_footprint out;
    assert_true(abut_np_footprint_of(&valid, 0, ABUT_TOUCH_IS_FREE, grounds[0], &out));
    assert_false(abut_np_footprint_of(&valid, -1, ABUT_TOUCH_IS_FREE, grounds[0], &out));
    assert_false(abut_np_footprint_of(&valid, 0, (abut_touch)2, grounds[0], &out));
    for (int i = 0; i < 21; i++) {
        abut_obb2 broken = valid;
        float clearance = 0, *number[7] = {&broken.center.x, &broken.center.y, &broken.axis.x, &broken.axis.y,
                                           &broken.half.x,   &broken.half.y,   &clearance};
        *number[i / 3] = bad[i % 3];
        assert_false(abut_np_footprint_of(&broken, clearance, ABUT_TOUCH_IS_FREE, grounds[0], &out));
    }
    for (int i = 0; i < 2; i++) {
        abut_obb2 broken = valid;
        *(&broken.half.x + i) = -0x1p-149f;
        assert_false(abut_np_footprint_of(&broken, 0, ABUT_TOUCH_IS_FREE, grounds[0], &out));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shadows_are_decided_exactly),
        cmocka_unit_test(translations_separate_and_are_the_shortest),
        cmocka_unit_test(houses_of_a_grid_may_stand_side_by_side),
        cmocka_unit_test(houses_of_a_turned_grid_may_stand_side_by_side),
        cmocka_unit_test(tilted_bodies_cast_their_exact_shadow),
        cmocka_unit_test(a_plate_on_its_edge_is_a_wall),
        cmocka_unit_test(translations_are_exact_on_a_grid_and_always_end),
        cmocka_unit_test(bounds_contain_the_rectangle),
        cmocka_unit_test(invalid_input_makes_no_footprint),
    };
    return test_run(tests);
}
