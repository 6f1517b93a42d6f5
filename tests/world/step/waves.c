/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Steps with workers against the same steps without: lists, bit for bit, whatever the order in which tasks run. */

#include "support/failing_allocator.h"
#include "support/schedules.h"
#include "support/test.h"
#include <abut/abut.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 5000, STEPS = 9 };

/* Fewer of both where everything takes ten times as long, but enough for several blocks, steps and rests. */
static uint32_t bodies(void) {
    return test_sanitized() ? 1600 : BODIES;
}

static uint32_t steps(void) {
    return test_sanitized() ? 5 : STEPS;
}

/* Tasks one after the other, backwards: the last task finds all blocks, the others what its rooms did not hold. */
static void backwards(void (*task)(void *data, uint32_t index), void *data, uint32_t count, void *user) {
    ++*(unsigned *)user;
    for (uint32_t index = count; index-- > 0;) {
        task(data, index);
    }
}

/* Counts the calls, and adds up which pairs they are about. */
typedef struct asked {
    uint64_t count, sum;
} asked;

static bool some(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    asked *of = user;
    (void)user_a, (void)user_b;
    of->count++;
    of->sum += (a.index1 * UINT64_C(0x9e3779b97f4a7c15) + b.index1) * UINT64_C(0xd6e8feb86659fd93);
    return (a.index1 * 31 + b.index1) % 7 != 0;
}

typedef struct kind {
    bool filter, fixed, meshes, lean; /* lean: nothing is reserved, so that parts outgrow their list */
    float margin;
    uint32_t workers;
    schedule_kind order;
} kind;

typedef struct scene {
    abut_hull *hull;
    abut_mesh *mesh;
    abut_body_id id[BODIES];
    abut_pose pose[BODIES];
    asked asked;
} scene;

