/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Creating and destroying worlds; their settings; fixed capacities. */

#include "support/failing_allocator.h"
#include "world/state/state.h"
#include "world/world_test.h"
#include <math.h>
#include <stdlib.h>

static void null_def_makes_an_empty_world(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    size_t count = 9;
    assert_int_equal(abut_world_body_count(world), 0);
    assert_int_equal(abut_world_bodies(world, NULL, 0), 0);
    assert_null(abut_world_contacts(world, &count));
    assert_int_equal(count, 0);
    count = 9;
    assert_null(abut_world_events(world, &count));
    assert_int_equal(count, 0);
    assert_null(abut_world_contacts(world, NULL));
    assert_null(abut_world_events(world, NULL));
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    assert_int_equal(step_world(world), 0);
    abut_world_destroy(&world);
    assert_null(world);
}

static void memory_is_reported_in_bytes(void **state) {
    (void)state;
    failing_allocator books = {0};
    size_t in_use = 1, reserved = 1, before;
    abut_world_memory(NULL, &in_use, &reserved);
    assert_true(in_use == 0 && reserved == 0);
    abut_world *world = make_world(&(abut_world_def){.allocator = failing_allocator_of(&books), .body_capacity = 1000});
    abut_world_memory(world, &in_use, &reserved);
    assert_true(reserved == books.live_bytes && reserved > 1000 * sizeof(abut_pose) && in_use > 0 && in_use < 10000);
    before = in_use;
    for (int i = 0; i < 1000; i++) {
        (void)add_cube(world, (float)i, 0, 0, 0.6f);
    }
    (void)step_world(world);
    abut_world_memory(world, NULL, &reserved);
    abut_world_memory(world, &in_use, NULL);
    abut_world_memory(world, NULL, NULL);
    assert_true(reserved == books.live_bytes && in_use < reserved);
    assert_true(in_use > before + 999 * (sizeof(abut_contact) + sizeof(abut_pose)));
    abut_world_destroy(&world);
}

/* Events are the contacts, until some have ended; then they take memory of their own as soon as somebody reads them. */
static void events_take_memory_when_they_are_read(void **state) {
    (void)state;
    enum { CUBES = 4 };
    for (uint32_t fixed = 0; fixed < 2; fixed++) {
        size_t before, after, count;
        abut_body_id id[CUBES];
        abut_world *world =
            make_world(&(abut_world_def){.fixed_capacity = fixed, .body_capacity = CUBES, .pair_capacity = CUBES / 2});
        for (int i = 0; i < CUBES; i++) {
            id[i] = add_cube(world, 10 * (float)(i / 2), 0, (float)(i % 2), 0.6f);
        }
        for (size_t step = 0; step < 4; step++) {
            const size_t ends = step % 2 ? CUBES / 2 : 0;
            for (int i = 0; i < CUBES && ends > 0; i++) { /* each gets another partner */
                int place = step == 1 ? i % 2 * 2 + i / 2 : i;
                move_to(world, id[i], 10 * (float)(place / 2), 0, (float)(place % 2));
            }
            assert_int_equal(step_world(world), CUBES / 2);
            abut_world_memory(world, &before, NULL);
            (void)events_of(world, &count);
            abut_world_memory(world, &after, NULL);
            assert_int_equal(count, CUBES / 2 + ends);
            assert_int_equal(after - before, ends > 0 ? count * sizeof(abut_contact) : 0);
        }
        abut_world_destroy(&world);
    }
}

/* One slot more than bodies, because bodies are sorted by counting; twice as many events as pairs, because all contacts
 * may end while as many begin; and nothing more. */
