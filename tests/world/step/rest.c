/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies that rest and wake: what a world caches of resting bodies must never show. At every step its contacts are
 * those of a fresh world, and its phases and events those of a model that knows the last list. */

#include "support/failing_allocator.h"
#include "world/world_test.h"
#include <stdlib.h>

enum { MOST = 160, HULLS = 4, EVENTS = 30000 };

typedef struct life {
    abut_world *world;
    abut_world_def def;
    failing_allocator books;
    rng r;
    abut_hull *hull[HULLS];
    float extent;
    uint32_t used;            /* slots ever */
    bool alive[MOST];         /* by slot */
    abut_body_id id[MOST];    /* by slot; the latest */
    abut_body_def made[MOST]; /* by slot: for what cannot be read back */
    abut_contact *last;       /* the contacts of the last step */
    size_t last_count;
    abut_contact reported[EVENTS];
    size_t reported_count;
    uint64_t asked; /* a digest of the calls of should_collide */
    size_t contacts, persisted, ended, failures, still, steps;
    uint64_t stream;
} life;

static bool judge(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    uint64_t *asked = user;
    *asked = (*asked ^ ((uint64_t)a.index1 << 32 | b.index1)) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    return (user_a ^ user_b) % 5 != 0;
}

/* --- what happens --- */

static abut_filter random_filter(rng *r) {
    abut_filter f = {0};
    if (rng_chance(r, 0.3)) {
        f.category = UINT64_C(1) << rng_below(r, 3);
        f.mask = rng_chance(r, 0.2) ? ABUT_MASK_NONE : rng_below(r, 8);
        f.group = (int32_t)rng_below(r, 5) - 2;
    }
    return f;
}

static abut_body_def random_def(life *l) {
    abut_body_def def = random_box(&l->r, l->extent);
    def.hull = rng_chance(&l->r, 0.1) ? l->hull[rng_below(&l->r, HULLS)] : NULL;
    def.motion = (abut_motion)rng_chance(&l->r, 0.3);
    def.detail = (abut_detail)(rng_chance(&l->r, 0.5) ? 0 : rng_below(&l->r, 3));
    def.filter = random_filter(&l->r);
    def.user = rng_u64(&l->r);
    return def;
}

static void make_body(life *l) {
    abut_body_def def = random_def(l);
    abut_body_id id;
    if (abut_body_create(l->world, &def, &id) != ABUT_OK) {
        return; /* a fixed world is full, or an allocation failed */
    }
    assert_true(id.index1 <= MOST);
    l->alive[id.index1 - 1] = true;
    l->id[id.index1 - 1] = id;
    l->made[id.index1 - 1] = def;
    l->used = id.index1 > l->used ? id.index1 : l->used;
}

/* A pose elsewhere, a little further, or the same. */
static void move_body(life *l, uint32_t slot) {
    abut_pose pose;
    assert_int_equal(abut_body_get_pose(l->world, l->id[slot], &pose), ABUT_OK);
    uint32_t how = rng_below(&l->r, 3);
    if (how == 0) {
        pose = random_pose(&l->r, l->extent);
    } else if (how == 1) {
        pose.position.x += (float)rng_range(&l->r, -0.05, 0.05);
    }
    assert_int_equal(abut_body_set_pose(l->world, l->id[slot], &pose), ABUT_OK);
}

static void change_something(life *l) {
    uint32_t slot = rng_below(&l->r, MOST);
    abut_body_id id = l->id[slot];
    if (!l->alive[slot]) {
        make_body(l);
        return;
    }
    switch (rng_below(&l->r, 10)) {
    case 0:
        assert_int_equal(abut_body_destroy(l->world, id), ABUT_OK);
        l->alive[slot] = false;
        break;
    case 1:
        assert_int_equal(abut_body_destroy(l->world, id), ABUT_OK);
        l->alive[slot] = false;
        make_body(l);
        break;
    case 2: {
        abut_filter f = random_filter(&l->r);
        assert_int_equal(abut_body_set_filter(l->world, id, &f), ABUT_OK);
        break;
    }
    case 3:
        assert_int_equal(abut_body_set_motion(l->world, id, (abut_motion)rng_below(&l->r, 2)), ABUT_OK);
        break;
    case 4:
        assert_int_equal(abut_body_set_detail(l->world, id, (abut_detail)rng_below(&l->r, 3)), ABUT_OK);
        break;
    case 5:
        assert_int_equal(abut_body_set_user(l->world, id, rng_u64(&l->r)), ABUT_OK);
        break;
    default:
        move_body(l, slot);
        break;
    }
}

