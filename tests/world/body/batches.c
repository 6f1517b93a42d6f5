/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Getters and destruction of many bodies: the same as single calls, all or none. */

#include "world/world_test.h"
#include <string.h>

enum { BODIES = 60, ASKED = 100 };

/* Plain bodies, chains and fans, all alike in every world that is made from the same stream. */
static void make_forest(abut_world *world, rng *r, abut_body_id ids[BODIES]) {
    for (int i = 0; i < BODIES; i++) {
        abut_body_def def = random_box(r, 4);
        def.box = rng_chance(r, 0.3) ? random_pose(r, 1) : (abut_pose){{0, 0, 0}, {0, 0, 0, 0}};
        def.parent = i > 0 && rng_chance(r, 0.6) ? ids[rng_below(r, (uint32_t)i)] : id_of(0, 0);
        ids[i] = add_body(world, &def);
    }
    (void)step_world(world);
}

/* Any ids of the forest, some of them more than once. */
static size_t choose(rng *r, const abut_body_id ids[BODIES], abut_body_id chosen[ASKED]) {
    size_t n = rng_below(r, ASKED + 1);
    for (size_t i = 0; i < n; i++) {
        chosen[i] = ids[rng_below(r, BODIES)];
    }
    return n;
}

static void batches_read_what_single_calls_read(void **state) {
    (void)state;
    for (unsigned long round = 0; round < test_count(200); round++) {
        rng r = rng_make(test_seed(), round);
        abut_world *world = make_world(NULL);
        abut_body_id ids[BODIES], asked[ASKED];
        abut_pose pose[ASKED], world_pose[ASKED], one;
        abut_aabb bounds[ASKED], box;
        make_forest(world, &r, ids);
        size_t n = choose(&r, ids, asked);
        assert_int_equal(abut_bodies_get_poses(world, asked, pose, n), ABUT_OK);
        assert_int_equal(abut_bodies_get_world_poses(world, asked, world_pose, n), ABUT_OK);
        assert_int_equal(abut_bodies_get_bounds(world, asked, bounds, n), ABUT_OK);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(abut_body_get_pose(world, asked[i], &one), ABUT_OK);
            check_case(bits_equal(&one, &pose[i], sizeof one), "pose", round, i);
            assert_int_equal(abut_body_get_world_pose(world, asked[i], &one), ABUT_OK);
            check_case(bits_equal(&one, &world_pose[i], sizeof one), "world pose", round, i);
            assert_int_equal(abut_body_get_bounds(world, asked[i], &box), ABUT_OK);
            check_case(bits_equal(&box, &bounds[i], sizeof box), "bounds", round, i);
        }
        abut_world_destroy(&world);
    }
}

static void a_batch_removes_what_single_calls_remove(void **state) {
    (void)state;
    for (unsigned long round = 0; round < test_count(200); round++) {
        rng r = rng_make(test_seed(), round), same = r;
        abut_world *batch = make_world(NULL), *single = make_world(NULL);
        abut_body_id ids[BODIES], others[BODIES], gone[ASKED];
        make_forest(batch, &r, ids);
        make_forest(single, &same, others);
        size_t n = choose(&r, ids, gone);
        n = n > 8 && rng_chance(&r, 0.8) ? n % 8 : n;
        assert_int_equal(abut_bodies_destroy(batch, gone, n), ABUT_OK);
        for (size_t i = 0; i < n; i++) {
            abut_result result = abut_body_destroy(single, gone[i]);
            check_case(result == ABUT_OK || result == ABUT_ERROR_HANDLE, "single", round, i);
            check_case(!abut_body_is_valid(batch, gone[i]), "still there", round, i);
        }
        check_case(abut_world_hash(batch) == abut_world_hash(single), "hash", round, n);
        assert_int_equal(step_world(batch), step_world(single));
        check_case(same_contacts(batch, single), "contacts", round, n);
        assert_int_equal(count_events(batch, ABUT_END), count_events(single, ABUT_END));
        assert_int_equal(abut_world_validate(batch), ABUT_OK);
        assert_true(abut_body_id_equal(add_cube(batch, 0, 0, 0, 1), add_cube(single, 0, 0, 0, 1)));
        abut_world_destroy(&batch);
        abut_world_destroy(&single);
    }
}

