/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Placements: the meaning of each rule, invalid arguments, and calls from callbacks and threads. */

#include "support/failing_allocator.h"
#include "world/world_test.h"
#include <math.h>
#include <stdlib.h>
#ifdef ABUT_TEST_THREADS
#  include <pthread.h>
#endif

static abut_obb2 square(float x, float y, float half) {
    return (abut_obb2){.center = {x, y}, .half = {half, half}};
}

static abut_placement test_one(const abut_world *world, abut_obb2 candidate, const abut_placement_rules *rules) {
    abut_placement out;
    assert_int_equal(abut_world_test_placements(world, &candidate, 1, rules, &out), ABUT_OK);
    assert_true(out.free == (out.blocker_count == 0) && out.free == (out.first_blocker.index1 == 0));
    return out;
}

static bool is_free(const abut_world *world, abut_obb2 candidate, const abut_placement_rules *rules) {
    return test_one(world, candidate, rules).free;
}

/* A position on the ground, for an up along that axis. */
static abut_vec3 on_ground(int up, float x, float y, float height) {
    return up == 0 ? (abut_vec3){height, x, y} : up == 1 ? (abut_vec3){x, height, y} : (abut_vec3){x, y, height};
}

static abut_world *world_with_up(int up, float length) {
    abut_world_def def = {.up = {up == 0 ? length : 0, up == 1 ? length : 0, up == 2 ? length : 0}};
    return make_world(&def);
}

/* Cells of a chess board are built on, white ones are not; borders touch exactly. */
static void candidates_of_a_grid_fit_exactly(void **state) {
    (void)state;
    enum { SIDE = 24 };
    static const abut_placement_rules open = {.touch = ABUT_TOUCH_IS_FREE}, closed = {.touch = ABUT_TOUCH_IS_OVERLAP};
    for (int k = 0; k < 6; k++) {
        int up = k % 3;
        abut_world *world = world_with_up(up, k < 3 ? 0.3f : -7);
        for (int step = 0; step < 4; step++) {
            for (int i = 0; i < SIDE * SIDE && step == 0; i++) {
                if ((i % SIDE + i / SIDE) % 2 == 0) {
                    abut_vec3 at = on_ground(up, 1.5f * (float)(i % SIDE), 1.5f * (float)(i / SIDE), (float)(i % 7));
                    (void)add_cube(world, at.x, at.y, at.z, 0.75f);
                }
            }
            for (int i = 0; i < SIDE * SIDE; i++) {
                int x = i % SIDE, y = i / SIDE, neighbours = (x > 0) + (y > 0) + (x < SIDE - 1) + (y < SIDE - 1);
                int corners = ((x > 0) + (x < SIDE - 1)) * ((y > 0) + (y < SIDE - 1));
                bool built = (x + y) % 2 == 0;
                abut_obb2 cell = square(1.5f * (float)x, 1.5f * (float)y, 0.75f);
                cell.axis = (abut_vec2){(float)(i % 3 - 1), (float)(i % 3 == 1) * -2}; /* no turn, or by quarters */
                assert_int_equal(test_one(world, cell, &open).blocker_count, built);
                assert_int_equal(test_one(world, cell, &closed).blocker_count, built ? 1 + corners : neighbours);
            }
            (void)step_world(world);
        }
        abut_world_destroy(&world);
    }
}

static void height_does_not_matter(void **state) {
    (void)state;
    for (int up = 0; up < 3; up++) {
        abut_world *world = world_with_up(up, 1);
        abut_vec3 at = on_ground(up, 10, -20, 1e8f);
        abut_body_id id = add_cube(world, at.x, at.y, at.z, 1);
        for (int step = 0; step < 3; step++) {
            abut_placement p = test_one(world, square(10.5f, -20, 1), NULL);
            assert_true(!p.free && p.blocker_count == 1 && abut_body_id_equal(p.first_blocker, id));
            assert_true(p.push.x > 1.49f && p.push.x < 1.51f && p.push.y == 0);
            assert_true(is_free(world, square(-20, 10, 1), NULL));
            (void)step_world(world);
        }
        abut_world_destroy(&world);
    }
}

