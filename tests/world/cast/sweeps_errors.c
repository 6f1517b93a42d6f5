/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Sweeps: bad input, memory, callbacks; that nothing moves. */

#include "support/failing_allocator.h"
#include "world/world_test.h"
#include <math.h>

/* Unit cubes at x = 0, 10, 20, and a fourth that is attached to the third, far above it. */
enum { N = 4 };
static abut_world *small_world(abut_body_id ids[N], const abut_world_def *def) {
    abut_world *world = make_world(def);
    for (int i = 0; i < 3; i++) {
        ids[i] = add_cube(world, 10 * (float)i, 0, 0, 0.5f);
    }
    ids[3] =
        add_body(world, &(abut_body_def){.pose = pose_at(0, 1000, 0), .half = {0.5f, 0.5f, 0.5f}, .parent = ids[2]});
    return world;
}

/* Sweeps a body along x to the next one, 10 away: it meets it. */
static void assert_works(abut_world *world, abut_body_id id, abut_body_id other, float to) {
    const abut_pose target = pose_at(to, 0, 0);
    abut_hit hit;
    assert_int_equal(abut_world_sweep(world, &id, &target, 1, NULL, &hit), ABUT_OK);
    assert_true(hit.body.index1 == other.index1 && hit.mover.index1 == id.index1);
    assert_true(hit.fraction > 0.899f && hit.fraction <= 0.9f);
}

static void bad_calls_write_nothing(void **state) {
    (void)state;
    abut_body_id ids[N], gone;
    abut_world *world = small_world(ids, NULL);
    gone = add_cube(world, 50, 0, 0, 1);
    assert_int_equal(abut_body_destroy(world, gone), ABUT_OK);
    const abut_pose targets[3] = {pose_at(5, 5, 5), pose_at(6, 5, 5), pose_at(7, 5, 5)};
    const abut_body_id twice[3] = {ids[0], ids[1], ids[0]}, attached[3] = {ids[0], ids[3], ids[1]},
                       dead[3] = {ids[0], ids[1], gone}, none[3] = {ids[0], {0, 0}, ids[1]};
    const abut_query bad = {.allowance = -1};
    abut_hit hits[3];
    memset(hits, 0x55, sizeof hits);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(abut_world_sweep(NULL, ids, targets, 3, NULL, hits), ABUT_ERROR_ARGUMENT);
        assert_int_equal(abut_world_sweep(world, NULL, targets, 3, NULL, hits), ABUT_ERROR_ARGUMENT);
        assert_int_equal(abut_world_sweep(world, ids, NULL, 3, NULL, hits), ABUT_ERROR_ARGUMENT);
        assert_int_equal(abut_world_sweep(world, ids, targets, 3, NULL, NULL), ABUT_ERROR_ARGUMENT);
        assert_int_equal(abut_world_sweep(world, ids, targets, 3, &bad, hits), ABUT_ERROR_ARGUMENT);
        assert_int_equal(abut_world_sweep(world, NULL, NULL, 0, &bad, NULL), ABUT_ERROR_ARGUMENT);
        assert_int_equal(abut_world_sweep(world, NULL, NULL, 0, NULL, NULL), ABUT_OK);
        assert_int_equal(abut_world_sweep(world, twice, targets, 3, NULL, hits), ABUT_ERROR_ARGUMENT);
        assert_int_equal(abut_world_sweep(world, attached, targets, 3, NULL, hits), ABUT_ERROR_ARGUMENT);
        assert_int_equal(abut_world_sweep(world, dead, targets, 3, NULL, hits), ABUT_ERROR_HANDLE);
        assert_int_equal(abut_world_sweep(world, none, targets, 3, NULL, hits), ABUT_ERROR_HANDLE);
        for (size_t i = 0; i < sizeof hits; i++) {
            assert_int_equal(((const unsigned char *)hits)[i], 0x55);
        }
        memset(hits, 0x55, sizeof hits);
    }
    assert_works(world, ids[0], ids[1], 10); /* no mark is left */
    assert_works(world, ids[1], ids[0], 0);
    abut_world_destroy(&world);
}

static void an_empty_world_has_no_bodies(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    const abut_body_id id = {1, 1};
    const abut_pose target = pose_at(0, 0, 0);
    abut_hit hit;
    assert_int_equal(abut_world_sweep(world, &id, &target, 1, NULL, &hit), ABUT_ERROR_HANDLE);
    assert_int_equal(abut_world_sweep(world, &id, &target, 0, NULL, &hit), ABUT_OK);
    abut_world_destroy(&world);
}

