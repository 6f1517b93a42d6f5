/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_world_shift: the same as setting the pose of every root, bit for bit; all or nothing; what touches goes on. And
 * abut_world_pairs: the ids of the contact list. */
#include "world/world_test.h"
#include <math.h>
#include <stdlib.h>

enum { BODIES = 60 };

typedef struct pair_of_worlds {
    abut_world *shifted, *set; /* the second one by abut_bodies_set_poses */
    abut_body_id id[BODIES];
    bool is_root[BODIES];
} pair_of_worlds;

static void make_both(rng *r, pair_of_worlds *w) {
    w->shifted = make_world(&(abut_world_def){.contact_margin = 0.05f});
    w->set = make_world(&(abut_world_def){.contact_margin = 0.05f});
    for (uint32_t i = 0; i < BODIES; i++) {
        abut_body_def def = random_box(r, 3);
        def.radius = rng_chance(r, 0.3) ? 0.25f : 0;
        def.motion = rng_chance(r, 0.2) ? ABUT_STATIC : ABUT_MOVING;
        def.detail = (abut_detail)(rng_chance(r, 0.5) ? 0 : rng_below(r, 3));
        def.box = rng_chance(r, 0.2) ? random_pose(r, 0.5) : (abut_pose){.position = {0, 0, 0}};
        w->is_root[i] = i == 0 || rng_chance(r, 0.7);
        if (!w->is_root[i]) {
            def.parent = w->id[rng_below(r, i)];
        }
        w->id[i] = add_body(w->shifted, &def);
        assert_true(abut_body_id_equal(add_body(w->set, &def), w->id[i]));
    }
}

static void destroy_both(pair_of_worlds *w) {
    abut_world_destroy(&w->shifted);
    abut_world_destroy(&w->set);
}

static float minus(float x, float by) {
    return (float)((double)x - (double)by) + 0.0f;
}

static void set_all(pair_of_worlds *w, abut_vec3 by) {
    abut_body_id id[BODIES];
    abut_pose pose[BODIES];
    size_t n = 0;
    for (int i = 0; i < BODIES; i++) {
        if (w->is_root[i]) {
            assert_int_equal(abut_body_get_pose(w->set, w->id[i], &pose[n]), ABUT_OK);
            abut_vec3 *p = &pose[n].position;
            *p = (abut_vec3){minus(p->x, by.x), minus(p->y, by.y), minus(p->z, by.z)};
            id[n++] = w->id[i];
        }
    }
    assert_int_equal(abut_bodies_set_poses(w->set, id, pose, n), ABUT_OK);
}

static void check_pairs(const abut_world *world) {
    size_t n, count = SIZE_MAX;
    const abut_contact *contacts = contacts_of(world, &n);
    for (int again = 0; again < 2; again++) {
        const abut_pair *pairs = abut_world_pairs(world, &count);
        assert_int_equal(count, n);
        assert_true((pairs == NULL) == (n == 0));
        for (size_t i = 0; i < n; i++) {
            assert_true(abut_body_id_equal(pairs[i].a, contacts[i].a));
            assert_true(abut_body_id_equal(pairs[i].b, contacts[i].b));
        }
        assert_ptr_equal(abut_world_pairs(world, NULL), pairs);
    }
}

/* Steps both; everything that they tell is the same. */
static void step_both(const pair_of_worlds *w) {
    abut_step_report report[2];
    size_t n[2], m[2];
    assert_int_equal(abut_world_hash(w->shifted), abut_world_hash(w->set));
    for (int i = 0; i < BODIES; i++) {
        abut_pose pose[2];
        assert_int_equal(abut_body_get_world_pose(w->shifted, w->id[i], &pose[0]), ABUT_OK);
        assert_int_equal(abut_body_get_world_pose(w->set, w->id[i], &pose[1]), ABUT_OK);
        assert_memory_equal(&pose[0], &pose[1], sizeof pose[0]);
    }
    assert_int_equal(abut_world_step(w->shifted, NULL, &report[0]), ABUT_OK);
    assert_int_equal(abut_world_step(w->set, NULL, &report[1]), ABUT_OK);
    assert_int_equal(report[0].moved, report[1].moved);
    assert_int_equal(report[0].candidates, report[1].candidates);
    assert_int_equal(report[0].begun, report[1].begun);
    assert_int_equal(report[0].ended, report[1].ended);
    const abut_contact *contacts[2] = {contacts_of(w->shifted, &n[0]), contacts_of(w->set, &n[1])};
    const abut_contact *events[2] = {events_of(w->shifted, &m[0]), events_of(w->set, &m[1])};
    assert_int_equal(n[0], n[1]);
    assert_int_equal(m[0], m[1]);
    assert_true(bits_equal(contacts[0], contacts[1], n[0] * sizeof *contacts[0]));
    assert_true(bits_equal(events[0], events[1], m[0] * sizeof *events[0]));
    assert_int_equal(abut_world_validate(w->shifted), ABUT_OK);
    check_pairs(w->shifted);
}

