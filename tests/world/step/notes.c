/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Contacts say what bodies were in the last step, however late they are made. Two worlds live the same life. Of one,
 * all lists are read and copied right after each step, before anything changes. The other is asked now and then: after
 * bodies were destroyed, created and given other user data, one, a few or more than there is room to note. */

#include "support/failing_allocator.h"
#include "world/world.h"
#include "world/world_test.h"
#include <abut/snapshot.h>
#include <stdlib.h>

enum { BODIES = 420, SPACE = 7, FRAMES = 90, MOST_EVENTS = 16384 };

/* What a world told right after a step, or what its listener heard. */
typedef struct told {
    size_t contacts, events, pairs, heard;
    abut_contact contact[MOST_EVENTS], event[MOST_EVENTS], hears[MOST_EVENTS];
    abut_pair pair[MOST_EVENTS];
    abut_world *world;
} told;

typedef struct life {
    rng r;
    uint64_t stream;
    unsigned long frame;
    failing_allocator books;
    abut_world *lazy, *eager;
    abut_body_id ids[BODIES];
    bool bounds_only;
    unsigned long recalled, overflown, renewed; /* answers with notes; lists made for want of room; of old user data */
    size_t pairs;                               /* that were compared */
} life;

static told eager_told, lazy_told;

static void expect(const life *l, bool ok, const char *what) {
    check_case(ok, what, l->stream, l->frame);
}

/* --- what the eager world told --- */

static size_t copy_contacts(abut_contact *to, const abut_contact *from, size_t n) {
    assert_true(n <= MOST_EVENTS);
    if (n > 0) {
        memcpy(to, from, n * sizeof *to);
    }
    return n;
}

static void listen(life *l) {
    size_t n;
    const abut_contact *contacts = abut_world_contacts(l->eager, &n);
    eager_told.contacts = copy_contacts(eager_told.contact, contacts, n);
    contacts = abut_world_events(l->eager, &n);
    eager_told.events = copy_contacts(eager_told.event, contacts, n);
    const abut_pair *pairs = abut_world_pairs(l->eager, &eager_told.pairs);
    assert_true(eager_told.pairs <= MOST_EVENTS);
    if (eager_told.pairs > 0) {
        memcpy(eager_told.pair, pairs, eager_told.pairs * sizeof *pairs);
    }
}

/* --- questions --- */

static void same_list(const life *l, const abut_contact *p, size_t n, const abut_contact *q, size_t m,
                      const char *what) {
    expect(l, n == m && (n == 0 || bits_equal(p, q, n * sizeof *p)), what);
}

static void ask_of_a_body(life *l) {
    uint32_t indices[BODIES], k = 0;
    const abut_body_id id = l->ids[rng_below(&l->r, BODIES)];
    size_t n = abut_body_contacts(l->lazy, id, indices, BODIES);
    bool same = true;
    for (int as_b = 1; as_b >= 0; as_b--) {
        for (uint32_t i = 0; i < eager_told.contacts; i++) {
            const abut_contact *c = &eager_told.contact[i];
            if (abut_body_id_equal(as_b ? c->b : c->a, id) && abut_body_is_valid(l->eager, id)) {
                same = same && k < n && indices[k] == i;
                k++;
            }
        }
    }
    expect(l, same && k == n, "other contacts of a body");
}

static void ask_for_bytes(life *l) {
    size_t n = abut_world_save(l->lazy, NULL, 0), m = abut_world_save(l->eager, NULL, 0);
    unsigned char *p = malloc(n + m);
    assert_non_null(p);
    assert_int_equal(n, m);
    assert_int_equal(abut_world_save(l->lazy, p, n), n);
    assert_int_equal(abut_world_save(l->eager, p + n, n), n);
    expect(l, bits_equal(p, p + n, n), "other snapshots");
    if (rng_chance(&l->r, 0.5)) {
        assert_int_equal(abut_world_restore(l->lazy, p, n, NULL), ABUT_OK);
    }
    free(p);
}

