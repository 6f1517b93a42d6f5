/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Worlds at the limits of what they are made for: a million bodies that come, move and go; ids that are used up; a
 * chain of 20,000 bodies, each attached to the one before; ten million steps. A plain run does a share of it, all of
 * it:
 *
 *     ABUT_TEST_SCALE=100 build-release/tests/test-world-limits */

#define _POSIX_C_SOURCE 200809L /* pthread_attr_setstacksize */
#include "world/world.h"
#include "world/world_test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef ABUT_TEST_THREADS
#  include <pthread.h>
#endif

/* As many as are asked for, with ABUT_TEST_SCALE=100 or more; else a share. */
static uint32_t count_of(uint32_t all, uint32_t share) {
    return test_scale() >= 100 ? all : test_sanitized() ? share / 8 : share;
}

/* --- a million bodies --- */

enum { ROW = 128, APART = 2, SHIFT_EACH = 16 };

/* Unit cubes on a grid, two apart. In each round other cubes, one of 16, are shifted so that they touch the next one.
 */
typedef struct crowd {
    uint32_t n;
    abut_body_id *ids;
    abut_body_def *defs;
    abut_pose *poses;
} crowd;

static bool is_shifted(uint32_t i, uint32_t round) {
    return (i + round) % SHIFT_EACH == 0 && i % ROW + 1 < ROW;
}

static abut_pose place_of(uint32_t i, uint32_t round) {
    const float shift = is_shifted(i, round) ? 1 : 0;
    return pose_at((float)(APART * (i % ROW)) + shift, (float)(APART * (i / ROW % ROW)),
                   (float)(APART * (i / ROW / ROW)));
}

static size_t contacts_in(const crowd *c, uint32_t round) {
    size_t count = 0;
    for (uint32_t i = 0; i + 1 < c->n; i++) {
        count += is_shifted(i, round);
    }
    return count;
}

static crowd make_crowd(uint32_t n) {
    crowd c = {n, calloc(n, sizeof *c.ids), calloc(n, sizeof *c.defs), calloc(n, sizeof *c.poses)};
    assert_true(c.ids && c.defs && c.poses);
    return c;
}

static void free_crowd(crowd *c) {
    free(c->ids);
    free(c->defs);
    free(c->poses);
}

/* Creates the cubes first, first + stride ... where they are in this round. */
static void create_cubes(abut_world *world, crowd *c, uint32_t first, uint32_t stride, uint32_t round) {
    uint32_t n = 0;
    abut_body_id *ids = calloc(c->n, sizeof *ids);
    assert_non_null(ids);
    for (uint32_t i = first; i < c->n; i += stride) {
        c->defs[n++] = (abut_body_def){.pose = place_of(i, round), .half = {0.5f, 0.5f, 0.5f}, .user = i};
    }
    assert_int_equal(abut_bodies_create(world, c->defs, n, ids), ABUT_OK);
    for (uint32_t i = first, k = 0; i < c->n; i += stride) {
        c->ids[i] = ids[k++];
    }
    free(ids);
}

static void move_cubes(abut_world *world, crowd *c, uint32_t first, uint32_t stride, uint32_t round) {
    uint32_t n = 0;
    abut_body_id *ids = calloc(c->n, sizeof *ids);
    assert_non_null(ids);
    for (uint32_t i = first; i < c->n; i += stride) {
        ids[n] = c->ids[i];
        c->poses[n++] = place_of(i, round);
    }
    assert_int_equal(abut_bodies_set_poses(world, ids, c->poses, n), ABUT_OK);
    free(ids);
}

static void destroy_cubes(abut_world *world, crowd *c, uint32_t first, uint32_t stride) {
    uint32_t n = 0;
    abut_body_id *ids = calloc(c->n, sizeof *ids);
    assert_non_null(ids);
    for (uint32_t i = first; i < c->n; i += stride) {
        ids[n++] = c->ids[i];
    }
    assert_int_equal(abut_bodies_destroy(world, ids, n), ABUT_OK);
    free(ids);
}

/* Round 0, round 1, without the even ones, all in round 2. The even ones are the bodies that touch in rounds 0 and 2,
 * and that are touched in round 1. */
