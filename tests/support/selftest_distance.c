/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Tests of the oracle of distance: pairs known by hand, and against the two oracles of separating axes. */

#include "support/hull_oracle.h"
#include "support/near_hulls.h"
#include "support/near_round.h"
#include "support/near_touch.h"
#include "support/oracle.h"
#include "support/test.h"
#include <math.h>
#include <stdio.h>

static const abut_quat none = {0, 0, 0, 1};

static void expect(abut_vec3 half_a, abut_vec3 at, abut_quat turn, abut_vec3 half_b, double distance) {
    core a, b;
    core_of_box(half_a, &a);
    core_of_box(half_b, &b);
    const abut_pose origin = {{0, 0, 0}, none}, there = {at, turn};
    distance_truth t = distance_oracle(&a, &origin, &b, &there), back = distance_oracle(&b, &there, &a, &origin);
    assert_true(t.sure && back.sure && t.overlap == (distance == 0) && back.overlap == t.overlap);
    assert_true(fabs((double)t.distance - distance) <= 1e-15 * distance);
    assert_true(fabs((double)back.distance - distance) <= 1e-15 * distance);
}

static void distances_are_those_known_by_hand(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    const abut_vec3 cube = {1, 1, 1}, point = {0, 0, 0}, rod = {0, 5, 0}, plate = {3, 0, 3};
    const abut_quat quarter = {0, 0, 1, 1}; /* about z: y becomes -x */
    expect(cube, (abut_vec3){3, 0, 0}, none, cube, 1);
    expect(cube, (abut_vec3){2, 0, 0}, none, cube, 0);
    expect(cube, (abut_vec3){1, 0.5f, 0.25f}, none, cube, 0);
    expect(cube, (abut_vec3){0.25f, 0, 0}, none, (abut_vec3){0.25f, 0.25f, 0.25f}, 0);
    expect(cube, (abut_vec3){5, 6, 0}, none, cube, 5);
    expect(cube, (abut_vec3){4, 4, 8}, none, cube, sqrt(4 + 4 + 36));
    expect(point, (abut_vec3){2, 3, 6}, none, point, 7);
    expect(point, (abut_vec3){0, 0, 0}, none, point, 0);
    expect(rod, (abut_vec3){4, 8, 3}, none, point, sqrt(16 + 9 + 9));
    expect(rod, (abut_vec3){4, 4, 3}, none, point, 5);
    expect(rod, (abut_vec3){4, 4, 3}, none, rod, 5);
    expect(rod, (abut_vec3){0, 13, 4}, none, rod, 5);
    expect(rod, (abut_vec3){0, 0, 2}, quarter, rod, 2); /* crossed */
    expect(rod, (abut_vec3){0, 0, 0}, quarter, rod, 0);
    expect(rod, (abut_vec3){0, 4, 0}, none, rod, 0);
    expect(plate, (abut_vec3){0, 4, 0}, none, rod, 0);
    expect(plate, (abut_vec3){0, 6, 0}, none, rod, 1);
    expect(plate, (abut_vec3){2, 6, 2}, quarter, rod, 6);
    expect(plate, (abut_vec3){1, 0, 1}, none, plate, 0);
    expect(plate, (abut_vec3){1, 3, 1}, none, plate, 3);
    expect(cube, (abut_vec3){0, 0.5f, 0}, none, plate, 0);
    expect(cube, (abut_vec3){0, 0, 0}, none, point, 0);
    expect(cube, (abut_vec3){0, 1, 0}, none, point, 0);
    expect(cube, (abut_vec3){0, 1.25f, 0}, none, point, 0.25);
    expect((abut_vec3){0, 1e4f, 0}, (abut_vec3){0x1p-20f, 0, 0}, quarter, point, 0x1p-20);
}

static void sizes_bounds_and_points(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    core a, b;
    core_of_box((abut_vec3){1, 2, 2}, &a);
    core_of_box((abut_vec3){0, 0, 0}, &b);
    const abut_pose from = {{1, 1, 1}, none}, to = {{4, 5, 1}, none};
    assert_true(fabs(distance_size(&a, 0, &from, &b, 1, &to) - (6 + sqrt(12) + 5)) < 1e-12);
    assert_true(distance_along(&a, &from, &b, &to, (const double[3]){1, 0, 0}) == 2);
    assert_true(distance_along(&a, &from, &b, &to, (const double[3]){0, -1, 0}) == -6);
    assert_true(fabs(distance_of_point(&a, none, (const double[3]){4, 6, 0}) - 5) < 1e-15);
    assert_true(distance_of_point(&a, (abut_quat){0, 0, 3, 3}, (const double[3]){-2, 1, 0}) == 0);
}