/* What has an invalid target stands still for the others. */
static void bad_targets_have_no_answer(void **state) {
    (void)state;
    const float most = ABUT_MAX_COORDINATE;
    const abut_pose too_high = {{0, most - 640, 0}, {0, 0, 0, 1}}; /* within, but what is attached is not */
    const struct {
        abut_pose target;
        int who;
        abut_result result;
    } bad[] = {{pose_at(NAN, 0, 0), 1, ABUT_ERROR_ARGUMENT},
               {{{0, 0, 0}, {0, INFINITY, 0, 1}}, 1, ABUT_ERROR_ARGUMENT},
               {pose_at(0, 0, 2 * most), 1, ABUT_ERROR_LIMIT},
               {pose_at(0, most, 0), 1, ABUT_ERROR_LIMIT},
               {too_high, 2, ABUT_ERROR_LIMIT}};
    abut_body_id ids[N];
    abut_world *world = small_world(ids, NULL);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const abut_body_id pair[2] = {ids[bad[k].who], ids[bad[k].who - 1]};
        const abut_pose targets[2] = {bad[k].target, pose_at(10 * (float)bad[k].who, 0, 0)};
        abut_hit hits[2];
        assert_int_equal(abut_world_sweep(world, pair, targets, 2, NULL, hits), bad[k].result);
        assert_true(isnan(hits[0].fraction) && hits[0].body.index1 == 0 && hits[0].mover.index1 == 0);
        assert_true(hits[1].body.index1 == pair[0].index1 && hits[1].fraction > 0.899f);
        assert_int_equal(abut_world_sweep(world, pair, targets, 1, NULL, hits), bad[k].result);
        assert_int_equal(abut_body_set_pose(world, pair[0], &bad[k].target), bad[k].result);
    }
    assert_works(world, ids[0], ids[1], 10);
    const abut_body_id all[3] = {ids[0], ids[1], ids[2]};
    const abut_pose targets[3] = {bad[2].target, bad[0].target, bad[4].target};
    abut_hit hits[3];
    assert_int_equal(abut_world_sweep(world, all, targets, 3, NULL, hits), ABUT_ERROR_ARGUMENT);
    assert_true(isnan(hits[0].fraction) && isnan(hits[1].fraction) && isnan(hits[2].fraction));
    abut_world_destroy(&world);
}

static void nothing_moves(void **state) {
    (void)state;
    abut_body_id ids[N];
    abut_world *world = small_world(ids, NULL);
    (void)add_cube(world, 20.5f, 0, 0, 0.5f);
    (void)step_world(world);
    const abut_body_id all[3] = {ids[2], ids[1], ids[0]};
    const abut_pose targets[3] = {pose_at(0, 0, 0), {{20, 0, 0}, {0, 0, 1, 1}}, pose_at(10, 0, 0)};
    abut_hit hits[3];
    picture before = picture_take(world);
    assert_int_equal(abut_world_sweep(world, all, targets, 3, NULL, hits), ABUT_OK);
    assert_true(hits[0].body.index1 && hits[1].body.index1 && hits[2].body.index1);
    picture_close(&before, world);
    abut_world_destroy(&world);
}

/* --- callbacks --- */

typedef struct caller {
    abut_world *world;
    abut_body_id id;
    size_t calls;
    abut_hit heard; /* by a listener, which may sweep */
} caller;

static void try_to_sweep(caller *c) {
    const abut_pose target = pose_at(1, 1, 1);
    abut_hit hit;
    c->calls++;
    assert_int_equal(abut_world_sweep(c->world, &c->id, &target, 1, NULL, &hit), ABUT_ERROR_BUSY);
}

static bool decide(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    (void)a, (void)user_a, (void)b, (void)user_b;
    try_to_sweep(user);
    return true;
}

static void hear(const abut_contact *contact, void *user) {
    caller *c = user;
    const abut_pose target = pose_at(1, 1, 1);
    (void)contact;
    assert_int_equal(abut_world_sweep(c->world, &c->id, &target, 1, NULL, &c->heard), ABUT_OK);
}

static bool accept(const abut_candidate *candidate, void *context) {
    caller *c = context;
    const abut_pose pose = pose_at(0, 0, 0);
    const abut_ray ray = {.origin = {-5, 0, 0}, .translation = {10, 0, 0}};
    abut_hit hit;
    try_to_sweep(c);
    assert_int_equal(abut_body_set_pose(c->world, candidate->mover, &pose), ABUT_ERROR_BUSY);
    assert_int_equal(abut_world_cast_rays(c->world, &ray, 1, NULL, &hit), ABUT_OK);
    assert_int_equal(hit.body.index1, 1);
    return true;
}

