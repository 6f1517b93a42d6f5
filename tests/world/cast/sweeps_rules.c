/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Sweeps: who meets whom, and what the hit says. */

#include "world/world_test.h"
#include <math.h>

static abut_body_id add_of_motion(abut_world *world, float x, float y, abut_motion motion) {
    return add_body(world, &(abut_body_def){.pose = pose_at(x, y, 0), .half = {0.5f, 0.5f, 0.5f}, .motion = motion});
}

static abut_hit sweep_one(abut_world *world, abut_body_id id, abut_pose target, const abut_query *query) {
    abut_hit hit;
    memset(&hit, 0x55, sizeof hit);
    assert_int_equal(abut_world_sweep(world, &id, &target, 1, query, &hit), ABUT_OK);
    return hit;
}

static void assert_nothing(abut_hit hit) {
    const abut_hit nothing = {.fraction = 1};
    assert_memory_equal(&hit, &nothing, sizeof hit);
}

static bool is_near(float value, float expected) {
    return fabsf(value - expected) < 1e-4f;
}

/* Whether a hit has these bodies, fraction and normal along x. */
static bool is_hit(abut_hit hit, abut_body_id mover, abut_body_id body, float fraction, float normal) {
    return hit.body.index1 == body.index1 && hit.mover.index1 == mover.index1 && hit.fraction <= fraction &&
           is_near(hit.fraction, fraction) && hit.normal.x == normal && hit.part == 0;
}

static void a_hit_tells_all(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id a = add_cube(world, 0, 0, 0, 0.5f), b = add_cube(world, 5, 0.25f, 0, 0.5f);
    assert_int_equal(abut_body_set_user(world, a, 7), ABUT_OK);
    assert_int_equal(abut_body_set_user(world, b, 8), ABUT_OK);
    abut_hit hit = sweep_one(world, a, pose_at(8, 0, 0), NULL);
    assert_true(is_hit(hit, a, b, 0.5f, -1) && hit.user == 8 && is_near(hit.position.x, 4.5f));
    assert_nothing(sweep_one(world, a, pose_at(3.9f, 0, 0), NULL));
    assert_nothing(sweep_one(world, a, pose_at(8, 20, 0), NULL));
    assert_nothing(sweep_one(world, a, pose_at(0, 0, 0), NULL));
    abut_world_destroy(&world);
}

static void two_that_move_mirror_each_other(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id ids[3] = {add_cube(world, 0, 0, 0, 0.5f), add_cube(world, 9, 0, 0, 0.5f),
                           add_cube(world, 0, 50, 0, 1)};
    const abut_pose towards[3] = {pose_at(8, 0, 0), pose_at(1, 0, 0), pose_at(0, 60, 0)};
    const abut_pose onward[3] = {pose_at(20, 0, 0), pose_at(29, 0, 0), pose_at(0, 60, 0)};
    for (int swapped = 0; swapped < 2; swapped++) {
        abut_body_id order[3] = {ids[swapped], ids[1 - swapped], ids[2]};
        abut_pose targets[3] = {towards[swapped], towards[1 - swapped], towards[2]};
        abut_hit hits[3];
        assert_int_equal(abut_world_sweep(world, order, targets, 3, NULL, hits), ABUT_OK);
        assert_true(is_hit(hits[swapped], ids[0], ids[1], 0.5f, -1));
        assert_true(is_hit(hits[1 - swapped], ids[1], ids[0], 0.5f, 1));
        assert_true(hits[0].fraction == hits[1].fraction && bits_equal(&hits[0].position, &hits[1].position, 12));
        assert_false(signbit(hits[0].normal.y) || signbit(hits[1].normal.y));
        assert_nothing(hits[2]);
        targets[0] = onward[swapped], targets[1] = onward[1 - swapped]; /* the first stays behind the second */
        assert_int_equal(abut_world_sweep(world, order, targets, 3, NULL, hits), ABUT_OK);
        assert_nothing(hits[0]);
        assert_nothing(hits[1]);
    }
    abut_world_destroy(&world);
}

/* Of several, the first counts, whether it stands still or moves. */
static void the_first_counts(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id ids[2] = {add_cube(world, 0, 0, 0, 0.5f), add_cube(world, 6, 3, 0, 0.5f)};
    abut_body_id still = add_cube(world, 7, 0, 0, 0.5f);
    abut_pose targets[2] = {pose_at(10, 0, 0), pose_at(6, 3, 0)};
    abut_hit hits[2];
    assert_int_equal(abut_world_sweep(world, ids, targets, 2, NULL, hits), ABUT_OK);
    assert_true(is_hit(hits[0], ids[0], still, 0.6f, -1));
    targets[1] = pose_at(6, -3, 0); /* it is in the way at half of the time */
    assert_int_equal(abut_world_sweep(world, ids, targets, 2, NULL, hits), ABUT_OK);
    assert_true(is_hit(hits[0], ids[0], ids[1], 0.5f, -1));
    assert_true(hits[1].body.index1 == still.index1 && hits[1].fraction < 0.4f);
    abut_world_destroy(&world);
}

