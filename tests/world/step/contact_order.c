/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Contacts are put in order only for those who ask. What they say does not depend on that: two worlds live the same
 * life, and one of them has a mesh far away, because of which it writes its contacts in order in every step. The other
 * is asked for this or that, now and then, also after its bodies have changed. */

#include "support/failing_allocator.h"
#include "world/grounds.h"
#include "world/world.h"
#include <stdlib.h>

enum { BODIES = 160, SPACE = 5, MOST_EVENTS = 4096 };

typedef struct life {
    rng r;
    uint64_t stream;
    unsigned long frame;
    abut_world *lazy, *eager;
    abut_body_id ids[BODIES];
    unsigned long keyed; /* steps of `lazy` that wrote keys */
    size_t listed[3];    /* contacts, pairs and events that were compared */
} life;

typedef struct log_of_events {
    abut_contact event[MOST_EVENTS];
    size_t count;
} log_of_events;

static void note(const abut_contact *contact, void *user) {
    log_of_events *log = user;
    assert_true(log->count < MOST_EVENTS);
    log->event[log->count++] = *contact;
}

static void expect(const life *l, bool ok, const char *what) {
    check_case(ok, what, l->stream, l->frame);
}

static abut_body_def random_body(life *l) {
    static const abut_detail details[] = {ABUT_DETAIL_BOUNDS, ABUT_DETAIL_OVERLAP, ABUT_DETAIL_MANIFOLD};
    abut_body_def def = random_box(&l->r, SPACE);
    uint32_t most = l->stream % 3 == 0 ? 1 : l->stream % 3 == 1 ? 3 : 0;
    def.detail = most > 0 ? details[rng_below(&l->r, most)] : ABUT_DETAIL_MANIFOLD;
    def.user = rng_u64(&l->r);
    return def;
}

static void add(life *l, uint32_t i) {
    const abut_body_def def = random_body(l);
    abut_body_id twin = add_body(l->eager, &def);
    l->ids[i] = add_body(l->lazy, &def);
    assert_true(abut_body_id_equal(l->ids[i], twin));
}

/* One body gets something new. */
static void change(life *l) {
    uint32_t i = rng_below(&l->r, BODIES), kind = rng_below(&l->r, 12);
    abut_world *const worlds[] = {l->lazy, l->eager};
    abut_pose pose = random_pose(&l->r, SPACE);
    uint64_t user = rng_u64(&l->r);
    for (int k = 0; k < 2; k++) {
        abut_result result = ABUT_OK;
        if (kind == 0) {
            result = abut_body_destroy(worlds[k], l->ids[i]);
        } else if (kind == 1) {
            result = abut_body_set_user(worlds[k], l->ids[i], user);
        } else {
            result = abut_bodies_set_poses(worlds[k], &l->ids[i], &pose, 1);
        }
        assert_int_equal(result, ABUT_OK);
    }
    if (kind == 0) {
        add(l, i);
    }
}

static void compare_contacts(life *l) {
    size_t n, m;
    const abut_contact *p = abut_world_contacts(l->lazy, &n), *q = abut_world_contacts(l->eager, &m);
    expect(l, n == m && (n == 0 || bits_equal(p, q, n * sizeof *p)), "other contacts");
    l->listed[0] += n;
}

static void compare_pairs(life *l) {
    size_t n, m;
    const abut_pair *p = abut_world_pairs(l->lazy, &n), *q = abut_world_pairs(l->eager, &m);
    expect(l, n == m && (n == 0 || bits_equal(p, q, n * sizeof *p)), "other pairs");
    l->listed[1] += n;
}

static void compare_events(life *l) {
    size_t n, m;
    const abut_contact *p = abut_world_events(l->lazy, &n), *q = abut_world_events(l->eager, &m);
    expect(l, n == m && (n == 0 || bits_equal(p, q, n * sizeof *p)), "other events");
    l->listed[2] += n;
}

static void compare_contacts_of_a_body(life *l) {
    uint32_t p[BODIES], q[BODIES];
    abut_body_id id = l->ids[rng_below(&l->r, BODIES)];
    size_t n = abut_body_contacts(l->lazy, id, p, BODIES), m = abut_body_contacts(l->eager, id, q, BODIES);
    expect(l, n == m && bits_equal(p, q, n * sizeof *p), "other contacts of a body");
}

