/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Closest points that can be written down: points, rods, plates and boxes, apart and overlapping. */

#include "narrowphase/distance/distance.h"
#include "narrowphase/kernels.h"
#include "support/test.h"
#include <math.h>

static abut_collider box(float x, float y, float z, float half_x, float half_y, float half_z) {
    abut_collider c = abut_collider_unplaced(NULL, NULL, (abut_vec3){half_x, half_y, half_z}, 0);
    c.center = (abut_vec3){x, y, z};
    c.rotation = (abut_quat){0, 0, 0, 1};
    return c;
}

static void assert_point(const abut_d3 *p, double x, double y, double z) {
    assert_true(fabs(p->x[0] - x) <= 1e-14 && fabs(p->x[1] - y) <= 1e-14 && fabs(p->x[2] - z) <= 1e-14);
}

static void points(void **state) {
    (void)state;
    abut_collider a = box(1, 2, 3, 0, 0, 0), b = box(4, 6, 3, 0, 0, 0);
    abut_np_closest c;
    abut_np_closest_points(&a, &b, &c);
    assert_true(c.distance == 5 && c.lower < 5 && c.lower > 5 - 1e-13 && !c.overlap);
    assert_point(&c.on_a, 0, 0, 0);
    assert_point(&c.on_b, 3, 4, 0);
    assert_point(&c.normal, 0.6, 0.8, 0);
    assert_true(c.count == 1 && c.count_a == 1 && c.count_b == 1 && c.corner_a[0] == 0 && c.corner_b[0] == 0);
    abut_np_closest_points(&a, &a, &c);
    assert_true(c.overlap && c.distance == 0 && c.lower <= 0);
    assert_point(&c.normal, 0, 0, 0);
}

static void point_and_box(void **state) {
    (void)state;
    abut_collider a = box(0, 0, 0, 1, 2, 3), b = box(0.5f, 4, 0.25f, 0, 0, 0);
    abut_np_closest c;
    abut_np_closest_points(&a, &b, &c);
    assert_true(c.distance == 2);
    assert_point(&c.on_a, 0.5, 2, 0.25);
    assert_point(&c.on_b, 0.5, 4, 0.25);
    assert_point(&c.normal, 0, 1, 0);
    assert_true(c.count == 3 && c.count_a == 3 && c.count_b == 1);
    b = box(4, 6, 1, 0, 0, 0);
    abut_np_closest_points(&a, &b, &c);
    assert_true(fabs(c.distance - 5) <= 1e-14 && c.count_a == 2);
    assert_true(c.corner_a[0] == 3 && c.corner_a[1] == 7); /* the edge +x +y */
    b = box(0.5f, 0.5f, 0.5f, 0, 0, 0);
    abut_np_closest_points(&a, &b, &c);
    assert_true(c.overlap);
    assert_point(&c.on_a, 0.5, 0.5, 0.5);
    assert_point(&c.on_b, 0.5, 0.5, 0.5);
}

static void rods(void **state) {
    (void)state;
    abut_collider a = box(0, 0, 0, 2, 0, 0), b = box(0.5f, 1, 0.25f, 0, 0, 2);
    abut_np_closest c;
    abut_np_closest_points(&a, &b, &c);
    assert_true(c.distance == 1 && c.count_a == 2 && c.count_b == 2);
    assert_true(c.corner_a[0] == 0 && c.corner_a[1] == 1 && c.corner_b[0] == 0 && c.corner_b[1] == 4);
    assert_point(&c.on_a, 0.5, 0, 0);
    assert_point(&c.on_b, 0.5, 1, 0);
    b = box(1, 3, 0, 2, 0, 0); /* parallel */
    abut_np_closest_points(&a, &b, &c);
    assert_true(c.distance == 3 && c.on_a.x[0] == c.on_b.x[0] && c.on_a.x[0] >= -1 && c.on_a.x[0] <= 2);
    b = box(0.5f, 0, 0.25f, 0, 0, 2); /* crossing */
    abut_np_closest_points(&a, &b, &c);
    assert_true(c.overlap);
    assert_point(&c.on_a, 0.5, 0, 0);
}

