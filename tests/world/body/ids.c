/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Ids depend only on the calls and never exceed the peak count; batches of bodies are created as a whole or not at all.
 */

#include "world/world_test.h"
#include <math.h>
#include <stdlib.h>

enum { STEPS = 3000, PEAK = 300 };

typedef struct life {
    abut_body_id ids[PEAK];
    size_t live, peak, reused;
    uint32_t highest;
} life;

static void kill_one(abut_world *world, life *l, rng *r) {
    size_t victim = rng_below(r, (uint32_t)l->live);
    assert_int_equal(abut_body_destroy(world, l->ids[victim]), ABUT_OK);
    l->live = abut_world_bodies(world, l->ids, PEAK);
}

static void create_some(abut_world *world, life *l, rng *r) {
    abut_body_def defs[8];
    abut_body_id ids[8];
    size_t n = 1 + rng_below(r, 8);
    n = n > PEAK - l->live ? PEAK - l->live : n;
    for (size_t i = 0; i < n; i++) {
        defs[i] = random_box(r, 20);
        defs[i].parent = l->live > 0 && rng_chance(r, 0.3) ? l->ids[rng_below(r, (uint32_t)l->live)] : id_of(0, 0);
    }
    assert_int_equal(abut_bodies_create(world, defs, n, ids), ABUT_OK);
    for (size_t i = 0; i < n; i++) {
        assert_true(abut_body_is_valid(world, ids[i]));
        l->highest = ids[i].index1 > l->highest ? ids[i].index1 : l->highest;
        l->reused += ids[i].generation > 1;
    }
    l->live = abut_world_bodies(world, l->ids, PEAK);
    l->peak = l->live > l->peak ? l->live : l->peak;
}

/* The same calls give the same ids, stepped or not. */
static void ids_follow_from_the_calls_and_never_pass_the_peak(void **state) {
    (void)state;
    abut_world *a = make_world(NULL);
    abut_world *b = make_world(&(abut_world_def){.body_capacity = 1000, .contact_margin = 0.5f});
    life la = {0}, lb = {0};
    rng ra = rng_make(test_seed(), 0), rb = ra;
    for (unsigned long step = 0; step < STEPS; step++) {
        if (la.live > 0 && rng_chance(&ra, 0.7)) {
            (void)rng_chance(&rb, 0.7);
            kill_one(a, &la, &ra);
            kill_one(b, &lb, &rb);
        } else {
            rb = ra;
            create_some(a, &la, &ra);
            create_some(b, &lb, &rb);
        }
        if (step % 50 == 0) {
            (void)step_world(a);
        }
        check_case(la.live == lb.live && bits_equal(la.ids, lb.ids, la.live * sizeof la.ids[0]), "ids", 0, step);
        check_case(la.highest <= la.peak, "an index above the peak", 0, step);
    }
    assert_true(la.peak > 20 && la.reused > 100);
    assert_true(abut_world_hash(a) == abut_world_hash(b));
    assert_int_equal(abut_world_validate(a), ABUT_OK);
    abut_world_destroy(&a);
    abut_world_destroy(&b);
}