static void clearance_is_a_distance(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    (void)add_cube(world, 0, 0, 0, 1);
    abut_placement_rules rules = {.clearance = 0.5f};
    assert_true(is_free(world, square(2.5f, 0, 1), NULL));
    assert_false(is_free(world, square(2.5f, 0, 1), &rules));
    rules.touch = ABUT_TOUCH_IS_FREE;
    assert_true(is_free(world, square(2.5f, 0, 1), &rules));
    rules.clearance = 0.75f;
    abut_placement p = test_one(world, square(2.5f, 0, 1), &rules);
    assert_true(p.push.x == 0.25f && p.push.y == 0);
    /* Corner to corner: 3, 4, 5. */
    rules.clearance = 1.25f;
    assert_true(is_free(world, square(2.75f, 3, 1), &rules));
    rules.touch = ABUT_TOUCH_IS_OVERLAP;
    assert_false(is_free(world, square(2.75f, 3, 1), &rules));
    assert_true(is_free(world, square(-2.875f, 3, 1), &rules));
    abut_world_destroy(&world);
}

/* A candidate far from a body's core finds it by its bounds, which include the radius. */
static void bodies_with_a_radius_cast_round_shadows(void **state) {
    (void)state;
    for (int up = 0; up < 3; up++) {
        abut_world *world = world_with_up(up, 1);
        abut_body_def def = {.radius = 4, .pose.position = on_ground(up, 10, -20, 7)};
        abut_body_id ball = add_body(world, &def), far;
        def = (abut_body_def){.radius = 1e3f, .pose.position = on_ground(up, 5000, 0, 0)};
        *(&def.half.x + up) = 50; /* a capsule that stands upright */
        far = add_body(world, &def);
        for (int step = 0; step < 3; step++) {
            abut_placement_rules rules = {.clearance = 1};
            abut_placement p = test_one(world, square(14, -15, 1), &rules); /* a corner 3, 4 off */
            assert_true(!p.free && p.blocker_count == 1 && abut_body_id_equal(p.first_blocker, ball));
            assert_true(p.push.x >= 0 && p.push.x < 1e-5f && p.push.y >= 0 && p.push.y < 1e-5f);
            rules.touch = ABUT_TOUCH_IS_FREE;
            assert_true(is_free(world, square(14, -15, 1), &rules));
            assert_true(is_free(world, square(14, -15, 1), NULL));
            p = test_one(world, square(3900, 0, 50), &(abut_placement_rules){.clearance = 51});
            assert_true(abut_body_id_equal(p.first_blocker, far) && p.push.x < -0.99f && p.push.x > -1.01f);
            assert_true(is_free(world, square(3900, 0, 50), &(abut_placement_rules){.clearance = 49}));
            (void)step_world(world);
        }
        abut_world_destroy(&world);
    }
}

static void filters_say_who_counts(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_def def = {.half = {1, 1, 1}, .filter = {.category = 2, .mask = 4, .group = 7}};
    abut_body_id id = add_body(world, &def);
    const abut_obb2 here = square(0, 0, 1);
    for (int step = 0; step < 2; step++) {
        abut_placement_rules rules = {.touch = ABUT_TOUCH_IS_OVERLAP};
        assert_false(is_free(world, here, &rules)); /* a zero category means all bits */
        rules.filter = (abut_filter){.category = 1};
        assert_true(is_free(world, here, &rules));
        rules.filter = (abut_filter){.category = 4, .mask = 2};
        assert_false(is_free(world, here, &rules));
        rules.filter.mask = 8;
        assert_true(is_free(world, here, &rules));
        rules.filter.group = 7;
        assert_false(is_free(world, here, &rules));
        rules.filter = (abut_filter){.group = -7};
        assert_false(is_free(world, here, &rules));
        (void)step_world(world);
    }
    def.filter = (abut_filter){.group = -7};
    assert_int_equal(abut_body_set_filter(world, id, &def.filter), ABUT_OK);
    assert_true(is_free(world, here, &(abut_placement_rules){.filter = {.group = -7}}));
    def.filter = (abut_filter){.mask = ABUT_MASK_NONE};
    assert_int_equal(abut_body_set_filter(world, id, &def.filter), ABUT_OK);
    assert_true(is_free(world, here, NULL));
    abut_world_destroy(&world);
}

/* Many bodies in one place, in compounds of one to four, static or not; all but some are ignored, by an id of any body
 * of their compound. */
