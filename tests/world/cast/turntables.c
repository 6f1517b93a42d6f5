/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Meshes that turn under what lies on them: a floor that turns in its own plane meets nobody with CLOSING, whether they
 * stay where they are or go with it; a wall that stands on it does. */

#include "support/mesh_families.h"
#include "world/grounds.h"
#include <math.h>

enum { SHAPES = 4, BODIES = 8 };

static const abut_shape shapes[SHAPES] = {{.half = {0.3f, 0.2f, 0.4f}},
                                          {.radius = 0.3f},
                                          {.half = {0, 0, 0.4f}, .radius = 0.2f},
                                          {.half = {0.2f, 0.1f, 0.3f}, .radius = 0.1f}};

static abut_quat yaw(double angle) {
    return (abut_quat){0, (float)sin(angle / 2), 0, (float)cos(angle / 2)};
}

/* Where what is at `from` comes when the floor goes its way. */
static abut_pose carried(const abut_pose *from, double angle, abut_vec3 by) {
    const double s = sin(angle), c = cos(angle);
    const abut_vec3 p = from->position;
    const abut_quat q = from->rotation;
    const double turned = 2 * atan2((double)q.y, (double)q.w) + angle;
    return (abut_pose){{(float)(c * p.x + s * p.z) + by.x, p.y + by.y, (float)(c * p.z - s * p.x) + by.z}, yaw(turned)};
}

/* Upright, up to 3 mm deep in the floor at y = 0. */
static abut_body_id add_upright(abut_world *world, rng *r, abut_pose *pose) {
    const abut_shape *shape = &shapes[rng_below(r, SHAPES)];
    *pose = (abut_pose){{0, 0, 0}, yaw(rng_range(r, -3, 3))};
    pose->position = (abut_vec3){(float)rng_range(r, -4, 4), 0, (float)rng_range(r, -4, 4)};
    pose->position.y = -abut_shape_bounds(shape, pose).min.y - (float)rng_range(r, 1e-4, 3e-3);
    const abut_body_def def = {
        .half = shape->half, .radius = shape->radius, .pose = *pose, .filter = {.group = -1}}; /* the floor alone */
    abut_body_id id;
    assert_int_equal(abut_body_create(world, &def, &id), ABUT_OK);
    return id;
}

static void floors_that_turn_meet_nobody(void **state) {
    (void)state;
    static soup floor;
    for (uint64_t i = 0; i < test_count(60); i++) {
        rng r = rng_make(test_seed(), i);
        abut_body_id ids[1 + BODIES];
        abut_pose to[1 + BODIES];
        abut_hit hits[1 + BODIES];
        abut_world *world = make_world(NULL);
        soup_make_floor(&r, (soup_floor)(i % SOUP_FLOORS), &floor);
        abut_mesh *mesh = soup_mesh(&floor);
        assert_int_equal(abut_body_create(world, &(abut_body_def){.mesh = mesh}, &ids[0]), ABUT_OK);
        const double angle = rng_log_range(&r, 1e-7, 0.5);
        const abut_vec3 by = {(float)rng_range(&r, -0.2, 0.2), 0, (float)rng_range(&r, -0.2, 0.2)};
        const abut_pose still = pose_at(0, 0, 0);
        to[0] = carried(&still, angle, by);
        for (int k = 1; k <= BODIES; k++) {
            abut_pose from;
            ids[k] = add_upright(world, &r, &from);
            to[k] = rng_chance(&r, 0.5) ? carried(&from, angle, by) : from;
        }
        const size_t n = i % 2 ? 1 : 1 + BODIES; /* the floor alone, or with all */
        assert_int_equal(abut_world_sweep(world, ids, to, n, NULL, hits), ABUT_OK);
        for (size_t k = 0; k < n; k++) {
            assert_int_equal(hits[k].body.index1, 0);
        }
        abut_world_destroy(&world);
        abut_mesh_destroy(&mesh);
    }
}

/* A square floor of two triangles, and a wall on it from the middle along x, whose front looks along -z. */
static abut_mesh *floor_with_wall(void) {
    static const abut_vec3 vertex[] = {{-9, 0, -9}, {-9, 0, 9}, {9, 0, -9}, {9, 0, 9},
                                       {0, 0, 0},   {9, 0, 0},  {0, 2, 0},  {9, 2, 0}};
    static const uint32_t index[] = {0, 1, 2, 2, 1, 3, 4, 6, 5, 5, 6, 7};
    const abut_mesh_def def = {.vertices = vertex, .vertex_count = 8, .indices = index, .triangle_count = 4};
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(&def, &mesh), ABUT_OK);
    return mesh;
}

/* A ball is met by the wall where it is as far from it as its radius. */
static void walls_that_turn_meet_balls(void **state) {
    (void)state;
    const float radius = 0.3f;
    for (uint64_t i = 0; i < test_count(100); i++) {
        rng r = rng_make(test_seed() + 1, i);
        abut_world *world = make_world(NULL);
        abut_mesh *mesh = floor_with_wall();
        abut_body_id ground, ball;
        abut_hit hit;
        assert_int_equal(abut_body_create(world, &(abut_body_def){.mesh = mesh}, &ground), ABUT_OK);
        const double away = rng_range(&r, 1, 8), at = rng_range(&r, 0.5, 1), angle = rng_range(&r, at, 1.5);
        const abut_body_def def = {.radius = radius,
                                   .pose = pose_at((float)(away * cos(at)), radius - (float)rng_range(&r, 1e-4, 3e-3),
                                                   (float)(-away * sin(at)))};
        assert_int_equal(abut_body_create(world, &def, &ball), ABUT_OK);
        const abut_pose still = pose_at(0, 0, 0), to = carried(&still, angle, still.position);
        assert_int_equal(abut_world_sweep(world, &ground, &to, 1, NULL, &hit), ABUT_OK);
        assert_true(hit.body.index1 == ball.index1 && hit.mover.index1 == ground.index1);
        assert_true(fabs(hit.fraction - (at - asin(radius / away)) / angle) < 1e-4);
        abut_world_destroy(&world);
        abut_mesh_destroy(&mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(floors_that_turn_meet_nobody),
                                       cmocka_unit_test(walls_that_turn_meet_balls)};
    return test_run(tests);
}