static void it_agrees_with_separating_axes_on_boxes(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long count = test_count(6000), apart = 0;
    for (unsigned long i = 0; i < count; i++) {
        near_touch p = near_touch_pair(test_seed(), i);
        core a, b;
        core_of_box(p.a.half, &a);
        core_of_box(p.b.half, &b);
        abut_pose pose_a = {p.a.center, p.a.rotation}, pose_b = {p.b.center, p.b.rotation};
        distance_truth t = distance_oracle(&a, &pose_a, &b, &pose_b);
        oracle_gap gap = oracle_obb_pair(&p.a, &p.b);
        apart += !t.overlap;
        assert_true(t.sure);
        assert_int_equal(t.overlap, gap.touch);
        assert_true((double)t.distance >= (gap.gap - 1e-15) * gap.size);
        assert_true(!p.exact || t.overlap);
    }
    assert_true(apart > count / 5 && apart < count / 5 * 4);
}

static void it_agrees_with_separating_axes_on_hulls(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long count = test_count(600), apart = 0;
    for (unsigned long i = 0; i < count; i++) {
        near_hulls p;
        core a, b;
        near_hulls_pair(test_seed(), i, &p);
        if (p.box_a) {
            core_of_box(p.half, &a);
        } else {
            assert_true(core_of_points(p.a.point, p.a.count, &a));
        }
        assert_true(core_of_points(p.b.point, p.b.count, &b));
        distance_truth t = distance_oracle(&a, &p.pose_a, &b, &p.pose_b);
        hull_truth h = hull_truth_of(&p.a, &p.pose_a, &p.b, &p.pose_b);
        apart += !t.overlap;
        assert_true(t.sure);
        assert_true(h.apart == !t.overlap || fabs(h.gap) < 1e-14 * h.size);
        assert_true((double)t.distance >= h.gap - 3e-15 * h.size);
        assert_true(!p.exact || t.overlap);
    }
    assert_true(apart > count / 5 && apart < count / 5 * 4);
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* What the generator makes is what it says: every answer is proven, whole pairs touch, and the points lie on the
 * cores. */
static void near_round_pairs_are_near(void **state) {
    (void)state;
    if (!QUAD_AVAILABLE) {
        skip();
    }
    unsigned long count = test_count(12000), kinds[ROUND_KINDS][ROUND_KINDS] = {{0}}, meetings[ROUND_MEETINGS] = {0};
    unsigned long exact = 0, gaps[2][17] = {{0}};
    round_hulls *hulls = round_hulls_make(test_seed());
    for (unsigned long i = 0; i < count; i++) {
        round_pair p;
        near_round_pair(hulls, test_seed(), i, ROUND_NEAR, &p);
        const abut_pose *from = &p.a.pose, *to = &p.b.pose;
        distance_truth t = distance_oracle(p.a.core, from, p.b.core, to);
        double size = distance_size(p.a.core, p.a.shape.radius, from, p.b.core, p.b.shape.radius, to);
        double gap = (double)(t.distance - p.a.shape.radius - p.b.shape.radius) / size, off[3], d[3];
        assert_true(t.sure && (!p.exact || fabs(gap) < 1e-31));
        for (int k = 0; k < 3; k++) {
            d[k] = t.on_b[k] - t.on_a[k];
            off[k] = t.on_b[k] - ((double)*(&to->position.x + k) - *(&from->position.x + k));
        }
        assert_true(fabs(sqrt(dot(d, d)) - (double)t.distance) < 1e-15 * size);
        assert_true(distance_of_point(p.a.core, from->rotation, t.on_a) < 3e-15 * size);
        assert_true(distance_of_point(p.b.core, to->rotation, off) < 3e-15 * size);
        kinds[p.a.kind][p.b.kind]++;
        meetings[p.meeting]++;
        exact += p.exact;
        gaps[gap > 0][gap == 0 ? 16 : (int)fmin(16, fmax(0, -log10(fabs(gap))))]++;
    }
    round_hulls_release(hulls);
    printf("gaps by power of ten, deep and apart:");
    for (int k = 0; k < 17; k++) {
        printf(" %lu+%lu", gaps[0][k], gaps[1][k]);
        assert_true(k < 2 || k > 13 || (gaps[0][k] > count / 1200 && gaps[1][k] > count / 1200));
    }
    printf("\nmeetings:");
    for (int k = 0; k < ROUND_MEETINGS; k++) {
        printf(" %lu", meetings[k]);
        assert_true(meetings[k] > count / 30);
    }
    printf("; exact %lu\n", exact);
    assert_true(exact > count / 10);
    for (int k = 0; k < ROUND_KINDS * ROUND_KINDS; k++) {
        assert_true(kinds[k / ROUND_KINDS][k % ROUND_KINDS] > count / 200);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_known_by_hand),
        cmocka_unit_test(sizes_bounds_and_points),
        cmocka_unit_test(it_agrees_with_separating_axes_on_boxes),
        cmocka_unit_test(it_agrees_with_separating_axes_on_hulls),
        cmocka_unit_test(near_round_pairs_are_near),
    };
    return test_run(tests);
}