static void churn(abut_world *world, crowd *c) {
    create_cubes(world, c, 0, 1, 0);
    assert_int_equal(step_world(world), contacts_in(c, 0));
    move_cubes(world, c, 0, 1, 1);
    assert_int_equal(step_world(world), contacts_in(c, 1));
    destroy_cubes(world, c, 0, 2);
    assert_int_equal(step_world(world), 0);
    create_cubes(world, c, 0, 2, 2);
    move_cubes(world, c, 1, 2, 2);
    assert_int_equal(abut_world_validate(world), ABUT_OK); /* before the step: then it does not test every pair */
    assert_int_equal(step_world(world), contacts_in(c, 2));
}

static void a_million_bodies_come_move_and_go(void **state) {
    (void)state;
    crowd c = make_crowd(count_of(1 << 20, 1 << 16));
    abut_world *world = make_world(NULL), *fresh = make_world(NULL);
    size_t first = 0, reserved = 0;
    for (int life = 0; life < 3; life++) {
        churn(world, &c);
        abut_world_memory(world, NULL, &reserved);
        first = life == 0 ? reserved : first;
        if (life == 0) {
            create_cubes(fresh, &c, 0, 1, 2); /* the same calls that give ids, but not one step between them */
            destroy_cubes(fresh, &c, 0, 2);
            create_cubes(fresh, &c, 0, 2, 2);
            assert_true(abut_world_hash(world) == abut_world_hash(fresh));
            assert_int_equal(step_world(fresh), contacts_in(&c, 2));
            assert_true(same_contacts(world, fresh));
        }
        destroy_cubes(world, &c, 0, 1);
        assert_int_equal(step_world(world), 0);
        assert_int_equal(abut_world_body_count(world), 0);
        assert_int_equal(abut_world_validate(world), ABUT_OK);
    }
    assert_true(reserved <= first + first / 4); /* slots come in another order each time, but nothing piles up */
    printf("%u bodies, %zu bytes\n", c.n, reserved);
    abut_world_destroy(&world);
    abut_world_destroy(&fresh);
    free_crowd(&c);
}

/* --- ids that are used up --- */

/* A cube whose index has had all its generations but this one. */
static abut_body_id add_last_of_its_index(abut_world *world, float x) {
    abut_body_id id = add_cube(world, x, 0, 0, 0.5f);
    id.generation = UINT32_MAX;
    world->ids.generation[id.index1 - 1] = id.generation;
    assert_true(abut_body_is_valid(world, id));
    return id;
}

static void a_used_up_index_is_never_given_out_again(void **state) {
    (void)state;
    static unsigned char bytes[1 << 16];
    abut_world *world = make_world(NULL), *restored = make_world(NULL);
    const abut_body_id last = add_last_of_its_index(world, 0), other = add_cube(world, 1, 0, 0, 0.5f);
    assert_int_equal(step_world(world), 1);
    size_t n;
    assert_true(abut_body_id_equal(contacts_of(world, &n)->a, last));
    assert_int_equal(abut_body_destroy(world, last), ABUT_OK);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    for (uint32_t generation = 0; generation < 4; generation++) {
        assert_false(abut_body_is_valid(world, id_of(last.index1, generation)));
    }
    assert_false(abut_body_is_valid(world, last));
    assert_int_equal(step_world(world), 0);
    assert_int_equal(count_events(world, ABUT_END), 1);
    assert_true(abut_body_id_equal(events_of(world, &n)->a, last));
    size_t size = abut_world_save(world, bytes, sizeof bytes);
    assert_int_equal(abut_world_restore(restored, bytes, size, NULL), ABUT_OK);
    for (int k = 0; k < 100; k++) { /* in both, and none takes the place */
        const abut_body_id id = add_cube(world, 0, 0, 0, 0.5f), same = add_cube(restored, 0, 0, 0, 0.5f);
        assert_true(id.index1 != last.index1 && id.index1 != other.index1 && abut_body_id_equal(id, same));
        assert_int_equal(step_world(world), 1);
        assert_int_equal(step_world(restored), 1);
        assert_true(abut_world_hash(world) == abut_world_hash(restored));
        assert_int_equal(abut_body_destroy(world, id), ABUT_OK);
        assert_int_equal(abut_body_destroy(restored, same), ABUT_OK);
    }
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    assert_int_equal(abut_world_validate(restored), ABUT_OK);
    abut_world_destroy(&world);
    abut_world_destroy(&restored);
}