static void fixed_worlds_reserve_no_more_than_they_need(void **state) {
    (void)state;
    enum { BODIES = 37, PAIRS = 53 };
    abut_world *world =
        make_world(&(abut_world_def){.fixed_capacity = true, .body_capacity = BODIES, .pair_capacity = PAIRS});
    assert_int_equal(world->body_block.capacity, BODIES + 1);
    assert_int_equal(world->sweep.marks.capacity, BODIES + 1);
    assert_int_equal(world->sweep.block.capacity, BODIES);
    assert_int_equal(world->attachments.block.capacity, BODIES);
    assert_int_equal(world->filters.block.capacity, BODIES);
    const abut_w_contacts *const lists[] = {&world->current, &world->next};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(lists[k]->keys.capacity, PAIRS);
        assert_int_equal(lists[k]->places.capacity, PAIRS);
        assert_int_equal(lists[k]->block.capacity, PAIRS);
        assert_int_equal(lists[k]->parts.block.capacity, PAIRS);
    }
    assert_int_equal(world->found.block.capacity, PAIRS);
    assert_int_equal(world->events.ends.capacity, PAIRS);
    assert_int_equal(world->events.block.capacity, 2 * PAIRS);
    assert_int_equal(world->index.block.capacity, PAIRS);
    assert_int_equal(world->single.block.capacity, 1);
    assert_int_equal(world->waves.block.capacity, 0);
    assert_int_equal(abut_w_reserve_bodies(world, BODIES), ABUT_OK);
    assert_int_equal(abut_w_reserve_bodies(world, BODIES + 1), ABUT_ERROR_CAPACITY);
    assert_int_equal(abut_w_reserve_pairs(world, PAIRS), ABUT_OK);
    assert_int_equal(abut_w_reserve_pairs(world, PAIRS + 1), ABUT_ERROR_CAPACITY);
    assert_int_equal(abut_w_reserve_parts(world, &world->found, PAIRS), ABUT_OK);
    assert_int_equal(abut_w_reserve_parts(world, &world->found, PAIRS + 1), ABUT_ERROR_CAPACITY);
    abut_world_destroy(&world);
}

/* By an eighth at least, and never below 16. */
static void lists_of_contacts_grow_in_small_steps(void **state) {
    (void)state;
    static const uint32_t steps[][2] = {{0, 0},     {1, 16},     {16, 16},   {17, 18},   {18, 18}, {19, 20},
                                        {100, 100}, {101, 112},  {126, 126}, {127, 141}, /* wanted, then there */
                                        {140, 141}, {1000, 1000}};
    abut_world *world = make_world(NULL);
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        assert_int_equal(abut_w_reserve_keys(world, &world->next, steps[k][0]), ABUT_OK);
        assert_int_equal(world->next.keys.capacity, steps[k][1]);
    }
    abut_world_destroy(&world);
}

/* So many as 32 bits can number are asked for; of one more there is none. */
static void lists_beyond_32_bits_are_not_asked_for(void **state) {
    (void)state;
    const uint64_t most = UINT32_MAX - 1;
    if (sizeof(size_t) < sizeof(uint64_t)) {
        skip(); /* no memory holds even the smaller one */
    }
    failing_allocator books = {0};
    abut_world *world = make_world(&(abut_world_def){.allocator = failing_allocator_of(&books)});
    failing_allocator_fail_from(&books, 1);
    for (uint64_t more = 0; more < 2; more++) {
        size_t calls = books.calls;
        assert_int_equal(abut_w_reserve_keys(world, &world->next, most + more), ABUT_ERROR_MEMORY);
        assert_int_equal(abut_w_reserve_contacts(world, &world->next, most + more), ABUT_ERROR_MEMORY);
        assert_int_equal(abut_w_reserve_parts(world, &world->found, most + more), ABUT_ERROR_MEMORY);
        assert_int_equal(books.calls - calls, more ? 0 : 3);
    }
    assert_false(abut_w_reserve_hint_list(world, &world->hints, most + 2));
    failing_allocator_fail_never(&books);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
}

/* From how many of the first candidates touch follows how many contacts there will be; a sixteenth more has room. */
static void first_steps_foresee_how_many_contacts_there_will_be(void **state) {
    (void)state;
    enum { ROW = 3001, CONTACTS = ROW - 1 };
    abut_world *world = make_world(NULL);
    for (int i = 0; i < ROW; i++) {
        (void)add_cube(world, (float)i, 0, 0, 0.6f);
    }
    assert_int_equal(step_world(world), CONTACTS);
    assert_int_equal(world->current.block.capacity, CONTACTS + CONTACTS / 16);
    abut_world_destroy(&world);
}

static void zero_def_is_the_same_as_null(void **state) {
    (void)state;
    abut_world *a = make_world(NULL), *b = make_world(&(abut_world_def){0});
    assert_true(abut_world_hash(a) == abut_world_hash(b));
    assert_true(abut_body_id_equal(add_cube(a, 0, 0, 0, 1), add_cube(b, 0, 0, 0, 1)));
    assert_true(abut_body_id_equal(add_cube(a, 1, 0, 0, 1), add_cube(b, 1, 0, 0, 1)));
    assert_int_equal(step_world(a), 1);
    assert_int_equal(step_world(b), 1);
    assert_true(same_contacts(a, b));
    assert_true(abut_world_hash(a) == abut_world_hash(b));
    abut_world_destroy(&a);
    abut_world_destroy(&b);
}

