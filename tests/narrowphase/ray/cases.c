/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_shape_cast_ray where the answer is known: all shapes from outside, from inside, along faces, through edges and
 * corners, from far away, at tiny and huge scales; invalid input. */

#include "support/test.h"
#include <abut/query.h>
#include <math.h>
#include <string.h>

static const abut_quat UPRIGHT = {0, 0, 0, 1};
static const abut_quat EIGHTH = {0, 0, 0.38268343f, 0.92387953f}; /* about z */

/* A cube of half extents 1, as a hull. */
static abut_hull *cube(float half) {
    abut_vec3 corner[8];
    abut_hull *hull;
    for (int i = 0; i < 8; i++) {
        corner[i] = (abut_vec3){i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half};
    }
    assert_int_equal(abut_hull_create(corner, 8, NULL, &hull), ABUT_OK);
    return hull;
}

static bool cast(const abut_shape *shape, abut_vec3 at, abut_quat rotation, abut_vec3 origin, abut_vec3 translation,
                 abut_hit *hit) {
    const abut_pose pose = {at, rotation};
    const abut_ray ray = {.origin = origin, .translation = translation};
    memset(hit, 0x77, sizeof *hit);
    return abut_shape_cast_ray(shape, &pose, &ray, hit);
}

/* Not later than the truth, and at most 2^-22 of it earlier. */
static void assert_hit(const abut_hit *hit, double fraction, double nx, double ny, double nz) {
    static const abut_hit none;
    assert_true(hit->fraction <= fraction && hit->fraction >= fraction * (1 - 0x1p-22) - 0x1p-149);
    assert_true(fabs(hit->normal.x - nx) <= 2e-7);
    assert_true(fabs(hit->normal.y - ny) <= 2e-7);
    assert_true(fabs(hit->normal.z - nz) <= 2e-7);
    assert_memory_equal(&hit->body, &none.body, sizeof none.body);
    assert_memory_equal(&hit->mover, &none.mover, sizeof none.mover);
    assert_true(hit->user == 0 && hit->part == 0);
}

/* All shapes end at 2 along every axis. */
static void every_shape_is_met_along_every_axis(void **state) {
    (void)state;
    abut_hull *big = cube(2), *small = cube(1);
    const abut_shape shape[6] = {abut_box(2, 2, 2),          abut_convex(big, 0),        abut_sphere(2),
                                 {{1, 0, 0}, NULL, NULL, 1}, {{1, 1, 1}, NULL, NULL, 1}, abut_convex(small, 1)};
    for (int k = 0; k < 6; k++) {
        for (int axis = 0; axis < 6; axis++) {
            float sign = axis & 1 ? -1.0f : 1.0f, v[4][3] = {{0}};
            int i = axis / 2;
            double reach = k == 3 && i != 0 ? 1 : 2;
            v[0][i] = 10 * sign, v[1][i] = -20 * sign, v[2][i] = sign;
            abut_hit hit;
            const abut_vec3 from = {v[0][0] + 5, v[0][1] + 6, v[0][2] + 7}, way = {v[1][0], v[1][1], v[1][2]};
            assert_true(cast(&shape[k], (abut_vec3){5, 6, 7}, UPRIGHT, from, way, &hit));
            assert_hit(&hit, (10 - reach) / 20, (double)v[2][0], (double)v[2][1], (double)v[2][2]);
            assert_false(
                cast(&shape[k], (abut_vec3){5, 6, 7}, UPRIGHT, from, (abut_vec3){-way.x, -way.y, -way.z}, &hit));
            const abut_vec3 brief = {way.x * 0.39f, way.y * 0.39f, way.z * 0.39f};
            assert_false(cast(&shape[k], (abut_vec3){5, 6, 7}, UPRIGHT, from, brief, &hit));
        }
    }
    abut_hull_destroy(&big);
    abut_hull_destroy(&small);
}

