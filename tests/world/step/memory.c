/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A step that runs out of memory in the middle of its lists changes nothing, and the same step succeeds afterwards; its
 * lists are those of a world that never failed. */

#include "support/failing_allocator.h"
#include "support/schedules.h"
#include "world/grounds.h"

enum { ROW = 200, NOMADS = 10, CROWD = 190, BOXES = 420 };

/* Shapes outlive worlds. */
static abut_hull *wedge;
static abut_mesh *ground;

static int make_shapes(void **state) {
    static const abut_vec3 points[] = {{0, 0, 0}, {1.2f, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1.2f, 0, 1}};
    (void)state;
    ground = make_ground(64, 1, 0.3f, 1);
    return abut_hull_create(points, 5, NULL, &wedge);
}

static int free_shapes(void **state) {
    (void)state;
    abut_hull_destroy(&wedge);
    abut_mesh_destroy(&ground);
    return 0;
}

static void add_boxes(abut_world *world, abut_detail detail, int n, float x, float step, float y, abut_body_id *ids) {
    for (int i = 0; i < n; i++) {
        ids[i] = add_body(world, &(abut_body_def){.half = {0.6f, 0.6f, 0.6f},
                                                  .pose = pose_at(x + step * (float)i, y, 0.1f * (float)(i % 3)),
                                                  .detail = detail});
    }
}

/* While one body moves, the others come to rest. */
static void rest_while_one_moves(abut_world *world, abut_body_id one) {
    for (int i = 0; i < 8; i++) {
        move_to(world, one, 0, 100 + (float)i, 0);
        (void)step_world(world);
    }
}

/* A row comes to rest, and those who were apart meet: their contacts come after those of the row, which do not all fit
 * before them. */
static void meet_after_a_row(abut_world *world, abut_detail detail) {
    abut_body_id row[ROW], nomad[NOMADS];
    add_boxes(world, detail, ROW, 0, 1, 0, row);
    add_boxes(world, detail, NOMADS, 0, 10, 50, nomad);
    for (int step = 0; step < 2; step++) { /* both lists of contacts get as much room as the row needs */
        for (int i = 0; i < ROW; i++) {
            move_to(world, row[i], (float)i, 0.01f * (float)step, 0.1f * (float)(i % 3));
        }
        assert_int_equal(step_world(world), ROW - 1);
    }
    rest_while_one_moves(world, nomad[0]);
    for (int i = 0; i < NOMADS; i++) {
        move_to(world, nomad[i], 0, 50, 0);
    }
}

static void meet_with_points(abut_world *world) {
    meet_after_a_row(world, ABUT_DETAIL_MANIFOLD);
}

static void meet_without_points(abut_world *world) {
    meet_after_a_row(world, ABUT_DETAIL_OVERLAP);
}

static void meet_by_bounds(abut_world *world) {
    meet_after_a_row(world, ABUT_DETAIL_BOUNDS);
}

/* Many boxes rest on a ground, and others, whose contacts come first, land on it. */
static void land_before_many(abut_world *world) {
    abut_body_id crowd[CROWD];
    (void)add_ground(world, ground, 0, 0, 0);
    add_boxes(world, ABUT_DETAIL_MANIFOLD, CROWD, 0, 3, 50, crowd);
    for (int i = 0; i < BOXES; i++) {
        (void)add_cube(world, -28.5f + 3 * (float)(i % 20), 0.4f, -30 + 3 * (float)(i / 20), 0.6f);
    }
    rest_while_one_moves(world, crowd[0]);
    for (int i = 0; i < CROWD; i++) {
        move_to(world, crowd[i], -27 + 3 * (float)(i % 19), 0.4f, -28.5f + 3 * (float)(i / 19));
    }
}

/* More bodies than are handed to the narrow phase at once land on a ground in the first step. */
static void land_at_once(abut_world *world) {
    (void)add_ground(world, ground, 0, 0, 0);
    for (int i = 0; i < BOXES; i++) {
        (void)add_cube(world, -28.5f + 3 * (float)(i % 20), 0.4f, -30 + 3 * (float)(i / 20), 0.6f);
    }
}

/* Their pairs have hints. */
static void add_hulls(abut_world *world) {
    for (int i = 0; i < 2 * ROW; i++) {
        (void)add_body(world, &(abut_body_def){.hull = wedge, .pose = pose_at((float)i, 0, 0)});
    }
}

typedef struct scenario {
    const char *name;
    void (*prepare)(abut_world *world);
    uint32_t workers; /* 0: none */
    bool hints;       /* which a step does without where there is no memory */
} scenario;

static const scenario scenarios[] = {
    {"those who meet come last", meet_with_points, 0, false},
    {"those who meet come last, without points", meet_without_points, 0, false},
    {"those who meet come last, by their bounds", meet_by_bounds, 0, false},
    {"parts are carried over", land_before_many, 0, true},
    {"parts of many", land_at_once, 0, true},
    {"hints", add_hulls, 0, true},
    {"hints, with workers", add_hulls, 2, true},
};

static abut_world *prepared(const scenario *s, failing_allocator *books, schedule *tasks) {
    abut_world_def def = {.allocator = failing_allocator_of(books)};
    if (s->workers > 0) {
        tasks->workers = s->workers;
        def.parallel = schedule_parallel(tasks);
    }
    abut_world *world = make_world(&def);
    s->prepare(world);
    return world;
}