/* All that is attached moves along, also when the root turns, and its hits are the root's. */
static void compounds_move_as_one(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id wall = add_of_motion(world, 0, 10, ABUT_STATIC);
    abut_body_id root = add_cube(world, 0, 0, 0, 0.5f);
    abut_body_id arm = add_body(
        world, &(abut_body_def){.pose = {{4, 0, 0}, {0, 0, 1, 1}}, .half = {0.5f, 0.5f, 0.5f}, .parent = root});
    abut_body_id hand = add_body(world, &(abut_body_def){.pose = pose_at(0, -3, 0),
                                                         .box = pose_at(0, -1, 0),
                                                         .half = {0.5f, 0.5f, 0.5f},
                                                         .parent = arm}); /* four beyond the arm */
    abut_pose at;
    assert_int_equal(abut_body_get_world_pose(world, hand, &at), ABUT_OK);
    assert_true(is_near(at.position.x, 7) && is_near(at.position.y, 0));
    /* upward: nothing; to the left, the hand comes under the wall only at the end, and does not reach it */
    assert_nothing(sweep_one(world, root, pose_at(0, 8.9f, 0), NULL));
    abut_hit hit = sweep_one(world, root, pose_at(-8, 18, 0), NULL);
    assert_true(hit.body.index1 == wall.index1 && hit.mover.index1 == arm.index1);
    /* a quarter turn about z takes the hand to (0, 8, 0), just below 10 - 1/2 - 1/2 = 9 */
    assert_nothing(sweep_one(world, root, (abut_pose){{0, 0, 0}, {0, 0, 1, 1}}, NULL));
    hit = sweep_one(world, root, (abut_pose){{0, 2, 0}, {0, 0, 1, 1}}, NULL);
    assert_true(hit.body.index1 == wall.index1 && hit.mover.index1 == hand.index1);
    assert_true(hit.fraction > 0.5f && hit.fraction < 1);
    abut_world_destroy(&world);
}

static void rules_of_steps_hold(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id a = add_of_motion(world, 0, 0, ABUT_STATIC), b = add_of_motion(world, 5, 0, ABUT_STATIC);
    abut_body_id c = add_of_motion(world, 7, 0, ABUT_MOVING);
    assert_true(is_hit(sweep_one(world, a, pose_at(8, 0, 0), NULL), a, c, 0.75f, -1));
    const abut_body_id ids[2] = {a, b};
    const abut_pose targets[2] = {pose_at(5, 0, 0), pose_at(0, 0, 0)};
    abut_hit hits[2];
    assert_int_equal(abut_world_sweep(world, ids, targets, 2, NULL, hits), ABUT_OK);
    assert_nothing(hits[0]);
    assert_nothing(hits[1]);
    assert_int_equal(abut_body_set_filter(world, c, &(abut_filter){.category = 2, .mask = 4}), ABUT_OK);
    assert_nothing(sweep_one(world, a, pose_at(8, 0, 0), NULL));
    abut_world_destroy(&world);
}

typedef struct question {
    abut_body_id mover, refused;
    size_t element, asked;
} question;

static bool judge(const abut_candidate *candidate, void *context) {
    question *w = context;
    w->asked++;
    assert_true(candidate->mover.index1 == w->mover.index1 && candidate->mover.generation == w->mover.generation);
    assert_int_equal(candidate->element, w->element);
    assert_int_equal(candidate->user, 100 + candidate->body.index1);
    return candidate->body.index1 != w->refused.index1;
}

/* A query is put to the bodies that are met, not to those that move. */
static void queries_are_put_to_who_is_met(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id ids[3];
    for (int i = 0; i < 3; i++) {
        ids[i] = add_cube(world, 5 * (float)i, 0, 0, 0.5f);
        assert_int_equal(abut_body_set_user(world, ids[i], 100 + ids[i].index1), ABUT_OK);
    }
    assert_int_equal(abut_body_set_filter(world, ids[0], &(abut_filter){.category = 4}), ABUT_OK);
    const abut_pose to = pose_at(20, 0, 0);
    question w = {.mover = ids[0], .refused = ids[1]};
    const abut_query ignore = {.ignore = &ids[1], .ignore_count = 1}, self = {.ignore = &ids[0], .ignore_count = 1},
                     filter = {.filter = {.mask = 1}}, accept = {.accept = judge, .context = &w};
    assert_int_equal(sweep_one(world, ids[0], to, NULL).body.index1, ids[1].index1);
    assert_int_equal(sweep_one(world, ids[0], to, &ignore).body.index1, ids[2].index1);
    assert_int_equal(sweep_one(world, ids[0], to, &self).body.index1, ids[1].index1);
    assert_int_equal(sweep_one(world, ids[0], to, &filter).body.index1, ids[1].index1);
    assert_int_equal(sweep_one(world, ids[0], to, &accept).body.index1, ids[2].index1);
    assert_true(w.asked >= 2);
    /* both move: one is met, the other is not */
    const abut_body_id both[2] = {ids[1], ids[0]};
    const abut_pose targets[2] = {pose_at(0, 0, 0), pose_at(5, 0, 0)};
    abut_hit hits[2];
    for (int k = 0; k < 2; k++) {
        assert_int_equal(abut_world_sweep(world, both, targets, 2, k == 0 ? &filter : &self, hits), ABUT_OK);
        assert_nothing(hits[0]); /* the one that it meets is not asked */
        assert_true(is_hit(hits[1], ids[0], ids[1], 0.4f, -1));
    }
    w = (question){.mover = ids[0], .element = 1};
    const abut_query both_asked = {.accept = judge, .context = &w, .ignore = &ids[0], .ignore_count = 1};
    assert_int_equal(abut_world_sweep(world, both, targets, 2, &both_asked, hits), ABUT_OK);
    assert_true(w.asked > 0 && hits[1].body.index1 == ids[1].index1);
    abut_world_destroy(&world);
}

