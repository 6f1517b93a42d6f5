/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies within a margin of rough and of level ground: no triangle is said to be nearer than it is, or even to be
 * penetrated, if it is apart from the body. Judged by distances in double: two such things are as far apart as along
 * the way between some corner and what of the other is nearest to it, or across two edges. */

#include "support/rng.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>

typedef struct vec {
    double x, y, z;
} vec;

static vec of_float(abut_vec3 a) {
    return (vec){(double)a.x, (double)a.y, (double)a.z};
}

static vec less(vec a, vec b) {
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vec plus(vec a, double t, vec b) {
    return (vec){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}

static double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec across(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* A body that is not turned against its axes: these, its middle and half extents along them. */
typedef struct body {
    vec axis[3], middle;
    double half[3], radius;
} body;

static body body_of(const abut_shape *shape, const abut_pose *pose) {
    body b = {.middle = of_float(pose->position), .radius = (double)shape->radius};
    const vec u = {(double)pose->rotation.x, (double)pose->rotation.y, (double)pose->rotation.z};
    const double w = (double)pose->rotation.w, n = dot(u, u) + w * w;
    for (int k = 0; k < 3; k++) {
        const vec v = {k == 0, k == 1, k == 2}, one = across(u, v);
        b.axis[k] = plus(plus(v, 2 * w / n, one), 2 / n, across(u, one));
        b.half[k] = (double)(&shape->half.x)[k];
    }
    return b;
}

static vec corner_of(const body *b, int i) {
    vec at = b->middle;
    for (int k = 0; k < 3; k++) {
        at = plus(at, i >> k & 1 ? b->half[k] : -b->half[k], b->axis[k]);
    }
    return at;
}

static vec nearest_in_box(const body *b, vec to) {
    vec at = b->middle;
    for (int k = 0; k < 3; k++) {
        at = plus(at, fmax(-b->half[k], fmin(dot(less(to, b->middle), b->axis[k]), b->half[k])), b->axis[k]);
    }
    return at;
}

static vec nearest_in_triangle(const vec t[3], vec to) {
    const vec n = across(less(t[1], t[0]), less(t[2], t[0]));
    vec best = plus(to, dot(n, less(t[0], to)) / dot(n, n), n);
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        const vec way = less(t[(k + 1) % 3], t[k]), from = less(to, t[k]);
        if (dot(across(n, way), from) < 0) { /* beyond this side */
            const vec on = plus(t[k], fmax(0, fmin(dot(from, way) / dot(way, way), 1)), way);
            const double square = dot(less(on, to), less(on, to));
            best = square < least ? on : best;
            least = fmin(least, square);
        }
    }
    return best;
}

/* How far the triangle ends before the core begins, along a direction of any length but none. */
static double gap_along(const body *b, const vec t[3], vec way) {
    const double length = sqrt(dot(way, way)), middle = dot(way, b->middle);
    double gap = -INFINITY;
    if (length < 1e-9) {
        return gap;
    }
    double reach = 0, first = INFINITY, last = -INFINITY;
    for (int k = 0; k < 3; k++) {
        reach += b->half[k] * fabs(dot(way, b->axis[k]));
        first = fmin(first, dot(way, t[k]));
        last = fmax(last, dot(way, t[k]));
    }
    return fmax(middle - reach - last, first - middle - reach) / length;
}

/* The distance of a body and a triangle; negative if they overlap. */
static double distance(const body *b, const vec t[3]) {
    double gap = -INFINITY;
    for (int i = 0; i < 8; i++) {
        const vec at = corner_of(b, i);
        gap = fmax(gap, gap_along(b, t, less(at, nearest_in_triangle(t, at))));
    }
    for (int k = 0; k < 3; k++) {
        gap = fmax(gap, gap_along(b, t, less(t[k], nearest_in_box(b, t[k]))));
        for (int i = 0; i < 3; i++) {
            gap = fmax(gap, gap_along(b, t, across(less(t[(k + 1) % 3], t[k]), b->axis[i])));
        }
    }
    return gap - b->radius;
}

enum { ALONG = 8, VERTICES = (ALONG + 1) * (ALONG + 1), TRIANGLES = 2 * ALONG * ALONG };

/* Ground around the origin; returns how high it may be. */
static double make_ground(rng *r, abut_mesh **out) {
    abut_vec3 vertex[VERTICES];
    uint32_t index[3 * TRIANGLES], n = 0;
    const double cell = rng_log_range(r, 0.03, 1), high = rng_chance(r, 0.2) ? 0 : cell * rng_log_range(r, 0.01, 1);
    for (uint32_t i = 0; i < VERTICES; i++) {
        vertex[i].x = (float)(cell * ((int)(i % (ALONG + 1)) - ALONG / 2));
        vertex[i].y = (float)rng_range(r, -high, high);
        vertex[i].z = (float)(cell * ((int)(i / (ALONG + 1)) - ALONG / 2));
    }
    for (uint32_t i = 0; i < ALONG * ALONG; i++) {
        const uint32_t a = i / ALONG * (ALONG + 1) + i % ALONG, b = a + 1, c = a + ALONG + 1, d = c + 1;
        const uint32_t of[6] = {a, c, b, b, c, d};
        for (int k = 0; k < 6; k++) {
            index[n++] = of[k];
        }
    }
    const abut_mesh_def def = {
        .vertices = vertex, .vertex_count = VERTICES, .indices = index, .triangle_count = TRIANGLES};
    assert_int_equal(abut_mesh_create(&def, out), ABUT_OK);
    return high;
}

/* A sphere, a capsule, a plate, a box, or a rounded one. */
static abut_shape some_shape(rng *r) {
    abut_shape shape = abut_point();
    const uint32_t extents = rng_below(r, 4), axis = rng_below(r, 3);
    for (uint32_t k = 0; k < extents; k++) {
        (&shape.half.x)[(axis + k) % 3] = (float)rng_range(r, 0.1, 0.5);
    }
    if (extents < 2 || rng_chance(r, 0.3)) {
        shape.radius = (float)rng_range(r, 0.05, 0.3);
    }
    return shape;
}

/* Returns how many triangles are apart from the body, or fails. */
static size_t judge(uint64_t seed, const abut_mesh *mesh, const abut_shape *shape, const abut_pose *pose,
                    const abut_touching *touching, size_t n) {
    const body b = body_of(shape, pose);
    size_t apart = 0;
    for (size_t i = 0; i < n; i++) {
        abut_vec3 corner[3];
        assert_true(abut_mesh_triangle(mesh, touching[i].part, corner));
        const vec t[3] = {of_float(corner[0]), of_float(corner[1]), of_float(corner[2])};
        const double far = distance(&b, t), least = -(double)abut_manifold_depth(&touching[i].manifold);
        apart += far > 1e-5;
        if (far > 1e-5 && least < far - 1e-5) {
            fail_msg("body %llu, triangle %u: %g, but it is %g away", (unsigned long long)seed, touching[i].part, least,
                     far);
        }
    }
    return apart;
}

static void what_is_apart_is_not_penetrated(void **state) {
    (void)state;
    const unsigned long n = test_count(6000);
    size_t apart = 0;
    for (uint64_t i = 0; i < n; i++) {
        static abut_touching touching[TRIANGLES];
        rng r = rng_make(test_seed(), i);
        abut_world *world;
        abut_mesh *mesh;
        abut_body_id id;
        const double high = make_ground(&r, &mesh), margin = rng_log_range(&r, 0.005, 0.3);
        const abut_body_def def = {.mesh = mesh, .motion = ABUT_STATIC};
        assert_int_equal(abut_world_create(NULL, &world), ABUT_OK);
        assert_int_equal(abut_body_create(world, &def, &id), ABUT_OK);
        const abut_shape shape = some_shape(&r);
        abut_pose pose = {{(float)rng_range(&r, -0.1, 0.1), 0, (float)rng_range(&r, -0.1, 0.1)}, rng_rotation(&r)};
        pose.position.y = (float)(rng_range(&r, -high, high + margin) - (double)abut_shape_bounds(&shape, &pose).min.y);
        const size_t count = abut_world_collide(world, &shape, &pose, (float)margin, NULL, touching, TRIANGLES);
        apart += judge(i, mesh, &shape, &pose, touching, count);
        abut_world_destroy(&world);
        abut_mesh_destroy(&mesh);
    }
    assert_true(apart > n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_apart_is_not_penetrated),
    };
    return test_run(tests);
}