static void a_body_that_holds_the_origin_is_met_there(void **state) {
    (void)state;
    abut_hull *hull = cube(1);
    const abut_shape shape[6] = {abut_box(1, 1, 1),          abut_convex(hull, 0),       abut_sphere(1),
                                 {{1, 0, 0}, NULL, NULL, 1}, {{1, 1, 1}, NULL, NULL, 1}, abut_convex(hull, 1)};
    const abut_vec3 way[4] = {{1, 0, 0}, {0, -1e38f, 0}, {0, 0, 0}, {-0.0f, 1e-45f, -0.0f}};
    for (int k = 0; k < 6; k++) {
        float edge = k < 3 ? 1 : 2; /* on the surface */
        for (int w = 0; w < 4; w++) {
            for (int on = 0; on < 2; on++) {
                abut_hit hit;
                const abut_vec3 from = {on ? edge : 0.25f, 0, 0};
                assert_true(cast(&shape[k], (abut_vec3){0, 0, 0}, UPRIGHT, from, way[w], &hit));
                assert_hit(&hit, 0, 0, 0, 0);
                assert_memory_equal(&hit.position, &from, sizeof from);
            }
        }
        abut_hit hit;
        assert_false(cast(&shape[k], (abut_vec3){0, 0, 0}, UPRIGHT, (abut_vec3){3, 0, 0}, way[2], &hit));
    }
    abut_hull_destroy(&hull);
}

/* Closed bodies: a ray in a face, along an edge, or through one corner meets them. */
static void faces_edges_and_corners_belong_to_a_body(void **state) {
    (void)state;
    abut_hull *hull = cube(1);
    const abut_shape shape[2] = {abut_box(1, 1, 1), abut_convex(hull, 0)};
    for (int k = 0; k < 2; k++) {
        abut_hit hit;
        const abut_vec3 at = {0, 0, 0};
        assert_true(cast(&shape[k], at, UPRIGHT, (abut_vec3){-3, 1, 0.5f}, (abut_vec3){8, 0, 0}, &hit));
        assert_hit(&hit, 0.25, -1, 0, 0);
        assert_true(cast(&shape[k], at, UPRIGHT, (abut_vec3){-3, 1, -1}, (abut_vec3){8, -0.0f, 0}, &hit));
        assert_hit(&hit, 0.25, -1, 0, 0);
        assert_true(cast(&shape[k], at, UPRIGHT, (abut_vec3){0, 2, 1}, (abut_vec3){2, -2, 0}, &hit)); /* an edge */
        assert_true(hit.fraction <= 0.5f && hit.fraction > 0.4999999f);
        assert_true(cast(&shape[k], at, UPRIGHT, (abut_vec3){0, 2, 1}, (abut_vec3){1, -1, 0}, &hit)); /* its end */
        assert_true(hit.fraction <= 1 && hit.fraction > 0.9999997f);
        assert_true(cast(&shape[k], at, UPRIGHT, (abut_vec3){0, 1, 2}, (abut_vec3){4, 0, -4}, &hit)); /* a corner */
        assert_true(hit.fraction <= 0.25f && hit.fraction > 0.2499999f);
        assert_false(cast(&shape[k], at, UPRIGHT, (abut_vec3){-3, 1.0000001f, 0.5f}, (abut_vec3){8, 0, 0}, &hit));
        assert_false(cast(&shape[k], at, UPRIGHT, (abut_vec3){0, 2.0000002f, 1}, (abut_vec3){2, -2, 0}, &hit));
    }
    abut_hull_destroy(&hull);
}

static void rounded_corners_are_round(void **state) {
    (void)state;
    abut_hull *hull = cube(1);
    const abut_shape shape[2] = {{{1, 1, 1}, NULL, NULL, 0.5f}, abut_convex(hull, 0.5f)};
    const double diagonal = sqrt(0.5), corner = sqrt(1 / 3.0);
    for (int k = 0; k < 2; k++) {
        abut_hit hit;
        const abut_vec3 at = {0, 0, 0};
        assert_true(cast(&shape[k], at, UPRIGHT, (abut_vec3){4, 4, 0}, (abut_vec3){-4, -4, 0}, &hit));
        assert_hit(&hit, (3 - 0.5 * diagonal) / 4, diagonal, diagonal, 0);
        assert_true(cast(&shape[k], at, UPRIGHT, (abut_vec3){-4, 4, 4}, (abut_vec3){4, -4, -4}, &hit));
        assert_hit(&hit, (3 - 0.5 * corner) / 4, -corner, corner, corner);
        /* Through the corner of the box around it. */
        assert_false(cast(&shape[k], at, UPRIGHT, (abut_vec3){2.5f, 0.3f, 0}, (abut_vec3){-2, 2, 0}, &hit));
        assert_true(cast(&shape[k], at, UPRIGHT, (abut_vec3){2.5f, 0.125f, 0}, (abut_vec3){-2, 2, 0}, &hit));
    }
    abut_hull_destroy(&hull);
}

