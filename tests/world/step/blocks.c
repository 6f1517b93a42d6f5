/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which path blocks of candidates take: boxes, spheres and capsules the fast one. A few hulls, or a few bodies of
 * another detail, slow down only the blocks with their own pairs, and nothing once they are gone. */

#include "world/world.h"
#include "world/world_test.h"

enum { SIDE = 24, BODIES = SIDE * SIDE };

/* A floor of boxes, each of which touches its neighbours. */
static void make_floor(abut_world *world, abut_body_id ids[BODIES]) {
    for (int i = 0; i < BODIES; i++) {
        ids[i] = add_cube(world, (float)(i % SIDE), 0, (float)(i / SIDE), 0.51f);
    }
}

/* Moves all of them, so that every candidate must be resolved. */
static void shake(abut_world *world, const abut_body_id ids[BODIES], int step) {
    for (int i = 0; i < BODIES; i++) {
        move_to(world, ids[i], (float)(i % SIDE), (float)step, (float)(i / SIDE));
    }
}

/* How many of the next step's blocks did not take the fast path. */
static size_t slow_blocks(abut_world *world, const abut_body_id ids[BODIES], int step) {
    shake(world, ids, step);
    assert_true(step_world(world) >= (size_t)2 * SIDE * (SIDE - 1));
    assert_true(world->blocks >= 8);
    return world->blocks - world->moved_blocks;
}

static void one_hull_slows_down_only_its_own_block(void **state) {
    (void)state;
    abut_body_id ids[BODIES];
    abut_vec3 corners[8];
    abut_hull *hull;
    abut_world *world = make_world(NULL);
    make_floor(world, ids);
    assert_int_equal(slow_blocks(world, ids, 0), 0);
    abut_obb_corners(&(abut_obb){.half = {0.5f, 0.5f, 0.5f}}, corners);
    assert_int_equal(abut_hull_create(corners, 8, NULL, &hull), ABUT_OK);
    abut_body_id far = add_body(world, &(abut_body_def){.hull = hull, .pose = pose_at(-100, 0, 0)});
    assert_int_equal(slow_blocks(world, ids, 1), 0);
    /* It is the last slot, so each of its pairs follows those of the box below it. */
    move_to(world, far, 0, 2, 0);
    size_t slow = slow_blocks(world, ids, 2);
    assert_true(slow > 0 && slow <= 4);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    assert_int_equal(abut_body_destroy(world, far), ABUT_OK);
    assert_int_equal(slow_blocks(world, ids, 3), 0);
    assert_int_equal(world->uncommon_count + world->non_box_count, 0);
    abut_world_destroy(&world);
    abut_hull_destroy(&hull);
}

static void one_other_detail_slows_down_only_its_own_block(void **state) {
    (void)state;
    abut_body_id ids[BODIES];
    abut_world *world = make_world(NULL);
    make_floor(world, ids);
    assert_int_equal(abut_body_set_detail(world, ids[0], ABUT_DETAIL_BOUNDS), ABUT_OK);
    assert_int_equal(slow_blocks(world, ids, 0), 1);
    assert_int_equal(abut_body_set_detail(world, ids[0], ABUT_DETAIL_OVERLAP), ABUT_OK);
    assert_int_equal(slow_blocks(world, ids, 1), 1);
    assert_int_equal(world->uncommon_count, 1);
    assert_int_equal(abut_body_set_detail(world, ids[0], ABUT_DETAIL_MANIFOLD), ABUT_OK);
    assert_int_equal(slow_blocks(world, ids, 2), 0);
    assert_int_equal(world->uncommon_count, 0);
    abut_world_destroy(&world);
}

static void spheres_and_capsules_take_the_fast_path(void **state) {
    (void)state;
    abut_body_id ids[BODIES];
    abut_world *world = make_world(NULL);
    make_floor(world, ids);
    const abut_shape sphere = abut_sphere(0.51f), capsule = abut_capsule(0.25f, 0.51f);
    for (int i = 0; i < BODIES; i += 3) {
        assert_int_equal(abut_body_set_shape(world, ids[i], i % 2 ? &sphere : &capsule, NULL), ABUT_OK);
    }
    assert_int_equal(slow_blocks(world, ids, 0), 0);
    assert_int_equal(world->uncommon_count, (BODIES + 2) / 3);
    assert_int_equal(abut_body_set_detail(world, ids[0], ABUT_DETAIL_OVERLAP), ABUT_OK);
    assert_int_equal(slow_blocks(world, ids, 1), 1);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_hull_slows_down_only_its_own_block),
        cmocka_unit_test(spheres_and_capsules_take_the_fast_path),
        cmocka_unit_test(one_other_detail_slows_down_only_its_own_block),
    };
    return test_run(tests);
}
