/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What may be done inside a listener and inside should_collide. */

#include "support/failing_allocator.h"
#include "support/schedules.h"
#include "world/world_test.h"
#include <stdlib.h>

enum { ROW = 60 };

/* What a listener has seen, and what it is to do. */
typedef struct ear {
    abut_world *world, *other;
    abut_body_id ids[ROW];
    size_t begins, persists, ends;
    bool destroy_all, create_many, move_all, check_busy;
    size_t stale; /* events that named a body already destroyed */
} ear;

static void act(ear *e, const abut_contact *contact) {
    abut_contact copy = *contact;
    e->stale += !abut_body_is_valid(e->world, contact->a) || !abut_body_is_valid(e->world, contact->b);
    for (int i = 0; i < ROW; i++) {
        if (e->destroy_all) {
            (void)abut_body_destroy(e->world, e->ids[i]);
        }
        if (e->move_all) {
            move_to(e->world, e->ids[i], (float)i * 10, 5, 5);
        }
    }
    for (int i = 0; i < 300 && e->create_many; i++) {
        (void)add_cube(e->world, 500, (float)i * 3, 0, 1);
    }
    if (e->check_busy) {
        abut_world *same = e->world;
        abut_world_destroy(&same);
        assert_ptr_equal(same, e->world);
        assert_int_equal(abut_world_step(e->world, NULL, NULL), ABUT_ERROR_BUSY);
        assert_int_equal(abut_world_step(e->other, NULL, NULL), ABUT_OK);
        assert_int_equal(abut_world_validate(e->world), ABUT_OK);
    }
    assert_true(bits_equal(&copy, contact, sizeof copy));
}

static void on_begin(const abut_contact *contact, void *user) {
    ear *e = user;
    assert_int_equal(contact->phase, ABUT_BEGIN);
    e->begins++;
    act(e, contact);
}

static void on_persist(const abut_contact *contact, void *user) {
    ear *e = user;
    assert_int_equal(contact->phase, ABUT_PERSIST);
    e->persists++;
    act(e, contact);
}

static void on_end(const abut_contact *contact, void *user) {
    ear *e = user;
    assert_int_equal(contact->phase, ABUT_END);
    assert_int_equal(contact->manifold.count, 0);
    e->ends++;
    act(e, contact);
}

static void make_row(ear *e) {
    e->world = make_world(NULL);
    for (int i = 0; i < ROW; i++) {
        e->ids[i] = add_cube(e->world, (float)i, 0, 0, 0.6f);
    }
}

static void step_with(ear *e, size_t begins, size_t persists, size_t ends) {
    const abut_listener listener = {on_begin, on_persist, on_end, e};
    abut_step_report report;
    e->begins = e->persists = e->ends = e->stale = 0;
    assert_int_equal(abut_world_step(e->world, &listener, &report), ABUT_OK);
    assert_int_equal(e->begins, begins);
    assert_int_equal(e->persists, persists);
    assert_int_equal(e->ends, ends);
    assert_int_equal(report.begun, begins);
    assert_int_equal(report.ended, ends);
    assert_int_equal(report.contacts, begins + persists);
}

static void all_bodies_destroyed_in_the_first_begin_are_still_reported(void **state) {
    (void)state;
    ear e = {.destroy_all = true};
    make_row(&e);
    step_with(&e, ROW - 1, 0, 0);
    assert_int_equal(e.stale, ROW - 2);
    assert_int_equal(abut_world_body_count(e.world), 0);
    e.destroy_all = false;
    step_with(&e, 0, 0, ROW - 1);
    step_with(&e, 0, 0, 0);
    assert_int_equal(abut_world_validate(e.world), ABUT_OK);
    abut_world_destroy(&e.world);
}

static void bodies_destroyed_in_persist_and_end_are_still_reported(void **state) {
    (void)state;
    ear e = {.destroy_all = false};
    make_row(&e);
    step_with(&e, ROW - 1, 0, 0);
    e.destroy_all = true;
    move_to(e.world, e.ids[ROW / 2], 0, 500, 0);
    step_with(&e, 0, ROW - 3, 2);
    assert_int_equal(e.stale, ROW - 2);
    step_with(&e, 0, 0, ROW - 3);
    step_with(&e, 0, 0, 0);
    abut_world_destroy(&e.world);
}

static void bodies_made_in_a_listener_with_growth_are_there_in_the_next_step(void **state) {
    (void)state;
    ear e = {.create_many = true};
    make_row(&e);
    step_with(&e, ROW - 1, 0, 0);
    assert_int_equal(abut_world_body_count(e.world), ROW + 300 * (ROW - 1));
    e.create_many = false;
    /* Every new body coincides with those of the other calls. */
    const size_t calls = ROW - 1;
    step_with(&e, 300 * calls * (calls - 1) / 2, ROW - 1, 0);
    abut_world_destroy(&e.world);
}

