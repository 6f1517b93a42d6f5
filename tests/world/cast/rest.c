/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What is moved as far as a sweep lets it, frame after frame, stays where it is stopped: it does not sink by what one
 * sweep may be wrong, however long that is repeated; and it may slide and leave. */

#include "world/world_test.h"
#include <math.h>

/* Where a body comes to that is to move by `way` in each of so many frames. */
static abut_pose pushed(abut_world *world, abut_body_id id, abut_vec3 way, int frames) {
    abut_pose at;
    assert_int_equal(abut_body_get_pose(world, id, &at), ABUT_OK);
    for (int i = 0; i < frames; i++) {
        const abut_pose to = {{at.position.x + way.x, at.position.y + way.y, at.position.z + way.z}, at.rotation};
        abut_hit hit;
        assert_int_equal(abut_world_sweep(world, &id, &to, 1, NULL, &hit), ABUT_OK);
        at = abut_pose_between(&at, &to, hit.fraction);
        assert_int_equal(abut_body_set_pose(world, id, &at), ABUT_OK);
    }
    return at;
}

enum { FRAMES = 300 };

static const abut_body_def bodies[] = {{.half = {0.4f, 0.4f, 0.4f}},
                                       {.radius = 0.4f},
                                       {.half = {0, 0.1f, 0}, .radius = 0.3f},
                                       {.half = {0.3f, 0.3f, 0.3f}, .radius = 0.1f}};
enum { BODIES = sizeof bodies / sizeof bodies[0] };

/* At 0.4 over the ground. */
static abut_body_id put_on_ground(abut_world *world, int k) {
    abut_body_def def = bodies[k];
    def.pose = pose_at(0.3f, 0.4f, 0.2f);
    return add_body(world, &def);
}

static void fall_and_slide(abut_world *world, double e) {
    for (int k = 0; k < BODIES; k++) {
        const abut_body_id id = put_on_ground(world, k);
        assert_true(fabs((double)pushed(world, id, (abut_vec3){0, -0.01f, 0}, FRAMES).position.y - 0.4) <= e);
        /* also where no frame alone goes too deep */
        assert_true((double)pushed(world, id, (abut_vec3){0, (float)(-0.2 * e), 0}, FRAMES).position.y >= 0.4 - 2 * e);
        assert_true(fabsf(pushed(world, id, (abut_vec3){0.001f, 0, 0.002f}, FRAMES).position.x - 0.6f) < 1e-3f);
        assert_true(fabsf(pushed(world, id, (abut_vec3){0, 0.01f, 0}, FRAMES).position.y - 3.4f) < 1e-2f);
        assert_int_equal(abut_body_destroy(world, id), ABUT_OK);
    }
}

static void nothing_sinks_into_a_box(void **state) {
    (void)state;
    for (float half = 5; half < 2000; half *= 10) {
        abut_world *world = make_world(NULL);
        (void)add_body(world,
                       &(abut_body_def){.pose = pose_at(0, -1, 0), .half = {half, 1, half}, .motion = ABUT_STATIC});
        fall_and_slide(world, 1e-6 * (2.0 * (double)half + 4));
        abut_world_destroy(&world);
    }
}

static void nothing_sinks_into_triangles(void **state) {
    (void)state;
    enum { SIDE = 9 };
    static const float heights[SIDE * SIDE];
    for (float cell = 1; cell < 200; cell *= 10) {
        abut_world *world = make_world(NULL);
        abut_mesh *mesh;
        const abut_mesh_grid_def def = {.heights = heights, .columns = SIDE, .rows = SIDE, .spacing = {cell, 1, cell}};
        assert_int_equal(abut_mesh_create_grid(&def, &mesh), ABUT_OK);
        const float aside = -0.5f * cell * (SIDE - 1);
        (void)add_body(world, &(abut_body_def){.pose = pose_at(aside, 0, aside), .mesh = mesh, .motion = ABUT_STATIC});
        fall_and_slide(world, 1e-6 * (10.0 * (double)cell + 4));
        abut_world_destroy(&world);
        abut_mesh_destroy(&mesh);
    }
}

/* What is deep at the start gets no deeper either, but it may be as deep as it is. */
static void what_is_deep_stays_as_deep(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    (void)add_body(world, &(abut_body_def){.pose = pose_at(0, -1, 0), .half = {50, 1, 50}, .motion = ABUT_STATIC});
    for (int k = 0; k < BODIES; k++) {
        const abut_body_id id = put_on_ground(world, k);
        const abut_pose deep = pose_at(0, 0.38f, 0);
        assert_int_equal(abut_body_set_pose(world, id, &deep), ABUT_OK);
        assert_true(fabsf(pushed(world, id, (abut_vec3){0, -0.01f, 0}, FRAMES).position.y - 0.38f) < 1e-6f);
        assert_true(fabsf(pushed(world, id, (abut_vec3){0.002f, 0, 0}, FRAMES).position.x - 0.6f) < 1e-3f);
        assert_true(pushed(world, id, (abut_vec3){0, 0.01f, 0}, FRAMES).position.y > 3.3f);
        assert_int_equal(abut_body_destroy(world, id), ABUT_OK);
    }
    abut_world_destroy(&world);
}

/* A door, hinged at the origin, that is pressed on a post. */
static void a_door_does_not_go_through_a_post(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    const abut_body_id door = add_body(
        world, &(abut_body_def){.half = {0.5f, 1, 0.02f}, .box = pose_at(0.5f, 0, 0), .pose = pose_at(0, 0, 0)});
    (void)add_body(world, &(abut_body_def){.pose = pose_at(0.8f, 0, -0.3f), .half = {0, 1, 0}, .radius = 0.1f});
    abut_pose at = pose_at(0, 0, 0);
    float stopped = 0;
    for (int i = 0; i < 2 * FRAMES; i++) {
        abut_hit hit;
        const float angle = 2 * asinf(at.rotation.y) + 0.01f;
        const abut_pose to = {{0, 0, 0}, {0, sinf(angle / 2), 0, cosf(angle / 2)}};
        assert_int_equal(abut_world_sweep(world, &door, &to, 1, NULL, &hit), ABUT_OK);
        at = abut_pose_between(&at, &to, hit.fraction);
        assert_int_equal(abut_body_set_pose(world, door, &at), ABUT_OK);
        stopped = i == FRAMES ? at.rotation.y : stopped;
    }
    assert_true(stopped > 0.05f && fabsf(at.rotation.y - stopped) < 1e-6f);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_sinks_into_a_box),
        cmocka_unit_test(nothing_sinks_into_triangles),
        cmocka_unit_test(what_is_deep_stays_as_deep),
        cmocka_unit_test(a_door_does_not_go_through_a_post),
    };
    return test_run(tests);
}