static void destroy_takes_null_and_null_inside(void **state) {
    (void)state;
    abut_world_destroy(NULL);
    abut_world *world = NULL;
    abut_world_destroy(&world);
    assert_null(world);
}

static void destroy_frees_all_and_reports_nothing(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_world *world = make_world(&(abut_world_def){.allocator = failing_allocator_of(&books)});
    for (int i = 0; i < 300; i++) {
        (void)add_cube(world, (float)i, 0, 0, 1);
    }
    assert_true(step_world(world) > 0);
    assert_true(books.live_bytes > 0);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
}

static void refused(const abut_world_def *def) {
    int here;
    abut_world *world = (abut_world *)(void *)&here; /* must be overwritten */
    assert_int_equal(abut_world_create(def, &world), ABUT_ERROR_ARGUMENT);
    assert_null(world);
}

static void bad_defs_are_refused(void **state) {
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY, -NAN};
    for (size_t i = 0; i < 4; i++) {
        refused(&(abut_world_def){.contact_margin = bad[i]});
        refused(&(abut_world_def){.up = {bad[i], 0, 0}});
        refused(&(abut_world_def){.up = {0, bad[i], 0}});
        refused(&(abut_world_def){.up = {0, 1, bad[i]}});
    }
    refused(&(abut_world_def){.contact_margin = -1});
    refused(&(abut_world_def){.contact_margin = -1e-30f});
    failing_allocator books = {0};
    abut_allocator whole = failing_allocator_of(&books);
    refused(&(abut_world_def){.allocator = {.alloc = whole.alloc, .user = &books}});
    refused(&(abut_world_def){.allocator = {.release = whole.release, .user = &books}});
    refused(&(abut_world_def){.allocator = whole, .contact_margin = -1});
    assert_true(failing_allocator_clean(&books));
    assert_int_equal(abut_world_create(NULL, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_create(&(abut_world_def){0}, NULL), ABUT_ERROR_ARGUMENT);
}

static void good_margins_and_ups_are_taken(void **state) {
    (void)state;
    const abut_vec3 ups[] = {{0, 0, 1}, {1e-30f, 0, 0}, {-3e20f, 2, 1}, {0, -1, 0}};
    for (size_t i = 0; i < 4; i++) {
        abut_world *world = make_world(&(abut_world_def){.up = ups[i], .contact_margin = i == 0 ? -0.0f : 0.5f});
        (void)add_cube(world, 0, 0, 0, 1);
        (void)add_cube(world, 2.25f, 0, 0, 1);
        assert_int_equal(step_world(world), i == 0 ? 0 : 1);
        assert_int_equal(abut_world_validate(world), ABUT_OK);
        abut_world_destroy(&world);
    }
}

/* Refuses sizes that no test needs, so that absurd capacities cannot use up the machine. */
static void *alloc_at_most_a_gigabyte(size_t size, size_t align, void *user) {
    abut_allocator *inner = user;
    return size > (size_t)1 << 30 ? NULL : inner->alloc(size, align, inner->user);
}

static void release_any(void *p, size_t size, size_t align, void *user) {
    abut_allocator *inner = user;
    inner->release(p, size, align, inner->user);
}

static void absurd_capacities_are_an_error(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_allocator inner = failing_allocator_of(&books);
    abut_allocator guarded = {alloc_at_most_a_gigabyte, release_any, &inner};
    for (int i = 0; i < 4; i++) {
        abut_world_def def = {.allocator = guarded, .fixed_capacity = i % 2 == 1};
        def.body_capacity = i < 2 ? UINT32_MAX : 0;
        def.pair_capacity = i < 2 ? 0 : UINT32_MAX;
        abut_world *world = NULL;
        abut_result result = abut_world_create(&def, &world);
        assert_true(result == ABUT_ERROR_MEMORY || result == ABUT_ERROR_CAPACITY);
        assert_null(world);
        assert_true(failing_allocator_clean(&books));
    }
}

static void reserved_capacities_need_no_memory_later(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_world_def def = {.allocator = failing_allocator_of(&books), .body_capacity = 100, .pair_capacity = 4950};
    abut_world *world = make_world(&def);
    size_t calls = books.calls;
    for (int i = 0; i < 100; i++) {
        (void)add_cube(world, 0, 0, 0, 1);
    }
    assert_int_equal(step_world(world), 4950);
    assert_int_equal(books.calls, calls);
    (void)add_cube(world, 0, 0, 0, 1);
    assert_int_equal(step_world(world), 5050);
    assert_true(books.calls > calls);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
}

