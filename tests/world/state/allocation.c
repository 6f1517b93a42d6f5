/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Every allocation may fail, once or from then on: the call returns an error and changes nothing, and a second call
 * succeeds as usual. */

#include "support/failing_allocator.h"
#include "world/world_test.h"
#include <stdlib.h>

static void fail_at(failing_allocator *books, size_t n, bool for_good) {
    if (for_good) {
        failing_allocator_fail_from(books, n);
    } else {
        failing_allocator_fail_once(books, n);
    }
}

static void world_create_survives_every_failure(void **state) {
    (void)state;
    size_t failures = 0;
    for (int mode = 0; mode < 4; mode++) {
        for (size_t n = 1;; n++) {
            failing_allocator books = {0};
            abut_world_def def = {.allocator = failing_allocator_of(&books), .body_capacity = 50, .pair_capacity = 200};
            def.fixed_capacity = mode >= 2;
            fail_at(&books, n, mode % 2 == 1);
            abut_world *world = (abut_world *)(void *)&def; /* must be overwritten */
            abut_result result = abut_world_create(&def, &world);
            if (result == ABUT_OK) {
                assert_int_equal(books.failed, 0);
                abut_world_destroy(&world);
                assert_true(failing_allocator_clean(&books));
                assert_true(n > 2);
                break;
            }
            assert_int_equal(result, ABUT_ERROR_MEMORY);
            assert_null(world);
            assert_true(failing_allocator_clean(&books));
            failures++;
        }
    }
    assert_true(failures >= 8);
}

/* --- one call on a prepared world --- */

typedef struct scenario {
    const char *name;
    void (*prepare)(abut_world *world);
    abut_result (*act)(abut_world *world);
    bool allocates;
    uint32_t pairs; /* to make room for at the start */
} scenario;

enum { SOME = 30, MANY = 2000 };

static void nothing(abut_world *world) {
    (void)world;
}

static void make_some(abut_world *world) {
    for (int i = 0; i < SOME; i++) {
        (void)add_cube(world, (float)i, 0, 0, 0.6f);
    }
}

static void make_some_and_step(abut_world *world) {
    make_some(world);
    assert_int_equal(step_world(world), SOME - 1);
}

/* The contact list must grow, and all old contacts end. */
static void scatter_and_crowd(abut_world *world) {
    make_some_and_step(world);
    abut_body_id ids[SOME];
    assert_int_equal(abut_world_bodies(world, ids, SOME), SOME);
    for (int i = 0; i < SOME; i++) {
        move_to(world, ids[i], 1000, (float)i * 5, 0);
    }
    for (int i = 0; i < 200; i++) {
        (void)add_cube(world, 0, 0, 0, 1);
    }
}

static void step_then_end_all(abut_world *world) {
    make_some_and_step(world);
    abut_body_id ids[SOME];
    assert_int_equal(abut_world_bodies(world, ids, SOME), SOME);
    for (int i = 0; i < SOME; i += 2) {
        assert_int_equal(abut_body_destroy(world, ids[i]), ABUT_OK);
    }
}

static const abut_filter special_filter = {6, 5, 0};

static void make_some_and_filter_two(abut_world *world) {
    make_some_and_step(world);
    abut_body_id ids[2];
    assert_int_equal(abut_world_bodies(world, ids, 2), SOME);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(abut_body_set_filter(world, ids[i], &special_filter), ABUT_OK);
    }
    assert_int_equal(abut_body_set_filter(world, ids[0], &(abut_filter){0}), ABUT_OK);
}

static abut_result set_filter(abut_world *world) {
    abut_body_id id = {0};
    (void)abut_world_bodies(world, &id, 1);
    return abut_body_set_filter(world, id, &special_filter);
}

/* Attached, with a moved box and a filter: an entry in each table. */
static abut_result create_odd_ones(abut_world *world) {
    abut_body_def defs[2 * SOME] = {{.half = {0, 0, 0}}};
    abut_body_id ids[2 * SOME], all[SOME];
    assert_int_equal(abut_world_bodies(world, all, SOME), SOME);
    for (int i = 0; i < 2 * SOME; i++) {
        defs[i] = (abut_body_def){.half = {1, 1, 1}, .pose = pose_at(0, 2, 0), .filter = special_filter};
        defs[i].box = i % 2 ? pose_at(0, 1, 0) : defs[i].box;
        defs[i].parent = i % 3 ? all[i / 3] : id_of(0, 0);
    }
    return abut_bodies_create(world, defs, (size_t)2 * SOME, ids);
}

