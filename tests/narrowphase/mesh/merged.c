/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Hulls whose faces are merged although they are far from flat, on meshes: the faces are larger than the hull, and what
 * they leave out touches nothing. */

#include "narrowphase/narrowphase.h"
#include "support/rng.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>
#include <stdio.h>

/* A lens of many facets, of which few faces are left. */
static abut_hull *lens_of(rng *r) {
    enum { MOST = 24 };
    abut_vec3 point[MOST];
    const size_t n = 6 + rng_below(r, MOST - 5);
    for (size_t k = 0; k < n; k++) {
        const abut_vec3 d = rng_direction(r);
        point[k] = (abut_vec3){d.x, d.y * 0.3f, d.z};
    }
    const abut_hull_def def = {.coplanar_tolerance = rng_chance(r, 0.2) ? 0 : (float)rng_log_range(r, 1e-3, 0.2)};
    abut_hull *hull;
    assert_int_equal(abut_hull_create(point, n, &def, &hull), ABUT_OK);
    return hull;
}

static abut_mesh *triangle_of(rng *r) {
    abut_vec3 corner[3];
    for (int k = 0; k < 3; k++) {
        corner[k] = rng_vec3(r, -2, 2);
    }
    static const uint32_t index[3] = {0, 1, 2};
    const abut_mesh_def def = {
        .vertices = corner, .vertex_count = 3, .indices = index, .triangle_count = 1, .two_sided = true};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

/* Moves the hull along `way` until the shapes are `gap` apart, or nearly; returns how far they are. */
static float bring_near(const abut_shape *body, abut_pose *at, const abut_shape *ground, const abut_pose *here,
                        abut_vec3 way, float gap) {
    for (int k = 0; k < 30; k++) {
        const float by = abut_shape_distance(body, at, ground, here, NULL, NULL) - gap;
        at->position.x += by * way.x, at->position.y += by * way.y, at->position.z += by * way.z;
    }
    return abut_shape_distance(body, at, ground, here, NULL, NULL);
}

static abut_collider collider_of(const abut_shape *shape, const abut_pose *pose) {
    abut_collider c;
    assert_true(abut_collider_from_shape_or_mesh(shape, pose, &c));
    return c;
}

static void contacts_are_within_reach(void **state) {
    (void)state;
    const abut_pose here = {{0, 0, 0}, {0, 0, 0, 1}};
    unsigned long touching = 0, near = 0;
    for (unsigned long i = 0; i < test_count(20000); i++) {
        rng r = rng_make(test_seed(), i);
        abut_hull *lens = lens_of(&r);
        abut_mesh *mesh = triangle_of(&r);
        const float radius = rng_chance(&r, 0.5) ? 0 : (float)rng_range(&r, 0.01, 0.3);
        const float margin = rng_chance(&r, 0.5) ? 0 : (float)rng_range(&r, 0.01, 0.3);
        const float beyond = (float)(rng_sign(&r) * rng_log_range(&r, 1e-6, 0.1));
        const abut_shape body = {.hull = lens, .radius = radius}, ground = {.mesh = mesh};
        const abut_vec3 from = rng_direction(&r), way = {-from.x, -from.y, -from.z};
        abut_pose at = {{5 * from.x, 5 * from.y, 5 * from.z}, rng_rotation(&r)};
        const float distance = bring_near(&body, &at, &ground, &here, way, margin + beyond);
        const abut_collider surface = collider_of(&ground, &here), convex = collider_of(&body, &at);
        abut_manifold m;
        const bool hit = abut_np_mesh_collide(&surface, &convex, margin, NULL, NULL, &m);
        assert_true(hit == abut_np_mesh_touches(&surface, &convex, margin));
        assert_true(fabsf(distance - margin) <= 1e-6f || hit == (distance < margin));
        touching += hit;
        near += !hit && distance < margin + 0.05f;
        abut_hull_destroy(&lens);
        abut_mesh_destroy(&mesh);
    }
    printf("%lu touch, %lu nearly\n", touching, near);
    assert_true(touching > test_count(20000) / 8 && near > test_count(20000) / 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_are_within_reach)};
    return test_run(tests);
}