static abut_world *make_fixed(failing_allocator *books, uint32_t bodies, uint32_t pairs) {
    return make_world(&(abut_world_def){.allocator = failing_allocator_of(books),
                                        .body_capacity = bodies,
                                        .pair_capacity = pairs,
                                        .fixed_capacity = true});
}

static void full_fixed_world_refuses_bodies_and_stays_as_it_was(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_world *world = make_fixed(&books, 10, 100);
    size_t calls = books.calls;
    abut_body_id last = {0};
    for (int i = 0; i < 10; i++) {
        last = add_cube(world, (float)i, 0, 0, 0.5f);
    }
    assert_int_equal(step_world(world), 9);
    picture before = picture_take(world);
    abut_body_def defs[3] = {{.half = {1, 1, 1}}, {.half = {1, 1, 1}}, {.half = {1, 1, 1}}};
    abut_body_id ids[3] = {{7, 7}, {7, 7}, {7, 7}};
    assert_int_equal(abut_body_create(world, defs, ids), ABUT_ERROR_CAPACITY);
    assert_true(abut_body_id_equal(ids[0], id_of(0, 0)));
    assert_int_equal(abut_bodies_create(world, defs, 3, ids), ABUT_ERROR_CAPACITY);
    for (int i = 0; i < 3; i++) {
        assert_true(abut_body_id_equal(ids[i], id_of(0, 0)));
    }
    picture_close(&before, world);
    assert_int_equal(abut_body_destroy(world, last), ABUT_OK);
    assert_int_equal(abut_bodies_create(world, defs, 2, ids), ABUT_ERROR_CAPACITY);
    assert_int_equal(abut_body_create(world, defs, ids), ABUT_OK);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    assert_int_equal(books.calls, calls);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
}

static void too_many_pairs_for_a_fixed_world_fail_the_step(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_world *world = make_fixed(&books, 20, 45);
    size_t calls = books.calls;
    abut_body_id ids[11];
    for (int i = 0; i < 11; i++) {
        ids[i] = add_cube(world, i < 10 ? 0 : 100.0f, 0, 0, 1);
    }
    assert_int_equal(step_world(world), 45);
    move_to(world, ids[10], 0, 0, 0);
    picture before = picture_take(world);
    for (int i = 0; i < 3; i++) {
        abut_step_report report = {.bodies = 77, .contacts = 78};
        assert_int_equal(abut_world_step(world, NULL, &report), ABUT_ERROR_CAPACITY);
        assert_true(report.bodies == 77 && report.contacts == 78);
        assert_true(picture_matches(&before, world));
    }
    picture_close(&before, world);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    move_to(world, ids[10], -100, 0, 0);
    assert_int_equal(step_world(world), 45);
    assert_int_equal(count_events(world, ABUT_PERSIST), 45);
    assert_int_equal(books.calls, calls);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
}

/* All pairs end and as many others begin in one step: 2 x pair_capacity events. */
static void fixed_world_holds_a_full_change_of_pairs(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_world *world = make_fixed(&books, 8, 4);
    size_t calls = books.calls;
    abut_body_id ids[8];
    for (int i = 0; i < 8; i++) {
        ids[i] = add_cube(world, (float)(i / 2) * 10, 0, 0, 1);
    }
    assert_int_equal(step_world(world), 4);
    for (int i = 0; i < 8; i++) {
        move_to(world, ids[i], (float)(i % 4) * 10, 0, 0);
    }
    assert_int_equal(step_world(world), 4);
    assert_int_equal(count_events(world, ABUT_BEGIN), 4);
    assert_int_equal(count_events(world, ABUT_END), 4);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(abut_body_destroy(world, ids[i]), ABUT_OK);
    }
    for (int i = 0; i < 8; i++) {
        (void)add_cube(world, (float)(i / 2) * 10, 0, 0, 1);
    }
    assert_int_equal(step_world(world), 4);
    assert_int_equal(count_events(world, ABUT_BEGIN), 4);
    assert_int_equal(count_events(world, ABUT_END), 4);
    assert_int_equal(books.calls, calls);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
}

