/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Saving and restoring: a restored world answers as the saved one would have, whatever it held before, and saves the
 * same bytes. */

#include "world/snapshot/lives.h"
#include <stdlib.h>

#define expect(l, ok, what) check_case(ok, what, (l)->stream, (l)->step)

/* A pure function of user data, so that two worlds agree. */
static bool refuse_some(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    (void)a, (void)b, (void)user;
    return (user_a ^ user_b) % 5 != 0;
}

static abut_world_def def_of(uint64_t stream) {
    return (abut_world_def){.contact_margin = stream % 3 == 1 ? 0.05f : 0,
                            .up = stream % 4 == 3 ? (abut_vec3){0, 0, 2} : (abut_vec3){0, 0, 0},
                            .should_collide = stream % 5 == 4 ? refuse_some : NULL};
}

static void restore(life *l, abut_world *world, const saved *s) {
    const abut_shape_finder finder = life_finder(l);
    expect(l, abut_world_restore(world, s->bytes, s->size, &finder) == ABUT_OK, "restores");
    expect(l, is_saved(world, s), "saves the same bytes");
    expect(l, abut_world_validate(world) == ABUT_OK, "is valid");
}

/* The saved world and the restored one live on alike. */
static void live_on(life *l, unsigned passes) {
    expect(l, same_answers(l->world, l->twin), "answers alike at once");
    for (unsigned i = 0; i < passes; i++) {
        life_pass(l);
        expect(l, same_answers(l->world, l->twin), "answers alike later");
    }
    life_step(l);
    expect(l, abut_world_validate(l->twin) == ABUT_OK, "is valid later");
}

static void empty_world_takes_all(void **state) {
    (void)state;
    for (uint64_t stream = 0; stream < test_count(60); stream++) {
        const abut_world_def def = def_of(stream);
        life l;
        life_begin(&l, &def, stream);
        for (uint32_t passes = 1 + rng_below(&l.r, 4); passes > 0; passes--) {
            life_pass(&l);
        }
        saved s = save_world(l.world);
        l.twin = make_world(&(abut_world_def){.should_collide = def.should_collide}); /* margin and up are restored */
        restore(&l, l.twin, &s);
        live_on(&l, 3);
        saved_free(&s);
        life_end(&l);
    }
}

static void world_with_other_bodies_takes_all(void **state) {
    (void)state;
    for (uint64_t stream = 0; stream < test_count(60); stream++) {
        const abut_world_def def = def_of(stream), other = def_of(stream % 2 ? stream : stream + 6);
        life l, m;
        life_begin(&l, &def, stream);
        life_begin(&m, &other, stream + 1000);
        for (uint32_t passes = 1 + rng_below(&l.r, 4); passes > 0; passes--) {
            life_pass(&l);
            life_pass(&m);
        }
        saved s = save_world(l.world);
        l.twin = m.world;
        m.world = NULL;
        if (def.should_collide == other.should_collide) {
            restore(&l, l.twin, &s);
            live_on(&l, 3);
        }
        saved_free(&s);
        life_end(&l);
        life_end(&m); /* its shapes outlived its bodies */
    }
}

/* Back to some earlier moment, again and again; a world that never went back is the judge. */
static void rolling_back_leads_to_the_same_future(void **state) {
    (void)state;
    size_t contacts = 0;
    for (uint64_t stream = 0; stream < test_count(40); stream++) {
        const abut_world_def def = def_of(stream);
        life l;
        life_begin(&l, &def, stream);
        l.twin = make_world(&def);
        for (int i = 0; i < 8; i++) {
            life_pass(&l);
        }
        for (int round = 0; round < 6; round++) {
            saved s = save_world(l.world);
            /* The twin strays: calls that the other world does not see. */
            abut_world *steady = l.world;
            const size_t ids = l.ids;
            l.world = l.twin;
            l.twin = NULL;
            for (uint32_t k = rng_below(&l.r, 4); k > 0; k--) {
                life_act(&l);
                life_pass(&l);
            }
            for (uint32_t k = rng_below(&l.r, 12); k > 0; k--) { /* until bodies rest */
                life_step(&l);
            }
            l.twin = l.world;
            l.world = steady;
            l.ids = ids;
            restore(&l, l.twin, &s);
            live_on(&l, 1 + rng_below(&l.r, 3));
            saved_free(&s);
        }
        contacts += abut_world_contacts(l.world, &contacts) ? contacts : 0;
        life_end(&l);
    }
    assert_true(contacts > 0);
}

