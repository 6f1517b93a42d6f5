/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The contact list: its lifetime, the user data in it, and the contacts of one body. */

#include "support/failing_allocator.h"
#include "world/world_test.h"
#include <stdlib.h>

/* --- lifetime --- */

/* The lists as they were: same address, same bytes. */
typedef struct lists {
    const abut_contact *contacts, *events;
    abut_contact *contacts_copy, *events_copy;
    size_t contact_count, event_count;
} lists;

static abut_contact *copy_list(const abut_contact *list, size_t count) {
    abut_contact *copy = calloc(count + 1, sizeof *copy);
    assert_non_null(copy);
    if (count != 0) {
        memcpy(copy, list, count * sizeof *copy);
    }
    return copy;
}

static lists keep_lists(const abut_world *world) {
    lists l = {0};
    l.contacts = contacts_of(world, &l.contact_count);
    l.events = events_of(world, &l.event_count);
    l.contacts_copy = copy_list(l.contacts, l.contact_count);
    l.events_copy = copy_list(l.events, l.event_count);
    return l;
}

static bool lists_live(const lists *l, const abut_world *world) {
    size_t contact_count, event_count;
    return contacts_of(world, &contact_count) == l->contacts && events_of(world, &event_count) == l->events &&
           contact_count == l->contact_count && event_count == l->event_count &&
           bits_equal(l->contacts, l->contacts_copy, contact_count * sizeof *l->contacts) &&
           bits_equal(l->events, l->events_copy, event_count * sizeof *l->events);
}

static void free_lists(lists *l) {
    free(l->contacts_copy);
    free(l->events_copy);
}

enum { ROW = 100 };

/* A row of touching cubes with begins, persists and ends in its last step. */
static abut_world *busy_world(failing_allocator *books, abut_body_id ids[ROW]) {
    abut_world *world = make_world(&(abut_world_def){.allocator = failing_allocator_of(books)});
    for (int i = 0; i < ROW; i++) {
        ids[i] = add_cube(world, (float)i, 0, 0, 0.6f);
    }
    assert_int_equal(step_world(world), ROW - 1);
    for (int i = 0; i < 20; i++) {
        move_to(world, ids[i], (float)i, 50, (float)(i / 2) * 5);
    }
    assert_int_equal(step_world(world), 10 + ROW - 21);
    return world;
}

static void lists_outlive_everything_but_a_step(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_body_id ids[ROW];
    abut_world *world = busy_world(&books, ids);
    lists l = keep_lists(world);
    assert_true(l.event_count > l.contact_count && l.contact_count > 50);
    size_t calls = books.calls;
    for (int i = 0; i < 2000; i++) {
        (void)add_cube(world, 0, 0, 0, 1);
    }
    assert_true(books.calls > calls);
    assert_true(lists_live(&l, world));
    for (int i = 0; i < ROW; i += 2) {
        assert_int_equal(abut_body_destroy(world, ids[i]), ABUT_OK);
        assert_int_equal(abut_body_set_filter(world, ids[i + 1], &(abut_filter){.mask = 2}), ABUT_OK);
        assert_int_equal(abut_body_set_user(world, ids[i + 1], 999), ABUT_OK);
        assert_int_equal(abut_body_set_motion(world, ids[i + 1], ABUT_STATIC), ABUT_OK);
        assert_int_equal(abut_body_set_detail(world, ids[i + 1], ABUT_DETAIL_BOUNDS), ABUT_OK);
        move_to(world, ids[i + 1], 3, 3, 3);
    }
    assert_true(lists_live(&l, world));
    /* A step that fails: some two million pairs, and no memory for them. */
    failing_allocator_fail_from(&books, 1);
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_ERROR_MEMORY);
    assert_true(lists_live(&l, world));
    failing_allocator_fail_never(&books);
    free_lists(&l);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
}