static void plates(void **state) {
    (void)state;
    abut_collider a = box(0, 0, 0, 2, 0, 2), b = box(1, 0x1p-30f, 1, 2, 0, 2);
    abut_np_closest c;
    abut_np_closest_points(&a, &b, &c);
    assert_true(c.distance == 0x1p-30 && c.normal.x[1] == 1 && !c.overlap);
    b.center.y = 0;
    abut_np_closest_points(&a, &b, &c);
    assert_true(c.overlap && c.distance == 0);
    b.center.y = 5;
    assert_true(abut_np_farther_than(&a, &b, 4.5, &c) && c.lower > 4.5);
    assert_false(abut_np_farther_than(&a, &b, 5, &c));
    assert_true(c.distance == 5);
}

/* Near the ends of what floats hold; products of lengths must neither overflow nor vanish. */
static void huge_and_tiny(void **state) {
    (void)state;
    static const float sizes[] = {0x1p+127f, 0x1p-120f};
    for (int i = 0; i < 2; i++) {
        float s = sizes[i];
        abut_collider a = box(0, 0, 0, s, s, s);
        abut_collider b = box(1.5f * s, 0, 0.5f * s, 0, 0.25f * s, 0);
        abut_np_closest c;
        abut_np_closest_points(&a, &b, &c);
        assert_true(c.distance == 0.5 * s && !c.overlap && c.lower < c.distance && c.lower > 0.499 * s);
        assert_true(c.normal.x[0] == 1 && c.on_a.x[0] == s && isfinite(c.size));
        b.center.x = 0.5f * s;
        abut_np_closest_points(&a, &b, &c);
        assert_true(c.overlap && fabs(c.on_a.x[0] - 0.5 * s) <= 1e-14 * s);
    }
}

/* A limit so close below what the first corner shows that the bound, which is less by the slack, does not pass it: the
 * search goes on, and finds that the boxes are farther apart than that. */
static void limits_within_rounding_of_a_bound(void **state) {
    (void)state;
    const abut_collider a = box(0, 0, 0, 1, 1, 1), b = box(5, 4, 2.5f, 1, 1, 1);
    /* From corner to corner (3, 2, 0.5); along that the first corner found is the lowest, too. */
    abut_collider c = box(5, 1.5f, 0.25f, 1, 1, 1);
    abut_np_closest closest;
    const double truth = sqrt(9 + 4 + 0.25);
    for (int k = -8; k <= 8; k++) {
        double limit = truth * (1 + k * 0x1p-50);
        bool farther = abut_np_farther_than(&a, &b, limit, &closest);
        assert_true(farther ? limit < truth && closest.lower > limit : fabs(closest.distance - truth) < 1e-14);
        /* The first corner of the difference is (3, -0.5, -1.75), and the lowest along that (3, 3.5, 2.25). */
        double first = (9 - 1.75 - 3.9375) / sqrt(9 + 0.25 + 3.0625);
        assert_true(abut_np_farther_than(&a, &c, first * (1 + k * 0x1p-50), &closest));
        assert_true(closest.lower > first * (1 + k * 0x1p-50) && closest.lower <= 3);
    }
}

/* A search that goes on from two corners whose distances from the origin round to the same number, although the first
 * is nearer: between them there is no nearer point, either. */
static void corners_as_near_as_each_other(void **state) {
    (void)state;
    static float x[ABUT_HULL_PAD], y[ABUT_HULL_PAD], z[ABUT_HULL_PAD];
    abut_np_cores cores = {.between = {{1, 0, 0}}, .size = 2};
    abut_np_nearest nearest = {.count = 2};
    for (int i = 0; i < ABUT_HULL_PAD; i++) {
        x[i] = -1;
        y[i] = i == 1 ? -0x1.00001p-40f : -0x1p-40f;
    }
    for (int k = 0; k < 3; k++) {
        cores.axes_a[k][k] = cores.turn[k][k] = 1;
    }
    cores.core[0] = (abut_np_core){.vertex = {x, y, z}, .vertex_count = 2};
    nearest.corner[1].of_a = 1;
    assert_false(abut_np_distance_kernels_active()->nearest_again(&cores, INFINITY, &nearest));
    assert_true(!nearest.overlap && nearest.count == 1 && nearest.weight[0] == 1);
    assert_true(nearest.point.x[0] == 1 && nearest.lower < 1 && nearest.lower > 1 - 1e-13);
}

