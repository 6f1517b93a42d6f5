/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes, plates and hulls that overlap one triangle alone: the contact is as deep as the least way that parts them, as
 * between two hulls, and that way along its normal does part them. Judged by all axes of faces and edges, in double. */

#include "support/rng.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>

enum { MOST_VERTICES = 16, MOST_AXES = 64, MOST_LOOP = 16 };

typedef struct vec {
    double x, y, z;
} vec;

static vec less(vec a, vec b) {
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double along(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec across(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static vec of_float(abut_vec3 a) {
    return (vec){(double)a.x, (double)a.y, (double)a.z};
}

/* A body in the world: its corners, the normals of its faces and the directions of its edges, in any length. */
typedef struct body {
    abut_shape shape;
    abut_hull *hull;
    abut_pose pose;
    vec corner[MOST_VERTICES], face[MOST_AXES], edge[MOST_AXES], middle;
    size_t corners, faces, edges;
    double smallest;
} body;

static vec turned(abut_quat q, vec v) {
    const vec u = {(double)q.x, (double)q.y, (double)q.z};
    const double w = (double)q.w, n = along(u, u) + w * w;
    const vec a = across(u, v), b = across(u, a);
    return (vec){v.x + 2 * (w * a.x + b.x) / n, v.y + 2 * (w * a.y + b.y) / n, v.z + 2 * (w * a.z + b.z) / n};
}

static vec placed(const body *b, vec v) {
    const vec t = turned(b->pose.rotation, v), p = of_float(b->pose.position);
    return (vec){t.x + p.x, t.y + p.y, t.z + p.z};
}

static void see_box(body *b) {
    const vec half = of_float(b->shape.half);
    for (int i = 0; i < 8; i++) {
        b->corner[i] = placed(b, (vec){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
    }
    for (int k = 0; k < 3; k++) {
        b->face[k] = b->edge[k] = turned(b->pose.rotation, (vec){k == 0, k == 1, k == 2});
        const double h = (double)(&b->shape.half.x)[k];
        b->smallest = h > 0 ? fmin(b->smallest, h) : b->smallest;
    }
    b->corners = 8;
    b->faces = b->edges = 3;
    b->middle = of_float(b->pose.position);
}

static void see_hull(body *b) {
    const abut_vec3 *vertex = abut_hull_vertices(b->hull);
    const abut_obb box = abut_hull_obb(b->hull);
    b->corners = abut_hull_vertex_count(b->hull);
    b->faces = abut_hull_face_count(b->hull);
    assert_true(b->corners <= MOST_VERTICES && b->faces <= MOST_AXES);
    for (size_t i = 0; i < b->corners; i++) {
        b->corner[i] = placed(b, of_float(vertex[i]));
    }
    for (size_t f = 0; f < b->faces; f++) {
        uint32_t loop[MOST_LOOP];
        const size_t n = abut_hull_face(b->hull, f, loop, MOST_LOOP, NULL);
        assert_true(n <= MOST_LOOP);
        b->face[f] = across(less(b->corner[loop[1]], b->corner[loop[0]]), less(b->corner[loop[2]], b->corner[loop[0]]));
        for (size_t i = 0; i < n; i++) {
            const uint32_t from = loop[i], to = loop[(i + 1) % n];
            if (from < to) {
                assert_true(b->edges < MOST_AXES);
                b->edge[b->edges++] = less(b->corner[to], b->corner[from]);
            }
        }
    }
    b->middle = placed(b, of_float(abut_hull_centroid(b->hull)));
    b->smallest = (double)fminf(box.half.x, fminf(box.half.y, box.half.z));
}

static void make_body(rng *r, abut_vec3 near, body *b) {
    const uint32_t kind = rng_below(r, 3);
    *b = (body){.pose = {near, rng_rotation(r)}, .smallest = INFINITY};
    for (int k = 0; k < 3; k++) {
        (&b->pose.position.x)[k] += (float)rng_range(r, -1, 1);
    }
    if (kind == 2) {
        abut_vec3 point[12];
        const uint32_t n = 4 + rng_below(r, 9);
        for (uint32_t i = 0; i < n; i++) {
            const double size = rng_range(r, 0.5, 1);
            point[i] = (abut_vec3){(float)rng_range(r, -size, size), (float)rng_range(r, -size, size),
                                   (float)rng_range(r, -size, size)};
        }
        assert_int_equal(abut_hull_create(point, n, NULL, &b->hull), ABUT_OK);
        b->shape.hull = b->hull;
        see_hull(b);
    } else {
        b->shape.half = (abut_vec3){(float)rng_range(r, 0.1, 3), (float)rng_range(r, 0.1, 1),
                                    kind == 0 ? (float)rng_range(r, 0.1, 2) : 0};
        see_box(b);
    }
}

/* How far the body must go along an axis; negative: it is apart already. */
static double depth_along(const body *b, const vec t[3], vec axis) {
    double low = INFINITY, over = -INFINITY;
    for (size_t i = 0; i < b->corners; i++) {
        low = fmin(low, along(less(b->corner[i], t[0]), axis));
    }
    for (int k = 0; k < 3; k++) {
        over = fmax(over, along(less(t[k], t[0]), axis));
    }
    return (over - low) / sqrt(along(axis, axis));
}

static vec opposite(vec a) {
    return (vec){-a.x, -a.y, -a.z};
}

/* The least over all axes, and over those by which the body goes through the triangle: nearly against its normal. */
typedef struct depths {
    double least, through;
} depths;

static void try_axis(const body *b, const vec t[3], vec normal, vec axis, depths *d) {
    const double length = sqrt(along(axis, axis) * along(normal, normal));
    if (along(axis, axis) > 1e-12) {
        const double depth = depth_along(b, t, axis);
        d->least = fmin(d->least, depth);
        d->through = along(axis, normal) < -0.998 * length ? fmin(d->through, depth) : d->through;
    }
}

static depths depths_of(const body *b, const vec t[3], vec normal) {
    depths d = {INFINITY, INFINITY};
    for (size_t i = 0; i < 1 + b->faces + 3 * b->edges; i++) {
        const size_t e = i - 1 - b->faces;
        const vec axis = i == 0          ? normal
                         : i <= b->faces ? b->face[i - 1]
                                         : across(b->edge[e / 3], less(t[(e % 3 + 1) % 3], t[e % 3]));
        try_axis(b, t, normal, axis, &d);
        try_axis(b, t, normal, opposite(axis), &d);
    }
    return d;
}

static void judge(uint64_t seed, body *b, const vec t[3], bool two_sided, const abut_touching *touching) {
    vec normal = across(less(t[1], t[0]), less(t[2], t[0]));
    if (two_sided && along(less(b->middle, t[0]), normal) < 0) {
        normal = opposite(normal);
    }
    const depths d = depths_of(b, t, normal);
    const double said = (double)abut_manifold_depth(&touching->manifold);
    /* Nothing is pushed through a triangle, and where that is the least way, normals next to it are no measure, either.
     * Faces are preferred to edges of up to 5 % less depth, and at small depths. */
    if (said < d.least - 1e-4 || (said > 1.055 * d.least + 0x1p-10 * b->smallest + 1e-4 && said < d.through)) {
        fail_msg("triangle %llu: depth %g, not %g", (unsigned long long)seed, said, d.least);
    }
    const abut_vec3 n = touching->manifold.normal;
    for (size_t i = 0; i < b->corners; i++) {
        const vec c = b->corner[i];
        b->corner[i] = (vec){c.x + said * (double)n.x, c.y + said * (double)n.y, c.z + said * (double)n.z};
    }
    if (depths_of(b, t, normal).least > 1e-4) {
        fail_msg("triangle %llu: %g along (%g, %g, %g) does not part them", (unsigned long long)seed, said, (double)n.x,
                 (double)n.y, (double)n.z);
    }
}

/* Returns whether they overlap, and are judged. */
static bool try_one(uint64_t seed, abut_world *world) {
    rng r = rng_make(test_seed(), seed);
    static const uint32_t index[3] = {0, 1, 2};
    abut_vec3 corner[3], near = {0, 0, 0};
    abut_mesh *mesh;
    body b;
    abut_touching touching;
    const double size = rng_log_range(&r, 0.2, 4);
    for (int k = 0; k < 3; k++) {
        corner[k] = (abut_vec3){(float)rng_range(&r, -size, size), (float)rng_range(&r, -size, size),
                                (float)rng_range(&r, -size, size)};
        near.x += corner[k].x / 3, near.y += corner[k].y / 3, near.z += corner[k].z / 3;
    }
    const abut_mesh_def def = {
        .vertices = corner, .vertex_count = 3, .indices = index, .triangle_count = 1, .two_sided = rng_chance(&r, 0.5)};
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    const abut_body_def ground = {.mesh = mesh, .motion = ABUT_STATIC};
    abut_body_id id;
    assert_int_equal(abut_body_create(world, &ground, &id), ABUT_OK);
    make_body(&r, near, &b);
    const size_t n = abut_world_collide(world, &b.shape, &b.pose, 0, NULL, &touching, 1);
    if (n == 1) {
        const vec t[3] = {of_float(corner[0]), of_float(corner[1]), of_float(corner[2])};
        judge(seed, &b, t, def.two_sided, &touching);
    }
    assert_int_equal(abut_body_destroy(world, id), ABUT_OK);
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    abut_mesh_destroy(&mesh);
    abut_hull_destroy(&b.hull);
    return n == 1;
}

static void one_triangle_is_left_by_the_least_way(void **state) {
    (void)state;
    abut_world *world;
    unsigned long overlaps = 0;
    const unsigned long n = test_count(20000);
    assert_int_equal(abut_world_create(NULL, &world), ABUT_OK);
    for (uint64_t i = 0; i < n; i++) {
        overlaps += try_one(i, world);
    }
    abut_world_destroy(&world);
    assert_true(overlaps > n / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_triangle_is_left_by_the_least_way),
    };
    return test_run(tests);
}