static abut_hull *make_wedge(void) {
    static const abut_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}};
    abut_hull *hull;
    assert_int_equal(abut_hull_create(points, 5, NULL, &hull), ABUT_OK);
    return hull;
}

/* Shapes outlive worlds. */
static abut_hull *wedge;
static abut_mesh *ground;

static int make_shapes(void **state) {
    static const float heights[4] = {0, 1, 0.5f, 0};
    const abut_mesh_grid_def grid = {.heights = heights, .columns = 2, .rows = 2, .spacing = {1, 1, 1}};
    (void)state;
    wedge = make_wedge();
    return abut_mesh_create_grid(&grid, &ground);
}

static int free_shapes(void **state) {
    (void)state;
    abut_hull_destroy(&wedge);
    abut_mesh_destroy(&ground);
    return 0;
}

static abut_result set_shape(abut_world *world, const abut_shape *shape, float shift) {
    const abut_pose box = pose_at(shift, 0, 0);
    abut_body_id id = {0};
    (void)abut_world_bodies(world, &id, 1);
    return abut_body_set_shape(world, id, shape, &box);
}

static abut_result shift_box(abut_world *world) {
    const abut_shape box = abut_box(1, 1, 1);
    return set_shape(world, &box, 1);
}

static abut_result become_hull(abut_world *world) {
    return set_shape(world, &(abut_shape){.hull = wedge}, 1);
}

static abut_result become_mesh(abut_world *world) {
    return set_shape(world, &(abut_shape){.mesh = ground}, 0);
}

static abut_result create_hull(abut_world *world) {
    abut_body_id id;
    return abut_body_create(world, &(abut_body_def){.hull = wedge}, &id);
}

static abut_result create_many(abut_world *world) {
    abut_body_def *defs = calloc(MANY, sizeof *defs);
    abut_body_id *ids = calloc(MANY, sizeof *ids);
    assert_true(defs != NULL && ids != NULL);
    abut_body_id parent = {0};
    (void)abut_world_bodies(world, &parent, 1);
    for (int i = 0; i < MANY; i++) {
        defs[i] = (abut_body_def){.half = {1, 1, 1}, .pose = pose_at((float)i * 0.5f, 0, 0)};
        defs[i].parent = i % 10 == 0 ? parent : id_of(0, 0);
    }
    abut_result result = abut_bodies_create(world, defs, MANY, ids);
    for (int i = 0; i < MANY; i++) {
        assert_true((result == ABUT_OK) == (ids[i].index1 != 0));
    }
    free(defs);
    free(ids);
    return result;
}

static abut_result set_poses(abut_world *world) {
    abut_body_id ids[SOME];
    abut_pose poses[SOME];
    assert_int_equal(abut_world_bodies(world, ids, SOME), SOME);
    for (int i = 0; i < SOME; i++) {
        poses[i] = pose_at((float)(i % 3), (float)(i / 3), 0);
    }
    return abut_bodies_set_poses(world, ids, poses, SOME);
}

enum { NOMADS = 25, ROW = 200 };

/* A long row of bodies that touch and come to rest while one nomad moves; then all nomads crowd together. Their
 * contacts come first, and those of resting bodies are carried over last, into a list that is too short. */
static void rest_and_crowd(abut_world *world) {
    for (int i = 0; i < NOMADS; i++) {
        (void)add_cube(world, (float)i * 10, 50, 0, 0.6f);
    }
    for (int i = 0; i < ROW; i++) {
        (void)add_cube(world, (float)i, 0, 0, 0.6f);
    }
    abut_body_id nomads[NOMADS];
    (void)abut_world_bodies(world, nomads, NOMADS);
    for (int i = 0; i < 8; i++) {
        move_to(world, nomads[0], 0, 60 + (float)i, 0);
        assert_int_equal(step_world(world), ROW - 1);
    }
    for (int i = 0; i < NOMADS; i++) {
        move_to(world, nomads[i], 0, 50, 0);
    }
}

static abut_result step(abut_world *world) {
    return abut_world_step(world, NULL, NULL);
}