/* No list has been asked for when bodies are destroyed and created, and a step fails. */
static void lists_can_be_asked_for_late(void **state) {
    (void)state;
    failing_allocator books = {0}, others = {0};
    abut_body_id ids[ROW];
    abut_world *world = busy_world(&books, ids), *other = busy_world(&others, ids);
    size_t count, wanted_count;
    const abut_contact *wanted = events_of(other, &wanted_count);
    uint32_t indices[4], wanted_indices[4];
    size_t of_last = abut_body_contacts(other, ids[ROW - 1], wanted_indices, 4);
    assert_true(of_last == 1 && wanted_count > 80);
    for (int i = 0; i < ROW - 1; i += 2) {
        assert_int_equal(abut_body_destroy(world, ids[i]), ABUT_OK);
    }
    for (int i = 0; i < 2000; i++) {
        (void)add_cube(world, 0, 0, 0, 1);
    }
    failing_allocator_fail_from(&books, 1);
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_ERROR_MEMORY);
    const abut_contact *events = events_of(world, &count);
    assert_true(count == wanted_count && bits_equal(events, wanted, count * sizeof *events));
    assert_int_equal(abut_body_contacts(world, ids[ROW - 1], indices, 4), of_last);
    assert_int_equal(indices[0], wanted_indices[0]);
    abut_world_destroy(&world);
    abut_world_destroy(&other);
    assert_true(failing_allocator_clean(&books) && failing_allocator_clean(&others));
}

/* Steps with and without ENDs may keep their lists in different memory: both must last. */
static void lists_of_steps_without_ends_live_as_long(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_body_id ids[ROW];
    abut_world *world = busy_world(&books, ids);
    for (int round = 0; round < 6; round++) {
        (void)step_world(world);
        lists l = keep_lists(world);
        assert_int_equal(count_events(world, ABUT_END), 0);
        assert_true(l.event_count == l.contact_count && l.contact_count > 50);
        for (int i = 0; i < 300; i++) {
            (void)add_cube(world, 1000, 0, (float)i * 10, 1);
        }
        move_to(world, ids[ROW - 1], 500, 0, 0);
        assert_true(lists_live(&l, world));
        free_lists(&l);
        (void)step_world(world);
        assert_true(round > 0 || count_events(world, ABUT_END) == 1);
    }
    abut_world_destroy(&world);
}

static void empty_lists_are_null(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    size_t count;
    abut_body_id a = add_cube(world, 0, 0, 0, 1);
    (void)add_cube(world, 1, 0, 0, 1);
    assert_int_equal(step_world(world), 1);
    assert_int_equal(abut_body_destroy(world, a), ABUT_OK);
    assert_int_equal(step_world(world), 0);
    assert_null(contacts_of(world, &count));
    assert_int_equal((events_of(world, &count), count), 1);
    assert_int_equal(step_world(world), 0);
    assert_null(events_of(world, &count));
    abut_world_destroy(&world);
}

/* --- user data --- */

static void users_are_those_of_the_last_step_that_touched(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    size_t count;
    abut_body_id a = add_body(world, &(abut_body_def){.half = {1, 1, 1}, .user = 10});
    abut_body_id b = add_body(world, &(abut_body_def){.half = {1, 1, 1}, .user = 20});
    assert_int_equal(step_world(world), 1);
    assert_true(contacts_of(world, &count)->user_a == 10 && contacts_of(world, &count)->user_b == 20);
    assert_int_equal(abut_body_set_user(world, a, 11), ABUT_OK);
    assert_true(contacts_of(world, &count)->user_a == 10);
    assert_int_equal(step_world(world), 1);
    assert_true(contacts_of(world, &count)->user_a == 11 && contacts_of(world, &count)->user_b == 20);
    assert_int_equal(events_of(world, &count)->phase, ABUT_PERSIST);
    assert_int_equal(abut_body_set_user(world, a, 12), ABUT_OK);
    assert_int_equal(abut_body_set_user(world, b, 22), ABUT_OK);
    assert_int_equal(abut_body_destroy(world, b), ABUT_OK);
    move_to(world, a, 9, 9, 9);
    assert_int_equal(step_world(world), 0);
    const abut_contact *end = events_of(world, &count);
    assert_int_equal(count, 1);
    assert_true(end->phase == ABUT_END && end->user_a == 11 && end->user_b == 20);
    assert_true(abut_body_id_equal(end->a, a) && abut_body_id_equal(end->b, b));
    abut_world_destroy(&world);
}

/* --- the contacts of one body --- */

static size_t scan(const abut_world *world, abut_body_id id, uint32_t *out) {
    size_t count, found = 0;
    const abut_contact *contacts = contacts_of(world, &count);
    for (size_t i = 0; i < count; i++) {
        if (abut_body_id_equal(contacts[i].a, id) || abut_body_id_equal(contacts[i].b, id)) {
            out[found++] = (uint32_t)i;
        }
    }
    return found;
}

enum { CROWD = 200 };

