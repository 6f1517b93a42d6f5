/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A world is saved and restored into worlds with other histories; afterwards all of them do the same. */

#include "support/rng.h"
#include "support/test.h"
#include <abut/abut.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 120, STEPS = 10 };

typedef struct shapes {
    abut_hull *hull[2];
    abut_mesh *mesh;
} shapes;

static const abut_hull *find_hull(uint64_t digest, void *user) {
    const shapes *s = user;
    return abut_hull_digest(s->hull[0]) == digest ? s->hull[0] : s->hull[1];
}

static const abut_mesh *find_mesh(uint64_t digest, void *user) {
    (void)digest;
    return ((const shapes *)user)->mesh;
}

static shapes make_shapes(void) {
    rng r = rng_make(5, 0);
    shapes s;
    for (int k = 0; k < 2; k++) {
        abut_vec3 points[12];
        for (int i = 0; i < 12; i++) {
            points[i] =
                (abut_vec3){(float)rng_range(&r, -1, 1), (float)rng_range(&r, -1, 1), (float)rng_range(&r, -1, 1)};
        }
        assert_int_equal(abut_hull_create(points, 12, NULL, &s.hull[k]), ABUT_OK);
    }
    float height[121];
    for (int i = 0; i < 121; i++) {
        height[i] = (float)rng_range(&r, 0, 1);
    }
    abut_mesh_grid_def grid = {.heights = height, .columns = 11, .rows = 11, .spacing = {1, 1, 1}};
    assert_int_equal(abut_mesh_create_grid(&grid, &s.mesh), ABUT_OK);
    return s;
}

static abut_pose any_pose(rng *r) {
    return (abut_pose){{(float)rng_range(r, 0, 10), (float)rng_range(r, 0, 4), (float)rng_range(r, 0, 10)},
                       {(float)rng_range(r, -1, 1), (float)rng_range(r, -1, 1), (float)rng_range(r, -1, 1),
                        (float)rng_range(r, 0.1f, 1)}};
}

static abut_body_id any_body(const abut_world *world, rng *r) {
    abut_body_id id[BODIES * 4];
    size_t n = abut_world_bodies(world, id, BODIES * 4);
    return n > 0 ? id[rng_below(r, (uint32_t)n)] : (abut_body_id){0, 0};
}

static void create(abut_world *world, const shapes *s, rng *r) {
    abut_body_def def = {.pose = any_pose(r), .user = rng_below(r, 1000)};
    uint32_t what = rng_below(r, 10);
    def.half = (abut_vec3){(float)rng_range(r, 0.1f, 0.6f), (float)rng_range(r, 0.1f, 0.6f), 0.3f};
    def.hull = what < 2 ? s->hull[what] : NULL;
    def.mesh = what == 2 && rng_below(r, 4) == 0 ? s->mesh : NULL;
    def.radius = what == 3 ? 0.3f : 0;
    def.motion = what == 4 ? ABUT_STATIC : ABUT_MOVING;
    def.detail = what == 5 ? ABUT_DETAIL_OVERLAP : what == 6 ? ABUT_DETAIL_BOUNDS : ABUT_DETAIL_MANIFOLD;
    def.filter.category = what == 7 ? 3 : 0;
    def.parent = what == 8 ? any_body(world, r) : (abut_body_id){0, 0};
    def.box = what == 9 ? any_pose(r) : (abut_pose){{0, 0, 0}, {0, 0, 0, 0}};
    abut_body_id id;
    (void)abut_body_create(world, &def, &id);
}

/* The same calls for the same stream. */
static void change(abut_world *world, const shapes *s, rng r) {
    for (uint32_t k = rng_below(&r, 30); k > 0; k--) {
        abut_body_id body = any_body(world, &r);
        uint32_t what = rng_below(&r, 12);
        abut_pose pose = any_pose(&r);
        abut_filter filter = {.mask = rng_below(&r, 4)};
        abut_shape shape = {.half = {0.2f, 0.3f, 0.4f}, .hull = what == 7 ? s->hull[0] : NULL};
        switch (what) {
        case 0:
            (void)abut_body_destroy(world, body);
            break;
        case 1:
        case 2:
            create(world, s, &r);
            break;
        case 3:
            (void)abut_body_set_filter(world, body, &filter);
            break;
        case 4:
            (void)abut_body_set_motion(world, body, rng_below(&r, 2) ? ABUT_STATIC : ABUT_MOVING);
            break;
        case 5:
            (void)abut_body_set_detail(world, body, (abut_detail)rng_below(&r, 3));
            break;
        case 6:
            (void)abut_body_set_user(world, body, k);
            break;
        case 7:
        case 8:
            (void)abut_body_set_shape(world, body, &shape, NULL);
            break;
        default:
            (void)abut_body_set_pose(world, body, &pose);
        }
    }
}