static void listeners_alone_may_sweep(void **state) {
    (void)state;
    caller c = {.calls = 0};
    abut_body_id ids[N];
    abut_world *world = small_world(ids, &(abut_world_def){.should_collide = decide, .user = &c});
    c.world = world;
    c.id = ids[0];
    (void)add_cube(world, 0.5f, 0, 0, 0.5f);
    const abut_listener listener = {.begin = hear, .user = &c};
    assert_int_equal(abut_world_step(world, &listener, NULL), ABUT_OK);
    assert_true(c.calls >= 1);
    const abut_pose near = pose_at(1, 1, 1);
    abut_hit later;
    assert_int_equal(abut_world_sweep(world, &c.id, &near, 1, NULL, &later), ABUT_OK);
    assert_true(later.body.index1 > 0);
    assert_memory_equal(&c.heard, &later, sizeof later);
    const abut_query query = {.accept = accept, .context = &c};
    const abut_pose target = pose_at(20, 0, 0);
    abut_hit hit;
    assert_int_equal(abut_world_sweep(world, &ids[1], &target, 1, &query, &hit), ABUT_OK);
    assert_true(c.calls > 0 && hit.body.index1 == ids[2].index1);
    assert_int_equal(abut_body_set_pose(world, ids[0], &target), ABUT_OK);
    abut_world_destroy(&world);
}

/* --- memory --- */

static void no_memory_is_told(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_body_id ids[N];
    abut_world *world = small_world(ids, &(abut_world_def){.allocator = failing_allocator_of(&books)});
    const abut_pose targets[3] = {pose_at(10, 0, 0), pose_at(0, 0, 0), pose_at(30, 0, 0)};
    abut_hit hits[3];
    memset(hits, 0x55, sizeof hits);
    size_t failures = 0, before, in_use, after;
    for (abut_result result = ABUT_ERROR_MEMORY; result; failures++) {
        failing_allocator_fail_once(&books, failures + 1);
        abut_world_memory(world, &in_use, &before);
        result = abut_world_sweep(world, ids, targets, 3, NULL, hits);
        abut_world_memory(world, &in_use, &after);
        assert_true(result == ABUT_OK || (result == ABUT_ERROR_MEMORY && hits[0].body.index1 == 0x55555555));
        assert_true(after >= before && after <= books.live_bytes && in_use <= after);
    }
    failing_allocator_fail_never(&books);
    assert_true(failures > 3 && hits[0].body.index1 == ids[1].index1);
    size_t calls = books.calls;
    assert_int_equal(abut_world_sweep(world, ids, targets, 3, NULL, hits), ABUT_OK);
    assert_int_equal(books.calls, calls);
    for (int i = 0; i < 200; i++) { /* more slots than there were marks for */
        ids[0] = add_cube(world, 1000, 2 * (float)i, 0, 0.5f);
    }
    const abut_pose beside = pose_at(1000, 390, 0);
    assert_int_equal(abut_world_sweep(world, ids, &beside, 1, NULL, hits), ABUT_OK);
    assert_true(hits[0].body.index1 == ids[0].index1 - 1 && hits[0].mover.index1 == ids[0].index1);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
}

static void a_fixed_world_can_sweep_all(void **state) {
    (void)state;
    enum { BODIES = 50 };
    failing_allocator books = {0};
    abut_world *world = make_world(
        &(abut_world_def){.allocator = failing_allocator_of(&books), .body_capacity = BODIES, .fixed_capacity = true});
    size_t calls = books.calls;
    abut_body_id ids[BODIES];
    abut_pose targets[BODIES];
    abut_hit hits[BODIES];
    for (int i = 0; i < BODIES; i++) {
        ids[i] = add_cube(world, 10 * (float)i, 0, 0, 0.5f);
        targets[i] = pose_at(10 * (float)(i ^ 1), 0, 0);
    }
    assert_int_equal(abut_world_sweep(world, ids, targets, BODIES, NULL, hits), ABUT_OK);
    for (int i = 0; i < BODIES; i++) {
        assert_int_equal(hits[i].body.index1, ids[i ^ 1].index1);
        assert_true(hits[i].fraction > 0.449f && hits[i].fraction <= 0.45f);
    }
    assert_int_equal(books.calls, calls);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_calls_write_nothing),     cmocka_unit_test(an_empty_world_has_no_bodies),
        cmocka_unit_test(bad_targets_have_no_answer),  cmocka_unit_test(nothing_moves),
        cmocka_unit_test(listeners_alone_may_sweep),   cmocka_unit_test(no_memory_is_told),
        cmocka_unit_test(a_fixed_world_can_sweep_all),
    };
    return test_run(tests);
}