/* In a world of fixed capacity its memory is used up as well. */
static void a_used_up_index_takes_its_place_with_it(void **state) {
    (void)state;
    abut_world *world = make_world(&(abut_world_def){.body_capacity = 2, .pair_capacity = 4, .fixed_capacity = true});
    abut_body_id id = add_last_of_its_index(world, 0);
    assert_int_equal(abut_body_destroy(world, id), ABUT_OK);
    (void)add_cube(world, 0, 0, 0, 0.5f);
    const abut_body_def def = {.half = {1, 1, 1}};
    assert_int_equal(abut_body_create(world, &def, &id), ABUT_ERROR_CAPACITY);
    assert_int_equal(step_world(world), 0);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

/* --- a long chain --- */

enum { SMALL_STACK = 128 * 1024 };

/* What touches the end of the chain where it is: a cube at `x`, and nobody else touches anything. */
static void step_chain(abut_world *world, uint32_t n, abut_body_id end, abut_body_id cube) {
    abut_step_report report;
    size_t count;
    assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
    const abut_contact *contact = contacts_of(world, &count);
    assert_int_equal(count, 1);
    assert_true(abut_body_id_equal(contact->a, cube) && abut_body_id_equal(contact->b, end));
    assert_true(report.candidates < 4 * (size_t)n + 4 && report.sweep_tests < 100 * (size_t)n);
}

/* Links are 0.75 apart and one wide: neighbours overlap, and do not touch, being of one compound. */
static void *live_as_chain(void *context) {
    const uint32_t n = count_of(20000, 2000);
    const float length = 0.75f * (float)(n - 1);
    abut_world *world = make_world(NULL);
    const abut_body_id cube[2] = {add_cube(world, length + 1, 0, 0, 0.5f),
                                  add_cube(world, -length - 0.5f, 11, 0, 0.5f)};
    abut_body_def def = {.half = {0.5f, 0.5f, 0.5f}};
    const abut_body_id root = add_body(world, &def);
    abut_body_id end = root;
    size_t in_use;
    abut_pose pose;
    def.pose = pose_at(0.75f, 0, 0);
    for (uint32_t k = 1; k < n; k++) {
        def.parent = end;
        end = add_body(world, &def);
    }
    step_chain(world, n, end, cube[0]);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_memory(world, &in_use, NULL);
    assert_true(in_use < 600 * (size_t)n + 100000);
    const abut_pose turned = {{0, 10, 0}, {0, 1, 0, 0}};
    assert_int_equal(abut_body_set_pose(world, root, &turned), ABUT_OK);
    assert_int_equal(abut_body_get_world_pose(world, end, &pose), ABUT_OK);
    assert_true(pose.position.x == -length && pose.position.y == 10 && pose.position.z == 0);
    step_chain(world, n, end, cube[1]);
    assert_int_equal(count_events(world, ABUT_END), 1);
    abut_body_id found;
    assert_int_equal(abut_body_get_root(world, end, &found), ABUT_OK);
    assert_true(abut_body_id_equal(found, root));
    assert_int_equal(abut_body_destroy(world, root), ABUT_OK);
    assert_int_equal(abut_world_body_count(world), 2);
    assert_false(abut_body_is_valid(world, end));
    assert_int_equal(step_world(world), 0);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
    *(bool *)context = true;
    return NULL;
}

/* On a small stack: nothing calls itself along the chain. What a body costs grows with its depth, as its header says,
 * so that all of this takes the square of the length; but not what a step does, which is counted. */
static void a_long_chain_lives_on_a_small_stack(void **state) {
    (void)state;
    bool done = false;
#ifdef ABUT_TEST_THREADS
    if (!test_sanitized()) {
        pthread_attr_t attributes;
        pthread_t thread;
        assert_int_equal(pthread_attr_init(&attributes), 0);
        assert_int_equal(pthread_attr_setstacksize(&attributes, SMALL_STACK), 0);
        assert_int_equal(pthread_create(&thread, &attributes, live_as_chain, &done), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(pthread_attr_destroy(&attributes), 0);
        assert_true(done);
        return;
    }
#endif
    (void)live_as_chain(&done);
    assert_true(done);
}

/* --- many steps --- */

enum { PHASES = 16, MOVERS = 5 };

/* Where a body is in a phase: on a circle above the ground, each at its own speed, so that they touch the ground and
 * each other now and then. */
static abut_pose pose_in(int body, uint32_t phase) {
    static const float round[PHASES] = {0, 0.38f,  0.71f,  0.92f,  1,  0.92f,  0.71f,  0.38f,
                                        0, -0.38f, -0.71f, -0.92f, -1, -0.92f, -0.71f, -0.38f};
    uint32_t at = (phase * (uint32_t)(body % 3 + 1) + 3 * (uint32_t)body) % PHASES;
    const float x = round[(at + PHASES / 4) % PHASES], y = round[at];
    return (abut_pose){{2 * x + 0.5f * (float)body, 1.2f + y, 0.25f * x}, {0, 0.1f * y, 0.2f * x, 1}};
}

static abut_world *make_small_world(abut_body_id ids[MOVERS], abut_hull **hull) {
    static const abut_vec3 corners[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    abut_world *world = make_world(NULL);
    assert_int_equal(abut_hull_create(corners, 6, NULL, hull), ABUT_OK);
    (void)add_body(world,
                   &(abut_body_def){.half = {20, 0.5f, 20}, .motion = ABUT_STATIC, .pose = pose_at(0, -0.5f, 0)});
    for (int k = 0; k < MOVERS; k++) {
        abut_body_def def = {.pose = pose_in(k, 0), .half = {0.6f, 0.5f, 0.7f}};
        def.hull = k == 1 ? *hull : NULL;
        def.radius = k == 2 ? 0.25f : 0;
        def.detail = k == 3 ? ABUT_DETAIL_OVERLAP : ABUT_DETAIL_MANIFOLD;
        ids[k] = add_body(world, &def);
    }
    return world;
}

/* All that a step answers. */
static uint64_t hash_of_step(const abut_world *world, const abut_step_report *report) {
    size_t n;
    const unsigned char *bytes = (const unsigned char *)contacts_of(world, &n);
    uint64_t hash = abut_world_hash(world) ^ (report->begun << 8 ^ report->ended);
    for (size_t k = 0; k < n * sizeof(abut_contact); k++) {
        hash = (hash ^ bytes[k]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* The state comes back every 16 steps, and so do the answers; nothing grows, and nothing runs out. */
static void steps_go_on_and_on(void **state) {
    (void)state;
    const unsigned long cycles = test_count(100000) / PHASES;
    abut_body_id ids[MOVERS];
    abut_pose poses[MOVERS];
    abut_hull *hull;
    abut_world *world = make_small_world(ids, &hull);
    uint64_t hash[PHASES] = {0};
    size_t begun = 0, ended = 0, reserved = 0, in_use = 0;
    for (unsigned long cycle = 0; cycle < cycles; cycle++) {
        for (uint32_t phase = 0; phase < PHASES; phase++) {
            abut_step_report report;
            for (int k = 0; k < MOVERS; k++) {
                poses[k] = pose_in(k, phase);
            }
            assert_int_equal(abut_bodies_set_poses(world, ids, poses, MOVERS), ABUT_OK);
            assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
            const uint64_t now = hash_of_step(world, &report);
            hash[phase] = cycle == 1 ? now : hash[phase]; /* in the first, the first step has no step before it */
            check_case(cycle < 2 || now == hash[phase], "another answer than a cycle before", 0, cycle);
            begun += report.begun;
            ended += report.ended;
        }
        size_t now_reserved, now_in_use;
        abut_world_memory(world, &now_in_use, &now_reserved);
        check_case(cycle < 4 || (now_reserved == reserved && now_in_use == in_use), "memory", 0, cycle);
        reserved = now_reserved;
        in_use = now_in_use;
    }
    size_t left;
    (void)contacts_of(world, &left);
    assert_true(begun > cycles && begun == ended + left);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    printf("%lu steps, %zu contacts began\n", cycles * PHASES, begun);
    abut_world_destroy(&world);
    abut_hull_destroy(&hull);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_bodies_come_move_and_go),
        cmocka_unit_test(a_used_up_index_is_never_given_out_again),
        cmocka_unit_test(a_used_up_index_takes_its_place_with_it),
        cmocka_unit_test(a_long_chain_lives_on_a_small_stack),
        cmocka_unit_test(steps_go_on_and_on),
    };
    return test_run(tests);
}