/* Many steps in which all rests, on either side of a save. */
static void resting_worlds_go_on_resting(void **state) {
    (void)state;
    for (uint64_t stream = 0; stream < 8; stream++) {
        const abut_world_def def = def_of(stream);
        life l;
        life_begin(&l, &def, stream);
        for (int i = 0; i < 60; i++) {
            life_act(&l);
        }
        for (int i = 0; i < 1 + 9 * (int)(stream % 2); i++) {
            life_step(&l);
        }
        saved s = save_world(l.world);
        l.twin = make_world(&def);
        restore(&l, l.twin, &s);
        for (int i = 0; i < 12; i++) {
            life_step(&l);
        }
        live_on(&l, 2);
        /* And the other way: bodies that rest are restored to where they are, and a few to where they were. */
        saved later = save_world(l.world);
        restore(&l, l.twin, &later);
        live_on(&l, 1);
        restore(&l, l.world, &s);
        restore(&l, l.twin, &s);
        live_on(&l, 3);
        saved_free(&s);
        saved_free(&later);
        life_end(&l);
    }
}

static void empty_worlds_are_saved(void **state) {
    (void)state;
    abut_world *world = make_world(NULL), *twin = make_world(NULL);
    saved nothing = save_world(world);
    (void)add_cube(twin, 0, 0, 0, 1);
    (void)add_cube(twin, 1, 0, 0, 1);
    assert_int_equal(step_world(twin), 1);
    assert_int_equal(abut_world_restore(twin, nothing.bytes, nothing.size, NULL), ABUT_OK);
    assert_int_equal(abut_world_body_count(twin), 0);
    assert_null(abut_world_contacts(twin, NULL));
    assert_null(abut_world_events(twin, NULL));
    assert_true(is_saved(twin, &nothing));
    assert_int_equal(abut_world_validate(twin), ABUT_OK);
    abut_body_id a = add_cube(world, 0, 0, 0, 1), b = add_cube(twin, 0, 0, 0, 1);
    assert_true(abut_body_id_equal(a, b)); /* ids begin anew */
    abut_step_report report;
    assert_int_equal(abut_world_step(twin, NULL, &report), ABUT_OK);
    assert_int_equal(report.ended, 0); /* the pair that touched before is forgotten */
    saved_free(&nothing);
    abut_world_destroy(&world);
    abut_world_destroy(&twin);
}

/* --- events --- */