static void bodies_moved_in_a_listener_end_in_the_next_step(void **state) {
    (void)state;
    ear e = {.move_all = true};
    make_row(&e);
    step_with(&e, ROW - 1, 0, 0);
    size_t count;
    assert_int_equal((contacts_of(e.world, &count), count), ROW - 1);
    step_with(&e, 0, 0, ROW - 1);
    assert_int_equal(abut_world_validate(e.world), ABUT_OK);
    abut_world_destroy(&e.world);
}

static void stepping_and_destroying_in_a_listener_do_nothing(void **state) {
    (void)state;
    ear e = {.check_busy = true, .other = make_world(NULL)};
    make_row(&e);
    step_with(&e, ROW - 1, 0, 0);
    move_to(e.world, e.ids[0], 0, 500, 0);
    step_with(&e, 0, ROW - 2, 1);
    abut_world_destroy(&e.world);
    assert_null(e.world);
    abut_world_destroy(&e.other);
}

static void every_function_of_a_listener_may_be_null(void **state) {
    (void)state;
    for (int mask = 0; mask < 8; mask++) {
        ear e = {.move_all = false};
        make_row(&e);
        abut_listener listener = {mask & 1 ? on_begin : NULL, mask & 2 ? on_persist : NULL, mask & 4 ? on_end : NULL,
                                  &e};
        assert_int_equal(abut_world_step(e.world, &listener, NULL), ABUT_OK);
        move_to(e.world, e.ids[0], 0, 500, 0);
        assert_int_equal(abut_world_step(e.world, &listener, NULL), ABUT_OK);
        assert_int_equal(e.begins, mask & 1 ? ROW - 1 : 0);
        assert_int_equal(e.persists, mask & 2 ? ROW - 2 : 0);
        assert_int_equal(e.ends, mask & 4 ? 1 : 0);
        size_t count;
        assert_int_equal((events_of(e.world, &count), count), ROW - 1);
        abut_world_destroy(&e.world);
    }
}

/* A failed step calls no listener. */
static void failed_step_reports_nothing(void **state) {
    (void)state;
    failing_allocator books = {0};
    ear e = {.world = make_world(&(abut_world_def){.allocator = failing_allocator_of(&books)})};
    for (int i = 0; i < ROW; i++) {
        e.ids[i] = add_cube(e.world, (float)i, 0, 0, 0.6f);
    }
    const abut_listener listener = {on_begin, on_persist, on_end, &e};
    failing_allocator_fail_from(&books, 1);
    assert_int_equal(abut_world_step(e.world, &listener, NULL), ABUT_ERROR_MEMORY);
    assert_true(e.begins + e.persists + e.ends == 0);
    failing_allocator_fail_never(&books);
    step_with(&e, ROW - 1, 0, 0);
    abut_world_destroy(&e.world);
    assert_true(failing_allocator_clean(&books));
}

/* --- reused indices --- */

static void end_comes_before_begin_on_reused_indices(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id a = add_cube(world, 0, 0, 0, 1), b = add_cube(world, 1, 0, 0, 1);
    assert_int_equal(step_world(world), 1);
    for (int both = 0; both < 2; both++) {
        abut_body_id old_a = a, old_b = b;
        assert_int_equal(abut_body_destroy(world, b), ABUT_OK);
        if (both) {
            assert_int_equal(abut_body_destroy(world, a), ABUT_OK);
            a = add_cube(world, 0, 0, 0, 1);
        }
        b = add_cube(world, 1, 0, 0, 1);
        assert_true(a.index1 == old_a.index1 && b.index1 == old_b.index1);
        assert_int_equal(step_world(world), 1);
        size_t count;
        const abut_contact *events = events_of(world, &count);
        assert_int_equal(count, 2);
        assert_true(events[0].phase == ABUT_END && events[1].phase == ABUT_BEGIN);
        assert_true(abut_body_id_equal(events[0].a, old_a) && abut_body_id_equal(events[0].b, old_b));
        assert_true(abut_body_id_equal(events[1].a, a) && abut_body_id_equal(events[1].b, b));
        assert_true(events[0].previous1 == 1 && events[1].previous1 == 0);
    }
    abut_world_destroy(&world);
}

/* --- should_collide --- */

typedef struct judge {
    abut_world *world, *other;
    size_t asked;
    bool allow;
} judge;