static void ask(life *l, uint32_t kind) {
    size_t n;
    bool late = !l->lazy->current.ordered;
    unsigned long renewed = late && l->lazy->current.old_users, recalled = late && l->lazy->note_count > 0;
    if (kind == 0) {
        const abut_contact *contacts = abut_world_contacts(l->lazy, &n);
        same_list(l, contacts, n, eager_told.contact, eager_told.contacts, "other contacts");
    } else if (kind == 1) {
        const abut_contact *events = abut_world_events(l->lazy, &n);
        same_list(l, events, n, eager_told.event, eager_told.events, "other events");
    } else if (kind == 2) {
        const abut_pair *pairs = abut_world_pairs(l->lazy, &n);
        expect(l, n == eager_told.pairs && (n == 0 || bits_equal(pairs, eager_told.pair, n * sizeof *pairs)),
               "other pairs");
        l->pairs += n;
    } else if (kind == 3) {
        ask_of_a_body(l);
    } else if (kind == 4) {
        ask_for_bytes(l);
    } else if (kind == 5) {
        expect(l, abut_world_hash(l->lazy) == abut_world_hash(l->eager), "another hash");
    } else if (kind == 6) {
        assert_int_equal(abut_world_validate(l->lazy), ABUT_OK);
    }
    if (late && l->lazy->current.ordered) {
        l->recalled += recalled;
        l->renewed += renewed;
    }
}

/* --- changes --- */

static void add(life *l, uint32_t i) {
    static const abut_detail details[] = {ABUT_DETAIL_BOUNDS, ABUT_DETAIL_OVERLAP, ABUT_DETAIL_MANIFOLD};
    abut_body_def def = random_box(&l->r, SPACE);
    def.detail = l->bounds_only ? ABUT_DETAIL_BOUNDS : l->stream % 4 ? ABUT_DETAIL_MANIFOLD : details[i % 3];
    def.user = rng_u64(&l->r);
    const abut_body_id parent = l->ids[rng_below(&l->r, BODIES)];
    if (!l->bounds_only && rng_chance(&l->r, 0.05) && abut_body_is_valid(l->lazy, parent)) {
        def.parent = parent;
        def.pose = pose_at(0.3f, 0.1f, 0);
    }
    const abut_body_id twin = add_body(l->eager, &def);
    l->ids[i] = add_body(l->lazy, &def);
    assert_true(abut_body_id_equal(l->ids[i], twin));
}

/* The same call for both, which may name a body that was destroyed with its parent. */
static void destroy(life *l, uint32_t i) {
    assert_int_equal(abut_body_destroy(l->lazy, l->ids[i]), abut_body_destroy(l->eager, l->ids[i]));
}

static void set_user(life *l, uint32_t i) {
    const uint64_t user = rng_u64(&l->r);
    assert_int_equal(abut_body_set_user(l->lazy, l->ids[i], user), abut_body_set_user(l->eager, l->ids[i], user));
}

static void change(life *l) {
    const uint32_t i = rng_below(&l->r, BODIES), kind = rng_below(&l->r, 6);
    const bool was_late = !l->lazy->current.ordered;
    if (kind <= 2) {
        set_user(l, i);
    }
    if (kind >= 2) {
        destroy(l, i);
    }
    if (kind >= 4 && !abut_body_is_valid(l->lazy, l->ids[i])) {
        add(l, i);
    }
    if (kind == 5) {
        set_user(l, i);
    }
    l->overflown += was_late && l->lazy->current.ordered;
}

/* Moves few bodies, so that steps write keys. */
static void move(life *l) {
    for (uint32_t k = rng_below(&l->r, 4); k > 0; k--) {
        const abut_body_id id = l->ids[rng_below(&l->r, BODIES)];
        const abut_pose pose = random_pose(&l->r, SPACE);
        assert_int_equal(abut_body_set_pose(l->lazy, id, &pose), abut_body_set_pose(l->eager, id, &pose));
    }
}

/* --- steps --- */

/* A listener that changes bodies while it hears of others; the same in both worlds. */
static void hear(const abut_contact *contact, void *user) {
    told *t = user;
    assert_true(t->heard < MOST_EVENTS);
    t->hears[t->heard++] = *contact;
    const uint64_t chance = (contact->user_a ^ contact->user_b) % 8;
    if (chance == 0) {
        (void)abut_body_set_user(t->world, contact->b, contact->user_b + 1);
    } else if (chance == 1) {
        (void)abut_body_destroy(t->world, contact->a);
    }
}

static void note_only(const abut_contact *contact, void *user) {
    told *t = user;
    assert_true(t->heard < MOST_EVENTS);
    t->hears[t->heard++] = *contact;
}