static const scenario scenarios[] = {
    {"many bodies", nothing, create_many, true, 0},
    {"many more bodies", make_some_and_step, create_many, true, 0},
    {"odd bodies", make_some_and_step, create_odd_ones, true, 0},
    {"more odd bodies", make_some_and_filter_two, create_odd_ones, true, 0},
    {"the first filter", make_some_and_step, set_filter, true, 0},
    {"a filter that replaces another", make_some_and_filter_two, set_filter, false, 0},
    {"poses", make_some_and_step, set_poses, false, 0},
    {"the first step", make_some, step, true, 0},
    {"a step that crowds and ends", scatter_and_crowd, step, true, 0},
    {"a step that ends", step_then_end_all, step, true, 0},
    {"a step that carries over many", rest_and_crowd, step, true, 0},
    {"a box that is shifted", make_some_and_step, shift_box, true, 0},
    {"the first hull", make_some_and_step, become_hull, true, 1000},
    {"the first body that is a hull", make_some_and_step, create_hull, true, 1000},
    {"the first mesh", make_some_and_step, become_mesh, true, 1000},
};

static abut_world *prepared(const scenario *s, failing_allocator *books) {
    abut_world *world =
        make_world(&(abut_world_def){.allocator = failing_allocator_of(books), .pair_capacity = s->pairs});
    s->prepare(world);
    return world;
}

static void assert_same_world(const abut_world *a, const abut_world *b) {
    size_t count_a, count_b;
    const abut_contact *list_a = contacts_of(a, &count_a), *list_b = contacts_of(b, &count_b);
    assert_true(count_a == count_b && bits_equal(list_a, list_b, count_a * sizeof *list_a));
    list_a = events_of(a, &count_a);
    list_b = events_of(b, &count_b);
    assert_true(count_a == count_b && bits_equal(list_a, list_b, count_a * sizeof *list_a));
    assert_true(abut_world_hash(a) == abut_world_hash(b));
    assert_int_equal(abut_world_validate(a), ABUT_OK);
}

/* Makes the call with its n-th allocation failing; false if it makes fewer. */
static bool act_with_failure(const scenario *s, abut_world *reference, size_t n, bool for_good) {
    failing_allocator books = {0};
    abut_world *world = prepared(s, &books);
    picture before = picture_take(world);
    size_t failed = books.failed;
    fail_at(&books, n, for_good);
    abut_result result = s->act(world);
    bool hit = books.failed > failed;
    if (hit != (result == ABUT_ERROR_MEMORY) || (!hit && result != ABUT_OK)) {
        fail_msg("%s: allocation %zu: %s", s->name, n, abut_result_name(result));
    }
    if (hit) {
        assert_true(picture_matches(&before, world));
        assert_int_equal(abut_world_validate(world), ABUT_OK);
        assert_true(!for_good || s->act(world) == ABUT_ERROR_MEMORY);
        assert_true(picture_matches(&before, world));
        failing_allocator_fail_never(&books);
        assert_int_equal(s->act(world), ABUT_OK);
    }
    picture_free(&before);
    assert_same_world(world, reference);
    /* And the world continues like one that never failed. */
    failing_allocator_fail_never(&books);
    (void)step_world(world);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
    return hit;
}

static void every_call_survives_every_failure(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        const scenario *s = &scenarios[i];
        for (int for_good = 0; for_good < 2; for_good++) {
            failing_allocator books = {0};
            abut_world *reference = prepared(s, &books);
            size_t calls = books.calls, n = 1;
            assert_int_equal(s->act(reference), ABUT_OK);
            while (act_with_failure(s, reference, n, for_good == 1)) {
                n++;
            }
            assert_int_equal(books.calls - calls, n - 1);
            if (s->allocates != (n > 1)) {
                fail_msg("%s: %zu allocations", s->name, n - 1);
            }
            abut_world_destroy(&reference);
            assert_true(failing_allocator_clean(&books));
        }
    }
}

/* Without memory a world accepts bodies until its arrays are full; with memory again it accepts the one that it
 * refused.
 */
static void growing_body_by_body_survives_every_failure(void **state) {
    (void)state;
    failing_allocator books = {0};
    abut_world *world = make_world(&(abut_world_def){.allocator = failing_allocator_of(&books)});
    abut_world *reference = make_world(NULL);
    size_t failures = 0;
    for (int i = 0; i < 1000; i++) {
        abut_body_def def = {.half = {1, 1, 1}, .pose = pose_at((float)i, 0, 0)};
        abut_body_id id = {1, 1}, wanted = add_body(reference, &def);
        failing_allocator_fail_from(&books, 1);
        picture before = picture_take(world);
        abut_result result = abut_body_create(world, &def, &id);
        if (result != ABUT_OK) {
            assert_int_equal(result, ABUT_ERROR_MEMORY);
            assert_true(abut_body_id_equal(id, id_of(0, 0)));
            assert_true(picture_matches(&before, world));
            failing_allocator_fail_never(&books);
            assert_int_equal(abut_body_create(world, &def, &id), ABUT_OK);
            failures++;
        }
        assert_true(abut_body_id_equal(id, wanted));
        picture_free(&before);
    }
    assert_true(failures > 3 && failures < 100);
    assert_true(abut_world_hash(world) == abut_world_hash(reference));
    abut_world_destroy(&world);
    abut_world_destroy(&reference);
    assert_true(failing_allocator_clean(&books));
}

