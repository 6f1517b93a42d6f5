/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The hash depends on bodies, poses, shapes, filters and ids, and on nothing else. */

#include "world/world_test.h"
#include <stdlib.h>

static uint64_t hash_of(const abut_body_def *def) {
    abut_world *world = make_world(NULL);
    abut_body_id root = add_cube(world, 0, 0, 0, 1);
    abut_body_def second = *def;
    if (def->parent.index1 != 0) {
        second.parent = root;
    }
    (void)add_body(world, &second);
    uint64_t hash = abut_world_hash(world);
    abut_world_destroy(&world);
    return hash;
}

static abut_body_def plain(void) {
    return (abut_body_def){.half = {1, 2, 3}, .pose = {{1, 2, 3}, {0, 0, 0, 1}}, .box = {{0, 0, 0}, {0, 0, 0, 1}}};
}

enum { VARIANTS = 22 };

/* Each differs from the plain one in one thing. */
static void make_variants(abut_body_def v[VARIANTS]) {
    for (int i = 0; i < VARIANTS; i++) {
        v[i] = plain();
    }
    v[1].pose.position.x = 1.0000001f;
    v[2].pose.position.y = 4;
    v[3].pose.position.z = -3;
    v[4].pose.rotation.x = 1;
    v[5].pose.rotation.y = 1;
    v[6].pose.rotation.z = 1;
    v[7].pose.rotation.w = 0;
    v[7].pose.rotation.x = 1;
    v[8].half.x = 1.0000001f;
    v[9].half.y = 0;
    v[10].half.z = 2;
    v[11].box.position.x = 1e-20f;
    v[12].box.position.y = 2;
    v[13].box.position.z = 2;
    v[14].box.rotation.x = 1;
    v[15].motion = ABUT_STATIC;
    v[16].detail = ABUT_DETAIL_OVERLAP;
    v[17].detail = ABUT_DETAIL_BOUNDS;
    v[18].filter.category = 2;
    v[19].filter.mask = 1;
    v[20].filter.group = -1;
    v[21].parent = id_of(1, 1);
}

static void everything_that_matters_enters(void **state) {
    (void)state;
    abut_body_def v[VARIANTS];
    uint64_t hashes[VARIANTS];
    make_variants(v);
    for (int i = 0; i < VARIANTS; i++) {
        hashes[i] = hash_of(&v[i]);
        assert_true(hashes[i] == hash_of(&v[i]));
        for (int k = 0; k < i; k++) {
            if (hashes[i] == hashes[k]) {
                fail_msg("variants %d and %d have the same hash", i, k);
            }
        }
    }
}

/* The defaults of a definition and the same spelt out. */
static void defaults_spelt_out_are_the_same(void **state) {
    (void)state;
    abut_body_def zero = {.half = {1, 2, 3}}, full = {.half = {1, 2, 3}};
    full.pose.rotation = full.box.rotation = (abut_quat){0, 0, 0, 2};
    full.filter = (abut_filter){.category = 1, .mask = UINT64_MAX};
    assert_true(hash_of(&zero) == hash_of(&full));
}

static void user_data_and_steps_do_not_enter(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id a = add_cube(world, 0, 0, 0, 1), b = add_cube(world, 1, 0, 0, 1);
    uint64_t hash = abut_world_hash(world);
    assert_int_equal(abut_body_set_user(world, a, 77), ABUT_OK);
    assert_true(abut_world_hash(world) == hash);
    assert_int_equal(step_world(world), 1);
    assert_true(abut_world_hash(world) == hash);
    assert_int_equal(step_world(world), 1);
    assert_true(abut_world_hash(world) == hash);
    move_to(world, b, 50, 0, 0);
    assert_true(abut_world_hash(world) != hash);
    assert_int_equal(step_world(world), 0);
    move_to(world, b, 1, 0, 0);
    assert_true(abut_world_hash(world) == hash);
    abut_world_destroy(&world);
}

static void bodies_that_are_gone_do_not_enter(void **state) {
    (void)state;
    abut_world *plain_world = make_world(NULL), *churned = make_world(&(abut_world_def){.body_capacity = 500});
    assert_true(abut_world_hash(plain_world) == abut_world_hash(churned));
    (void)add_cube(plain_world, 0, 0, 0, 1);
    (void)add_cube(churned, 0, 0, 0, 1);
    abut_body_id gone[100];
    for (int i = 0; i < 100; i++) {
        gone[i] = add_cube(churned, 0, 0, (float)i, 1);
        assert_true(abut_world_hash(plain_world) != abut_world_hash(churned));
    }
    (void)step_world(churned);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(abut_body_destroy(churned, gone[(i * 37) % 100]), ABUT_OK);
    }
    assert_true(abut_world_hash(plain_world) == abut_world_hash(churned));
    abut_world_destroy(&plain_world);
    abut_world_destroy(&churned);
}