static void check_body(const abut_world *world, abut_body_id id, bool alive, unsigned long step) {
    uint32_t wanted[CROWD], got[CROWD + 1];
    size_t found = alive ? scan(world, id, wanted) : 0;
    check_case(abut_body_contacts(world, id, NULL, 0) == found, "count", 0, step);
    for (size_t capacity = 0; capacity <= found + 1; capacity += 1 + found / 4) {
        memset(got, 0xcc, sizeof got);
        size_t filled = capacity < found ? capacity : found;
        check_case(abut_body_contacts(world, id, got, capacity) == found, "total", 0, step);
        check_case(bits_equal(got, wanted, filled * sizeof got[0]), "indices", 0, step);
        check_case(got[filled] == 0xcccccccc, "wrote past the capacity", 0, step);
    }
}

/* Also between steps, when bodies were destroyed and their slots reused. */
static void contacts_of_a_body_equal_a_linear_scan(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    rng r = rng_make(test_seed(), 0);
    abut_body_id ids[CROWD], old[CROWD];
    size_t reused = 0, contacts = 0;
    for (int i = 0; i < CROWD; i++) {
        abut_body_def def = random_box(&r, 4);
        ids[i] = old[i] = add_body(world, &def);
    }
    for (unsigned long step = 0; step < 100; step++) {
        contacts += step_world(world);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < CROWD; i++) {
                check_body(world, ids[i], true, step);
                reused += !abut_body_id_equal(old[i], ids[i]);
                check_body(world, old[i], abut_body_id_equal(old[i], ids[i]), step);
            }
            for (int i = 0; i < 10; i++) {
                size_t k = rng_below(&r, CROWD);
                abut_body_def def = random_box(&r, 4);
                old[k] = ids[k];
                assert_int_equal(abut_body_destroy(world, ids[k]), ABUT_OK);
                ids[k] = add_body(world, &def);
            }
        }
    }
    assert_true(reused > 100 && contacts > 1000);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

static void body_made_after_the_step_has_no_contacts_yet(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    (void)add_cube(world, 0, 0, 0, 1);
    abut_body_id b = add_cube(world, 0, 0, 0, 1);
    assert_int_equal(abut_body_contacts(world, b, NULL, 0), 0);
    assert_int_equal(step_world(world), 1);
    assert_int_equal(abut_body_contacts(world, b, NULL, 0), 1);
    assert_int_equal(abut_body_destroy(world, b), ABUT_OK);
    abut_body_id c = add_cube(world, 0, 0, 0, 1);
    assert_int_equal(c.index1, b.index1);
    assert_int_equal(abut_body_contacts(world, b, NULL, 0), 0);
    assert_int_equal(abut_body_contacts(world, c, NULL, 0), 0);
    assert_int_equal(step_world(world), 1);
    assert_int_equal(abut_body_contacts(world, c, NULL, 0), 1);
    abut_world_destroy(&world);
}

static void the_other_body_and_the_depth(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id a = add_cube(world, 0, 0, 0, 1), b = add_cube(world, 1.75f, 0, 0, 1), c = add_cube(world, 9, 0, 0, 1);
    assert_int_equal(step_world(world), 1);
    size_t count;
    const abut_contact *contact = contacts_of(world, &count);
    assert_true(abut_body_id_equal(abut_contact_other(contact, a), b));
    assert_true(abut_body_id_equal(abut_contact_other(contact, b), a));
    assert_true(abut_body_id_equal(abut_contact_other(contact, c), id_of(0, 0)));
    assert_true(abut_manifold_depth(&contact->manifold) == 0.25f);
    abut_world_destroy(&world);
    const abut_manifold gaps = {.count = 3, .points = {{.separation = 2}, {.separation = 0.5f}, {.separation = 1}}};
    assert_true(abut_manifold_depth(&gaps) == -0.5f);
    const abut_manifold none = {.count = 0, .points = {{.separation = 7}}};
    assert_true(abut_manifold_depth(&none) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_outlive_everything_but_a_step),
        cmocka_unit_test(lists_can_be_asked_for_late),
        cmocka_unit_test(lists_of_steps_without_ends_live_as_long),
        cmocka_unit_test(empty_lists_are_null),
        cmocka_unit_test(users_are_those_of_the_last_step_that_touched),
        cmocka_unit_test(contacts_of_a_body_equal_a_linear_scan),
        cmocka_unit_test(body_made_after_the_step_has_no_contacts_yet),
        cmocka_unit_test(the_other_body_and_the_depth),
    };
    return test_run(tests);
}