static void the_start_is_treated_by_initial(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id floor = add_body(world, &(abut_body_def){.half = {20, 0.5f, 20}, .motion = ABUT_STATIC});
    abut_body_id ball = add_body(world, &(abut_body_def){.pose = pose_at(0, 1, 0), .radius = 0.5f});
    abut_body_id post = add_of_motion(world, 5, 1, ABUT_STATIC);
    const abut_query hit = {.initial = ABUT_INITIAL_HIT}, skip = {.initial = ABUT_INITIAL_SKIP},
                     allow = {.allowance = 0.5f};
    const abut_pose along = pose_at(8, 1, 0), down = pose_at(0, 0.75f, 0);
    assert_true(is_hit(sweep_one(world, ball, along, NULL), ball, post, 0.5f, -1));
    assert_true(is_hit(sweep_one(world, ball, along, &skip), ball, post, 0.5f, -1));
    assert_true(is_hit(sweep_one(world, ball, along, &hit), ball, floor, 0, 0));
    const abut_hit h = sweep_one(world, ball, down, NULL);
    assert_true(h.body.index1 == floor.index1 && h.fraction < 1e-3f && h.normal.y == 1);
    assert_nothing(sweep_one(world, ball, down, &skip));
    assert_nothing(sweep_one(world, ball, down, &allow));
    assert_nothing(sweep_one(world, ball, pose_at(0, 3, 0), NULL));
    abut_world_destroy(&world);
}

/* Many that fall side by side: each meets its own. */
static void many_move_at_once(void **state) {
    (void)state;
    enum { SIDE = 40, COUNT = SIDE * SIDE };
    static abut_body_id ids[COUNT], below[COUNT];
    static abut_pose targets[COUNT];
    static abut_hit hits[COUNT];
    abut_world *world = make_world(NULL);
    for (int i = 0; i < COUNT; i++) {
        float x = 2 * (float)(i % SIDE), y = 2 * (float)(i / SIDE);
        ids[i] = add_cube(world, x, y, 9, 0.5f);
        below[i] = add_cube(world, x, y, 0, 0.5f);
        targets[i] = (abut_pose){{x, y, 1}, {0, 0, 0, 1}};
    }
    for (int rise = 0; rise < 2; rise++) { /* onto those that stand still, or that rise */
        assert_int_equal(abut_world_sweep(world, ids, targets, COUNT, NULL, hits), ABUT_OK);
        for (int i = 0; i < COUNT; i++) {
            bool meets = i / (COUNT / 2) == 0;
            abut_body_id met = rise ? ids[(i + COUNT / 2) % COUNT] : below[i];
            assert_true(rise || (hits[i].body.index1 == met.index1 && hits[i].normal.z == 1));
            assert_true(!rise || is_near(hits[i].fraction, 0.5f));
            assert_true(!rise || (hits[i].body.index1 == met.index1 && hits[i].normal.z == (meets ? 1 : -1)));
        }
        for (int i = 0; i < COUNT; i++) { /* the second half goes below the first, and rises to where that was */
            int over = i % (COUNT / 2);
            float x = 2 * (float)(over % SIDE), y = 200 + 2 * (float)(over / SIDE);
            abut_pose here = {{x, y, i < COUNT / 2 ? 10 : 0}, {0, 0, 0, 1}};
            targets[i] = (abut_pose){{x, y, i < COUNT / 2 ? 1 : 9}, {0, 0, 0, 1}};
            assert_int_equal(abut_body_set_pose(world, ids[i], &here), ABUT_OK);
        }
    }
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hit_tells_all),
        cmocka_unit_test(two_that_move_mirror_each_other),
        cmocka_unit_test(the_first_counts),
        cmocka_unit_test(compounds_move_as_one),
        cmocka_unit_test(rules_of_steps_hold),
        cmocka_unit_test(queries_are_put_to_who_is_met),
        cmocka_unit_test(the_start_is_treated_by_initial),
        cmocka_unit_test(many_move_at_once),
    };
    return test_run(tests);
}
