/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The cost of culling a world, counted in bodies that are tested by themselves: one large hull far away adds no more
 * than the bodies that share a block of the tree with it. */

#include "world/cull/cull.h"
#include "world/world_test.h"
#include <abut/cull.h>
#include <stdio.h>

enum { SIDE = 16, BODIES = SIDE * SIDE * SIDE, CALLS = 12 };

static abut_hull *large_hull(void) {
    abut_vec3 corners[8];
    abut_hull *hull;
    abut_obb_corners(&(abut_obb){{0, 0, 0}, {0, 0, 0, 1}, {2000, 2000, 2000}}, corners);
    assert_int_equal(abut_hull_create(corners, 8, NULL, &hull), ABUT_OK);
    return hull;
}

static abut_world *world_of_cubes(void) {
    abut_world *world = make_world(NULL);
    for (int i = 0; i < BODIES; i++) {
        (void)add_cube(world, (float)(3 * (i % SIDE)), (float)(3 * (i / SIDE % SIDE)), (float)(3 * (i / SIDE / SIDE)),
                       0.5f);
    }
    return world;
}

static void set_frusta(abut_frustum *frusta) {
    abut_pose eye = {{1.5f, 20, 50}, {0, 0, 0, 1}};
    assert_int_equal(abut_frustum_camera(&eye, 0.1f, 0.1f, 0.5f, 100, &frusta[0]), ABUT_OK);
    eye.position.x = 30;
    assert_int_equal(abut_frustum_camera(&eye, 0.1f, 0.1f, 0.5f, 100, &frusta[1]), ABUT_OK);
}

/* Returns the work of the first call, which updates the tree, and of the last. */
static void cull_often(const abut_world *world, size_t views, abut_w_cull_work work[2]) {
    static abut_visible out[BODIES + 1];
    abut_frustum frusta[2];
    set_frusta(frusta);
    for (int i = 0; i < CALLS; i++) {
        size_t n = abut_w_cull(world, frusta, views, NULL, out, BODIES + 1, &work[i > 0]);
        assert_true(n > 50 && n < BODIES / 8 * views);
    }
}

/* Moves all bodies and steps. */
static void move_all(abut_world *world, const abut_body_id *ids, size_t n, float up) {
    for (size_t i = 0; i < n; i++) {
        abut_pose pose;
        assert_int_equal(abut_body_get_pose(world, ids[i], &pose), ABUT_OK);
        pose.position.y += up;
        assert_int_equal(abut_body_set_pose(world, ids[i], &pose), ABUT_OK);
    }
    (void)step_world(world);
}

static void a_large_hull_far_away_costs_nothing(void **state) {
    (void)state;
    enum { NEIGHBOURS = 2 * 64 };
    static abut_body_id ids[BODIES];
    for (size_t views = 1; views <= 2; views++) {
        abut_world *world = world_of_cubes();
        abut_hull *hull = large_hull();
        abut_w_cull_work before[2], with[2], after[2];
        assert_int_equal(abut_world_bodies(world, ids, BODIES), BODIES);
        (void)step_world(world);
        cull_often(world, views, before);
        abut_body_id far = add_body(world, &(abut_body_def){.pose = pose_at(5e6f, 0, 0), .hull = hull});
        move_all(world, ids, BODIES, 0.125f);
        move_all(world, ids, BODIES, -0.125f);
        cull_often(world, views, with);
        assert_int_equal(abut_body_destroy(world, far), ABUT_OK);
        move_all(world, ids, BODIES, 0.125f);
        move_all(world, ids, BODIES, -0.125f);
        cull_often(world, views, after);
        for (int i = 0; i < 2; i++) {
            printf("%zu views, %s: tested %u before, %u with the hull, %u after\n", views, i ? "last" : "first",
                   before[i].tested, with[i].tested, after[i].tested);
            assert_true(before[i].tested > 0 && before[i].tested < BODIES / 4);
            assert_true(with[i].tested <= before[i].tested + NEIGHBOURS);
            assert_true(after[i].tested <= before[i].tested + NEIGHBOURS); /* its entry stays, empty */
        }
        abut_world_destroy(&world);
        abut_hull_destroy(&hull);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_hull_far_away_costs_nothing),
    };
    return test_run(tests);
}