static void ignored_bodies_do_not_count_nor_do_their_compounds(void **state) {
    (void)state;
    enum { N = 5000 };
    abut_world *world = make_world(NULL);
    abut_body_id *id = calloc(N, sizeof *id), *ignored = calloc(2 * N, sizeof *ignored);
    assert_true(id && ignored);
    for (int i = 0; i < N; i++) {
        abut_body_def def = {.half = {1, 1, 1}, .motion = ABUT_STATIC, .pose.position = {0, 3.0f * (float)i, 0}};
        if (i % 10 >= 3 && i % 10 < 6) { /* attached to the one before */
            def = (abut_body_def){.half = {1, 1, 1}, .parent = id[i - 1]};
        }
        id[i] = add_body(world, &def);
    }
    (void)step_world(world);
    for (int round = 0; round < 6; round++) {
        abut_placement_rules rules = {.ignore = ignored};
        size_t left = 0;
        abut_body_id first = {0};
        for (int i = N - 1; i >= 0; i--) {
            int group = i % 10, size = group >= 2 && group < 6 ? 4 : 1, named = size == 4 ? 2 + round % 4 : group;
            bool counts = i / 10 % 7 == round;
            left += counts;
            first = counts ? id[i] : first;
            for (int twice = 0; twice < 2 && !counts && group == named; twice++) {
                ignored[rules.ignore_count++] = id[i];
            }
        }
        abut_placement p = test_one(world, square(0.5f, 0, 1), &rules);
        assert_int_equal(p.blocker_count, left);
        assert_true(abut_body_id_equal(p.first_blocker, first));
        ignored[0] = id[2 + round % 4];
        rules.ignore_count = 1;
        assert_int_equal(test_one(world, square(0.5f, 0, 1), &rules).blocker_count, N - 4);
    }
    free(id);
    free(ignored);
    abut_world_destroy(&world);
}

/* Of bodies that are gone, whose slot another body has taken, of another world, and none at all. */
static void ids_of_nobody_are_ignored_as_such(void **state) {
    (void)state;
    abut_world *world = make_world(NULL), *other = make_world(NULL);
    abut_body_id parent = add_cube(world, 0, 0, 0, 1), gone = add_cube(world, 0, 0, 0, 1);
    abut_body_def def = {.half = {1, 1, 1}, .parent = parent};
    abut_body_id foreign = {0}, child;
    for (int i = 0; i < 100; i++) {
        foreign = add_cube(other, 0, 0, 0, 1);
    }
    assert_int_equal(abut_body_destroy(world, gone), ABUT_OK);
    for (int reused = 0; reused < 2; reused++) {
        const abut_body_id nobody[] = {gone, {0, 0}, {0, 1}, foreign, {UINT32_MAX, 1}, {parent.index1, 77}};
        abut_placement_rules rules = {.ignore = nobody, .ignore_count = sizeof nobody / sizeof nobody[0]};
        assert_int_equal(test_one(world, square(0, 0, 1), &rules).blocker_count, 1 + reused);
        assert_int_equal(abut_world_test_placements(world, NULL, 0, &rules, NULL), ABUT_OK);
        child = reused ? child : add_body(world, &def); /* in the slot of the one that is gone */
        assert_int_equal(child.index1, gone.index1);
    }
    const abut_body_id one[] = {gone, child};
    abut_placement_rules rules = {.ignore = one, .ignore_count = 2};
    assert_true(is_free(world, square(0, 0, 1), &rules));
    assert_int_equal(abut_body_destroy(world, child), ABUT_OK);
    assert_false(is_free(world, square(0, 0, 1), &rules));
    abut_world_destroy(&world);
    abut_world_destroy(&other);
}

static void bodies_are_where_they_were_last_set(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id id[40];
    for (int i = 0; i < 40; i++) {
        id[i] = add_cube(world, 10.0f * (float)i, 0, 0, 1);
        assert_false(is_free(world, square(10.0f * (float)i, 0, 1), NULL));
    }
    for (int round = 0; round < 4; round++) {
        (void)step_world(world);
        move_to(world, id[7], 70, 0, 50);
        assert_true(is_free(world, square(70, 0, 1), NULL));
        assert_true(abut_body_id_equal(test_one(world, square(70, 50, 1), NULL).first_blocker, id[7]));
        move_to(world, id[7], 70, 0, 0);
        assert_false(is_free(world, square(70, 0, 1), NULL));
        assert_int_equal(abut_body_destroy(world, id[3 + round]), ABUT_OK);
        assert_true(is_free(world, square(10.0f * (float)(3 + round), 0, 1), NULL));
        abut_body_id again = add_cube(world, 30, 0, 100, 1); /* the same slot */
        assert_int_equal(again.index1, id[3 + round].index1);
        assert_true(is_free(world, square(10.0f * (float)(3 + round), 0, 1), NULL));
        assert_false(is_free(world, square(30, 100, 1), NULL));
        assert_int_equal(abut_body_destroy(world, again), ABUT_OK);
        id[3 + round] = add_cube(world, 10.0f * (float)(3 + round), 0, 0, 1);
    }
    abut_world_destroy(&world);
}