static void events_and_phases_are_restored(void **state) {
    (void)state;
    abut_world *world = make_world(NULL), *twin = make_world(NULL);
    abut_body_id a = add_cube(world, 0, 0, 0, 1), b = add_cube(world, 1, 0, 0, 1), c = add_cube(world, 2, 0, 0, 1);
    assert_int_equal(step_world(world), 3);
    move_to(world, c, 9, 0, 0);
    assert_int_equal(step_world(world), 1); /* one persists, two ended */
    saved s = save_world(world);
    assert_int_equal(abut_world_restore(twin, s.bytes, s.size, NULL), ABUT_OK);
    assert_int_equal(count_events(twin, ABUT_PERSIST), 1);
    assert_int_equal(count_events(twin, ABUT_END), 2);
    size_t n;
    const abut_contact *events = events_of(twin, &n);
    assert_int_equal(n, 3);
    assert_true(abut_body_id_equal(events[1].b, c) && events[1].phase == ABUT_END && events[1].previous1 > 0);
    assert_int_equal(abut_body_contacts(twin, a, NULL, 0), 1);
    /* A body that is gone, and one that takes its slot. */
    assert_int_equal(abut_body_destroy(world, b), ABUT_OK);
    saved_free(&s);
    s = save_world(world);
    assert_int_equal(abut_world_restore(twin, s.bytes, s.size, NULL), ABUT_OK);
    assert_false(abut_body_is_valid(twin, b));
    abut_body_id again = add_cube(twin, 1, 0, 0, 1);
    assert_int_equal(again.index1, b.index1);
    assert_int_equal(step_world(twin), 1);
    assert_int_equal(count_events(twin, ABUT_END), 1);
    assert_int_equal(count_events(twin, ABUT_BEGIN), 1);
    saved_free(&s);
    abut_world_destroy(&world);
    abut_world_destroy(&twin);
}

/* --- callbacks --- */

typedef struct saver {
    abut_world *world;
    saved before, inside;
    size_t answer;
    abut_result result;
    unsigned calls;
} saver;

static void save_inside(const abut_contact *contact, void *user) {
    (void)contact;
    saver *s = user;
    if (s->calls++ == 0) {
        s->inside = save_world(s->world);
        s->result = abut_world_restore(s->world, s->before.bytes, s->before.size, NULL);
    }
}

static void listeners_may_save_but_not_restore(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    (void)add_cube(world, 0, 0, 0, 1);
    (void)add_cube(world, 1, 0, 0, 1);
    saver s = {.world = world, .before = save_world(world), .result = ABUT_OK};
    const abut_listener listener = {.begin = save_inside, .user = &s};
    assert_int_equal(abut_world_step(world, &listener, NULL), ABUT_OK);
    assert_int_equal(s.calls, 1);
    assert_int_equal(s.result, ABUT_ERROR_BUSY);
    assert_true(is_saved(world, &s.inside)); /* the step was complete */
    saved_free(&s.before);
    saved_free(&s.inside);
    abut_world_destroy(&world);
}

static bool save_while_filtering(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    (void)a, (void)user_a, (void)b, (void)user_b;
    saver *s = user;
    unsigned char bytes[4096] = {0};
    s->calls++;
    s->answer += abut_world_save(s->world, bytes, sizeof bytes) + abut_world_save(s->world, NULL, 0);
    s->answer += bytes[0] != 0;
    s->result = abut_world_restore(s->world, s->before.bytes, s->before.size, NULL);
    return true;
}

static void should_collide_may_neither_save_nor_restore(void **state) {
    (void)state;
    saver s = {0};
    s.world = make_world(&(abut_world_def){.should_collide = save_while_filtering, .user = &s});
    (void)add_cube(s.world, 0, 0, 0, 1);
    (void)add_cube(s.world, 1, 0, 0, 1);
    s.before = save_world(s.world);
    assert_int_equal(step_world(s.world), 1);
    assert_int_equal(s.calls, 1);
    assert_int_equal(s.answer, 0);
    assert_int_equal(s.result, ABUT_ERROR_BUSY);
    saved_free(&s.before);
    abut_world_destroy(&s.world);
}

/* --- lists that callers hold --- */

static void failed_restores_leave_lists_in_place(void **state) {
    (void)state;
    life l;
    life_begin(&l, NULL, 1);
    while (abut_world_body_count(l.world) < 60) {
        life_act(&l);
    }
    life_step(&l);
    saved s = save_world(l.world);
    life_pass(&l);
    life_step(&l);
    picture before = picture_take(l.world);
    s.bytes[0] ^= 1;
    assert_int_equal(abut_world_restore(l.world, s.bytes, s.size, NULL), ABUT_ERROR_FORMAT);
    picture_close(&before, l.world);
    saved_free(&s);
    life_end(&l);
}