/* `lazy` first hears what was; then lists of `eager` are read, whose listener changes nothing before. */
static void step_both(life *l) {
    const uint32_t kind = rng_below(&l->r, 4);
    void (*const what)(const abut_contact *, void *) = kind == 3 ? hear : note_only;
    told *const tells[] = {&lazy_told, &eager_told};
    abut_world *const worlds[] = {l->lazy, l->eager};
    for (int k = 0; k < 2; k++) {
        const abut_listener listener = {what, kind == 2 ? what : NULL, what, tells[k]};
        tells[k]->heard = 0;
        tells[k]->world = worlds[k];
        assert_int_equal(abut_world_step(worlds[k], kind > 0 ? &listener : NULL, NULL), ABUT_OK);
    }
    same_list(l, lazy_told.hears, lazy_told.heard, eager_told.hears, eager_told.heard, "listeners hear other events");
    listen(l);
}

/* A step without memory, or bytes that are no snapshot: nothing that can be asked changes. */
static void fail_both(life *l) {
    if (!l->lazy->fixed) {
        failing_allocator_fail_from(&l->books, 1);
        for (uint32_t i = 0; i < BODIES; i++) {
            const abut_pose at = pose_at(0, 0, 0);
            (void)abut_body_set_pose(l->lazy, l->ids[i], &at);
            (void)abut_body_set_pose(l->eager, l->ids[i], &at);
        }
        assert_int_equal(abut_world_step(l->lazy, NULL, NULL), ABUT_ERROR_MEMORY);
        failing_allocator_fail_never(&l->books);
    }
    assert_int_not_equal(abut_world_restore(l->lazy, "nothing", 7, NULL), ABUT_OK);
}

static void spread(life *l) {
    for (uint32_t i = 0; i < BODIES; i++) {
        const abut_pose at = random_pose(&l->r, SPACE);
        assert_int_equal(abut_body_set_pose(l->lazy, l->ids[i], &at), abut_body_set_pose(l->eager, l->ids[i], &at));
    }
}

static void live_a_frame(life *l) {
    uint32_t changes = rng_chance(&l->r, 0.1) ? 300 : rng_chance(&l->r, 0.2) ? 20 : rng_below(&l->r, 3);
    bool fails = rng_chance(&l->r, 0.03);
    for (uint32_t i = 0; i < changes; i++) {
        change(l);
        if (rng_chance(&l->r, 0.5 / (1 + changes))) {
            ask(l, rng_below(&l->r, 7));
        }
    }
    move(l);
    if (fails) {
        fail_both(l);
        change(l);
        ask(l, rng_below(&l->r, 5));
        spread(l);
    }
    if (rng_chance(&l->r, 0.2)) {
        ask(l, rng_below(&l->r, 5));
    }
    step_both(l);
    for (uint32_t i = 0; i < BODIES && rng_chance(&l->r, 0.98); i++) {
        if (!abut_body_is_valid(l->lazy, l->ids[i])) {
            add(l, i);
        }
    }
}

static void live(life *l, uint64_t stream, bool fixed) {
    abut_world_def def = {.body_capacity = 2 * BODIES, .pair_capacity = fixed ? 32768 : 0, .fixed_capacity = fixed};
    l->r = rng_make(test_seed(), stream);
    l->stream = stream;
    l->bounds_only = stream % 3 == 0;
    l->books = (failing_allocator){.calls = 0};
    l->eager = make_world(&def);
    def.allocator = failing_allocator_of(&l->books);
    l->lazy = make_world(&def);
    memset(l->ids, 0, sizeof l->ids);
    for (uint32_t i = 0; i < BODIES; i++) {
        add(l, i);
    }
    step_both(l);
    const size_t calls = l->books.calls;
    for (l->frame = 0; l->frame < FRAMES; l->frame++) {
        live_a_frame(l);
    }
    assert_true(!fixed || l->books.calls == calls);
    abut_world_destroy(&l->lazy);
    abut_world_destroy(&l->eager);
    assert_true(failing_allocator_clean(&l->books));
}

static void contacts_made_late_say_what_bodies_were(void **state) {
    (void)state;
    const unsigned long n = test_count(24);
    life l = {.recalled = 0};
    for (unsigned long k = 0; k < n; k++) {
        live(&l, k, k % 2 != 0);
    }
    print_message("%lu recalled, %lu renewed, %lu overflown\n", l.recalled, l.renewed, l.overflown);
    assert_true(l.recalled > 3 * n && l.renewed > n && l.overflown > n && l.pairs > n);
}

