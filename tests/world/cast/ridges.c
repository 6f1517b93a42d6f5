/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Balls that meet the ridge of a roof: the normal leads from the ridge to the middle, also where that is behind the
 * plane of one of the faces, which two-sided meshes show their backs to. */

#include "world/world_test.h"
#include <math.h>

/* Its ridge is the z axis; the faces fall at this angle from the vertical. */
static abut_mesh *make_roof(double angle, bool two_sided, bool turned_over) {
    const float x = (float)(4 * sin(angle)), y = (float)(-4 * cos(angle));
    const abut_vec3 vertices[6] = {{-x, y, -4}, {-x, y, 4}, {0, 0, -4}, {0, 0, 4}, {x, y, -4}, {x, y, 4}};
    static const uint32_t up[12] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5},
                          down[12] = {0, 2, 1, 2, 3, 1, 2, 4, 3, 4, 5, 3};
    const abut_mesh_def def = {.vertices = vertices,
                               .vertex_count = 6,
                               .indices = turned_over ? down : up,
                               .triangle_count = 4,
                               .two_sided = two_sided};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

/* A way of a ball of radius 0.5 that ends beyond where it touches the ridge, the middle at an angle from the vertical.
 */
static void meet(abut_world *world, const abut_mesh *mesh, double angle, double way_angle, abut_initial initial) {
    const abut_vec3 n = {(float)sin(angle), (float)cos(angle), 0}, at = {0.5f * n.x, 0.5f * n.y, 0.3f};
    const abut_vec3 way = {(float)(-4 * sin(way_angle)), (float)(-4 * cos(way_angle)), 0};
    const abut_pose from = pose_at(at.x - way.x / 2, at.y - way.y / 2, at.z);
    const abut_pose to = pose_at(at.x + way.x / 2, at.y + way.y / 2, at.z), ground = pose_at(0, 0, 0);
    const abut_cast cast = {.shape = abut_sphere(0.5f), .from = from, .translation = way};
    const abut_query query = {.initial = initial};
    const abut_shape roof = {.mesh = mesh};
    abut_hit hits[2];
    assert_int_equal(abut_world_cast_shapes(world, &cast, 1, &query, &hits[0]), ABUT_OK);
    assert_true(hits[0].body.index1 != 0);
    assert_true(abut_shape_sweep(&cast.shape, &from, &to, &roof, &ground, &ground, initial, &hits[1]));
    for (int k = 0; k < 2; k++) {
        assert_true(fabsf(hits[k].fraction - 0.5f) < 1e-4f);
        assert_true(fabsf(hits[k].normal.x - n.x) + fabsf(hits[k].normal.y - n.y) + fabsf(hits[k].normal.z) < 1e-3f);
    }
}

static void normals_lead_from_the_ridge_to_the_middle(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) { /* seen from the front by one and two sides, and from the back */
        for (double roof = 0.1; roof < 1.4; roof += 0.2) {
            abut_mesh *mesh = make_roof(roof, kind > 0, kind == 2);
            abut_world *world = make_world(NULL);
            (void)add_body(world, &(abut_body_def){.mesh = mesh, .motion = ABUT_STATIC});
            const double most = 0.98 * (acos(-1) / 2 - roof);
            for (double angle = -most; angle <= most; angle += most / 7) {
                for (double way = -1; way < 1.1; way += 0.5) { /* within what leads to the ridge first */
                    const double clear = angle + way * (most + roof - fabs(angle)) * 0.8;
                    meet(world, mesh, angle, clear, ABUT_INITIAL_CLOSING);
                    meet(world, mesh, angle, clear, ABUT_INITIAL_SKIP);
                }
            }
            abut_world_destroy(&world);
            abut_mesh_destroy(&mesh);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(normals_lead_from_the_ridge_to_the_middle)};
    return test_run(tests);
}