/* Corners of a triangle that coincide, or lie on a line, span none; the search goes on without some of them. */
static void searches_begin_again_at_any_corners(void **state) {
    (void)state;
    const abut_collider a = box(0, 0, 0, 1, 2, 3), b = box(4, 6, 8, 0, 0, 0);
    const abut_np_distance_kernels *kernels = abut_np_distance_kernels_active();
    abut_np_cores cores;
    abut_np_cores_place(&a, &b, &cores);
    for (uint32_t of_a = 0; of_a < 512; of_a++) { /* three corners of a box */
        abut_np_nearest nearest = {.count = 3};
        for (int k = 0; k < 3; k++) {
            nearest.corner[k].of_a = of_a >> 3 * k & 7;
        }
        assert_false(kernels->nearest_again(&cores, INFINITY, &nearest));
        assert_true(!nearest.overlap && nearest.count == 1 && nearest.corner[0].of_a == 7);
        assert_point(&nearest.point, 3, 4, 5);
        assert_true(nearest.lower <= sqrt(50) && nearest.lower > sqrt(50) - 1e-12);
    }
}

/* How far the point on b is off, at worst, where b is a point and the search begins with three of the hull's four
 * vertices. */
static double off_from(const abut_collider *hull, const abut_collider *point) {
    const abut_np_distance_kernels *kernels = abut_np_distance_kernels_active();
    abut_np_cores cores;
    abut_np_closest c;
    double worst = 0;
    abut_np_cores_place(hull, point, &cores);
    for (uint32_t without = 0; without < 4; without++) {
        abut_np_nearest nearest = {.count = 3};
        for (uint32_t k = 0; k < 3; k++) {
            nearest.corner[k].of_a = k + (k >= without);
        }
        assert_false(kernels->nearest_again(&cores, INFINITY, &nearest));
        abut_np_nearest_report(&cores, &nearest, &c);
        const abut_d3 off = abut_d3_sub(c.on_b, abut_d3_from(point->center));
        worst = fmax(worst, abut_d3_norm1(off));
    }
    return worst;
}

/* A point beside a side of a thin triangle, by so little that it counts as over it: each side, and beyond its ends. A
 * weight that is negative by rounding does not move the closest point along the triangle. */
static void a_point_beside_the_side_of_a_thin_triangle(void **state) {
    (void)state;
    static const float along[3] = {0.75f, 0.25f, -0.75f}; /* where the third corner is, along the side */
    for (int k = 0; k < 3; k++) {
        const abut_vec3 corner[4] = {{-0.25f, 0, 0}, {0.25f, 0, 0}, {along[k], -0x1p-10f, 0}, {0, 0, -1}};
        abut_hull *hull;
        assert_int_equal(abut_hull_create(corner, 4, NULL, &hull), ABUT_OK);
        abut_collider a = abut_collider_unplaced(NULL, hull, (abut_vec3){0, 0, 0}, 0);
        a.rotation = (abut_quat){0, 0, 0, 1};
        for (float off = 0x1p-60f; off < 0x1p-48f; off *= 2) {
            for (float x = -0.25f; x <= 0.25f; x += 0.125f) {
                const abut_collider b = box(x, off, 0x1p-30f, 0, 0, 0);
                assert_true(off_from(&a, &b) <= 0x1p-46 * 2);
            }
        }
        abut_hull_destroy(&hull);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points),
        cmocka_unit_test(point_and_box),
        cmocka_unit_test(rods),
        cmocka_unit_test(plates),
        cmocka_unit_test(huge_and_tiny),
        cmocka_unit_test(limits_within_rounding_of_a_bound),
        cmocka_unit_test(corners_as_near_as_each_other),
        cmocka_unit_test(searches_begin_again_at_any_corners),
        cmocka_unit_test(a_point_beside_the_side_of_a_thin_triangle),
    };
    return test_run(tests);
}