/* --- a fresh world --- */

/* The same bodies in the same slots; generations differ. */
static abut_world *remake(const life *l, uint64_t *asked) {
    abut_world *world = make_world(&(abut_world_def){
        .contact_margin = l->def.contact_margin, .should_collide = l->def.should_collide, .user = asked});
    abut_body_id ids[MOST];
    for (uint32_t slot = 0; slot < l->used; slot++) {
        abut_body_def def = {.half = {1, 1, 1}};
        if (l->alive[slot]) {
            def = l->made[slot];
            assert_int_equal(abut_body_get_pose(l->world, l->id[slot], &def.pose), ABUT_OK);
            assert_int_equal(abut_body_get_filter(l->world, l->id[slot], &def.filter), ABUT_OK);
            assert_int_equal(abut_body_get_motion(l->world, l->id[slot], &def.motion), ABUT_OK);
            assert_int_equal(abut_body_get_detail(l->world, l->id[slot], &def.detail), ABUT_OK);
            assert_int_equal(abut_body_get_user(l->world, l->id[slot], &def.user), ABUT_OK);
        }
        ids[slot] = add_body(world, &def);
        assert_int_equal(ids[slot].index1, slot + 1);
    }
    for (uint32_t slot = 0; slot < l->used; slot++) {
        if (!l->alive[slot]) {
            assert_int_equal(abut_body_destroy(world, ids[slot]), ABUT_OK);
        }
    }
    return world;
}

static abut_contact *copy_without_generations(const abut_world *world, size_t *count) {
    abut_contact *copy = copy_without_history(world, count);
    for (size_t i = 0; i < *count; i++) {
        copy[i].a.generation = copy[i].b.generation = 0;
    }
    return copy;
}

static void check_contacts(life *l) {
    uint64_t asked = 0;
    size_t count, fresh_count;
    abut_world *fresh = remake(l, &asked);
    (void)step_world(fresh);
    abut_contact *mine = copy_without_generations(l->world, &count);
    abut_contact *theirs = copy_without_generations(fresh, &fresh_count);
    check_case(count == fresh_count && bits_equal(mine, theirs, count * sizeof *mine), "contacts", l->stream, l->steps);
    check_case(asked == l->asked, "other questions than a fresh world asks", l->stream, l->steps);
    l->contacts += count;
    free(mine);
    free(theirs);
    abut_world_destroy(&fresh);
}

/* --- phases and events --- */

static uint64_t slots_of(const abut_contact *c) {
    return (uint64_t)c->a.index1 << 32 | c->b.index1;
}

/* Checks the phases of the current contacts and writes the events that are expected; returns how many. */
static size_t model_events(life *l, abut_contact *out) {
    size_t count, old = 0, n = 0;
    const abut_contact *now = contacts_of(l->world, &count);
    for (size_t i = 0; i <= count; i++) {
        bool persists = false;
        while (!persists && old < l->last_count && (i == count || slots_of(&l->last[old]) <= slots_of(&now[i]))) {
            const abut_contact *was = &l->last[old++];
            persists = i < count && abut_body_id_equal(was->a, now[i].a) && abut_body_id_equal(was->b, now[i].b);
            if (!persists) {
                out[n] = *was;
                memset(&out[n].manifold, 0, sizeof out[n].manifold);
                out[n].phase = ABUT_END;
                out[n++].previous1 = (uint32_t)old;
                l->ended++;
            }
        }
        if (i < count) {
            check_case(now[i].phase == (persists ? ABUT_PERSIST : ABUT_BEGIN), "phase", l->stream, l->steps);
            check_case(now[i].previous1 == (persists ? old : 0), "previous1", l->stream, l->steps);
            out[n++] = now[i];
            l->persisted += persists;
        }
    }
    return n;
}

