/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Points, rods and plates, sharp or as cores of spheres, capsules and rounded plates, in and on hulls: where the
 * contact points must be. Faces of theirs without an area are no faces to lie on. */
#include "support/rng.h"
#include "support/test.h"
#include <abut/hull.h>
#include <abut/shape.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

static abut_quat product(abut_quat p, abut_quat q) {
    const double px = p.x, py = p.y, pz = p.z, pw = p.w;
    return (abut_quat){
        (float)(pw * q.x + px * q.w + py * q.z - pz * q.y), (float)(pw * q.y - px * q.z + py * q.w + pz * q.x),
        (float)(pw * q.z + px * q.y - py * q.x + pz * q.w), (float)(pw * q.w - px * q.x - py * q.y - pz * q.z)};
}

static void rotate(abut_quat q, const double v[3], double out[3]) {
    const double x = q.x, y = q.y, z = q.z, w = q.w, s = 2 / (x * x + y * y + z * z + w * w);
    out[0] = v[0] + s * ((-y * y - z * z) * v[0] + (x * y - w * z) * v[1] + (x * z + w * y) * v[2]);
    out[1] = v[1] + s * ((x * y + w * z) * v[0] + (-x * x - z * z) * v[1] + (y * z - w * x) * v[2]);
    out[2] = v[2] + s * ((x * z - w * y) * v[0] + (y * z + w * x) * v[1] + (-x * x - y * y) * v[2]);
}

enum { HULLS = 5 };

static void create_hulls(abut_hull *hull[HULLS]) {
    const abut_vec3 half = {1, 0.5f, 1};
    abut_vec3 point[20];
    rng r = rng_make(0xf1a7, 0);
    assert_int_equal(abut_hull_create_cylinder(0.5f, 1, 8, NULL, &hull[0]), ABUT_OK);
    assert_int_equal(abut_hull_create_cone(0.8f, 1, 8, NULL, &hull[1]), ABUT_OK);
    assert_int_equal(abut_hull_create_wedge(half, NULL, &hull[2]), ABUT_OK);
    for (int k = 0; k < 20; k++) {
        point[k] = rng_direction(&r);
    }
    assert_int_equal(abut_hull_create(point, 20, NULL, &hull[3]), ABUT_OK);
    for (int k = 0; k < 8; k++) {
        point[k] = (abut_vec3){k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1};
    }
    assert_int_equal(abut_hull_create(point, 8, NULL, &hull[4]), ABUT_OK);
}

static void destroy_hulls(abut_hull *hull[HULLS]) {
    for (int k = 0; k < HULLS; k++) {
        abut_hull_destroy(&hull[k]);
    }
}

/* The rotation of the second shape: the first's, a quarter turn from it, or any. */
static abut_quat beside(rng *r, abut_quat first) {
    static const abut_quat turn[4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, -1, 0, 1}, {0, 0, 1, 1}};
    const uint32_t kind = rng_below(r, 5);
    return kind == 4 ? rng_rotation(r) : product(first, turn[kind]);
}

/* A sphere whose centre is inside of a hull leaves it along the normal: the contact point is on the line through the
 * centre, midway between the two surfaces. */