static void assert_same_list(const void *a, const void *b, size_t size, size_t n, size_t m) {
    assert_int_equal(n, m);
    if (n > 0) {
        assert_memory_equal(a, b, n * size);
    }
}

static size_t contacts_compared, events_compared, parts_compared;

static void assert_same_lists(const abut_world *a, const abut_world *b) {
    size_t n, m;
    const abut_contact *p = abut_world_contacts(a, &n), *q = abut_world_contacts(b, &m);
    assert_same_list(p, q, sizeof *p, n, m);
    contacts_compared += n;
    p = abut_world_events(a, &n), q = abut_world_events(b, &m);
    assert_same_list(p, q, sizeof *p, n, m);
    events_compared += n;
    const abut_contact_part *s = abut_world_parts(a, &n), *t = abut_world_parts(b, &m);
    assert_same_list(s, t, sizeof *s, n, m);
    parts_compared += n;
    assert_true(abut_world_hash(a) == abut_world_hash(b));
}

static unsigned char *save(const abut_world *world, size_t *size) {
    *size = abut_world_save(world, NULL, 0);
    assert_true(*size > 0);
    unsigned char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(abut_world_save(world, bytes, *size - 1), *size); /* too small: writes nothing */
    bytes[*size] = 77;
    assert_int_equal(abut_world_save(world, bytes, *size), *size);
    assert_int_equal(bytes[*size], 77);
    return bytes;
}

static void assert_same_save(const abut_world *a, const abut_world *b) {
    size_t n, m;
    unsigned char *p = save(a, &n), *q = save(b, &m);
    assert_same_list(p, q, 1, n, m);
    free(p);
    free(q);
}

static void assert_same_step(abut_world *a, abut_world *b) {
    abut_step_report p, q;
    assert_int_equal(abut_world_step(a, NULL, &p), ABUT_OK);
    assert_int_equal(abut_world_step(b, NULL, &q), ABUT_OK);
    assert_int_equal(p.bodies, q.bodies);
    assert_int_equal(p.moved, q.moved);
    assert_int_equal(p.candidates, q.candidates);
    assert_int_equal(p.contacts, q.contacts);
    assert_int_equal(p.begun, q.begun);
    assert_int_equal(p.ended, q.ended);
    assert_same_lists(a, b);
}

static void one_history(unsigned long at) {
    rng r = rng_make(test_seed(), at);
    shapes s = make_shapes();
    const abut_shape_finder finder = {find_hull, find_mesh, &s};
    abut_world_def def = {.contact_margin = rng_below(&r, 2) ? 0.05f : 0}, other_def = {.contact_margin = 0.01f};
    abut_world *world, *other;
    assert_int_equal(abut_world_create(&def, &world), ABUT_OK);
    assert_int_equal(abut_world_create(rng_below(&r, 2) ? &def : &other_def, &other), ABUT_OK);
    for (int i = 0; i < BODIES; i++) {
        create(world, &s, &r);
        if (i % 3) {
            create(other, &s, &r);
        }
    }
    for (uint64_t step = 0; step < STEPS; step++) {
        change(world, &s, rng_make(test_seed() + at, step));
        change(other, &s, rng_make(test_seed() + at, step * 7 + 1000));
        if (step % 3 == 0) {
            assert_int_equal(abut_world_step(other, NULL, NULL), ABUT_OK);
        }
        if (step % 2) {
            assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
        }
        size_t size;
        unsigned char *bytes = save(world, &size);
        assert_int_equal(abut_world_restore(other, bytes, size, &finder), ABUT_OK);
        free(bytes);
        assert_int_equal(abut_world_validate(other), ABUT_OK);
        assert_same_lists(world, other);
        assert_same_save(world, other);
        for (uint64_t more = 0; more < 3; more++) {
            assert_same_step(world, other);
            assert_same_save(world, other);
            assert_int_equal(abut_world_validate(other), ABUT_OK);
            change(world, &s, rng_make(test_seed() + at, step * 100 + more));
            change(other, &s, rng_make(test_seed() + at, step * 100 + more));
            assert_same_save(world, other);
        }
    }
    abut_world_destroy(&world);
    abut_world_destroy(&other);
    abut_hull_destroy(&s.hull[0]);
    abut_hull_destroy(&s.hull[1]);
    abut_mesh_destroy(&s.mesh);
}

static void a_restored_world_goes_on_as_the_saved_one(void **state) {
    (void)state;
    for (unsigned long i = 0; i < test_count(40); i++) {
        one_history(i);
    }
    assert_true(contacts_compared > 0 && events_compared > 0 && parts_compared > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_restored_world_goes_on_as_the_saved_one)};
    return test_run(tests);
}
