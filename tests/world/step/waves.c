/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Steps with workers against the same steps without: lists, bit for bit, whatever the order in which tasks run. */

#include "support/test.h"
#include <abut/abut.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 5000, STEPS = 9 };

/* Tasks one after the other, backwards: the last task finds all blocks, the others what its rooms did not hold. */
static void backwards(void (*task)(void *data, uint32_t index), void *data, uint32_t count, void *user) {
    ++*(unsigned *)user;
    for (uint32_t index = count; index-- > 0;) {
        task(data, index);
    }
}

static bool some(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    (void)user_a, (void)user_b, (void)user;
    return (a.index1 * 31 + b.index1) % 7 != 0;
}

typedef struct kind {
    bool filter, fixed, meshes, lean; /* lean: nothing is reserved, so that parts outgrow their list */
    float margin;
    uint32_t workers;
} kind;

typedef struct scene {
    abut_hull *hull;
    abut_mesh *mesh;
    abut_body_id id[BODIES];
    abut_pose pose[BODIES];
    unsigned loops;
} scene;

static uint32_t next(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static float number(uint32_t *seed) {
    return (float)next(seed) * (1.0f / 16777216);
}

static abut_pose any_pose(uint32_t *seed) {
    abut_pose p = {{36 * number(seed), 5 * number(seed), 36 * number(seed)},
                   {number(seed), number(seed) - 0.5f, number(seed) - 0.5f, 0.5f}};
    return p;
}

static abut_world *make(scene *s, const kind *k, uint32_t workers) {
    abut_world_def def = {.contact_margin = k->margin,
                          .fixed_capacity = k->fixed,
                          .body_capacity = BODIES + 1,
                          .pair_capacity = k->lean ? 0 : 200000,
                          .should_collide = k->filter ? some : NULL};
    if (workers > 0) {
        def.parallel = (abut_parallel){backwards, workers, &s->loops};
    }
    abut_world *world = NULL;
    assert_int_equal(abut_world_create(&def, &world), ABUT_OK);
    uint32_t seed = 7;
    if (k->meshes) {
        abut_body_def ground = {.mesh = s->mesh, .motion = ABUT_STATIC};
        abut_body_id id;
        assert_int_equal(abut_body_create(world, &ground, &id), ABUT_OK);
    }
    for (uint32_t i = 0; i < BODIES; i++) {
        abut_body_def d = {.half = {0.3f, 0.4f, 0.5f}};
        d.pose = s->pose[i] = any_pose(&seed);
        uint32_t what = next(&seed) % 8;
        d.hull = what == 0 ? s->hull : NULL;
        d.radius = what == 1 ? 0.2f : 0;
        d.detail = what == 2 ? ABUT_DETAIL_OVERLAP : what == 3 ? ABUT_DETAIL_BOUNDS : ABUT_DETAIL_MANIFOLD;
        d.user = i;
        assert_int_equal(abut_body_create(world, &d, &s->id[i]), ABUT_OK);
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
    for (uint32_t i = 0; i < BODIES; i++) {
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
    abut_world *plain = make(s, k, 0), *wide = make(s, k, k->workers);
    scene *copy = malloc(sizeof *copy);
    assert_non_null(copy);
    *copy = *s;
    s->loops = 0;
    for (uint32_t step = 0; step < STEPS; step++) {
        abut_step_report a, b;
        change(s, wide, step);
        change(copy, plain, step);
        assert_int_equal(abut_world_step(plain, NULL, &a), ABUT_OK);
        assert_int_equal(abut_world_step(wide, NULL, &b), ABUT_OK);
        assert_int_equal(a.contacts, b.contacts);
        assert_int_equal(a.begun, b.begun);
        assert_int_equal(a.ended, b.ended);
        assert_int_equal(a.second_stage, b.second_stage);
        compare(plain, wide);
    }
    assert_true(s->loops > STEPS / 2);
    assert_int_equal(abut_world_validate(wide), ABUT_OK);
    abut_world_destroy(&plain);
    abut_world_destroy(&wide);
    free(copy);
}

static void same_lists_with_workers(void **state) {
    static const kind kinds[] = {
        {.workers = 2},
        {.workers = 3, .margin = 0.05f},
        {.workers = 16, .filter = true},
        {.workers = 2, .meshes = true},
        {.workers = 256, .meshes = true, .filter = true, .margin = 0.01f},
        {.workers = 2, .meshes = true, .fixed = true},
        {.workers = 100, .fixed = true},
        {.workers = 3, .meshes = true, .lean = true},
        {.workers = 16, .meshes = true, .lean = true, .filter = true},
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_lists_with_workers)};
    return test_run(tests);
}
