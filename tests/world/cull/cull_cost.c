/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The cost of culling a world. Counted in bodies that are tested by themselves: one large hull far away adds no more
 * than the bodies that share a block of the tree with it. And which calls are worth several workers. */

#include "support/schedules.h"
#include "world/cull/cull.h"
#include "world/world_test.h"
#include <abut/cull.h>
#include <math.h>
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

/* --- several workers --- */

enum { GROUP = 512, WORTH_IT = 16 /* groups in views, a group counted once for each view */ };

/* Cubes in a row along -z, 2 apart. */
static abut_world *world_of_row(uint32_t bodies, schedule *s) {
    abut_world *world = make_world(&(abut_world_def){.parallel = schedule_parallel(s)});
    for (uint32_t i = 0; i < bodies; i++) {
        (void)add_cube(world, 0, 0, -2 * (float)i, 0.5f);
    }
    return world;
}

static void view_row(abut_cull_view *view, float from, float to) {
    abut_frustum frustum;
    const abut_pose eye = {{0, 0, 1 - from}, {0, 0, 0, 1}};
    assert_int_equal(abut_frustum_camera(&eye, 0.5f, 0.5f, 1, to - from + 1, &frustum), ABUT_OK);
    *view = abut_cull_view_of(&frustum);
}

/* How many groups of the tree have a cube between `from` and `to`, which are between cubes. */
static uint32_t groups_in(const abut_world *world, float from, float to) {
    const abut_bp_tree *tree = abut_w_tree(world);
    uint32_t count = 0;
    for (uint32_t first = 0; first < tree->count; first += GROUP) {
        float low = INFINITY, high = -INFINITY;
        for (uint32_t k = first; k < first + GROUP && k < tree->count; k++) {
            low = fminf(low, 2 * (float)tree->key[k]);
            high = fmaxf(high, 2 * (float)tree->key[k]);
        }
        count += low < to && high > from;
    }
    return count;
}

/* With as many groups as are looked at in several parts, and with one fewer than is worth it. */
static void calls_with_much_in_view_use_workers(void **state) {
    (void)state;
    static const uint32_t sizes[] = {GROUP * WORTH_IT - 1, GROUP * WORTH_IT, 64 * GROUP, 64 * GROUP + 5,
                                     70 * GROUP - 7};
    uint32_t worth_it = 0, calls = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        schedule s = {.kind = SCHEDULE_ASCENDING, .workers = 2};
        abut_world *world = world_of_row(sizes[k], &s);
        static abut_w_culling c;
        const float length = 2 * (float)sizes[k];
        abut_w_tree_prepare(world);
        for (uint32_t i = 0; i < 60; i++) { /* the second view is at an end of the row, the first one anywhere */
            const float from[2] = {length * (float)(i % 4) / 8 + 1,
                                   i % 2 ? 1 : length - 2 * GROUP * (float)(i / 4) - 1};
            const float to[2] = {from[0] + 2 * GROUP * (float)(i / 4) + 2,
                                 i % 2 ? 2 * GROUP * (float)(i / 4) + 3 : length};
            uint32_t groups = 0;
            c = (abut_w_culling){.world = world, .count = 2};
            for (uint32_t v = 0; v < 2; v++) {
                view_row(&c.view[v], from[v], to[v]);
                groups += groups_in(world, from[v], to[v]);
            }
            bool wide = sizes[k] >= GROUP * WORTH_IT && groups >= WORTH_IT;
            assert_int_equal(abut_w_cull_is_wide(&c), wide);
            c.count = 1;
            assert_false(abut_w_cull_is_wide(&c));
            worth_it += wide;
            calls++;
        }
        abut_world_destroy(&world);
    }
    assert_true(worth_it > calls / 4 && worth_it < calls * 3 / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_hull_far_away_costs_nothing),
        cmocka_unit_test(calls_with_much_in_view_use_workers),
    };
    return test_run(tests);
}
