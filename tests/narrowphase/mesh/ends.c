/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Where the points of bodies on rough ground are: each lies between the ground and the body, and of the points of a
 * whole contact no two are the same, though the ground has triangles twice. */

#include "support/rng.h"
#include "support/test.h"
#include <abut/abut.h>
#include <math.h>

enum { SIDE = 8, CELLS = SIDE - 1, TRIANGLES = 2 * CELLS * CELLS };

static abut_mesh *make_ground(rng *r, double rough, bool twice) {
    abut_vec3 vertex[SIDE * SIDE];
    uint32_t index[3 * 2 * TRIANGLES], triangles = 0;
    abut_mesh *mesh;
    for (uint32_t k = 0; k < SIDE * SIDE; k++) {
        vertex[k] = (abut_vec3){(float)(k % SIDE), (float)(rough * rng_range(r, -1, 1)), (float)(k / SIDE)};
    }
    for (uint32_t k = 0; k < TRIANGLES; k++) {
        const uint32_t cell = k / 2, a = cell / CELLS * SIDE + cell % CELLS, b = a + 1, c = a + SIDE, d = c + 1;
        const uint32_t corner[2][3] = {{a, c, b}, {b, c, d}};
        for (int copy = 0; copy < (twice ? 2 : 1); copy++, triangles++) {
            for (uint32_t i = 0; i < 3; i++) {
                index[3 * triangles + i] = corner[k % 2][i];
            }
        }
    }
    const abut_mesh_def def = {
        .vertices = vertex, .vertex_count = SIDE * SIDE, .indices = index, .triangle_count = triangles};
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

/* Lowers a body onto the ground, and then so much deeper. */
static bool lower(const abut_world *world, const abut_shape *shape, double deep, abut_pose *pose) {
    const abut_cast down = {.shape = *shape, .from = *pose, .translation = {0, -8, 0}};
    abut_hit hit;
    assert_int_equal(abut_world_cast_shapes(world, &down, 1, NULL, &hit), ABUT_OK);
    pose->position.y -= 8 * hit.fraction + (float)deep;
    return hit.fraction < 1;
}

/* How far a point is from a body. */
static float outside(const abut_shape *shape, const abut_pose *pose, abut_vec3 point) {
    const abut_shape alone = abut_point();
    const abut_pose at = {point, {0, 0, 0, 1}};
    return abut_shape_distance(shape, pose, &alone, &at, NULL, NULL);
}

static void ends_are_on_the_body(void **state) {
    enum { MOST = 64 };
    uint64_t points = 0;
    (void)state;
    for (uint64_t i = 0; i < test_count(60); i++) {
        rng r = rng_make(test_seed(), i);
        abut_mesh *mesh = make_ground(&r, rng_range(&r, 0.3, 1), false);
        const abut_body_def ground = {.mesh = mesh, .motion = ABUT_STATIC};
        abut_world *world;
        abut_body_id id;
        assert_int_equal(abut_world_create(NULL, &world), ABUT_OK);
        assert_int_equal(abut_body_create(world, &ground, &id), ABUT_OK);
        for (int k = 0; k < 50; k++) {
            abut_shape shape = {.radius = k % 2 ? (float)rng_log_range(&r, 0.01, 0.3) : 0};
            abut_pose pose = {{(float)rng_range(&r, 2, 5), 4, (float)rng_range(&r, 2, 5)}, rng_rotation(&r)};
            abut_touching touching[MOST];
            for (int j = 0; j < 3; j++) {
                (&shape.half.x)[j] = (float)rng_log_range(&r, 0.1, 1);
            }
            if (!lower(world, &shape, rng_log_range(&r, 1e-4, 0.1), &pose)) {
                continue;
            }
            const size_t n = abut_world_collide(world, &shape, &pose, 0, NULL, touching, MOST);
            for (size_t j = 0; j < n; j++) {
                const abut_manifold *m = &touching[j].manifold;
                for (uint32_t p = 0; p < m->count; p++, points++) {
                    const float half = m->points[p].separation / 2;
                    abut_vec3 end = m->points[p].position;
                    end.x += half * m->normal.x, end.y += half * m->normal.y, end.z += half * m->normal.z;
                    assert_true(outside(&shape, &pose, end) < 1e-4f);
                }
            }
        }
        abut_world_destroy(&world);
        abut_mesh_destroy(&mesh);
    }
    assert_true(points > test_count(60) * 50);
}

static void points_of_a_contact_are_apart(void **state) {
    uint64_t contacts = 0;
    (void)state;
    for (uint64_t i = 0; i < test_count(400); i++) {
        rng r = rng_make(test_seed(), i);
        abut_mesh *mesh = make_ground(&r, i % 3 == 0 ? 0 : i % 3 == 1 ? 0.01 : 0.3, i % 2);
        const abut_body_def ground = {.mesh = mesh, .motion = ABUT_STATIC};
        const abut_shape shape = {.half = rng_vec3(&r, 0.2, 1.2), .radius = i % 5 ? 0 : 0.05f};
        abut_pose pose = {{(float)rng_range(&r, 3, 4), 4, (float)rng_range(&r, 3, 4)}, {0, 0, 0, 1}};
        abut_world *world;
        abut_body_id id;
        size_t n;
        pose.rotation = abut_quat_from_axis_angle((abut_vec3){0, 1, 0}, (float)rng_range(&r, 0, 1.5));
        assert_int_equal(abut_world_create(NULL, &world), ABUT_OK);
        assert_int_equal(abut_body_create(world, &ground, &id), ABUT_OK);
        assert_true(lower(world, &shape, 0.01, &pose));
        const abut_body_def body = {.half = shape.half, .radius = shape.radius, .pose = pose};
        assert_int_equal(abut_body_create(world, &body, &id), ABUT_OK);
        assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
        const abut_contact *contact = abut_world_contacts(world, &n);
        for (size_t k = 0; k < n; k++, contacts++) {
            const abut_manifold *m = &contact[k].manifold;
            for (uint32_t a = 0; a < m->count; a++) {
                for (uint32_t b = 0; b < a; b++) {
                    const abut_vec3 p = m->points[a].position, q = m->points[b].position;
                    assert_true(fabsf(p.x - q.x) + fabsf(p.y - q.y) + fabsf(p.z - q.z) > 1e-6f);
                }
            }
        }
        abut_world_destroy(&world);
        abut_mesh_destroy(&mesh);
    }
    assert_true(contacts > test_count(400) * 9 / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_are_on_the_body),
        cmocka_unit_test(points_of_a_contact_are_apart),
    };
    return test_run(tests);
}