static uint32_t next(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static float number(uint32_t *seed) {
    return (float)next(seed) * (1.0f / 16777216);
}

static abut_pose any_pose(uint32_t *seed) {
    float width = test_sanitized() ? 20 : 36; /* as dense */
    abut_pose p = {{width * number(seed), 5 * number(seed), width * number(seed)},
                   {number(seed), number(seed) - 0.5f, number(seed) - 0.5f, 0.5f}};
    return p;
}

static abut_world *make(scene *s, const kind *k, schedule *order) {
    abut_world_def def = {.contact_margin = k->margin,
                          .fixed_capacity = k->fixed,
                          .body_capacity = BODIES + 2,
                          .pair_capacity = k->lean ? 0 : 200000,
                          .should_collide = k->filter ? some : NULL,
                          .user = &s->asked};
    def.parallel = order ? schedule_parallel(order) : def.parallel;
    abut_world *world = NULL;
    assert_int_equal(abut_world_create(&def, &world), ABUT_OK);
    uint32_t seed = 7;
    const abut_body_def ground = {.mesh = s->mesh, .motion = ABUT_STATIC};
    abut_body_id id;
    if (k->meshes) {
        assert_int_equal(abut_body_create(world, &ground, &id), ABUT_OK);
    }
    for (uint32_t i = 0; i < bodies(); i++) {
        abut_body_def d = {.half = {0.3f, 0.4f, 0.5f}};
        d.pose = s->pose[i] = any_pose(&seed);
        uint32_t what = next(&seed) % 8;
        d.hull = what == 0 ? s->hull : NULL;
        d.radius = what == 1 ? 0.2f : 0;
        d.detail = what == 2 ? ABUT_DETAIL_OVERLAP : what == 3 ? ABUT_DETAIL_BOUNDS : ABUT_DETAIL_MANIFOLD;
        d.user = i;
        assert_int_equal(abut_body_create(world, &d, &s->id[i]), ABUT_OK);
    }
    if (k->meshes) { /* once more: pairs with the first come in the first wave, pairs with the last in all of them */
        assert_int_equal(abut_body_create(world, &ground, &id), ABUT_OK);
    }
    return world;
}

static void assert_same(const void *a, const void *b, size_t size, size_t n, size_t m) {
    assert_int_equal(n, m);
    if (n > 0) {
        assert_memory_equal(a, b, size * n);
    }
}

static void compare(const abut_world *a, const abut_world *b) {
    size_t n, m;
    const abut_contact *p = abut_world_contacts(a, &n), *q = abut_world_contacts(b, &m);
    assert_same(p, q, sizeof *p, n, m);
    p = abut_world_events(a, &n), q = abut_world_events(b, &m);
    assert_same(p, q, sizeof *p, n, m);
    const abut_contact_part *s = abut_world_parts(a, &n), *t = abut_world_parts(b, &m);
    assert_same(s, t, sizeof *s, n, m);
}

/* Some bodies move, all of them now and then; some go. */
static void change(scene *s, abut_world *world, uint32_t step) {
    uint32_t seed = step;
    for (uint32_t i = 0; i < bodies(); i++) {
        if (abut_body_is_valid(world, s->id[i]) && (step % 4 == 0 || next(&seed) % 16 < step % 5)) {
            s->pose[i].position.x += 0.1f * number(&seed);
            assert_int_equal(abut_body_set_pose(world, s->id[i], &s->pose[i]), ABUT_OK);
        }
    }
    if (step % 5 == 3) {
        (void)abut_body_destroy(world, s->id[step * 17]);
    }
}

static void run_kind(scene *s, const kind *k) {
    scene *copy = malloc(sizeof *copy);
    assert_non_null(copy);
    *copy = *s;
    schedule order = {.kind = k->order, .workers = k->workers, .seed = 11};
    abut_world *plain = make(copy, k, NULL), *wide = make(s, k, &order);
    s->asked = copy->asked = (asked){0, 0};
    uint32_t before = abut_atomic_load(&order.loops);
    for (uint32_t step = 0; step < steps(); step++) {
        abut_step_report a, b;
        change(s, wide, step);
        change(copy, plain, step);
        assert_int_equal(abut_world_step(plain, NULL, &a), ABUT_OK);
        assert_int_equal(abut_world_step(wide, NULL, &b), ABUT_OK);
        assert_int_equal(a.contacts, b.contacts);
        assert_int_equal(a.begun, b.begun);
        assert_int_equal(a.ended, b.ended);
        assert_int_equal(a.second_stage, b.second_stage);
        assert_memory_equal(&s->asked, &copy->asked, sizeof s->asked); /* each pair once */
        compare(plain, wide);
    }
    assert_true((s->asked.count > 0) == k->filter);
    assert_true(abut_atomic_load(&order.loops) - before > steps() / 2);
    assert_int_equal(abut_atomic_load(&order.wrong), 0);
    assert_int_equal(abut_world_validate(wide), ABUT_OK);
    abut_world_destroy(&plain);
    abut_world_destroy(&wide);
    free(copy);
}

static void same_lists_with_workers(void **state) {
    static const kind kinds[] = {
        {.workers = 2, .order = SCHEDULE_DESCENDING},
        {.workers = 3, .margin = 0.05f, .order = SCHEDULE_THREADS},
        {.workers = 16, .filter = true, .order = SCHEDULE_DESCENDING},
        {.workers = 2, .meshes = true, .order = SCHEDULE_THREADS},
        {.workers = 256, .meshes = true, .filter = true, .margin = 0.01f, .order = SCHEDULE_DESCENDING},
        {.workers = 2, .meshes = true, .fixed = true, .order = SCHEDULE_DESCENDING},
        {.workers = 100, .fixed = true, .order = SCHEDULE_DESCENDING},
        {.workers = 3, .meshes = true, .lean = true, .order = SCHEDULE_LATE},
        {.workers = 16, .meshes = true, .lean = true, .filter = true, .order = SCHEDULE_DESCENDING},
    };
    (void)state;
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    abut_vec3 points[16];
    uint32_t seed = 3;
    for (int i = 0; i < 16; i++) {
        points[i] = (abut_vec3){number(&seed) - 0.5f, number(&seed) - 0.5f, number(&seed) - 0.5f};
    }
    assert_int_equal(abut_hull_create(points, 16, NULL, &s->hull), ABUT_OK);
    static float height[41 * 41];
    for (int i = 0; i < 41 * 41; i++) {
        height[i] = 2 * number(&seed);
    }
    abut_mesh_grid_def grid = {.heights = height, .columns = 41, .rows = 41, .spacing = {0.5f, 1, 0.5f}};
    assert_int_equal(abut_mesh_create_grid(&grid, &s->mesh), ABUT_OK);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        run_kind(s, &kinds[k]);
    }
    abut_hull_destroy(&s->hull);
    abut_mesh_destroy(&s->mesh);
    free(s);
}