static void check_events(life *l, bool listened) {
    static abut_contact wanted[EVENTS];
    size_t count, n = model_events(l, wanted);
    if (listened) {
        check_case(l->reported_count == n && bits_equal(l->reported, wanted, n * sizeof *wanted), "reported", l->stream,
                   l->steps);
    }
    if (rng_chance(&l->r, 0.5)) { /* else the list is never made */
        const abut_contact *events = events_of(l->world, &count);
        check_case(count == n && bits_equal(events, wanted, n * sizeof *wanted), "events", l->stream, l->steps);
        assert_ptr_equal(events, events_of(l->world, &count));
    }
    const abut_contact *now = contacts_of(l->world, &count);
    free(l->last);
    l->last = malloc((count + 1) * sizeof *l->last);
    assert_non_null(l->last);
    if (count > 0) {
        memcpy(l->last, now, count * sizeof *now);
    }
    l->last_count = count;
}

static void hear(const abut_contact *contact, void *user) {
    life *l = user;
    abut_contact copy = *contact;
    assert_true(l->reported_count < EVENTS);
    l->reported[l->reported_count++] = *contact;
    if (rng_chance(&l->r, 0.05)) { /* the contact stays as it is when the list is asked for */
        size_t count;
        const abut_contact *events = events_of(l->world, &count);
        assert_true(l->reported_count <= count && bits_equal(&events[l->reported_count - 1], &copy, sizeof copy));
        (void)abut_body_contacts(l->world, contact->a, NULL, 0);
    }
    assert_true(bits_equal(&copy, contact, sizeof copy));
}

/* --- a step --- */

static bool try_step(life *l, bool listened) {
    const abut_listener listener = {hear, hear, hear, l};
    picture before = picture_take(l->world);
    abut_step_report report;
    l->reported_count = 0;
    l->asked = 0;
    abut_result result = abut_world_step(l->world, listened ? &listener : NULL, &report);
    if (result != ABUT_OK) {
        check_case(result == (l->def.fixed_capacity ? ABUT_ERROR_CAPACITY : ABUT_ERROR_MEMORY) &&
                       l->reported_count == 0 && picture_matches(&before, l->world),
                   "a failed step left a trace", l->stream, l->steps);
        l->failures++;
    } else {
        size_t in_use, reserved;
        abut_world_memory(l->world, &in_use, &reserved);
        check_case(report.bytes == reserved && reserved == l->books.live_bytes && in_use <= reserved, "bytes",
                   l->stream, l->steps);
        check_case(report.contacts + report.ended == report.begun + l->last_count, "report", l->stream, l->steps);
        l->still += report.moved == 0;
    }
    picture_free(&before);
    return result == ABUT_OK;
}

static void live_through_a_step(life *l, bool unlucky) {
    bool listened = rng_chance(&l->r, 0.7);
    l->steps++;
    if (unlucky) {
        failing_allocator_fail_from(&l->books, 1 + rng_below(&l->r, 2));
    }
    bool done = try_step(l, listened);
    failing_allocator_fail_never(&l->books);
    while (!done) {
        if (l->def.fixed_capacity) { /* too many pairs: make room */
            for (int k = 0; k < 20; k++) {
                uint32_t slot = rng_below(&l->r, MOST);
                if (l->alive[slot]) {
                    assert_int_equal(abut_body_destroy(l->world, l->id[slot]), ABUT_OK);
                    l->alive[slot] = false;
                }
            }
        }
        done = try_step(l, listened);
    }
    check_contacts(l);
    check_events(l, listened);
    if (l->steps % 16 == 0) {
        check_case(abut_world_validate(l->world) == ABUT_OK, "validate", l->stream, l->steps);
    }
}

/* Long quiet times, in which little or nothing happens, and short lively ones. Where allocations fail space gets
 * narrower, so that lists keep growing. */
static void run(life *l, bool unlucky, unsigned long steps) {
    const float extent = l->extent;
    while (l->steps < steps) {
        bool lively = rng_chance(&l->r, 0.2);
        l->extent = unlucky ? extent * (8 - 7 * (float)l->steps / (float)steps) : extent;
        for (uint32_t left = 1 + rng_below(&l->r, lively ? 3 : 20); left > 0; left--) {
            uint32_t changes = lively ? rng_below(&l->r, 2 * MOST) : rng_chance(&l->r, 0.5) ? rng_below(&l->r, 6) : 0;
            for (; changes > 0; changes--) {
                change_something(l);
            }
            live_through_a_step(l, unlucky && rng_chance(&l->r, 0.5));
        }
    }
}

