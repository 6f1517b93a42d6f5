/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The demo's check of hulls must find faults: hulls of other points, and false contacts. */

#include "judge.h"
#include "support/test.h"
#include <string.h>

/* A cube of half size 1 with two points inside and one in the middle of an edge. */
static const abut_vec3 cloud[] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},       {-1, -1, 1}, {1, -1, 1},
                                  {-1, 1, 1},   {1, 1, 1},   {0, 0, 0},   {0.5f, 0.25f, 0}, {1, 1, 0}};
enum { POINTS = sizeof cloud / sizeof cloud[0] };

static abut_hull *hull_of(const abut_vec3 *points, size_t n) {
    abut_hull *hull;
    assert_int_equal(abut_hull_create(points, n, NULL, &hull), ABUT_OK);
    return hull;
}

static const char *verdict(abut_vec3 *points, size_t n, abut_hull *hull) {
    const specimen of = {.points = points, .point_count = n, .hull = hull};
    surface s = {0};
    const char *wrong = judge_hull(&of, &s);
    surface_destroy(&s);
    return wrong;
}

static void hulls_of_other_points_are_wrong(void **state) {
    (void)state;
    abut_vec3 points[POINTS];
    memcpy(points, cloud, sizeof points);
    abut_hull *hull = hull_of(points, POINTS), *less = hull_of(points, 7);
    assert_null(verdict(points, POINTS, hull));
    assert_null(verdict(points, 7, less));
    assert_string_equal(verdict(points, POINTS, less), "a point lies outside");
    assert_string_equal(verdict(points, 7, hull), "a vertex is no input point");
    points[8].y = 1.0000001f; /* by one bit */
    assert_string_equal(verdict(points, POINTS, hull), "a point lies outside");
    points[8].y = 1;
    assert_null(verdict(points, POINTS, hull));
    points[3].x = 0.99999994f;
    assert_string_equal(verdict(points, POINTS, hull), "a vertex is no input point");
    abut_hull_destroy(&hull);
    abut_hull_destroy(&less);
}

static void surfaces_with_false_corners_or_holes_are_wrong(void **state) {
    (void)state;
    surface s;
    assert_null(surface_make(&s, cloud, 8));
    assert_null(surface_check(&s, cloud, POINTS));
    assert_int_equal(s.triangle_count, 12);
    assert_int_equal(s.edge_count, 12);
    assert_true(surface_volume(&s) == 8);
    s.triangle_count--;
    assert_string_equal(surface_check(&s, cloud, POINTS), "its surface is not closed");
    surface_destroy(&s);
    assert_null(surface_make(&s, cloud, POINTS));
    assert_string_equal(surface_check(&s, cloud, POINTS), "a vertex is no corner");
    surface_destroy(&s);
    abut_vec3 middle[9]; /* with a point in the middle of an edge */
    memcpy(middle + 1, cloud, 8 * sizeof *middle);
    middle[0] = cloud[POINTS - 1]; /* first: it stays on the surface */
    assert_null(surface_make(&s, middle, 9));
    assert_string_equal(surface_check(&s, middle, 9), "a vertex is no corner");
    surface_destroy(&s);
    assert_non_null(surface_make(&s, cloud, 4));
    assert_non_null(surface_make(&s, cloud, 3));
}

/* --- contacts --- */

static bool is_wrong(const surface *s, const abut_pose *pose, const abut_contact *contact, judge_verdict expected) {
    const abut_pose here = {.rotation = {0, 0, 0, 1}};
    judge_body a = judge_body_at(s, &here), b = judge_body_at(s, pose);
    judge_finding f = judge_pair(&a, &b, contact);
    assert_int_equal(f.verdict, expected);
    return f.wrong;
}

static void contacts_that_are_not_so_are_wrong(void **state) {
    (void)state;
    abut_hull *hull = hull_of(cloud, 8);
    surface s;
    assert_null(surface_make(&s, abut_hull_vertices(hull), 8));
    const abut_pose here = {.rotation = {0, 0, 0, 1}};
    /* Edges meet crosswise: the axis is a cross product, at x + y. */
    const abut_pose apart = {{2.9f, 0, 0}, {0, 0, 1, 1}}, far = {{9, 0, 0}, {0, 0, 0, 1}};
    const abut_pose turned = {{1.7f, 1.6f, 0.1f}, {0.4f, 0.1f, 0.2f, 1}};
    abut_contact c = {0}, bad;
    assert_true(abut_hull_collide(hull, &here, hull, &turned, 0, &c.manifold));
    assert_false(is_wrong(&s, &turned, &c, JUDGE_TOUCHING));
    assert_true(is_wrong(&s, &turned, NULL, JUDGE_TOUCHING));
    assert_true(is_wrong(&s, &apart, &c, JUDGE_APART));
    assert_false(is_wrong(&s, &apart, NULL, JUDGE_APART));
    assert_true(is_wrong(&s, &far, &c, JUDGE_FAR));
    assert_false(is_wrong(&s, &far, NULL, JUDGE_FAR));
    bad = c;
    bad.manifold.count = 0;
    assert_true(is_wrong(&s, &turned, &bad, JUDGE_TOUCHING));
    for (int change = 0; change < 2; change++) {
        bad = c;
        for (uint32_t i = 0; i < bad.manifold.count; i++) {
            bad.manifold.points[i].separation *= change ? 1.001f : 0.999f;
        }
        assert_true(is_wrong(&s, &turned, &bad, JUDGE_TOUCHING));
    }
    bad = c;
    bad.manifold.normal = (abut_vec3){0, 0, 1};
    assert_true(is_wrong(&s, &turned, &bad, JUDGE_TOUCHING));
    surface_destroy(&s);
    abut_hull_destroy(&hull);
}

/* Cubes that meet edge to edge, crossed: no face normal separates them, so a search that stopped early would report a
 * touch.
 */
static void edges_alone_can_part(void **state) {
    (void)state;
    surface s;
    assert_null(surface_make(&s, cloud, 8));
    const abut_pose a = {{0, 0, 0}, {0, 0, 0.38268343f, 0.92387953f}}; /* an edge along z at x = sqrt 2 */
    for (int i = 0; i < 2; i++) {                                      /* the other's along y, at x = -sqrt 2 */
        const abut_pose b = {{i ? 2.82f : 2.84f, 0, 0}, {0, 0.38268343f, 0, 0.92387953f}};
        judge_body p = judge_body_at(&s, &a), q = judge_body_at(&s, &b);
        judge_finding f = judge_pair(&p, &q, NULL);
        assert_int_equal(f.verdict, i ? JUDGE_TOUCHING : JUDGE_APART);
        assert_true(f.wrong == (i == 1));
    }
    surface_destroy(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_of_other_points_are_wrong),
        cmocka_unit_test(surfaces_with_false_corners_or_holes_are_wrong),
        cmocka_unit_test(contacts_that_are_not_so_are_wrong),
        cmocka_unit_test(edges_alone_can_part),
    };
    return test_run(tests);
}