static void world_may_be_destroyed_after_a_failure(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        for (size_t n = 1; n < 6; n++) {
            failing_allocator books = {0};
            abut_world *world = prepared(&scenarios[i], &books);
            failing_allocator_fail_from(&books, n);
            (void)scenarios[i].act(world);
            abut_world_destroy(&world);
            assert_true(failing_allocator_clean(&books));
        }
    }
}

/* --- a long life with failures beside one without --- */

typedef struct twin {
    failing_allocator books;
    abut_world *lucky, *unlucky;
    rng r, luck;
    size_t failures, contacts;
    unsigned long step;
} twin;

static void tempt_fate(twin *t) {
    failing_allocator_fail_never(&t->books);
    if (rng_chance(&t->luck, 0.6)) {
        fail_at(&t->books, 1 + rng_below(&t->luck, 3), rng_chance(&t->luck, 0.5));
    }
}

/* Creates in both worlds, as often as it takes. */
static void twin_create(twin *t, const abut_body_def *defs, size_t n) {
    abut_body_id a[40], b[40];
    assert_int_equal(abut_bodies_create(t->lucky, defs, n, a), ABUT_OK);
    tempt_fate(t);
    for (;;) {
        const uint64_t hash = abut_world_hash(t->unlucky);
        abut_result result = abut_bodies_create(t->unlucky, defs, n, b);
        if (result == ABUT_OK) {
            break;
        }
        check_case(result == ABUT_ERROR_MEMORY, "create", 0, t->step);
        check_case(abut_world_hash(t->unlucky) == hash, "changed by a failed create", 0, t->step);
        t->failures++;
        tempt_fate(t);
    }
    check_case(bits_equal(a, b, n * sizeof a[0]), "other ids after a failure", 0, t->step);
}

static void twin_step(twin *t) {
    (void)step_world(t->lucky);
    tempt_fate(t);
    for (;;) {
        picture before = picture_take(t->unlucky);
        abut_result result = abut_world_step(t->unlucky, NULL, NULL);
        if (result != ABUT_OK) {
            check_case(picture_matches(&before, t->unlucky), "changed by a failed step", 0, t->step);
            check_case(result == ABUT_ERROR_MEMORY, "step", 0, t->step);
        }
        picture_free(&before);
        if (result == ABUT_OK) {
            break;
        }
        t->failures++;
        tempt_fate(t);
    }
    size_t count;
    (void)contacts_of(t->lucky, &count);
    t->contacts += count;
    assert_same_world(t->unlucky, t->lucky);
}

static void long_life_with_failures_equals_one_without(void **state) {
    (void)state;
    size_t failures = 0;
    for (uint64_t stream = 0; stream < 20; stream++) {
        twin t = {.r = rng_make(test_seed(), stream), .luck = rng_make(test_seed(), 1000 + stream)};
        t.lucky = make_world(NULL);
        t.unlucky = make_world(&(abut_world_def){.allocator = failing_allocator_of(&t.books)});
        for (t.step = 0; t.step < 25; t.step++) {
            abut_body_def defs[40];
            abut_body_id ids[1200];
            size_t n = 1 + rng_below(&t.r, 40), live = abut_world_bodies(t.lucky, ids, 1200);
            for (size_t i = 0; i < n; i++) {
                defs[i] = random_box(&t.r, 6);
                defs[i].parent = live > 0 && rng_chance(&t.r, 0.2) ? ids[rng_below(&t.r, (uint32_t)live)] : id_of(0, 0);
            }
            twin_create(&t, defs, n);
            for (size_t k = 0; k < live / 4; k++) {
                abut_body_id id = ids[rng_below(&t.r, (uint32_t)live)];
                abut_pose pose = random_pose(&t.r, 5);
                bool moves = rng_chance(&t.r, 0.8);
                abut_result x = moves ? abut_body_set_pose(t.lucky, id, &pose) : abut_body_destroy(t.lucky, id);
                abut_result y = moves ? abut_body_set_pose(t.unlucky, id, &pose) : abut_body_destroy(t.unlucky, id);
                check_case(x == y, "another result", stream, t.step);
            }
            twin_step(&t);
        }
        failures += t.failures;
        assert_true(t.contacts > 500);
        abut_world_destroy(&t.lucky);
        abut_world_destroy(&t.unlucky);
        assert_true(failing_allocator_clean(&t.books));
    }
    assert_true(failures > 100);
}