/* Parts may outlive the mesh that they are of: a world that gets them without it has room for those of all candidates
 * already when its first mesh comes, and the list stays where it is. */
static void parts_stay_where_they_are(void **state) {
    (void)state;
    abut_mesh *mesh = make_ground(4, 1, 0, 1);
    abut_world *world = make_world(NULL);
    const abut_body_id ground = add_ground(world, mesh, 0, 0, 0);
    (void)add_cube(world, 0, 0, 0, 0.6f);
    assert_int_equal(step_world(world), 1);
    assert_int_equal(abut_body_destroy(world, ground), ABUT_OK);
    saved s = save_world(world);
    step_lists before = lists_take(world);
    assert_true(before.parts > 0);
    for (int by_shape = 0; by_shape < 2; by_shape++) {
        abut_world *twin = make_world(&(abut_world_def){.pair_capacity = 1000});
        assert_int_equal(abut_world_restore(twin, s.bytes, s.size, NULL), ABUT_OK);
        size_t n;
        const abut_contact_part *parts = parts_of(twin, &n);
        assert_int_equal(n, before.parts);
        if (by_shape) {
            const abut_body_id id = add_body(twin, &(abut_body_def){.half = {1, 1, 1}, .motion = ABUT_STATIC});
            assert_int_equal(abut_body_set_shape(twin, id, &(abut_shape){.mesh = mesh}, NULL), ABUT_OK);
        } else {
            (void)add_ground(twin, mesh, 0, 0, 0);
        }
        assert_ptr_equal(abut_world_parts(twin, NULL), parts);
        assert_memory_equal(parts, before.part, n * sizeof *parts);
        abut_world_destroy(&twin);
    }
    lists_free(&before);
    saved_free(&s);
    abut_world_destroy(&world);
    abut_mesh_destroy(&mesh);
}

/* Ids that are not yet handed out again: neither questions nor steps meet what had them. */
static void bodies_of_higher_ids_are_gone(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    for (int i = 0; i < 40; i++) {
        (void)add_cube(world, 10.0f * (float)i, 0, 0, 1);
    }
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    saved s = save_world(world);
    for (int i = 0; i < 5; i++) {
        (void)add_cube(world, 0.1f * (float)i, 50, 0, 1);
    }
    const abut_shape cube = {.half = {30, 1, 1}};
    const abut_pose there = {.position = {0, 50, 0}, .rotation = {0, 0, 0, 1}};
    assert_true(abut_world_overlaps(world, &cube, &there, NULL, NULL, 0) == 5);
    for (int i = 0; i < 8; i++) { /* so that some come to rest */
        assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    }
    assert_int_equal(abut_world_restore(world, s.bytes, s.size, NULL), ABUT_OK);
    assert_true(abut_world_overlaps(world, &cube, &there, NULL, NULL, 0) == 0);
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    size_t count;
    (void)abut_world_contacts(world, &count);
    assert_true(count == 0);
    (void)add_cube(world, 0, 51, 0, 1);
    assert_true(abut_world_overlaps(world, &cube, &there, NULL, NULL, 0) == 1);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    saved_free(&s);
    abut_world_destroy(&world);
}

/* A row of boxes that overlap and rest, one of which has a filter and touches none. */
static abut_world *make_row(uint32_t bodies, uint32_t filtered, uint32_t category) {
    abut_world *world = make_world(NULL);
    for (uint32_t i = 0; i < bodies; i++) {
        abut_body_def def = {.pose = pose_at((float)i, 0, 0), .half = {1, 1, 1}};
        def.filter = i == filtered ? (abut_filter){.category = category, .mask = ABUT_MASK_NONE} : def.filter;
        (void)add_body(world, &def);
    }
    for (int i = 0; i < 8; i++) { /* until all rest */
        assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    }
    return world;
}

