/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Corners of triangles: bodies without width above those of flat floors and over the edges of steps, and casts that
 * meet them far from the origin of the mesh. */

#include "support/rng.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>

static abut_body_id add_mesh(abut_world *world, const abut_mesh *mesh) {
    abut_body_id id;
    const abut_body_def def = {.mesh = mesh, .motion = ABUT_STATIC};
    assert_int_equal(abut_body_create(world, &def, &id), ABUT_OK);
    return id;
}

/* Triangles around the origin, up to 20 away, level. */
static abut_mesh *make_fan(rng *r) {
    enum { MOST = 12 };
    abut_vec3 vertex[MOST + 1] = {{0, 0, 0}};
    uint32_t index[3 * MOST];
    const uint32_t n = 4 + rng_below(r, MOST - 3);
    for (uint32_t i = 0; i < n; i++) {
        const double turn = -6.283185307 * (i + rng_range(r, 0, 0.4)) / n, far = rng_range(r, 5, 20);
        vertex[1 + i] = (abut_vec3){(float)(far * cos(turn)), 0, (float)(far * sin(turn))};
        index[3 * i] = 0, index[3 * i + 1] = 1 + i, index[3 * i + 2] = 1 + (i + 1) % n;
    }
    const abut_mesh_def def = {.vertices = vertex, .vertex_count = n + 1, .indices = index, .triangle_count = n};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

/* A rod, a plate or a capsule, along any of its axes. */
static abut_shape thin_shape(rng *r) {
    abut_shape shape = abut_point();
    const uint32_t axis = rng_below(r, 3);
    (&shape.half.x)[axis] = (float)rng_range(r, 0.2, 1);
    if (rng_chance(r, 0.3)) {
        (&shape.half.x)[(axis + 1) % 3] = (float)rng_range(r, 0.2, 1);
    } else if (rng_chance(r, 0.5)) {
        shape.radius = (float)rng_range(r, 0.1, 0.5);
    }
    return shape;
}

/* Its deepest point is as deep as its bounds say; of a rod or a plate, all that touch lie within these. */
static bool stands_right(const abut_world *world, const abut_shape *shape, const abut_pose *pose, double depth) {
    enum { MOST = 64 };
    abut_touching touching[MOST];
    const abut_aabb bounds = abut_shape_bounds(shape, pose);
    const size_t n = abut_world_collide(world, shape, pose, 0.125f, NULL, touching, MOST);
    double deepest = -INFINITY;
    bool within = true;
    assert_true(n > 0 && n <= MOST);
    for (size_t i = 0; i < n; i++) {
        const abut_manifold *m = &touching[i].manifold;
        deepest = fmax(deepest, abut_manifold_depth(m));
        for (uint32_t k = 0; k < m->count; k++) {
            const abut_vec3 p = m->points[k].position;
            const bool in = p.x > bounds.min.x - 1e-3f && p.x < bounds.max.x + 1e-3f && p.z > bounds.min.z - 1e-3f &&
                            p.z < bounds.max.z + 1e-3f;
            within = within && (in || m->points[k].separation > 0 || shape->radius > 0);
        }
    }
    return within && fabs(deepest - depth) < 1e-4;
}

/* Over a corner a body without width leaves a triangle where it comes back. */
static void thin_bodies_over_corners(void **state) {
    (void)state;
    for (uint64_t i = 0; i < test_count(4000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_world *world;
        abut_mesh *mesh = make_fan(&r);
        assert_int_equal(abut_world_create(NULL, &world), ABUT_OK);
        (void)add_mesh(world, mesh);
        for (int k = 0; k < 8; k++) {
            const double depth = rng_range(&r, -0.05, 0.05);
            const abut_shape shape = thin_shape(&r);
            abut_pose pose = {{0, 0, 0}, rng_rotation(&r)};
            if (rng_chance(&r, 0.5)) { /* nearly level */
                pose.rotation.x *= 0.02f, pose.rotation.z *= 0.02f;
            }
            pose.position.y = (float)(-(double)abut_shape_bounds(&shape, &pose).min.y - depth);
            if (pose.position.y > 1e-4f && !stands_right(world, &shape, &pose, depth)) {
                fail_msg("fan %llu, body %d", (unsigned long long)i, k);
            }
        }
        abut_world_destroy(&world);
        abut_mesh_destroy(&mesh);
    }
}

/* A step of a stair with its edge along z, from 0 to 4, or only its upright part. */
static abut_mesh *make_step(bool alone) {
    static const abut_vec3 vertex[6] = {{0, -1, 0}, {0, -1, 4}, {0, 0, 0}, {0, 0, 4}, {1, 0, 0}, {1, 0, 4}};
    static const uint32_t index[12] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
    const abut_mesh_def def = {
        .vertices = vertex, .vertex_count = 6, .indices = index, .triangle_count = alone ? 2 : 4};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

/* The body's ends of all points of one that overlaps a mesh lie within its bounds. */
static bool lies_on_body(const abut_world *world, const abut_shape *shape, const abut_pose *pose,
                         unsigned long *touched) {
    enum { MOST = 8 };
    abut_touching touching[MOST];
    const abut_aabb b = abut_shape_bounds(shape, pose);
    const size_t n = abut_world_collide(world, shape, pose, 0, NULL, touching, MOST);
    const float slack = 1e-4f;
    bool within = true;
    for (size_t i = 0; i < n && i < MOST; i++) {
        for (uint32_t k = 0; k < touching[i].manifold.count; k++) {
            const abut_manifold *m = &touching[i].manifold;
            const abut_contact_point *at = &m->points[k];
            const float half = at->separation / 2;
            const abut_vec3 p = {at->position.x + half * m->normal.x, at->position.y + half * m->normal.y,
                                 at->position.z + half * m->normal.z};
            within = within && p.x > b.min.x - slack && p.x < b.max.x + slack && p.y > b.min.y - slack &&
                     p.y < b.max.y + slack && p.z > b.min.z - slack && p.z < b.max.z + slack;
        }
    }
    *touched += n > 0;
    return within;
}

/* The plane of the upright part passes through the axis of the body, or nearly. */
static void thin_bodies_over_steps(void **state) {
    (void)state;
    static const float beside[] = {0, 0, 1e-9f, -1e-9f, 1e-7f, -1e-7f, 1e-5f, -1e-5f};
    static const abut_quat turn[] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}, {1, 1, 1, 1}};
    const unsigned long bodies = test_count(4000);
    for (int alone = 0; alone < 2; alone++) {
        abut_world *world;
        abut_mesh *mesh = make_step(alone);
        assert_int_equal(abut_world_create(NULL, &world), ABUT_OK);
        (void)add_mesh(world, mesh);
        unsigned long touched = 0;
        for (uint64_t i = 0; i < bodies; i++) {
            rng r = rng_make(test_seed(), i);
            abut_shape shape = abut_point();
            abut_pose pose = {{beside[rng_below(&r, 8)], 0, 0}, turn[rng_below(&r, 5)]};
            const uint32_t axis = rng_below(&r, 3);
            (&shape.half.x)[axis] = 0.125f * (float)(1 + rng_below(&r, 6));
            (&shape.half.x)[(axis + 1) % 3] = 0.125f * (float)rng_below(&r, 4);
            shape.radius = 0.125f * (float)rng_below(&r, 4);
            pose.position.z = 0.0625f * (float)rng_below(&r, 65);
            pose.position.y = -abut_shape_bounds(&shape, &pose).min.y - 0.03125f;
            if (!lies_on_body(world, &shape, &pose, &touched)) {
                fail_msg("body %llu, upright part alone: %d", (unsigned long long)i, alone);
            }
        }
        abut_world_destroy(&world);
        abut_mesh_destroy(&mesh);
        assert_true(touched > bodies / 4);
    }
}

/* A box comes along x and meets a corner at a fraction that a double holds nearly exactly; or it just does, at 1. */
static void casts_meet_corners_far_away(void **state) {
    (void)state;
    static const uint32_t index[3] = {0, 1, 2};
    const unsigned long corners = test_count(3000);
    unsigned long met = 0;
    for (uint64_t i = 0; i < corners; i++) {
        rng r = rng_make(test_seed(), i);
        const float tip = (float)rng_log_range(&r, 1, 1e6), size = (float)rng_range(&r, 0.5, 4);
        const abut_vec3 corner[3] = {{tip - size, -0.5f, 0}, {tip, 0, 0}, {tip - size, 0.5f, 0}};
        const abut_mesh_def def = {
            .vertices = corner, .vertex_count = 3, .indices = index, .triangle_count = 1, .two_sided = true};
        abut_world *world;
        abut_mesh *mesh;
        abut_hit hit;
        if (!(corner[0].x < tip)) {
            continue;
        }
        assert_int_equal(abut_world_create(NULL, &world), ABUT_OK);
        assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
        (void)add_mesh(world, mesh);
        const abut_cast cast = {.shape = abut_box(0.5f, 0.5f, 0.5f),
                                .from = {{tip + 2, 0, 0}, {0, 0, 0, 1}},
                                .translation = {-1.5f - ldexpf(tip, -23), 0, 0}};
        const double gap = (double)cast.from.position.x - 0.5 - (double)tip, way = -(double)cast.translation.x;
        assert_int_equal(abut_world_cast_shapes(world, &cast, 1, NULL, &hit), ABUT_OK);
        if (gap <= way && !(hit.body.index1 > 0 && (double)hit.fraction <= gap / way)) {
            fail_msg("corner %llu: %.9g, not %.9g", (unsigned long long)i, hit.fraction, gap / way);
        }
        met += gap <= way;
        abut_world_destroy(&world);
        abut_mesh_destroy(&mesh);
    }
    assert_true(met > corners / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thin_bodies_over_corners),
        cmocka_unit_test(thin_bodies_over_steps),
        cmocka_unit_test(casts_meet_corners_far_away),
    };
    return test_run(tests);
}