/* --- new contacts beside many that rest: only keys are written --- */

enum { ROW = 3000, MOVED = 150 };

static abut_world *make_row(abut_detail detail, const abut_parallel *parallel, abut_body_id *id) {
    const abut_world_def def = {.pair_capacity = 2 * ROW, .parallel = *parallel};
    abut_world *world = NULL;
    assert_int_equal(abut_world_create(&def, &world), ABUT_OK);
    for (uint32_t i = 0; i < ROW; i++) {
        const abut_body_def d = {.half = {0.6f, 0.6f, 0.6f}, .pose.position = {(float)i, 0, 0}, .detail = detail};
        assert_int_equal(abut_body_create(world, &d, &id[i]), ABUT_OK);
    }
    return world;
}

/* First one body moves, while the others come to rest; then some do. */
static void move_some(abut_world *world, const abut_body_id *id, uint32_t step) {
    for (uint32_t i = 0; step > 0 && i < (step == 1 ? 1 : MOVED); i++) {
        const abut_pose pose = {{(float)(i * 20), 0.01f * (float)step, 0}, {0, 0, 0, 1}};
        assert_int_equal(abut_body_set_pose(world, id[i * 20], &pose), ABUT_OK);
    }
}

static void same_keys_with_workers(void **state) {
    static abut_body_id id[2][ROW];
    (void)state;
    for (int detail = ABUT_DETAIL_MANIFOLD; detail <= ABUT_DETAIL_OVERLAP; detail++) {
        unsigned loops = 0;
        const abut_parallel none = {0}, some_workers = {backwards, 3, &loops};
        abut_world *plain = make_row((abut_detail)detail, &none, id[0]);
        abut_world *wide = make_row((abut_detail)detail, &some_workers, id[1]);
        for (uint32_t step = 0; step < 5; step++) {
            abut_step_report a, b;
            unsigned before = loops;
            move_some(plain, id[0], step);
            move_some(wide, id[1], step);
            assert_int_equal(abut_world_step(plain, NULL, &a), ABUT_OK);
            assert_int_equal(abut_world_step(wide, NULL, &b), ABUT_OK);
            assert_true(a.contacts == ROW - 1 && a.contacts == b.contacts && a.begun == b.begun);
            assert_true(loops > before);
            if (step % 2 == 0) { /* keys of several steps, one after the other */
                compare(plain, wide);
            }
        }
        assert_int_equal(abut_world_validate(wide), ABUT_OK);
        abut_world_destroy(&plain);
        abut_world_destroy(&wide);
    }
}

/* --- more parts than there is room for --- */

enum { PLATES = 300, SQUARES = 60 };

/* Plates that are sunk into rough ground, the first of them large. */
static abut_world *make_plates_in(const abut_world_def *def, const abut_mesh *mesh) {
    abut_world *world = NULL;
    abut_body_id id;
    assert_int_equal(abut_world_create(def, &world), ABUT_OK);
    assert_int_equal(abut_body_create(world, &(abut_body_def){.mesh = mesh, .motion = ABUT_STATIC}, &id), ABUT_OK);
    for (uint32_t i = 0; i < PLATES; i++) {
        bool large = i == 0;
        abut_body_def d = {.half = {0.9f, 0.25f, 0.9f}, .pose.position = {2 + 2.5f * (float)(i % 20), 0.4f, 2}};
        d.pose.position.z += 2.5f * (float)(i / 20);
        d.half = large ? (abut_vec3){9, 0.25f, 9} : d.half;
        d.pose.position = large ? (abut_vec3){10, 0.4f, 50} : d.pose.position;
        assert_int_equal(abut_body_create(world, &d, &id), ABUT_OK);
    }
    return world;
}