/* Whatever filters the world had: as many, of other bodies, of none that it ever had, with other classes. */
static void filters_of_other_bodies_are_restored(void **state) {
    (void)state;
    for (uint32_t had = 1; had <= 3; had++) {
        for (uint32_t filtered = 0; filtered < had; filtered++) {
            abut_world *world = make_row(3, 2, 4), *twin = make_row(had, filtered, had == 3 ? 4 : 2);
            saved s = save_world(world);
            assert_int_equal(abut_world_restore(twin, s.bytes, s.size, NULL), ABUT_OK);
            assert_true(is_saved(twin, &s));
            assert_int_equal(step_world(twin), 1); /* of the two without */
            assert_true(same_answers(world, twin));
            assert_int_equal(abut_world_validate(twin), ABUT_OK);
            saved_free(&s);
            abut_world_destroy(&world);
            abut_world_destroy(&twin);
        }
    }
}

/* The search tree knows which filters there are where: also those that come back to bodies which stay in place. */
static void questions_meet_bodies_whose_filters_are_restored(void **state) {
    (void)state;
    enum { BODIES = 40 };
    const abut_filter rare = {.category = 8};
    const abut_query common_ones = {.filter = {.mask = 1}}, rare_ones = {.filter = {.mask = 8}};
    const abut_shape all = {.half = {400, 1, 1}};
    const abut_pose there = pose_at(200, 0, 0);
    abut_body_id id[BODIES];
    abut_world *world = make_world(NULL);
    for (int i = 0; i < BODIES; i++) {
        id[i] = add_cube(world, 10.0f * (float)i, 0, 0, 1);
    }
    const abut_body_id other = add_cube(world, 0, 50, 0, 1); /* so that there always are filters */
    assert_int_equal(abut_body_set_filter(world, other, &(abut_filter){.category = 4}), ABUT_OK);
    saved s = save_world(world);
    for (int i = 0; i < BODIES; i++) {
        assert_int_equal(abut_body_set_filter(world, id[i], &rare), ABUT_OK);
    }
    assert_int_equal(step_world(world), 0);
    saved t = save_world(world);
    assert_true(abut_world_overlaps(world, &all, &there, &rare_ones, NULL, 0) == BODIES);
    assert_int_equal(abut_world_refresh(world), ABUT_OK);
    assert_int_equal(abut_world_restore(world, s.bytes, s.size, NULL), ABUT_OK);
    assert_true(abut_world_overlaps(world, &all, &there, &common_ones, NULL, 0) == BODIES);
    assert_true(abut_world_overlaps(world, &all, &there, &rare_ones, NULL, 0) == 0);
    assert_int_equal(abut_world_restore(world, t.bytes, t.size, NULL), ABUT_OK);
    assert_true(abut_world_overlaps(world, &all, &there, &common_ones, NULL, 0) == 0);
    assert_true(abut_world_overlaps(world, &all, &there, &rare_ones, NULL, 0) == BODIES);
    saved_free(&s);
    saved_free(&t);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_meet_bodies_whose_filters_are_restored),
        cmocka_unit_test(filters_of_other_bodies_are_restored),
        cmocka_unit_test(bodies_of_higher_ids_are_gone),
        cmocka_unit_test(empty_world_takes_all),
        cmocka_unit_test(world_with_other_bodies_takes_all),
        cmocka_unit_test(rolling_back_leads_to_the_same_future),
        cmocka_unit_test(resting_worlds_go_on_resting),
        cmocka_unit_test(empty_worlds_are_saved),
        cmocka_unit_test(events_and_phases_are_restored),
        cmocka_unit_test(listeners_may_save_but_not_restore),
        cmocka_unit_test(should_collide_may_neither_save_nor_restore),
        cmocka_unit_test(failed_restores_leave_lists_in_place),
        cmocka_unit_test(parts_stay_where_they_are),
    };
    return test_run(tests);
}