static void a_shift_is_a_new_pose_for_every_root(void **state) {
    (void)state;
    for (unsigned long k = 0; k < test_count(100); k++) {
        rng r = rng_make(test_seed(), k);
        pair_of_worlds w;
        make_both(&r, &w);
        for (int round = 0; round < 4; round++) {
            if (rng_chance(&r, 0.7)) {
                step_both(&w);
            }
            double size = rng_log_range(&r, 1e-6, 1e6);
            abut_vec3 by = rng_chance(&r, 0.1) ? (abut_vec3){0, 0, 0} : rng_vec3(&r, -size, size);
            assert_int_equal(abut_world_shift(w.shifted, by), ABUT_OK);
            set_all(&w, by);
        }
        step_both(&w);
        destroy_both(&w);
    }
}

static void lists_stay_until_the_next_step_and_contacts_go_on(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    assert_null(abut_world_pairs(world, NULL));
    abut_body_id floor = add_body(world, &(abut_body_def){.half = {10, 1, 10}, .motion = ABUT_STATIC});
    abut_body_id cube = add_cube(world, 4, 2, 4, 1);
    (void)add_body(world, &(abut_body_def){.pose = pose_at(3, 0, 0), .half = {1, 1, 1}, .parent = cube});
    assert_int_equal(step_world(world), 2);
    size_t n;
    const abut_contact *contacts = contacts_of(world, &n);
    abut_contact before = contacts[0];
    assert_int_equal(abut_world_shift(world, (abut_vec3){1024, -2, 0.5f}), ABUT_OK);
    assert_ptr_equal(contacts_of(world, &n), contacts);
    assert_memory_equal(&contacts[0], &before, sizeof before);
    check_pairs(world);
    assert_int_equal(step_world(world), 2);
    const abut_contact *now = contacts_of(world, &n);
    assert_int_equal(count_events(world, ABUT_PERSIST), 2);
    assert_int_equal(now[0].previous1, 1);
    assert_true(now[0].manifold.normal.y == before.manifold.normal.y);
    for (uint32_t p = 0; p < 4; p++) {
        assert_true(now[0].manifold.points[p].position.x == before.manifold.points[p].position.x - 1024);
        assert_true(now[0].manifold.points[p].position.y == before.manifold.points[p].position.y + 2);
        assert_int_equal(now[0].manifold.points[p].feature, before.manifold.points[p].feature);
    }
    assert_int_equal(abut_body_destroy(world, floor), ABUT_OK);
    check_pairs(world);
    assert_int_equal(step_world(world), 0);
    assert_null(abut_world_pairs(world, &n));
    assert_int_equal(n, 0);
    abut_world_destroy(&world);
}

static bool shift_inside_filter(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    (void)a, (void)user_a, (void)b, (void)user_b;
    assert_int_equal(abut_world_shift(*(abut_world **)user, (abut_vec3){1, 0, 0}), ABUT_ERROR_BUSY);
    return true;
}

static void a_refused_shift_changes_nothing(void **state) {
    (void)state;
    abut_world *world = NULL;
    abut_world_def world_def = {.should_collide = shift_inside_filter, .user = &world};
    world = make_world(&world_def);
    abut_body_id root = add_cube(world, 0, 0, 0, 1);
    (void)add_body(world, &(abut_body_def){.pose = pose_at(1000, 0, 0), .half = {1, 1, 1}, .parent = root});
    (void)add_cube(world, 0.5f, 0, 0, 1);
    assert_int_equal(step_world(world), 1);
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    picture before = picture_take(world);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(abut_world_shift(world, (abut_vec3){0, bad[i], 0}), ABUT_ERROR_ARGUMENT);
    }
    assert_int_equal(abut_world_shift(NULL, (abut_vec3){1, 0, 0}), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_shift(world, (abut_vec3){500 - ABUT_MAX_COORDINATE, 0, 0}), ABUT_ERROR_LIMIT);
    assert_int_equal(abut_world_shift(world, (abut_vec3){0, ABUT_MAX_COORDINATE, 0}), ABUT_ERROR_LIMIT);
    assert_int_equal(abut_world_shift(world, (abut_vec3){0, 0, -3e38f}), ABUT_ERROR_LIMIT);
    picture_close(&before, world);
    abut_world_destroy(&world);
    world = make_world(NULL);
    assert_int_equal(abut_world_shift(world, (abut_vec3){3e38f, 0, 0}), ABUT_OK); /* nobody is there */
    abut_world_destroy(&world);
}

static void shift_inside(const abut_contact *contact, void *user) {
    (void)contact;
    assert_int_equal(abut_world_shift(user, (abut_vec3){1, 0, 0}), ABUT_OK);
}

static void a_listener_may_shift(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    const abut_body_id id = add_cube(world, 0, 0, 0, 1);
    (void)add_cube(world, 0.5f, 0, 0, 1);
    (void)add_cube(world, 1.5f, 0, 0, 1);
    const abut_listener listener = {.begin = shift_inside, .user = world};
    abut_step_report report;
    abut_pose pose;
    assert_int_equal(abut_world_step(world, &listener, &report), ABUT_OK);
    assert_int_equal(report.begun, 3);
    assert_int_equal(abut_body_get_pose(world, id, &pose), ABUT_OK);
    assert_true(pose.position.x == -3);
    assert_int_equal(abut_world_step(world, &listener, &report), ABUT_OK);
    assert_int_equal(report.begun + report.ended, 0);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shift_is_a_new_pose_for_every_root),
        cmocka_unit_test(lists_stay_until_the_next_step_and_contacts_go_on),
        cmocka_unit_test(a_refused_shift_changes_nothing),
        cmocka_unit_test(a_listener_may_shift),
    };
    return test_run(tests);
}