static void the_contact_of_a_sphere_is_on_the_line_through_its_centre(void **state) {
    (void)state;
    abut_hull *hull[HULLS];
    unsigned long inside = 0, wrong = 0;
    create_hulls(hull);
    for (unsigned long i = 0, n = test_count(60000); i < n; i++) {
        rng r = rng_make(test_seed(), i);
        const abut_quat first = rng_chance(&r, 0.5) ? (abut_quat){0, 0, 0, 1} : rng_rotation(&r);
        const abut_pose at = {{0, 0, 0}, first}, center = {rng_vec3(&r, -0.8, 0.8), beside(&r, first)};
        const uint32_t k = rng_below(&r, HULLS);
        const float radius = rng_chance(&r, 0.5) ? 0.25f : 2;
        const abut_shape body = abut_convex(hull[k], rng_chance(&r, 0.5) ? 0.1f : 0), core = abut_convex(hull[k], 0);
        const abut_shape sphere = abut_sphere(radius), point = abut_point();
        abut_manifold m;
        if (!abut_shape_overlap(&core, &at, &point, &center)) {
            continue;
        }
        inside++;
        assert_true(abut_shape_collide(&body, &at, &sphere, &center, 0, &m));
        assert_int_equal(m.count, 1);
        const double s = m.points[0].separation, along = (double)radius + s / 2;
        const double off[3] = {m.points[0].position.x - (center.position.x - along * m.normal.x),
                               m.points[0].position.y - (center.position.y - along * m.normal.y),
                               m.points[0].position.z - (center.position.z - along * m.normal.z)};
        wrong += sqrt(off[0] * off[0] + off[1] * off[1] + off[2] * off[2]) > 2e-6;
    }
    destroy_hulls(hull);
    printf("%lu centres inside, %lu contacts beside their lines\n", inside, wrong);
    assert_true(inside > 1000);
    assert_int_equal(wrong, 0);
}

/* The part, in multiples of d, of the line from (x, z) along d that is over the face at the top of a hull: the polygon
 * whose corners are its highest vertices, around the y axis. */
static void part_over(const abut_hull *hull, double x, double z, const double d[2], double part[2]) {
    const abut_vec3 *v = abut_hull_vertices(hull);
    const size_t n = abut_hull_vertex_count(hull);
    part[0] = -INFINITY;
    part[1] = INFINITY;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            /* A side has all corners to its left. */
            double ex = (double)v[j].x - v[i].x, ez = (double)v[j].z - v[i].z;
            bool side = v[i].y > 0 && v[j].y > 0 && i != j;
            for (size_t k = 0; k < n; k++) {
                side = side && (v[k].y < 0 || ex * ((double)v[k].z - v[i].z) - ez * ((double)v[k].x - v[i].x) >= -1e-9);
            }
            double slope = ex * d[1] - ez * d[0], height = ex * (z - v[i].z) - ez * (x - v[i].x);
            if (side && slope > 0) {
                part[0] = fmax(part[0], -height / slope);
            } else if (side && slope < 0) {
                part[1] = fmin(part[1], -height / slope);
            }
        }
    }
}

typedef struct lying {
    const char *name;
    abut_shape shape;
    float low; /* how far the core extends downwards */
} lying;

/* What lies across the top of a hull, both ends beyond it, touches where the line of its core enters the face and where
 * it leaves it. Half of them are so deep that the cores overlap. */