/* --- nobody makes the list --- */

static abut_world *row_of_cubes(abut_body_id ids[], int n) {
    abut_world *world =
        make_world(&(abut_world_def){.body_capacity = 512, .pair_capacity = 1024, .fixed_capacity = true});
    for (int i = 0; i < n; i++) {
        ids[i] = add_cube(world, (float)i, 0, 0, 0.51f);
    }
    for (int k = 0; k < 40 && (k == 0 || world->current.direct); k++) {
        move_to(world, ids[n - 1], (float)(n - 1), 0, k % 2 ? 0.1f : 0);
        assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    }
    assert_false(world->current.direct || world->current.ordered);
    return world;
}

/* Neither call makes the list of contacts, and most steps write keys: all but those that find no room for manifolds. */
static void a_change_of_one_body_makes_no_list(void **state) {
    (void)state;
    abut_body_id ids[400];
    abut_world *world = row_of_cubes(ids, 400);
    unsigned long keyed = 0;
    for (int k = 0; k < 40; k++) {
        const bool was_keyed = !world->current.direct;
        abut_step_report report;
        assert_int_equal(abut_body_set_user(world, ids[7 * k], (uint64_t)k), ABUT_OK);
        assert_int_equal(abut_body_destroy(world, ids[399]), ABUT_OK);
        ids[399] = add_cube(world, 399, 0, 0, 0.51f);
        assert_true(world->current.ordered != was_keyed);
        assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
        assert_true(report.contacts == 399 && report.begun == 1 && report.ended == 1);
        keyed += !world->current.direct;
    }
    assert_true(keyed > 30);
    size_t n;
    const abut_contact *contacts = abut_world_contacts(world, &n);
    assert_false(world->current.old_users);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(contacts[i].user_a, i % 7 == 0 && i < 280 ? i / 7 : 0);
    }
    abut_world_destroy(&world);
}

/* As many bodies as can be noted, and one more. */
static void too_many_changes_make_the_list_once(void **state) {
    (void)state;
    abut_body_id ids[400];
    for (int destroyed = 0; destroyed < 2; destroyed++) {
        abut_world *world = row_of_cubes(ids, 400);
        assert_int_equal(abut_body_set_user(world, add_cube(world, 0, 70, 0, 1), 9), ABUT_OK); /* no contact knows it */
        for (uint32_t i = 0; i <= 400 / ABUT_W_BODIES_EACH_NOTE; i++) {
            assert_false(world->current.ordered);
            assert_int_equal(world->note_count, i);
            assert_int_equal(
                destroyed ? abut_body_destroy(world, ids[3 * i]) : abut_body_set_user(world, ids[3 * i], 9), ABUT_OK);
            if (i < 2) { /* is noted already, or was created since */
                ids[3 * i] = destroyed ? add_cube(world, 0, 50, 0, 1) : ids[3 * i];
                assert_int_equal(abut_body_set_user(world, ids[3 * i], 9), ABUT_OK);
                assert_int_equal(abut_body_set_user(world, ids[3 * i], 10), ABUT_OK);
            }
        }
        assert_true(world->current.ordered && world->note_count == 0);
        size_t n;
        const abut_contact *contacts = abut_world_contacts(world, &n);
        assert_int_equal(n, 399);
        for (uint32_t i = 0; i < n; i++) {
            assert_true(abut_body_id_equal(contacts[i].a, id_of(i + 1, 1)) && contacts[i].user_a == 0);
            assert_true(abut_body_id_equal(contacts[i].b, id_of(i + 2, 1)) && contacts[i].user_b == 0);
        }
        uint64_t user = 0; /* and bodies are what they are now */
        assert_int_equal(abut_body_get_user(world, ids[3], &user), ABUT_OK);
        assert_int_equal(user, 10);
        assert_int_equal(abut_body_is_valid(world, ids[30]), !destroyed);
        assert_int_equal(abut_world_validate(world), ABUT_OK);
        abut_world_destroy(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_made_late_say_what_bodies_were),
        cmocka_unit_test(a_change_of_one_body_makes_no_list),
        cmocka_unit_test(too_many_changes_make_the_list_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