static abut_world *make_plates(const abut_mesh *mesh, uint32_t capacity, const abut_parallel *parallel) {
    const abut_world_def def = {.fixed_capacity = capacity > 0,
                                .body_capacity = capacity > 0 ? PLATES + 1 : 0,
                                .pair_capacity = capacity,
                                .parallel = *parallel};
    return make_plates_in(&def, mesh);
}

static abut_mesh *make_rough_ground(void) {
    static float height[(SQUARES + 1) * (SQUARES + 1)];
    abut_mesh *mesh;
    uint32_t seed = 5;
    for (int i = 0; i < (SQUARES + 1) * (SQUARES + 1); i++) {
        height[i] = number(&seed);
    }
    const abut_mesh_grid_def grid = {
        .heights = height, .columns = SQUARES + 1, .rows = SQUARES + 1, .spacing = {1, 1, 1}};
    assert_int_equal(abut_mesh_create_grid(&grid, &mesh), ABUT_OK);
    return mesh;
}

static void lift(abut_world *world, uint32_t slot, float by) {
    const abut_body_id id = {slot + 1, 1};
    abut_pose pose;
    assert_int_equal(abut_body_get_pose(world, id, &pose), ABUT_OK);
    pose.position.y += by;
    assert_int_equal(abut_body_set_pose(world, id, &pose), ABUT_OK);
}

/* A list of exactly as many parts as there are is enough, although the pieces that workers take need more; with less, a
 * step is refused, in the first of several blocks or in the last, and nothing has changed. */
static void parts_fit_as_without_workers(void **state) {
    abut_mesh *mesh = make_rough_ground();
    uint32_t capacity = 0;
    size_t parts = 0, n;
    (void)state;
    for (int round = 0; round < 4; round++) {
        unsigned loops = 0;
        const abut_parallel none = {0}, some_workers = {backwards, 3, &loops};
        abut_world *plain = make_plates(mesh, capacity, &none), *wide = make_plates(mesh, capacity, &some_workers);
        abut_result result = abut_world_step(plain, NULL, NULL);
        assert_int_equal(result, round < 2 ? ABUT_OK : ABUT_ERROR_CAPACITY);
        assert_int_equal(abut_world_step(wide, NULL, NULL), result);
        assert_true(loops > 0);
        compare(plain, wide);
        assert_int_equal(abut_world_validate(wide), ABUT_OK);
        (void)abut_world_parts(wide, &n);
        parts = round == 0 ? n : parts;
        assert_true(n == (round < 2 ? parts : 0) && parts > 2 * PLATES);
        capacity = round == 0 ? (uint32_t)parts : round == 1 ? (uint32_t)parts - 1 : PLATES + PLATES / 4;
        for (int step = 0; step < 3 && round == 0; step++) { /* as soon as there is room workers take pieces */
            for (uint32_t slot = 1; slot <= PLATES; slot++) {
                lift(plain, slot, 0.01f);
                lift(wide, slot, 0.01f);
            }
            assert_int_equal(abut_world_step(plain, NULL, NULL), ABUT_OK);
            assert_int_equal(abut_world_step(wide, NULL, NULL), ABUT_OK);
            compare(plain, wide);
        }
        abut_world_destroy(&plain);
        abut_world_destroy(&wide);
    }
    abut_mesh_destroy(&mesh);
}

enum { LIFTS = 6 };

/* All plates rise and sink a little, again and again; returns the most parts of a step. *grown: allocations of all
 * but the last steps. */