static void turned_bodies_are_met_where_they_are(void **state) {
    (void)state;
    abut_hull *hull = cube(1);
    const abut_shape shape[3] = {abut_box(1, 1, 1), abut_convex(hull, 0), {{0, 4, 0}, NULL, NULL, 0.5f}};
    const double root = sqrt(2);
    abut_hit hit;
    for (int k = 0; k < 2; k++) {
        assert_true(
            cast(&shape[k], (abut_vec3){0, 0, 0}, EIGHTH, (abut_vec3){-3, 0.25f, 0}, (abut_vec3){4, 0, 0}, &hit));
        assert_true(fabs((double)hit.fraction - (3 - root + 0.25) / 4) < 1e-6);
        assert_true(fabs(hit.normal.x + 1 / root) < 1e-6 && fabs(hit.normal.y - 1 / root) < 1e-6 && hit.normal.z == 0);
    }
    /* The capsule leans to the left by 45 degrees. */
    assert_true(cast(&shape[2], (abut_vec3){0, 0, 0}, EIGHTH, (abut_vec3){-9, 1, 0}, (abut_vec3){16, 0, 0}, &hit));
    assert_true(fabs((double)hit.fraction - (8 - 0.5 * root) / 16) < 1e-6);
    assert_true(fabs(hit.normal.x + 1 / root) < 1e-6 && fabs(hit.normal.y + 1 / root) < 1e-6);
    abut_hull_destroy(&hull);
}

/* Plates, rods and points are met like anything else. */
static void flat_boxes_are_met(void **state) {
    (void)state;
    const abut_shape plate = abut_box(1, 0, 1), rod = abut_box(0, 1, 0), point = abut_point();
    const abut_vec3 at = {0, 0, 0};
    abut_hit hit;
    assert_true(cast(&plate, at, UPRIGHT, (abut_vec3){0.5f, 2, 0.5f}, (abut_vec3){0, -4, 0}, &hit));
    assert_hit(&hit, 0.5, 0, 1, 0);
    assert_true(cast(&plate, at, UPRIGHT, (abut_vec3){-2, 0, 0.5f}, (abut_vec3){4, 0, 0}, &hit));
    assert_hit(&hit, 0.25, -1, 0, 0);
    assert_true(cast(&rod, at, UPRIGHT, (abut_vec3){-2, 0.5f, 0}, (abut_vec3){4, 0, 0}, &hit));
    assert_hit(&hit, 0.5, -1, 0, 0);
    assert_true(cast(&point, at, UPRIGHT, (abut_vec3){-2, -2, 0}, (abut_vec3){4, 4, 0}, &hit));
    assert_true(hit.fraction <= 0.5f && hit.fraction > 0.4999999f);
    assert_true(cast(&point, at, UPRIGHT, at, at, &hit));
    assert_hit(&hit, 0, 0, 0, 0);
    assert_false(cast(&point, at, UPRIGHT, (abut_vec3){-2, -2, 1e-30f}, (abut_vec3){4, 4, 0}, &hit) &&
                 hit.position.z > 1e-11f);
}

/* Planes moved out by a slack would meet far beyond the tip. */
static void needles_end_at_their_tips(void **state) {
    (void)state;
    const abut_vec3 corner[4] = {{0, 0, 0}, {-1000, 0.01f, 0.01f}, {-1000, -0.01f, 0.01f}, {-1000, 0, -0.01f}};
    abut_hull *hull;
    assert_int_equal(abut_hull_create(corner, 4, NULL, &hull), ABUT_OK);
    const abut_shape needle = abut_convex(hull, 0);
    const abut_vec3 at = {0, 0, 0}, down = {0, -2, 0};
    abut_hit hit;
    assert_true(cast(&needle, at, UPRIGHT, (abut_vec3){0, 1, 0}, down, &hit));
    assert_true(hit.fraction <= 0.5f && hit.fraction > 0.4999999f);
    assert_true(cast(&needle, at, UPRIGHT, (abut_vec3){-1e-4f, 1, 0}, down, &hit));
    assert_false(cast(&needle, at, UPRIGHT, (abut_vec3){1e-8f, 1, 0}, down, &hit));
    assert_true(cast(&needle, at, UPRIGHT, (abut_vec3){1, 0, 0}, (abut_vec3){-2, 0, 0}, &hit));
    assert_true(hit.fraction <= 0.5f && hit.fraction > 0.4999999f);
    abut_hull_destroy(&hull);
}