/* One slot, many bodies: no old id ever becomes valid again. */
static void old_names_stay_dead(void **state) {
    (void)state;
    enum { LIVES = 20000 };
    abut_world *world = make_world(NULL);
    abut_body_id previous = {0};
    for (int i = 0; i < LIVES; i++) {
        abut_body_id id = add_cube(world, 0, 0, 0, 1);
        assert_int_equal(id.index1, 1);
        assert_true(i == 0 || id.generation > previous.generation);
        assert_false(abut_body_is_valid(world, previous));
        assert_int_equal(abut_body_destroy(world, id), ABUT_OK);
        previous = id;
    }
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

static void packing_an_id_loses_nothing(void **state) {
    (void)state;
    rng r = rng_make(test_seed(), 1);
    for (int i = 0; i < 1000; i++) {
        uint64_t packed = rng_u64(&r);
        abut_body_id id = abut_body_id_unpack(packed);
        assert_true(abut_body_id_pack(id) == packed);
        assert_true(abut_body_id_equal(id, abut_body_id_unpack(packed)));
        assert_false(abut_body_id_equal(id, id_of(id.index1 ^ 1, id.generation)));
        assert_false(abut_body_id_equal(id, id_of(id.index1, id.generation ^ 1)));
    }
    assert_true(abut_body_id_pack(id_of(0, 0)) == 0);
}

static void batch_gives_the_ids_of_single_calls(void **state) {
    (void)state;
    enum { N = 500 };
    abut_world *single = make_world(NULL), *batch = make_world(NULL);
    abut_body_def defs[N];
    abut_body_id ids[N];
    rng r = rng_make(test_seed(), 2);
    abut_body_id root = add_cube(single, 0, 0, 0, 1);
    assert_true(abut_body_id_equal(root, add_cube(batch, 0, 0, 0, 1)));
    for (int i = 0; i < N; i++) {
        defs[i] = random_box(&r, 10);
        defs[i].parent = i % 5 == 0 ? root : id_of(0, 0);
    }
    assert_int_equal(abut_bodies_create(batch, defs, N, ids), ABUT_OK);
    for (int i = 0; i < N; i++) {
        assert_true(abut_body_id_equal(add_body(single, &defs[i]), ids[i]));
    }
    assert_true(abut_world_hash(single) == abut_world_hash(batch));
    assert_true(step_world(single) > 50);
    (void)step_world(batch);
    assert_true(same_contacts(single, batch));
    abut_world_destroy(&single);
    abut_world_destroy(&batch);
}

static abut_result bad_batch(abut_world *world, size_t n, size_t bad_at, const abut_body_def *bad) {
    abut_body_def *defs = calloc(n, sizeof *defs);
    abut_body_id *ids = malloc(n * sizeof *ids);
    assert_true(defs != NULL && ids != NULL);
    for (size_t i = 0; i < n; i++) {
        defs[i] = (abut_body_def){.half = {1, 1, 1}, .pose = pose_at((float)i, 0, 0)};
        ids[i] = id_of(123, 456);
    }
    defs[bad_at] = *bad;
    picture before = picture_take(world);
    abut_result result = abut_bodies_create(world, defs, n, ids);
    picture_close(&before, world);
    for (size_t i = 0; i < n; i++) {
        assert_true(abut_body_id_equal(ids[i], id_of(0, 0)));
    }
    free(defs);
    free(ids);
    return result;
}

static void one_bad_body_refuses_the_whole_batch(void **state) {
    (void)state;
    abut_world *world = make_world(NULL), *untouched = make_world(NULL);
    (void)add_cube(world, 0, 0, 0, 1);
    (void)add_cube(untouched, 0, 0, 0, 1);
    (void)add_cube(world, 1, 0, 0, 1);
    (void)add_cube(untouched, 1, 0, 0, 1);
    assert_int_equal(step_world(world), 1);
    const abut_body_def negative = {.half = {1, -1, 1}}, nan_pose = {.half = {1, 1, 1}, .pose = {{NAN, 0, 0}, {0}}};
    const abut_body_def far = {.half = {1, 1, 1}, .pose = pose_at(2e9f, 0, 0)};
    const abut_body_def orphan = {.half = {1, 1, 1}, .parent = {400, 1}};
    const abut_body_def of_the_batch = {.half = {1, 1, 1}, .parent = {3, 1}};
    const size_t n = 200, indices[] = {0, 1, 100, 199};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(bad_batch(world, n, indices[i], &negative), ABUT_ERROR_ARGUMENT);
        assert_int_equal(bad_batch(world, n, indices[i], &nan_pose), ABUT_ERROR_ARGUMENT);
        assert_int_equal(bad_batch(world, n, indices[i], &far), ABUT_ERROR_LIMIT);
        assert_int_equal(bad_batch(world, n, indices[i], &orphan), ABUT_ERROR_HANDLE);
        assert_int_equal(bad_batch(world, n, indices[i], &of_the_batch), ABUT_ERROR_HANDLE);
    }
    assert_true(abut_body_id_equal(add_cube(world, 5, 5, 5, 1), add_cube(untouched, 5, 5, 5, 1)));
    assert_true(abut_world_hash(world) == abut_world_hash(untouched));
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
    abut_world_destroy(&untouched);
}

static void empty_batch_is_fine(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    (void)add_cube(world, 0, 0, 0, 1);
    abut_body_def def = {.half = {1, 1, 1}};
    abut_body_id id = {9, 9};
    abut_pose pose = pose_at(0, 0, 0);
    picture before = picture_take(world);
    assert_int_equal(abut_bodies_create(world, &def, 0, &id), ABUT_OK);
    assert_true(abut_body_id_equal(id, id_of(9, 9)));
    assert_int_equal(abut_bodies_create(world, NULL, 0, NULL), ABUT_OK);
    assert_int_equal(abut_bodies_set_poses(world, &id, &pose, 0), ABUT_OK);
    assert_int_equal(abut_bodies_set_poses(world, NULL, NULL, 0), ABUT_OK);
    assert_int_equal(abut_bodies_set_poses_strided(world, NULL, 0, NULL, 0, 0, NULL), ABUT_OK);
    picture_close(&before, world);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_follow_from_the_calls_and_never_pass_the_peak),
        cmocka_unit_test(old_names_stay_dead),
        cmocka_unit_test(packing_an_id_loses_nothing),
        cmocka_unit_test(batch_gives_the_ids_of_single_calls),
        cmocka_unit_test(one_bad_body_refuses_the_whole_batch),
        cmocka_unit_test(empty_batch_is_fine),
    };
    return test_run(tests);
}