static size_t lift_plates(abut_world *world, const failing_allocator *books, size_t *grown) {
    size_t most = 0, parts;
    for (int step = 0; step < LIFTS; step++) {
        assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
        (void)abut_world_parts(world, &parts);
        most = parts > most ? parts : most;
        *grown = step < LIFTS - 2 ? books->calls : *grown;
        for (uint32_t slot = 1; slot <= PLATES; slot++) {
            lift(world, slot, step % 2 ? -0.01f : 0.01f);
        }
    }
    return most;
}

/* With room for exactly as many parts as there are no step allocates, although the pieces that workers take need more;
 * with less, the list grows once for all, whether there are more candidates than room, more parts or one more part. */
static void parts_within_the_capacity_allocate_nothing(void **state) {
    abut_mesh *mesh = make_rough_ground();
    uint32_t capacity = 0, parts = 0;
    (void)state;
    for (int round = 0; round < 5; round++) { /* the first without workers */
        failing_allocator books = {0};
        schedule order = {.kind = SCHEDULE_DESCENDING, .workers = 2};
        abut_world_def def = {
            .allocator = failing_allocator_of(&books), .body_capacity = PLATES + 1, .pair_capacity = capacity};
        def.parallel = round > 0 ? schedule_parallel(&order) : def.parallel;
        abut_world *world = make_plates_in(&def, mesh);
        const size_t calls = books.calls;
        size_t grown = 0, most = lift_plates(world, &books, &grown);
        assert_true(most > 2 * PLATES);
        assert_true((grown > calls) == (round != 1));
        assert_int_equal(books.calls, grown);
        assert_true((abut_atomic_load(&order.loops) > 0) == (round > 0));
        assert_int_equal(abut_world_validate(world), ABUT_OK);
        parts = (uint32_t)most;
        capacity = (const uint32_t[]){parts, PLATES + PLATES / 4, PLATES / 2, parts - 1, 0}[round];
        abut_world_destroy(&world);
        assert_true(failing_allocator_clean(&books));
    }
    abut_mesh_destroy(&mesh);
}

static size_t reserved_by(const abut_world *world) {
    size_t bytes;
    abut_world_memory(world, NULL, &bytes);
    return bytes;
}

/* What the first mesh reserves: with workers, a piece for each of them as well, but not in a world of fixed capacity.
 */
static void workers_have_a_piece_each(void **state) {
    enum { CAPACITY = 128, WORKERS = 16, PIECE = 64 };
    abut_mesh *mesh = make_rough_ground();
    size_t grown[3];
    (void)state;
    for (int k = 0; k < 3; k++) { /* without workers, with, fixed */
        schedule order = {.kind = SCHEDULE_ASCENDING, .workers = WORKERS};
        abut_world_def def = {.body_capacity = 4, .pair_capacity = CAPACITY, .fixed_capacity = k == 2};
        def.parallel = k > 0 ? schedule_parallel(&order) : def.parallel;
        abut_world *world;
        abut_body_id id;
        assert_int_equal(abut_world_create(&def, &world), ABUT_OK);
        const size_t before = reserved_by(world);
        assert_int_equal(abut_body_create(world, &(abut_body_def){.mesh = mesh, .motion = ABUT_STATIC}, &id), ABUT_OK);
        grown[k] = reserved_by(world) - before;
        abut_world_destroy(&world);
    }
    assert_true(grown[0] >= sizeof(abut_contact_part) * 3 * CAPACITY);
    assert_true(grown[1] >= grown[0] + sizeof(abut_contact_part) * WORKERS * PIECE);
    assert_true(grown[2] == 0);
    abut_mesh_destroy(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_lists_with_workers),      cmocka_unit_test(same_keys_with_workers),
        cmocka_unit_test(parts_fit_as_without_workers), cmocka_unit_test(parts_within_the_capacity_allocate_nothing),
        cmocka_unit_test(workers_have_a_piece_each),
    };
    return test_run(tests);
}