/* Asks for something, or for nothing. */
static void ask(life *l) {
    switch (rng_below(&l->r, 8)) {
    case 0:
        compare_contacts(l);
        break;
    case 1:
        compare_pairs(l);
        break;
    case 2:
        compare_events(l);
        break;
    case 3:
        compare_contacts_of_a_body(l);
        break;
    case 4:
        assert_int_equal(abut_world_validate(l->lazy), ABUT_OK);
        break;
    default:
        break;
    }
}

/* Steps both, and compares what listeners hear: of begins and ENDs alone, of all, or nobody listens. */
static void step_both(life *l) {
    static log_of_events logs[2];
    const uint32_t kind = rng_below(&l->r, 3);
    abut_world *const worlds[] = {l->lazy, l->eager};
    for (int k = 0; k < 2; k++) {
        const abut_listener listener = {note, kind == 1 ? note : NULL, note, &logs[k]};
        logs[k].count = 0;
        assert_int_equal(abut_world_step(worlds[k], kind > 0 ? &listener : NULL, NULL), ABUT_OK);
    }
    expect(l,
           logs[0].count == logs[1].count &&
               bits_equal(logs[0].event, logs[1].event, logs[0].count * sizeof *logs[0].event),
           "listeners hear other events");
    expect(l, l->eager->current.direct, "the world with a mesh writes contacts in order");
    l->keyed += !l->lazy->current.direct;
}

/* Returns how many steps wrote keys. */
static unsigned long live(uint64_t stream, const abut_world_def *def) {
    life l = {.r = rng_make(test_seed(), stream), .stream = stream, .lazy = make_world(def), .eager = make_world(def)};
    abut_mesh *mesh = make_ground(1, 1, 0, stream);
    (void)add_cube(l.lazy, 500, 0, 0, 1);
    (void)add_ground(l.eager, mesh, 500, 0, 0);
    for (uint32_t i = 0; i < BODIES; i++) {
        add(&l, i);
    }
    for (l.frame = 0; l.frame < 200; l.frame++) {
        uint32_t changes = rng_chance(&l.r, 0.03) ? BODIES : rng_below(&l.r, 3);
        for (uint32_t i = 0; i < changes; i++) {
            change(&l);
            if (rng_chance(&l.r, 0.2)) {
                ask(&l);
            }
        }
        step_both(&l);
        ask(&l);
        ask(&l);
    }
    compare_contacts(&l);
    expect(&l, l.listed[0] > 0 && l.listed[1] > 0 && l.listed[2] > 0, "the lists were empty");
    abut_world_destroy(&l.lazy);
    abut_world_destroy(&l.eager);
    abut_mesh_destroy(&mesh);
    return l.keyed;
}

static void answers_do_not_depend_on_when_they_are_made(void **state) {
    (void)state;
    const unsigned long n = test_count(24);
    unsigned long keyed = 0;
    for (unsigned long k = 0; k < n; k++) {
        keyed += live(k, NULL);
    }
    assert_true(keyed > 25 * n);
}

static void nor_in_worlds_of_fixed_capacity(void **state) {
    (void)state;
    const abut_world_def def = {.body_capacity = 2 * BODIES, .pair_capacity = 8192, .fixed_capacity = true};
    const unsigned long n = test_count(12);
    unsigned long keyed = 0;
    for (unsigned long k = 0; k < n; k++) {
        keyed += live(1000 + k, &def);
    }
    assert_true(keyed > 10 * n);
}

/* A step without memory for the list leaves what can be asked as it was. */
static void a_step_that_fails_changes_no_answer(void **state) {
    (void)state;
    const abut_world_def def = {.body_capacity = 128, .pair_capacity = 150, .fixed_capacity = true};
    abut_world *world = make_world(&def);
    abut_body_id ids[100];
    for (int i = 0; i < 100; i++) {
        ids[i] = add_cube(world, (float)i, 0, 0, 0.51f);
    }
    for (int k = 0; k < 20 && (k == 0 || world->current.direct); k++) {
        move_to(world, ids[99], 99, 0, k % 2 ? 0.1f : 0);
        assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    }
    assert_false(world->current.direct);
    picture p = picture_take(world);
    for (int i = 0; i < 100; i++) {
        move_to(world, ids[i], 0, 0, 0);
    }
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_ERROR_CAPACITY);
    size_t n;
    const abut_contact *contacts = abut_world_contacts(world, &n);
    assert_int_equal(n, p.contact_count);
    assert_true(bits_equal(contacts, p.contacts_copy, n * sizeof *contacts));
    picture_free(&p);
    abut_world_destroy(&world);
}