/* A hull far from the origin of its frame, as when whole levels share one frame, is as exact as any. */
static void hulls_far_from_their_origin_are_exact(void **state) {
    (void)state;
    abut_vec3 corner[8];
    abut_hull *hull;
    for (int i = 0; i < 8; i++) {
        corner[i] = (abut_vec3){i & 1 ? 257 : 255, i & 2 ? 129 : 127, i & 4 ? -63 : -65};
    }
    assert_int_equal(abut_hull_create(corner, 8, NULL, &hull), ABUT_OK);
    const abut_shape shape = abut_convex(hull, 0);
    const abut_quat turn = {0, 0, 1, 1}; /* a quarter about z: (256, 128) goes to (-128, 256) */
    const abut_vec3 at = {128, -256, 64}, way = {-2, 0, 0};
    abut_hit hit;
    assert_true(cast(&shape, at, turn, (abut_vec3){2, 0.5f, 0.25f}, way, &hit));
    assert_hit(&hit, 0.5, 1, 0, 0);
    assert_true(cast(&shape, at, turn, (abut_vec3){2, 1, 1}, way, &hit));
    assert_true(hit.fraction <= 0.5f && hit.fraction > 0.4999999f);
    assert_false(cast(&shape, at, turn, (abut_vec3){2, 1.0000001f, 1}, way, &hit));
    abut_hull_destroy(&hull);
}

/* Within e of it: whether the way leads towards or away from the body where they are that close, rounding decides. */
static void a_ray_that_grazes_gets_the_normal_there(void **state) {
    (void)state;
    const abut_vec3 corner[9] = {{-3, -3, -3}, {3, -3, -3}, {0, -3, 3}, {2, -1, 2}, {-3, -1, -3},
                                 {0, 2, -3},   {-1, 2, -1}, {3, 3, 0},  {1, 1, 3}};
    abut_hull *hull;
    assert_int_equal(abut_hull_create(corner, 9, NULL, &hull), ABUT_OK);
    const abut_shape shape = abut_convex(hull, 0x1.02c4f8p+3f);
    const abut_vec3 at = {-0x1.4295c2p+1f, 0x1.5b7a8ap+3f, 0x1.8e4c8p-1f};
    const abut_vec3 from = {-0x1.1540b6p-12f, 0x1.922586p-13f, -0x1.1ac106p-8f};
    const abut_vec3 way = {0x1.030d7ep-11f, -0x1.777888p-12f, 0x1.083b6cp-7f};
    abut_hit hit;
    assert_true(cast(&shape, at, (abut_quat){1, 0, 0, 1}, from, way, &hit));
    assert_true(fabs(hit.normal.x - 0.22867) < 1e-4 && fabs(hit.normal.y + 0.97182) < 1e-4 &&
                fabs(hit.normal.z + 0.05717) < 1e-4);
    abut_hull_destroy(&hull);
}

/* Past balls and rods far thinner than rounding: where that alone decides that a ray meets one, and which way it looks
 * there, the normal is against the ray. */