/* Random churn within the capacities: never an allocation, never an error. */
static void fixed_world_churns_within_its_capacity_without_memory(void **state) {
    (void)state;
    enum { BODIES = 40, ROUNDS = 400 };
    failing_allocator books = {0};
    abut_world *world = make_fixed(&books, BODIES, BODIES * (BODIES - 1) / 2);
    size_t calls = books.calls, live = 0, contacts = 0;
    abut_body_id ids[BODIES];
    rng r = rng_make(test_seed(), 0);
    for (unsigned long step = 0; step < ROUNDS; step++) {
        for (int k = 0; k < 10; k++) {
            if (live < BODIES && rng_chance(&r, 0.6)) {
                abut_body_def def = random_box(&r, 2);
                def.parent = live > 0 && rng_chance(&r, 0.2) ? ids[rng_below(&r, (uint32_t)live)] : id_of(0, 0);
                check_case(abut_body_create(world, &def, &ids[live]) == ABUT_OK, "create", 0, step);
                live++;
            } else if (live > 0) {
                (void)abut_body_destroy(world, ids[rng_below(&r, (uint32_t)live)]);
                live = abut_world_bodies(world, ids, BODIES);
            }
        }
        check_case(abut_world_step(world, NULL, NULL) == ABUT_OK, "step", 0, step);
        size_t count;
        (void)contacts_of(world, &count);
        contacts += count;
    }
    assert_true(contacts > ROUNDS);
    assert_int_equal(books.calls, calls);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
}

static void world_bodies_lists_the_living_in_order(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id ids[50], out[50];
    for (int i = 0; i < 50; i++) {
        ids[i] = add_cube(world, (float)i * 10, 0, 0, 1);
    }
    for (int i = 0; i < 50; i += 3) {
        assert_int_equal(abut_body_destroy(world, ids[i]), ABUT_OK);
    }
    memset(out, 0xee, sizeof out);
    assert_int_equal(abut_world_body_count(world), 33);
    assert_int_equal(abut_world_bodies(world, NULL, 0), 33);
    assert_int_equal(abut_world_bodies(world, out, 20), 33);
    assert_true(out[20].index1 == 0xeeeeeeee);
    assert_int_equal(abut_world_bodies(world, out, 50), 33);
    assert_true(out[33].index1 == 0xeeeeeeee);
    for (int i = 0, k = 0; i < 50; i++) {
        assert_true(abut_body_is_valid(world, ids[i]) == (i % 3 != 0));
        if (i % 3 != 0) {
            assert_true(abut_body_id_equal(out[k], ids[i]));
            assert_true(k == 0 || out[k - 1].index1 < out[k].index1);
            k++;
        }
    }
    abut_world_destroy(&world);
}

static void null_world_is_refused_everywhere(void **state) {
    (void)state;
    size_t count = 5;
    assert_int_equal(abut_world_step(NULL, NULL, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_validate(NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_body_count(NULL), 0);
    assert_int_equal(abut_world_bodies(NULL, NULL, 0), 0);
    assert_null(abut_world_contacts(NULL, &count));
    assert_int_equal(count, 0);
    count = 5;
    assert_null(abut_world_events(NULL, &count));
    assert_int_equal(count, 0);
    assert_int_equal(abut_body_contacts(NULL, id_of(1, 1), NULL, 0), 0);
    (void)abut_world_hash(NULL);
    assert_false(abut_body_is_valid(NULL, id_of(1, 1)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_def_makes_an_empty_world),
        cmocka_unit_test(memory_is_reported_in_bytes),
        cmocka_unit_test(events_take_memory_when_they_are_read),
        cmocka_unit_test(fixed_worlds_reserve_no_more_than_they_need),
        cmocka_unit_test(lists_of_contacts_grow_in_small_steps),
        cmocka_unit_test(lists_beyond_32_bits_are_not_asked_for),
        cmocka_unit_test(first_steps_foresee_how_many_contacts_there_will_be),
        cmocka_unit_test(zero_def_is_the_same_as_null),
        cmocka_unit_test(destroy_takes_null_and_null_inside),
        cmocka_unit_test(destroy_frees_all_and_reports_nothing),
        cmocka_unit_test(bad_defs_are_refused),
        cmocka_unit_test(good_margins_and_ups_are_taken),
        cmocka_unit_test(absurd_capacities_are_an_error),
        cmocka_unit_test(reserved_capacities_need_no_memory_later),
        cmocka_unit_test(full_fixed_world_refuses_bodies_and_stays_as_it_was),
        cmocka_unit_test(too_many_pairs_for_a_fixed_world_fail_the_step),
        cmocka_unit_test(fixed_world_holds_a_full_change_of_pairs),
        cmocka_unit_test(fixed_world_churns_within_its_capacity_without_memory),
        cmocka_unit_test(world_bodies_lists_the_living_in_order),
        cmocka_unit_test(null_world_is_refused_everywhere),
    };
    return test_run(tests);
}