/* A candidate that overlaps only one body is free after the push. */
static void pushed_candidates_are_free(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    rng r = rng_make(test_seed(), 0);
    for (int i = 0; i < 100; i++) {
        abut_body_def def = random_box(&r, 1);
        def.pose.position = (abut_vec3){20.0f * (float)(i % 10), 0, 20.0f * (float)(i / 10)};
        (void)add_body(world, &def);
    }
    (void)step_world(world);
    size_t pushed = 0;
    for (int i = 0; i < 3000; i++) {
        abut_obb2 c = {{20.0f * (float)(i % 10) + (float)rng_range(&r, -2, 2),
                        20.0f * (float)(i / 10 % 10) + (float)rng_range(&r, -2, 2)},
                       {(float)rng_range(&r, -1, 1), (float)rng_range(&r, -1, 1)},
                       {(float)rng_range(&r, 0, 2), (float)rng_range(&r, 0, 2)}};
        abut_placement_rules rules = {.touch = (abut_touch)(i % 2), .clearance = 0.1f * (float)(i % 3)};
        abut_placement p = test_one(world, c, &rules);
        c.center.x += p.push.x;
        c.center.y += p.push.y;
        pushed += !p.free;
        assert_true(p.blocker_count <= 1 && is_free(world, c, &rules));
    }
    assert_true(pushed > 500 && pushed < 2500);
    abut_world_destroy(&world);
}

/* --- invalid arguments --- */

static void refuse(const abut_world *world, const abut_obb2 *candidates, size_t n, const abut_placement_rules *rules,
                   abut_result expected) {
    abut_placement out[4], before[4];
    memset(out, 0x5a, sizeof out);
    memcpy(before, out, sizeof out);
    assert_int_equal(abut_world_test_placements(world, candidates, n, rules, out), expected);
    assert_true(bits_equal(out, before, sizeof out));
}