static bool same_hash_and_lists(const abut_world *world, uint64_t hash, const step_lists *lists) {
    step_lists now = lists_take(world);
    bool same = abut_world_hash(world) == hash && lists_equal(&now, lists);
    lists_free(&now);
    return same && abut_world_validate(world) == ABUT_OK;
}

/* The step with its n-th allocation failing; false if it makes fewer. */
static bool step_with_failure(const scenario *s, size_t n, const step_lists *wanted, uint64_t hash, size_t *refused) {
    failing_allocator books = {0};
    schedule tasks = {.kind = SCHEDULE_ASCENDING};
    abut_world *world = prepared(s, &books, &tasks);
    step_lists before = lists_take(world);
    uint64_t hash_before = abut_world_hash(world);
    failing_allocator_fail_once(&books, n);
    abut_result result = abut_world_step(world, NULL, NULL);
    bool hit = books.failed > 0;
    failing_allocator_fail_never(&books);
    if ((result != ABUT_OK && (result != ABUT_ERROR_MEMORY || !hit)) || (hit && !result && !s->hints)) {
        fail_msg("%s: allocation %zu: %s", s->name, n, abut_result_name(result));
    }
    if (result) {
        assert_true(same_hash_and_lists(world, hash_before, &before));
        assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
        ++*refused;
    }
    assert_true(same_hash_and_lists(world, hash, wanted));
    lists_free(&before);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
    return hit;
}

static void a_step_survives_every_failure(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        const scenario *s = &scenarios[i];
        failing_allocator books = {0};
        schedule tasks = {.kind = SCHEDULE_ASCENDING};
        abut_world *reference = prepared(s, &books, &tasks);
        assert_int_equal(abut_world_step(reference, NULL, NULL), ABUT_OK);
        step_lists wanted = lists_take(reference);
        size_t n = 1, refused = 0;
        while (step_with_failure(s, n, &wanted, abut_world_hash(reference), &refused)) {
            n++;
        }
        assert_true(wanted.contacts > ROW && refused > 0);
        lists_free(&wanted);
        abut_world_destroy(&reference);
        assert_true(failing_allocator_clean(&books));
    }
}

/* Whatever shapes bodies have: also where pairs get no hints. */
static void steps_within_the_capacities_allocate_nothing(void **state) {
    enum { BOX, SPHERE, ROUND_HULL, HULL, KINDS, ROOM = 20 * ROW };
    (void)state;
    for (int kind = 0; kind < 2 * KINDS; kind++) { /* each without a ground, and with one */
        failing_allocator books = {0};
        abut_world *world = make_world(&(abut_world_def){
            .allocator = failing_allocator_of(&books), .body_capacity = ROW + 1, .pair_capacity = ROOM});
        abut_body_id row[ROW];
        for (int i = 0; i < ROW; i++) {
            abut_body_def def = {.pose = pose_at(0.5f * (float)(i % 100) - 25, 0.1f, 0.5f * (float)(i / 100))};
            def.half = kind % KINDS == BOX ? (abut_vec3){0.3f, 0.3f, 0.3f} : def.half;
            def.hull = kind % KINDS >= ROUND_HULL ? wedge : NULL;
            def.radius = kind % KINDS == SPHERE || kind % KINDS == ROUND_HULL ? 0.3f : 0;
            row[i] = add_body(world, &def);
        }
        if (kind >= KINDS) {
            (void)add_ground(world, ground, 0, 0, 0);
        }
        const size_t calls = books.calls;
        for (int step = 0; step < 4; step++) {
            abut_step_report report;
            assert_int_equal(abut_world_step(world, NULL, &report), ABUT_OK);
            assert_true(report.candidates >= ROW - 2 && report.candidates <= ROOM);
            size_t parts;
            (void)parts_of(world, &parts);
            assert_true(parts <= ROOM && (parts > 0) == (kind >= KINDS));
            for (int i = 0; i < ROW; i += 1 + step) {
                move_to(world, row[i], 0.5f * (float)(i % 100) - 25, 0.2f, 0.5f * (float)(i / 100));
            }
        }
        assert_int_equal(books.calls, calls);
        abut_world_destroy(&world);
        assert_true(failing_allocator_clean(&books));
    }
}

/* While most bodies rest, and a new one comes in every step, lists grow with the contacts: room for those to come is
 * judged by candidates, and contacts of resting bodies are none. */
static void lists_grow_with_what_they_hold(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(3); i++) {
        rng r = rng_make(test_seed(), i);
        abut_world *world = make_world(NULL);
        for (int step = 0; step < 400; step++) {
            for (int k = 0; k < (step == 0 ? 500 : 1); k++) {
                (void)add_body(world, &(abut_body_def){.half = {0.5f, 0.5f, 0.5f}, .pose = random_pose(&r, 4)});
            }
            (void)step_world(world);
            size_t in_use, reserved;
            abut_world_memory(world, &in_use, &reserved);
            assert_true(step == 0 || reserved < 3 * in_use);
        }
        abut_world_destroy(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(steps_within_the_capacities_allocate_nothing, make_shapes, free_shapes),
        cmocka_unit_test_setup_teardown(a_step_survives_every_failure, make_shapes, free_shapes),
        cmocka_unit_test(lists_grow_with_what_they_hold),
    };
    return test_run(tests);
}