static void what_lies_across_a_face_has_two_points(void **state) {
    (void)state;
    const lying kinds[5] = {{"rod", {.half = {2, 0, 0}}, 0},
                            {"plate on edge", {.half = {2, 0.5f, 0}}, 0.5f},
                            {"capsule", {.half = {2, 0, 0}, .radius = 0.25f}, 0},
                            {"rounded plate on edge", {.half = {2, 0.5f, 0}, .radius = 0.05f}, 0.5f},
                            {"plate on its other edge", {.half = {2, 0, 0.5f}}, 0.5f}};
    abut_hull *hull[HULLS];
    unsigned long wrong[5] = {0}, all = 0, n = test_count(20000);
    create_hulls(hull);
    for (unsigned long i = 0; i < n; i++) {
        rng r = rng_make(test_seed(), i);
        const uint32_t kind = rng_below(&r, 5);
        const lying *of = &kinds[kind];
        const abut_hull *under = hull[rng_chance(&r, 0.5) ? 0 : 4];
        const abut_shape body = abut_convex(under, rng_chance(&r, 0.5) ? 0.1f : 0);
        const double top = under == hull[0] ? 0.5 : 1, yaw = rng_range(&r, 0, 6.2831853);
        const double deep = rng_chance(&r, 0.5) ? 0.05 : -0.04 * ((double)of->shape.radius + body.radius);
        const abut_quat flat = {0, (float)sin(yaw / 2), 0, (float)cos(yaw / 2)};
        const abut_pose at = {{0, 0, 0}, {0, 0, 0, 1}};
        const abut_pose over = {
            {(float)rng_range(&r, -0.3, 0.3), (float)(top + of->low - deep), (float)rng_range(&r, -0.3, 0.3)},
            kind == 4 ? product(flat, (abut_quat){1, 0, 0, 1}) : flat};
        const double axis[3] = {1, 0, 0};
        double d[3], part[2];
        abut_manifold m;
        if (!abut_shape_collide(&body, &at, &of->shape, &over, 0, &m)) {
            continue; /* neither has a radius, and it is not deep */
        }
        all++;
        rotate(over.rotation, axis, d);
        const double along[2] = {d[0], d[2]};
        part_over(under, over.position.x, over.position.z, along, part);
        assert_true(part[0] > -2 && part[1] < 2);
        bool right = m.count == 2 && m.normal.y > 0.9999f;
        for (int end = 0; right && end < 2; end++) {
            double nearest = INFINITY;
            for (int k = 0; k < 2; k++) {
                const abut_vec3 p = m.points[k].position;
                nearest = fmin(nearest, hypot(p.x - (over.position.x + part[end] * d[0]),
                                              p.z - (over.position.z + part[end] * d[2])));
            }
            right = nearest < 1e-5;
        }
        wrong[kind] += !right;
    }
    destroy_hulls(hull);
    for (int k = 0; k < 5; k++) {
        printf("%s: %lu of about %lu wrong\n", kinds[k].name, wrong[k], all / 5);
        assert_int_equal(wrong[k], 0);
    }
}

/* A point over a face of a hull, exactly as far as the margin, or the next floats beside that. */
static void what_is_just_within_the_margin_has_a_point(void **state) {
    (void)state;
    abut_hull *hull[HULLS];
    unsigned long hits = 0, empty = 0;
    create_hulls(hull);
    for (unsigned long i = 0, n = test_count(20000); i < n; i++) {
        rng r = rng_make(test_seed(), i);
        uint32_t corner[16];
        float plane[4], next;
        double at[3], turned[3], weight = 0;
        const abut_hull *of = hull[rng_below(&r, HULLS)];
        const size_t face = rng_below(&r, (uint32_t)abut_hull_face_count(of));
        const size_t corners = abut_hull_face(of, face, corner, 16, plane);
        const double gap = rng_log_range(&r, 1e-9, 1e-5);
        for (int k = 0; k < 3; k++) {
            at[k] = gap * plane[k];
        }
        for (size_t c = 0; c < corners; c++) {
            const double share = c + 1 < corners ? (1 - weight) * rng_unit(&r) : 1 - weight;
            const abut_vec3 v = abut_hull_vertices(of)[corner[c]];
            at[0] += share * v.x, at[1] += share * v.y, at[2] += share * v.z;
            weight += share;
        }
        const abut_pose body = {{0, 0, 0}, rng_rotation(&r)};
        rotate(body.rotation, at, turned);
        const abut_pose beside_it = {{(float)turned[0], (float)turned[1], (float)turned[2]}, beside(&r, body.rotation)};
        const abut_shape a = abut_convex(of, 0), b = abut_point();
        const float distance = abut_shape_distance(&a, &body, &b, &beside_it, NULL, NULL);
        next = nextafterf(nextafterf(distance, 0), 0);
        for (int k = 0; distance > 0 && k < 5; k++, next = nextafterf(next, FLT_MAX)) {
            abut_manifold m;
            if (abut_shape_collide(&a, &body, &b, &beside_it, next, &m)) {
                hits++;
                empty += m.count == 0;
            }
        }
    }
    destroy_hulls(hull);
    printf("%lu hits, %lu without a point\n", hits, empty);
    assert_true(hits > 1000);
    assert_int_equal(empty, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_contact_of_a_sphere_is_on_the_line_through_its_centre),
        cmocka_unit_test(what_lies_across_a_face_has_two_points),
        cmocka_unit_test(what_is_just_within_the_margin_has_a_point),
    };
    return test_run(tests);
}