/* Resting bodies' contacts are not copied: only keys are, 16 bytes each. */
static void few_movers_write_keys(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id ids[100];
    for (int i = 0; i < 100; i++) {
        ids[i] = add_cube(world, (float)i, 0, 0, 0.51f);
    }
    assert_int_equal(step_world(world), 99);
    assert_true(world->current.direct);
    unsigned long keyed = 0;
    for (int k = 0; k < 100; k++) {
        abut_step_report report;
        move_to(world, ids[50], 50, k % 2 ? 3.0f : 0, 0);
        assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
        assert_int_equal(report.contacts, k % 2 ? 97 : 99);
        keyed += !world->current.direct;
        assert_int_equal(world->current.ordered, world->current.direct);
        assert_true(k % 10 != 0 || abut_world_validate(world) == ABUT_OK);
    }
    assert_true(keyed > 50);
    abut_world_destroy(&world);
}

/* Without manifolds nothing is stored, and contacts are made in the memory of the list itself. */
static void contacts_made_in_place_stay_what_they_are(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id ids[100];
    for (uint32_t i = 0; i < 100; i++) {
        abut_body_def def = {.pose = pose_at((float)i, 0, 0),
                             .half = {0.51f, 0.51f, 0.51f},
                             .detail = ABUT_DETAIL_BOUNDS,
                             .user = 1000 + i};
        ids[i] = add_body(world, &def);
    }
    size_t n;
    for (int k = 0; k < 2; k++) { /* in the second step there is room that can be used again */
        move_to(world, ids[99], 99, 0.1f * (float)k, 0);
        assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
        assert_false(world->current.ordered);
        assert_non_null(abut_world_contacts(world, &n));
    }
    assert_ptr_equal(world->current.contact, world->current.block.memory);
    for (int i = 49; i < 52; i++) {
        assert_int_equal(abut_body_set_detail(world, ids[i], ABUT_DETAIL_MANIFOLD), ABUT_OK);
    }
    move_to(world, ids[0], -10, 0, 0);
    assert_int_equal(step_world(world), 98);
    const abut_contact *events = abut_world_events(world, &n);
    assert_int_equal(n, 99);
    assert_true(events[0].phase == ABUT_END && events[0].user_a == 1000 && events[0].user_b == 1001);
    for (uint32_t i = 1; i < 99; i++) {
        assert_true(events[i].phase == ABUT_PERSIST && events[i].user_a == 1000 + i && events[i].user_b == 1001 + i);
        assert_int_equal(events[i].manifold.count, i == 49 || i == 50 ? 4 : 0);
    }
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

/* Events are made where the next step would write its contacts. A step that fails leaves them to those who read them.
 */
static void events_outlive_a_step_without_memory(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_world *world = make_world(&(abut_world_def){.allocator = failing_allocator_of(&books)});
    abut_body_id ids[100];
    for (int i = 0; i < 100; i++) {
        ids[i] = add_cube(world, (float)i, 0, 0, 0.51f);
    }
    assert_int_equal(step_world(world), 99);
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < (k % 2 ? 100 : 2); i++) { /* a step of few new manifolds, or of new ones alone */
            move_to(world, ids[i], (float)(k + i) + 0.5f, i == 1 ? 9.0f : 0, 0);
        }
        abut_step_report report;
        assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
        assert_true(k > 0 || report.ended > 0);
        picture before = picture_take(world);
        for (int i = 0; i < 100; i++) {
            move_to(world, ids[i], 0, (float)k, 0);
        }
        failing_allocator_fail_from(&books, 1);
        assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_ERROR_MEMORY);
        failing_allocator_fail_never(&books);
        size_t n;
        assert_ptr_equal(abut_world_events(world, &n), before.events);
        assert_int_equal(n, before.event_count);
        assert_true(bits_equal(before.events, before.events_copy, n * sizeof *before.events));
        picture_free(&before);
        for (int i = 0; i < 100; i++) {
            move_to(world, ids[i], (float)i, 0, 0);
        }
        assert_int_equal(step_world(world), 99);
    }
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
}