/* Wherever in the batch the stale id is, nothing is written and no body is destroyed. */
static void one_bad_id_refuses_the_whole_batch(void **state) {
    (void)state;
    rng r = rng_make(test_seed(), 1000);
    abut_world *world = make_world(NULL);
    abut_body_id ids[BODIES];
    abut_pose pose[BODIES], pose_before[BODIES];
    abut_aabb bounds[BODIES], bounds_before[BODIES];
    make_forest(world, &r, ids);
    abut_body_id stale = add_cube(world, 0, 0, 0, 1);
    assert_int_equal(abut_body_destroy(world, stale), ABUT_OK);
    memset(pose_before, 0x55, sizeof pose_before);
    memset(bounds_before, 0x55, sizeof bounds_before);
    memcpy(pose, pose_before, sizeof pose);
    memcpy(bounds, bounds_before, sizeof bounds);
    picture before = picture_take(world);
    for (size_t at = 0; at < BODIES; at++) {
        abut_body_id kept = ids[at];
        ids[at] = at % 2 ? stale : id_of(0, 0);
        assert_int_equal(abut_bodies_get_poses(world, ids, pose, BODIES), ABUT_ERROR_HANDLE);
        assert_int_equal(abut_bodies_get_world_poses(world, ids, pose, BODIES), ABUT_ERROR_HANDLE);
        assert_int_equal(abut_bodies_get_bounds(world, ids, bounds, BODIES), ABUT_ERROR_HANDLE);
        assert_int_equal(abut_bodies_destroy(world, ids, BODIES), ABUT_ERROR_HANDLE);
        ids[at] = kept;
        check_case(picture_matches(&before, world), "the world changed", 1000, at);
        check_case(bits_equal(pose, pose_before, sizeof pose), "poses were written", 1000, at);
        check_case(bits_equal(bounds, bounds_before, sizeof bounds), "bounds were written", 1000, at);
    }
    picture_close(&before, world);
    abut_world_destroy(&world);
}

static void null_pointers_are_refused_but_in_empty_batches(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id id = add_cube(world, 0, 0, 0, 1);
    abut_pose pose;
    abut_aabb bounds;
    picture before = picture_take(world);
    assert_int_equal(abut_bodies_get_poses(NULL, &id, &pose, 1), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_get_poses(world, NULL, &pose, 1), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_get_poses(world, &id, NULL, 1), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_get_world_poses(NULL, &id, &pose, 1), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_get_world_poses(world, NULL, &pose, 1), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_get_world_poses(world, &id, NULL, 1), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_get_bounds(NULL, &id, &bounds, 1), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_get_bounds(world, NULL, &bounds, 1), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_get_bounds(world, &id, NULL, 1), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_destroy(NULL, &id, 1), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_destroy(world, NULL, 1), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_bodies_get_poses(world, NULL, NULL, 0), ABUT_OK);
    assert_int_equal(abut_bodies_get_world_poses(world, NULL, NULL, 0), ABUT_OK);
    assert_int_equal(abut_bodies_get_bounds(world, NULL, NULL, 0), ABUT_OK);
    assert_int_equal(abut_bodies_destroy(world, NULL, 0), ABUT_OK);
    picture_close(&before, world);
    abut_world_destroy(&world);
}

typedef struct asker {
    abut_world *world;
    size_t asked;
} asker;

static bool read_but_do_not_destroy(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    asker *k = user;
    const abut_body_id ids[2] = {a, b};
    abut_pose pose[2];
    abut_aabb bounds[2];
    (void)user_a;
    (void)user_b;
    assert_int_equal(abut_bodies_get_poses(k->world, ids, pose, 2), ABUT_OK);
    assert_int_equal(abut_bodies_get_bounds(k->world, ids, bounds, 2), ABUT_OK);
    assert_int_equal(abut_bodies_destroy(k->world, ids, 2), ABUT_ERROR_BUSY);
    assert_int_equal(abut_bodies_destroy(k->world, NULL, 0), ABUT_ERROR_BUSY);
    k->asked++;
    return true;
}

static void within_should_collide_batches_are_read_and_not_removed(void **state) {
    (void)state;
    asker k = {.asked = 0};
    k.world = make_world(&(abut_world_def){.should_collide = read_but_do_not_destroy, .user = &k});
    (void)add_cube(k.world, 0, 0, 0, 1);
    (void)add_cube(k.world, 1, 0, 0, 1);
    assert_int_equal(step_world(k.world), 1);
    assert_int_equal(k.asked, 1);
    assert_int_equal(abut_world_body_count(k.world), 2);
    abut_world_destroy(&k.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_read_what_single_calls_read),
        cmocka_unit_test(a_batch_removes_what_single_calls_remove),
        cmocka_unit_test(one_bad_id_refuses_the_whole_batch),
        cmocka_unit_test(null_pointers_are_refused_but_in_empty_batches),
        cmocka_unit_test(within_should_collide_batches_are_read_and_not_removed),
    };
    return test_run(tests);
}