static void live(abut_world_def def, float extent, bool unlucky, uint64_t stream, life *sum) {
    life *l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->r = rng_make(test_seed(), stream);
    l->stream = stream;
    l->extent = extent;
    for (int i = 0; i < HULLS; i++) {
        abut_vec3 points[12];
        for (int k = 0; k < 12; k++) {
            points[k] = rng_vec3(&l->r, -0.8, 0.8);
        }
        assert_int_equal(abut_hull_create(points, 12, NULL, &l->hull[i]), ABUT_OK);
    }
    def.allocator = failing_allocator_of(&l->books);
    def.user = &l->asked;
    l->def = def;
    l->world = make_world(&def);
    size_t calls = l->books.calls;
    for (int i = 0; i < MOST; i++) {
        make_body(l);
    }
    run(l, unlucky, test_count(400));
    assert_true(!def.fixed_capacity || l->books.calls == calls);
    sum->contacts += l->contacts;
    sum->persisted += l->persisted;
    sum->ended += l->ended;
    sum->failures += l->failures;
    sum->still += l->still;
    abut_world_destroy(&l->world);
    assert_true(failing_allocator_clean(&l->books));
    for (int i = 0; i < HULLS; i++) {
        abut_hull_destroy(&l->hull[i]);
    }
    free(l->last);
    free(l);
}

static void assert_eventful(const life *l, unsigned long failures) {
    assert_true(l->contacts > 1000 && l->persisted > 1000 && l->ended > 100 && l->still > 10);
    assert_true(l->failures >= failures);
}

static void rest_leaves_no_trace(void **state) {
    (void)state;
    static life sum;
    for (uint64_t stream = 0; stream < 4; stream++) {
        live((abut_world_def){.contact_margin = stream % 2 ? 0.1f : 0}, 4, false, stream, &sum);
    }
    assert_eventful(&sum, 0);
}

static void rest_leaves_no_trace_when_the_caller_has_the_last_word(void **state) {
    (void)state;
    static life sum;
    for (uint64_t stream = 100; stream < 104; stream++) {
        live((abut_world_def){.should_collide = judge}, 4, stream == 103, stream, &sum);
    }
    assert_eventful(&sum, 0);
}

static void failed_steps_leave_no_trace_in_what_rests(void **state) {
    (void)state;
    static life sum;
    for (uint64_t stream = 200; stream < 208; stream++) {
        live((abut_world_def){.body_capacity = stream % 2 ? 0 : 10}, 4, true, stream, &sum);
    }
    assert_eventful(&sum, 1);
}

static void worlds_of_fixed_capacity_rest_without_memory(void **state) {
    (void)state;
    static life sum;
    for (uint64_t stream = 300; stream < 304; stream++) {
        abut_world_def def = {.fixed_capacity = true, .body_capacity = MOST};
        def.pair_capacity = stream % 2 ? MOST * (MOST - 1) / 2 : 500;
        live(def, stream % 2 ? 4 : 3, false, stream, &sum);
    }
    assert_eventful(&sum, 2);
}

/* --- what a report says --- */

static size_t moved_of(abut_world *world) {
    abut_step_report report;
    assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
    return report.moved;
}

static void reports_count_what_was_set(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    const abut_body_id first = add_cube(world, 0, 0, 0, 1), second = add_cube(world, 9, 0, 0, 1);
    const abut_shape ball = abut_sphere(1);
    assert_int_equal(moved_of(world), 2);
    assert_int_equal(moved_of(world), 0);
    move_to(world, first, 1, 0, 0);
    assert_int_equal(moved_of(world), 1);
    move_to(world, first, 1, 0, 0); /* where it is */
    assert_int_equal(moved_of(world), 1);
    assert_int_equal(abut_body_set_shape(world, second, &ball, NULL), ABUT_OK);
    assert_int_equal(moved_of(world), 1);
    assert_int_equal(abut_body_set_shape(world, second, &ball, NULL), ABUT_OK); /* what it has */
    move_to(world, first, 2, 0, 0);
    assert_int_equal(moved_of(world), 2);
    assert_int_equal(abut_world_shift(world, (abut_vec3){1, 0, 0}), ABUT_OK);
    assert_int_equal(moved_of(world), 2);
    assert_int_equal(moved_of(world), 0);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_count_what_was_set),
        cmocka_unit_test(rest_leaves_no_trace),
        cmocka_unit_test(rest_leaves_no_trace_when_the_caller_has_the_last_word),
        cmocka_unit_test(failed_steps_leave_no_trace_in_what_rests),
        cmocka_unit_test(worlds_of_fixed_capacity_rest_without_memory),
    };
    return test_run(tests);
}