static bool judge_pair(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    judge *j = user;
    assert_true(a.index1 < b.index1);
    assert_true(user_a == a.index1 * 10 && user_b == b.index1 * 10);
    assert_int_equal(abut_world_step(j->other, NULL, NULL), ABUT_OK);
    j->asked++;
    return j->allow;
}

static void ask(judge *j, size_t asked, size_t contacts) {
    j->asked = 0;
    assert_int_equal(step_world(j->world), contacts);
    assert_int_equal(j->asked, asked);
}

static void last_word_is_asked_once_per_touching_pair_in_every_step(void **state) {
    (void)state;
    judge j = {.allow = true, .other = make_world(NULL)};
    j.world = make_world(&(abut_world_def){.should_collide = judge_pair, .user = &j});
    abut_body_def def = {.half = {1, 1, 1}};
    abut_body_id ids[6];
    for (uint64_t i = 0; i < 6; i++) {
        def.user = (i + 1) * 10;
        def.pose = pose_at((float)i * 1.5f, 0, 0);
        def.motion = i < 2 ? ABUT_STATIC : ABUT_MOVING;
        def.filter.mask = i == 5 ? ABUT_MASK_NONE : 0;
        def.detail = (abut_detail)(i % 3);
        ids[i] = add_body(j.world, &def);
    }
    /* 1-2 are static, 5-6 is filtered, the rest are 2-3, 3-4, 4-5 */
    ask(&j, 3, 3);
    ask(&j, 3, 3);
    j.allow = false;
    ask(&j, 3, 0);
    assert_int_equal(count_events(j.world, ABUT_END), 3);
    ask(&j, 3, 0);
    size_t count;
    assert_null(events_of(j.world, &count));
    j.allow = true;
    ask(&j, 3, 3);
    assert_int_equal(count_events(j.world, ABUT_BEGIN), 3);
    move_to(j.world, ids[2], 0, 50, 0);
    ask(&j, 1, 1);
    abut_world_destroy(&j.world);
    abut_world_destroy(&j.other);
}

enum { MANY = 3000 };

/* How often each cube of a row was asked about with the next one. */
static bool count_pair(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    uint32_t *times = user;
    (void)user_a, (void)user_b;
    assert_int_equal(b.index1, a.index1 + 1);
    times[a.index1]++;
    return a.index1 % 3 != 0;
}

/* As long a row as several workers share; in later steps fewer and fewer of it touch. */
static void last_word_is_asked_once_by_workers(void **state) {
    static uint32_t times[MANY + 1];
    static abut_body_id ids[MANY];
    (void)state;
    for (uint32_t workers = 2; workers <= 4; workers++) {
        schedule s = {.kind = workers % 2 ? SCHEDULE_DESCENDING : SCHEDULE_ASCENDING, .workers = workers};
        abut_world *world = make_world(
            &(abut_world_def){.should_collide = count_pair, .user = times, .parallel = schedule_parallel(&s)});
        for (uint32_t i = 0; i < MANY; i++) {
            ids[i] = add_cube(world, (float)i, 0, 0, 0.6f);
        }
        for (uint32_t step = 0, touching = MANY; step < 5; step++, touching = touching * 3 / 4) {
            for (uint32_t i = touching; i < MANY; i++) {
                move_to(world, ids[i], 10 * (float)i, 50, 0);
            }
            uint32_t loops = abut_atomic_load(&s.loops);
            memset(times, 0, sizeof times);
            assert_int_equal(step_world(world), touching - 1 - (touching - 1) / 3);
            assert_true(abut_atomic_load(&s.loops) > loops);
            for (uint32_t i = 1; i <= MANY; i++) {
                assert_int_equal(times[i], i < touching);
            }
        }
        abut_world_destroy(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_bodies_destroyed_in_the_first_begin_are_still_reported),
        cmocka_unit_test(bodies_destroyed_in_persist_and_end_are_still_reported),
        cmocka_unit_test(bodies_made_in_a_listener_with_growth_are_there_in_the_next_step),
        cmocka_unit_test(bodies_moved_in_a_listener_end_in_the_next_step),
        cmocka_unit_test(stepping_and_destroying_in_a_listener_do_nothing),
        cmocka_unit_test(every_function_of_a_listener_may_be_null),
        cmocka_unit_test(failed_step_reports_nothing),
        cmocka_unit_test(end_comes_before_begin_on_reused_indices),
        cmocka_unit_test(last_word_is_asked_once_per_touching_pair_in_every_step),
        cmocka_unit_test(last_word_is_asked_once_by_workers),
    };
    return test_run(tests);
}