static void errors_leave_the_answers_alone(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    (void)add_cube(world, 0, 0, 0, 1);
    abut_obb2 good[4] = {square(0, 0, 1), square(9, 0, 1), square(0, 0, 0), square(1, 1, 1)};
    abut_placement out;
    refuse(NULL, good, 4, NULL, ABUT_ERROR_ARGUMENT);
    refuse(world, NULL, 4, NULL, ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_test_placements(world, good, 4, NULL, NULL), ABUT_ERROR_ARGUMENT);
    for (int i = 0; i < 9; i++) {
        abut_obb2 bad[4] = {good[0], good[1], good[2], good[3]};
        float *at[5] = {&bad[3].center.x, &bad[3].center.y, &bad[3].axis.y, &bad[3].half.x, &bad[3].half.y};
        *at[i % 5] = i < 5 ? NAN : INFINITY;
        refuse(world, bad, 4, NULL, ABUT_ERROR_ARGUMENT);
    }
    refuse(world, &(abut_obb2){.half = {1, -1}}, 1, NULL, ABUT_ERROR_ARGUMENT);
    const abut_placement_rules bad[] = {
        {.touch = (abut_touch)2}, {.touch = (abut_touch)-1}, {.clearance = -1},
        {.clearance = NAN},       {.clearance = INFINITY},   {.filter = {.category = ABUT_MASK_NONE}},
        {.ignore_count = 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        refuse(world, good, 4, &bad[i], ABUT_ERROR_ARGUMENT);
        assert_int_equal(abut_world_test_placements(world, NULL, 0, &bad[i], NULL), ABUT_ERROR_ARGUMENT);
    }
    assert_int_equal(abut_world_test_placements(world, NULL, 0, NULL, NULL), ABUT_OK);
    assert_int_equal(abut_world_test_placements(world, good, 0, NULL, &out), ABUT_OK);
    abut_world_destroy(&world);
}

static void up_must_lie_along_an_axis(void **state) {
    (void)state;
    abut_obb2 good = square(0, 0, 1);
    const abut_vec3 slanted[] = {{1, 1, 0}, {0, 1e-30f, 1}, {1, 1, 1}, {-1, 0, 1e-45f}};
    for (int i = 0; i < 4; i++) {
        abut_world *world = make_world(&(abut_world_def){.up = slanted[i]});
        refuse(world, &good, 1, NULL, ABUT_ERROR_ARGUMENT);
        abut_world_destroy(&world);
    }
    abut_world *world = make_world(&(abut_world_def){.up = {-0.0f, -1e-30f, 0}});
    assert_true(is_free(world, good, NULL));
    abut_world_destroy(&world);
}

/* --- callbacks and threads --- */

static void nothing_is_allocated(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_world *world = make_world(&(abut_world_def){.allocator = failing_allocator_of(&books)});
    for (int step = 0; step < 5; step++) {
        for (int i = 0; i < 200; i++) {
            (void)add_cube(world, 3.0f * (float)i, (float)step, 0, 1);
        }
        size_t calls = books.calls;
        for (int twice = 0; twice < 2; twice++) {
            assert_int_equal(test_one(world, square(9, 0, 0.5f), NULL).blocker_count, step + 1);
            assert_int_equal(books.calls, calls);
            (void)step_world(world);
            calls = books.calls;
        }
    }
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
}

typedef struct curious {
    abut_world *world;
    size_t asked;
} curious;

static bool ask_while_asked(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    curious *c = user;
    (void)user_a, (void)user_b;
    abut_placement p = test_one(c->world, square(0.5f, 0, 0.25f), NULL);
    assert_int_equal(p.blocker_count, 2);
    assert_true(abut_body_id_equal(p.first_blocker, a) && b.index1 == 2);
    c->asked++;
    return false;
}

static void a_filter_callback_may_ask_and_is_not_asked(void **state) {
    (void)state;
    curious c = {0};
    c.world = make_world(&(abut_world_def){.should_collide = ask_while_asked, .user = &c});
    (void)add_cube(c.world, 0, 0, 0, 1);
    abut_body_id b = add_cube(c.world, 1, 0, 0, 1);
    for (size_t step = 1; step < 6; step++) {
        assert_int_equal(step_world(c.world), 0);
        assert_int_equal(c.asked, step);
        assert_int_equal(test_one(c.world, square(0.5f, 0, 0.25f), NULL).blocker_count, 2);
        move_to(c.world, b, 1, 0, step == 3 ? 0.1f : 0);
    }
    abut_world_destroy(&c.world);
}

#ifdef ABUT_TEST_THREADS
enum { HOUSES = 300, THREADS = 2 };

typedef struct asker {
    const abut_world *world;
    size_t blockers;
} asker;

static void *ask_all(void *user) {
    asker *a = user;
    abut_obb2 candidate[HOUSES];
    abut_placement out[HOUSES];
    for (int i = 0; i < HOUSES; i++) {
        candidate[i] = square(3.0f * (float)i + 1.5f, 0, 1);
    }
    if (abut_world_test_placements(a->world, candidate, HOUSES, NULL, out) == ABUT_OK) {
        for (int i = 0; i < HOUSES; i++) {
            a->blockers += out[i].blocker_count;
        }
    }
    return NULL;
}

static void threads_may_ask_together(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id id[HOUSES];
    for (int i = 0; i < HOUSES; i++) {
        id[i] = add_cube(world, 3.0f * (float)i, 0, 0, 1);
    }
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < round % 5 * 40; i++) {
            move_to(world, id[i], 3.0f * (float)i, (float)round, 0);
        }
        (void)step_world(world);
        asker a[THREADS] = {{.world = world}, {.world = world}};
        pthread_t thread[THREADS];
        for (int k = 0; k < THREADS; k++) {
            assert_int_equal(pthread_create(&thread[k], NULL, ask_all, &a[k]), 0);
        }
        for (int k = 0; k < THREADS; k++) {
            assert_int_equal(pthread_join(thread[k], NULL), 0);
            assert_int_equal(a[k].blockers, 2 * HOUSES - 1);
        }
    }
    abut_world_destroy(&world);
}
#else
static void threads_may_ask_together(void **state) {
    (void)state;
    skip();
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_of_a_grid_fit_exactly),
        cmocka_unit_test(height_does_not_matter),
        cmocka_unit_test(clearance_is_a_distance),
        cmocka_unit_test(bodies_with_a_radius_cast_round_shadows),
        cmocka_unit_test(filters_say_who_counts),
        cmocka_unit_test(ignored_bodies_do_not_count_nor_do_their_compounds),
        cmocka_unit_test(ids_of_nobody_are_ignored_as_such),
        cmocka_unit_test(bodies_are_where_they_were_last_set),
        cmocka_unit_test(pushed_candidates_are_free),
        cmocka_unit_test(errors_leave_the_answers_alone),
        cmocka_unit_test(up_must_lie_along_an_axis),
        cmocka_unit_test(nothing_is_allocated),
        cmocka_unit_test(a_filter_callback_may_ask_and_is_not_asked),
        cmocka_unit_test(threads_may_ask_together),
    };
    return test_run(tests);
}