/* --- a world with capacities --- */

enum { CROWD = 120, CROWD_PAIRS = CROWD * (CROWD - 1) / 2 };

typedef struct crowd {
    failing_allocator books;
    abut_world *world;
    abut_hull *hull;
    abut_body_id ids[CROWD];
    rng r;
    size_t contacts, ended;
} crowd;

static bool refuse_some(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    (void)user_a, (void)user_b, (void)user;
    return (a.index1 + b.index1) % 7 != 0;
}

/* Creating a body may allocate: side tables, hints. */
static void crowd_create(crowd *c, size_t i) {
    abut_body_def def = random_box(&c->r, 4);
    def.hull = rng_chance(&c->r, 0.2) ? c->hull : NULL;
    def.detail = (abut_detail)(rng_chance(&c->r, 0.8) ? 0 : rng_below(&c->r, 3));
    def.motion = (abut_motion)rng_chance(&c->r, 0.2);
    def.filter = rng_chance(&c->r, 0.1) ? special_filter : def.filter;
    def.parent = i > 0 && rng_chance(&c->r, 0.1) ? c->ids[0] : id_of(0, 0);
    c->ids[i] = add_body(c->world, &def);
}

static void crowd_step(crowd *c) {
    abut_step_report report;
    size_t count, calls = c->books.calls;
    assert_int_equal(abut_world_step(c->world, NULL, &report), ABUT_OK);
    (void)events_of(c->world, &count);
    (void)abut_body_contacts(c->world, c->ids[1], NULL, 0);
    assert_true(report.bodies <= CROWD && report.candidates <= CROWD_PAIRS);
    if (c->books.calls != calls) {
        fail_msg("a step allocated %zu times", c->books.calls - calls);
    }
    c->contacts += report.contacts;
    c->ended += report.ended;
}

/* Sometimes everything gathers, scatters, or rests; otherwise some bodies move. */
static void crowd_stir(crowd *c, int step) {
    double extent = step % 10 == 3 ? 0.5 : step % 10 == 4 ? 100 : 4;
    double share = step % 10 == 3 || step % 10 == 4 || step % 10 == 5 ? 1 : step % 20 > 12 ? 0 : 0.3;
    for (int i = 0; i < CROWD; i++) {
        if (rng_chance(&c->r, share)) {
            abut_pose pose = random_pose(&c->r, extent);
            assert_int_equal(abut_body_set_pose(c->world, c->ids[i], &pose), ABUT_OK);
        }
    }
    size_t lost = 1 + rng_below(&c->r, CROWD - 1);
    if (rng_chance(&c->r, 0.3)) {
        assert_int_equal(abut_body_destroy(c->world, c->ids[lost]), ABUT_OK);
        crowd_create(c, lost);
    }
}

static void no_step_allocates_within_capacities(void **state) {
    (void)state;
    size_t contacts = 0, ended = 0;
    for (uint64_t stream = 0; stream < 8; stream++) {
        crowd c = {.r = rng_make(test_seed(), stream), .hull = make_wedge()};
        c.world = make_world(&(abut_world_def){.allocator = failing_allocator_of(&c.books),
                                               .body_capacity = CROWD,
                                               .pair_capacity = CROWD_PAIRS,
                                               .fixed_capacity = stream % 4 == 3,
                                               .contact_margin = stream % 2 ? 0.1f : 0,
                                               .should_collide = stream >= 6 ? refuse_some : NULL});
        for (size_t i = 0; i < CROWD; i++) {
            crowd_create(&c, i);
        }
        for (int step = 0; step < 40; step++) {
            crowd_step(&c);
            crowd_stir(&c, step);
        }
        contacts += c.contacts;
        ended += c.ended;
        abut_world_destroy(&c.world);
        assert_true(failing_allocator_clean(&c.books));
        abut_hull_destroy(&c.hull);
    }
    assert_true(contacts > 10000 && ended > 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(world_create_survives_every_failure),
        cmocka_unit_test_setup_teardown(every_call_survives_every_failure, make_shapes, free_shapes),
        cmocka_unit_test(growing_body_by_body_survives_every_failure),
        cmocka_unit_test_setup_teardown(world_may_be_destroyed_after_a_failure, make_shapes, free_shapes),
        cmocka_unit_test(long_life_with_failures_equals_one_without),
        cmocka_unit_test(no_step_allocates_within_capacities),
    };
    return test_run(tests);
}