static size_t bytes_of(float distance) {
    enum { CUBES = 3000, LAYERS = 3 };
    abut_world *world = make_world(NULL);
    abut_step_report report;
    abut_body_id *ids = calloc(CUBES, sizeof *ids);
    assert_non_null(ids);
    for (int i = 0; i < CUBES; i++) {
        ids[i] = add_cube(world, (float)i * distance, 0, 0, 1.6f);
    }
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < CUBES; i++) {
            move_to(world, ids[i], (float)i * distance, i % 20 == k ? 4.0f : 0, 0);
        }
        assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
    }
    assert_true(distance > 4 || (report.contacts > 2 * CUBES && report.ended > CUBES / 10));
    free(ids);
    abut_world_destroy(&world);
    return report.contacts > 0 ? report.bytes / report.contacts : report.bytes / (3 * CUBES);
}

/* Two lists of contacts, their keys, what is made of them on demand, candidates, and room to grow: not a third list of
 * contacts. */
static void a_contact_takes_few_bytes(void **state) {
    (void)state;
    assert_in_range(bytes_of(1) - bytes_of(5), 300, 450);
}

typedef struct reader {
    abut_world *world;
    abut_contact *last, *last_events;
    size_t count, events, asked;
} reader;

static bool reads_contacts(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    reader *r = user;
    size_t n;
    uint32_t indices[8];
    (void)a, (void)user_a, (void)user_b;
    if (r->asked++ % 16 == 0) {
        const abut_contact *contacts = abut_world_contacts(r->world, &n);
        assert_true(n == r->count && bits_equal(contacts, r->last, n * sizeof *contacts));
        const abut_contact *events = abut_world_events(r->world, &n);
        assert_true(n == r->events && bits_equal(events, r->last_events, n * sizeof *events));
        assert_in_range(abut_body_contacts(r->world, b, indices, 8), 0, 8);
    }
    return true;
}

static abut_contact *copy_of(const abut_contact *contacts, size_t n) {
    abut_contact *copy = malloc((n + 1) * sizeof *copy);
    assert_non_null(copy);
    if (n > 0) {
        memcpy(copy, contacts, n * sizeof *copy);
    }
    return copy;
}

/* should_collide may read all lists of the last step. Half of the time nobody has read them before: then what it reads
 * is compared with the lists of a world that does not ask it. */
static void should_collide_reads_the_lists_of_the_last_step(void **state) {
    (void)state;
    reader r = {.world = NULL};
    r.world = make_world(&(abut_world_def){.should_collide = reads_contacts, .user = &r});
    abut_world *twin = make_world(NULL);
    abut_body_id ids[100];
    for (int i = 0; i < 100; i++) {
        ids[i] = add_cube(r.world, (float)i, 0, 0, 0.51f);
        assert_true(abut_body_id_equal(ids[i], add_cube(twin, (float)i, 0, 0, 0.51f)));
    }
    for (int k = 0; k < 40; k++) {
        float y = k % 3 ? 3.0f : 0;
        move_to(r.world, ids[k], (float)k, y, 0);
        move_to(twin, ids[k], (float)k, y, 0);
        const abut_contact *contacts = abut_world_contacts(twin, &r.count);
        r.last = copy_of(contacts, r.count);
        contacts = abut_world_events(twin, &r.events);
        r.last_events = copy_of(contacts, r.events);
        assert_int_equal(abut_world_step(r.world, NULL, NULL), ABUT_OK);
        assert_int_equal(abut_world_step(twin, NULL, NULL), ABUT_OK);
        free(r.last);
        free(r.last_events);
    }
    assert_true(r.asked > 1000);
    abut_world_destroy(&r.world);
    abut_world_destroy(&twin);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_do_not_depend_on_when_they_are_made),
        cmocka_unit_test(nor_in_worlds_of_fixed_capacity),
        cmocka_unit_test(a_step_that_fails_changes_no_answer),
        cmocka_unit_test(few_movers_write_keys),
        cmocka_unit_test(contacts_made_in_place_stay_what_they_are),
        cmocka_unit_test(events_outlive_a_step_without_memory),
        cmocka_unit_test(a_contact_takes_few_bytes),
        cmocka_unit_test(should_collide_reads_the_lists_of_the_last_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