/* The same boxes with other ids are another state. */
static void ids_enter(void **state) {
    (void)state;
    abut_world *a = make_world(NULL), *b = make_world(NULL), *c = make_world(NULL);
    (void)add_cube(a, 0, 0, 0, 1);
    abut_body_id first = add_cube(b, 5, 0, 0, 1), second = add_cube(b, 0, 0, 0, 1);
    assert_int_equal(abut_body_destroy(b, first), ABUT_OK);
    assert_true(abut_world_hash(a) != abut_world_hash(b));
    assert_int_equal(abut_body_destroy(c, add_cube(c, 5, 0, 0, 1)), ABUT_OK);
    (void)add_cube(c, 0, 0, 0, 1);
    assert_true(abut_world_hash(a) != abut_world_hash(c));
    assert_true(abut_world_hash(b) != abut_world_hash(c));
    assert_true(abut_body_is_valid(b, second));
    abut_world_destroy(&a);
    abut_world_destroy(&b);
    abut_world_destroy(&c);
}

/* Two children of one parent, destroyed and made again in another order of siblings, hash alike if everything else is
 * alike. */
static void order_of_siblings_does_not_enter(void **state) {
    (void)state;
    abut_world *worlds[2];
    for (int k = 0; k < 2; k++) {
        worlds[k] = make_world(NULL);
        abut_body_id root = add_cube(worlds[k], 0, 0, 0, 1);
        abut_body_def def = {.half = {1, 1, 1}, .parent = root};
        abut_body_id children[3];
        for (int i = 0; i < 3; i++) {
            def.pose = pose_at((float)i, 5, 0);
            children[i] = add_body(worlds[k], &def);
        }
        int victim = k == 0 ? 0 : 2, other = 2 - victim;
        const int order[2] = {victim, other};
        for (int i = 0; i < 2; i++) {
            assert_int_equal(abut_body_destroy(worlds[k], children[order[i]]), ABUT_OK);
            def.pose = pose_at((float)order[i], 5, 0);
            abut_body_id again = add_body(worlds[k], &def);
            assert_int_equal(again.index1, children[order[i]].index1);
        }
        assert_int_equal(abut_world_validate(worlds[k]), ABUT_OK);
    }
    assert_true(abut_world_hash(worlds[0]) == abut_world_hash(worlds[1]));
    abut_world_destroy(&worlds[0]);
    abut_world_destroy(&worlds[1]);
}

/* Single bit changes somewhere in a larger world never collide. */
static void small_changes_give_other_hashes(void **state) {
    (void)state;
    enum { N = 200 };
    abut_world *world = make_world(NULL);
    rng r = rng_make(test_seed(), 0);
    abut_body_id ids[N];
    uint64_t seen[2000];
    for (int i = 0; i < N; i++) {
        abut_body_def def = random_box(&r, 10);
        ids[i] = add_body(world, &def);
    }
    const uint64_t start = abut_world_hash(world);
    for (size_t k = 0; k < 2000; k++) {
        abut_pose pose, moved;
        abut_body_id id = ids[rng_below(&r, N)];
        assert_int_equal(abut_body_get_pose(world, id, &pose), ABUT_OK);
        moved = pose;
        moved.position = rng_vec3(&r, -10, 10);
        assert_int_equal(abut_body_set_pose(world, id, &moved), ABUT_OK);
        seen[k] = abut_world_hash(world);
        for (size_t j = 0; j < k; j++) {
            check_case(seen[j] != seen[k], "the same hash", 0, k);
        }
        assert_int_equal(abut_body_set_pose(world, id, &pose), ABUT_OK);
        check_case(abut_world_hash(world) == start, "not back", 0, k);
    }
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_that_matters_enters),
        cmocka_unit_test(defaults_spelt_out_are_the_same),
        cmocka_unit_test(user_data_and_steps_do_not_enter),
        cmocka_unit_test(bodies_that_are_gone_do_not_enter),
        cmocka_unit_test(ids_enter),
        cmocka_unit_test(order_of_siblings_does_not_enter),
        cmocka_unit_test(small_changes_give_other_hashes),
    };
    return test_run(tests);
}