static void what_only_rounding_meets_has_a_normal_against_the_ray(void **state) {
    (void)state;
    static const struct {
        float half, radius, from, beside, way;
    } given[] = {{0, 0x1.b3c0ep-72f, 0x1.99042ep+1f, 0x1.99042p-45f, 0x1.99042ep+2f},
                 {0, 0x1.6ab2eep-76f, 0x1.d27682p+0f, 0x1.d27682p-46f, 0x1.8f32a2p+1f},
                 {1, 0x1.0c271p-63f, 0x1.487d7p+1f, 0x1.c87db2p-45f, 0x1.8f28ecp+2f},
                 {1, 0x1.3a0b28p-47f, 0x1.921facp+1f, 0x1.30513ap-44f, 0x1.ab5c5cp+3f}};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        const abut_shape shape = {{given[i].half, 0, 0}, NULL, NULL, given[i].radius};
        abut_hit hit;
        assert_true(cast(&shape, (abut_vec3){0, 0, 0}, UPRIGHT, (abut_vec3){0, -given[i].from, given[i].beside},
                         (abut_vec3){0, given[i].way, 0}, &hit));
        assert_hit(&hit, (double)given[i].from / (double)given[i].way, 0, -1, 0);
    }
}

static void scales_from_tiny_to_huge(void **state) {
    (void)state;
    static const float size[] = {1e-40f, 1e-20f, 1, 1e8f};
    for (int k = 0; k < 4; k++) {
        float s = size[k];
        const abut_shape shape[3] = {abut_box(s, s, s), abut_sphere(s), {{s, 0, 0}, NULL, NULL, s}};
        for (int i = 0; i < 3; i++) {
            abut_hit hit;
            double reach = i == 2 ? 2 * (double)s : (double)s;
            const abut_vec3 from = {-8 * s, 0, 0}, near = {16 * s, 0, 0}, far = {1e38f, 0, 0};
            assert_true(cast(&shape[i], (abut_vec3){0, 0, 0}, UPRIGHT, from, near, &hit));
            assert_hit(&hit, (8 * (double)s - reach) / near.x, -1, 0, 0);
            assert_true(cast(&shape[i], (abut_vec3){0, 0, 0}, UPRIGHT, from, far, &hit));
            assert_hit(&hit, (8 * (double)s - reach) / far.x, -1, 0, 0);
        }
    }
}

static void invalid_input_meets_nothing(void **state) {
    (void)state;
    const abut_shape box = abut_box(1, 1, 1), bad = abut_box(-1, 1, 1);
    const abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}}, nowhere = {{NAN, 0, 0}, {0, 0, 0, 1}};
    const abut_ray ray = {.origin = {-2, 0, 0}, .translation = {4, 0, 0}};
    abut_hit hit, before;
    memset(&hit, 0x55, sizeof hit);
    before = hit;
    assert_false(abut_shape_cast_ray(NULL, &pose, &ray, &hit));
    assert_false(abut_shape_cast_ray(&box, NULL, &ray, &hit));
    assert_false(abut_shape_cast_ray(&box, &pose, NULL, &hit));
    assert_false(abut_shape_cast_ray(&bad, &pose, &ray, &hit));
    assert_false(abut_shape_cast_ray(&box, &nowhere, &ray, &hit));
    const abut_vec3 wrong[3] = {{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, 1.0001e9f}};
    for (int k = 0; k < 3; k++) {
        assert_false(abut_shape_cast_ray(&box, &pose, &(abut_ray){.origin = wrong[k], .translation = {4, 0, 0}}, &hit));
        if (k < 2) {
            assert_false(abut_shape_cast_ray(&box, &pose, &(abut_ray){.translation = wrong[k]}, &hit));
        }
    }
    assert_memory_equal(&hit, &before, sizeof hit);
    assert_true(abut_shape_cast_ray(&box, &pose, &ray, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_met_along_every_axis),
        cmocka_unit_test(a_body_that_holds_the_origin_is_met_there),
        cmocka_unit_test(faces_edges_and_corners_belong_to_a_body),
        cmocka_unit_test(rounded_corners_are_round),
        cmocka_unit_test(turned_bodies_are_met_where_they_are),
        cmocka_unit_test(flat_boxes_are_met),
        cmocka_unit_test(needles_end_at_their_tips),
        cmocka_unit_test(hulls_far_from_their_origin_are_exact),
        cmocka_unit_test(a_ray_that_grazes_gets_the_normal_there),
        cmocka_unit_test(what_only_rounding_meets_has_a_normal_against_the_ray),
        cmocka_unit_test(scales_from_tiny_to_huge),
        cmocka_unit_test(invalid_input_meets_nothing),
    };
    return test_run(tests);
}
