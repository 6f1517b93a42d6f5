/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Bodies that touch a shape, and bodies in a box: who counts, how many are written, and what bad input answers. */

#include "base/spatial.h"
#include "world/world_test.h"
#include <math.h>
#include <stdlib.h>

enum { ROW = 12 };

/* Unit cubes side by side along x, number i from x = i to i + 1; body number i in slot i. */
static abut_world *world_of_row(abut_body_id ids[ROW]) {
    abut_world *world = make_world(NULL);
    for (int i = 0; i < ROW; i++) {
        ids[i] = add_cube(world, (float)i + 0.5f, 0, 0, 0.5f);
        assert_int_equal(abut_body_set_user(world, ids[i], 1000 + (uint64_t)i), ABUT_OK);
    }
    return world;
}

/* A rod from x = a to b touches these bodies of the row, by number. */
static size_t ask(const abut_world *world, float a, float b, const abut_query *query, abut_body_id *out, size_t room) {
    const abut_shape rod = abut_box((b - a) / 2, 0, 0);
    const abut_pose pose = pose_at((a + b) / 2, 0.25f, 0);
    return abut_world_overlaps(world, &rod, &pose, query, out, room);
}

static void assert_found(const abut_world *world, const abut_query *query, const char *numbers) {
    abut_body_id out[ROW + 1];
    abut_touching touching[ROW + 1];
    const abut_shape rod = abut_box(ROW / 2.0f, 0, 0);
    const abut_pose pose = pose_at(ROW / 2.0f, 0.25f, 0);
    const abut_aabb box = {{0, 0, 0}, {ROW, 1, 1}};
    size_t n = strlen(numbers);
    for (int call = 0; call < 3; call++) {
        size_t found = call == 0   ? ask(world, 0, ROW, query, out, ROW + 1)
                       : call == 1 ? abut_world_in_bounds(world, &box, query, out, ROW + 1)
                                   : abut_world_collide(world, &rod, &pose, 0, query, touching, ROW + 1);
        assert_int_equal(found, n);
        for (size_t i = 0; i < n; i++) {
            abut_body_id id = call == 2 ? touching[i].body : out[i];
            assert_int_equal(id.index1, (uint32_t)(numbers[i] - 'a') + 1);
            assert_true(abut_body_is_valid(world, id));
            assert_true(call < 2 || touching[i].user == 1000 + (uint64_t)(numbers[i] - 'a'));
        }
    }
}

static void lists_are_sorted_and_cut(void **state) {
    (void)state;
    abut_body_id ids[ROW], out[ROW + 1];
    abut_world *world = world_of_row(ids);
    for (int stepped = 0; stepped < 2; stepped++) {
        assert_int_equal(ask(world, 2.5f, 7, NULL, out, ROW), 6); /* closed: number 7 begins at 7 */
        for (uint32_t room = 0; room <= 7; room++) {
            memset(out, 0x55, sizeof out);
            assert_int_equal(ask(world, 2.5f, 7, NULL, out, room), 6);
            for (uint32_t k = 0; k <= ROW; k++) {
                assert_int_equal(out[k].index1, k < room && k < 6 ? k + 3 : 0x55555555);
            }
        }
        assert_int_equal(ask(world, 2.5f, 7, NULL, NULL, 100), 6);
        assert_int_equal(ask(world, -2, -1, NULL, out, ROW), 0);
        (void)step_world(world);
    }
    assert_int_equal(abut_body_destroy(world, ids[4]), ABUT_OK);
    move_to(world, ids[5], 0, 50, 0);
    assert_found(world, NULL, "abcdghijkl");
    abut_world_destroy(&world);
}

static void filters_decide_who_counts(void **state) {
    (void)state;
    abut_body_id ids[ROW];
    abut_world *world = world_of_row(ids);
    const abut_filter of_two = {.category = 2}, nothing = {.mask = ABUT_MASK_NONE}, group = {.group = 5};
    assert_int_equal(abut_body_set_filter(world, ids[1], &of_two), ABUT_OK);
    assert_int_equal(abut_body_set_filter(world, ids[2], &nothing), ABUT_OK);
    assert_int_equal(abut_body_set_filter(world, ids[3], &group), ABUT_OK);
    abut_query query = {.ignore_count = 0};
    assert_found(world, NULL, "abdefghijkl");
    assert_found(world, &query, "abdefghijkl");
    query.filter = (abut_filter){.mask = 2};
    assert_found(world, &query, "b");
    query.filter = (abut_filter){.mask = 2, .group = 5};
    assert_found(world, &query, "bd");
    query.filter = (abut_filter){.group = -5};
    assert_found(world, &query, "abdefghijkl");
    query.filter = (abut_filter){.category = ABUT_MASK_NONE};
    assert_found(world, &query, "");
    abut_world_destroy(&world);
}

static void ignored_compounds_do_not_count(void **state) {
    (void)state;
    enum { MANY = 1000 };
    abut_body_id ids[ROW], list[MANY];
    abut_world *world = world_of_row(ids);
    abut_query query = {.ignore = list, .ignore_count = 3};
    list[0] = ids[3], list[1] = id_of(0, 0), list[2] = ids[0];
    assert_found(world, &query, "bcefghijkl");
    /* c carries e, which carries f: naming any of them names all. */
    assert_int_equal(abut_body_destroy(world, ids[4]), ABUT_OK);
    assert_int_equal(abut_body_destroy(world, ids[5]), ABUT_OK);
    list[0] = ids[4]; /* stale, and so is this one, whose slot will be taken: */
    list[1] = ids[5];
    abut_body_def def = {.pose = pose_at(3, 0, 0), .half = {0.5f, 0.5f, 0.5f}, .parent = ids[2], .user = 1005};
    ids[5] = add_body(world, &def);
    def = (abut_body_def){.pose = pose_at(-1, 0, 0), .half = {0.5f, 0.5f, 0.5f}, .parent = ids[5], .user = 1004};
    ids[4] = add_body(world, &def);
    list[2] = id_of(77, 1);
    assert_found(world, &query, "abcdefghijkl");
    list[1] = ids[4];
    assert_found(world, &query, "abdghijkl");
    for (size_t count = 1; count <= MANY; count = count * 3 / 2 + 1) { /* lists of any length */
        for (size_t k = 0; k < count; k++) {
            list[k] = k % 2 == 0 ? id_of((uint32_t)k + 100, 3) : id_of(ids[6].index1, 99);
        }
        query.ignore_count = count;
        assert_found(world, &query, "abcdefghijkl");
        list[count - 1] = ids[5];
        assert_found(world, &query, "abdghijkl");
        list[count / 3] = ids[11];
        assert_found(world, &query, count > 1 ? "abdghijk" : "abcdefghijk");
        list[count / 2] = ids[0];
        list[count - 1] = ids[0];
        assert_found(world, &query, count > 1 ? "bcdefghijk" : "bcdefghijkl");
    }
    abut_world_destroy(&world);
}

/* Long lists that name many of many bodies, also as roots of compounds. */
static void long_lists_of_ignored_bodies(void **state) {
    (void)state;
    enum { BODIES = 1500 };
    abut_body_id *ids = calloc(BODIES, sizeof *ids), *list = calloc(BODIES, sizeof *list);
    abut_body_id *out = calloc(BODIES, sizeof *out);
    assert_true(ids && list && out);
    for (int compounds = 0; compounds < 2; compounds++) {
        abut_world *world = make_world(NULL);
        for (int i = 0; i < BODIES; i++) {
            abut_body_def def = {.pose = pose_at((float)(i % 100), (float)(i / 100), 0), .half = {1, 1, 1}};
            if (compounds && i % 3 == 1) {
                def.parent = ids[i - 1];
            }
            ids[i] = add_body(world, &def);
        }
        for (uint32_t count = 1; count < BODIES; count = count * 2 + 1) {
            rng r = rng_make(test_seed(), count);
            bool ignored[BODIES + 1] = {false};
            for (uint32_t k = 0; k < count; k++) {
                uint32_t i = rng_below(&r, BODIES), root = compounds && i % 3 == 1 ? i - 1 : i;
                list[k] = ids[i];
                ignored[root] = true;
                ignored[root + 1] = ignored[root + 1] || (compounds && root % 3 == 0);
            }
            const abut_query query = {.ignore = list, .ignore_count = count};
            const abut_aabb all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
            size_t found = abut_world_in_bounds(world, &all, &query, out, BODIES), expected = 0;
            for (uint32_t i = 0; i < BODIES; i++) {
                assert_true(ignored[i] || (expected < found && out[expected].index1 == i + 1));
                expected += !ignored[i];
            }
            assert_int_equal(found, expected);
        }
        abut_world_destroy(&world);
    }
    free(ids);
    free(list);
    free(out);
}

typedef struct asked {
    const abut_world *world;
    uint32_t bits, refuse;
    size_t element;
} asked;

static bool accept(const abut_candidate *candidate, void *context) {
    asked *a = context;
    uint64_t user;
    assert_int_equal(abut_body_get_user(a->world, candidate->body, &user), ABUT_OK);
    assert_true(user == candidate->user && candidate->part == 0 && candidate->mover.index1 == 0);
    a->element |= (size_t)1 << candidate->element;
    a->bits |= UINT32_C(1) << (candidate->body.index1 - 1);
    return !(a->refuse >> (candidate->body.index1 - 1) & 1);
}

static void accept_is_asked_about_what_is_met(void **state) {
    (void)state;
    abut_body_id ids[ROW], out[ROW];
    size_t ends[3];
    abut_touching touching[ROW];
    abut_world *world = world_of_row(ids);
    asked a = {.world = world, .refuse = 0x28};
    abut_query query = {.ignore = &ids[4], .ignore_count = 1, .accept = accept, .context = &a};
    assert_found(world, &query, "abcghijkl");
    a.bits = 0;
    assert_int_equal(ask(world, 2.5f, 6.5f, &query, out, ROW), 2);
    assert_true(a.bits == 0x6c && out[0].index1 == 3 && out[1].index1 == 7 && a.element == 1);
    const abut_shape ball = abut_sphere(1.5f);
    abut_pose pose = pose_at(5.5f, 1.75f, 0); /* its bounds touch 4 to 7, it itself does not reach 4 */
    a.bits = 0;
    assert_int_equal(abut_world_collide(world, &ball, &pose, 0, &query, touching, ROW), 1);
    assert_true(a.bits == 0x60 || a.bits == 0x70);
    const abut_shape shapes[3] = {ball, abut_box(0.1f, 0.1f, 0.1f), abut_point()};
    const abut_pose poses[3] = {pose_at(0, 90, 0), pose_at(9.5f, 0, 0), pose_at(11, 0, 0)};
    a = (asked){.world = world};
    assert_int_equal(abut_world_overlaps_many(world, shapes, poses, 3, &query, out, ROW, ends), ABUT_OK);
    assert_true(ends[0] == 0 && ends[1] == 1 && ends[2] == 3 && a.element == 6 && a.bits == 0xe00);
    abut_world_destroy(&world);
}

static void many_shapes_share_one_list(void **state) {
    (void)state;
    abut_body_id ids[ROW], out[16];
    size_t ends[4];
    abut_world *world = world_of_row(ids);
    const abut_shape shapes[4] = {abut_box(1, 0, 0), abut_point(), abut_sphere(1), abut_box(1, 0, 0)};
    const abut_pose poses[4] = {pose_at(2.5f, 0, 0), pose_at(-3, 0, 0), pose_at(9.5f, 0, 0), pose_at(0.5f, 0, 0)};
    const uint32_t expected[8] = {2, 3, 4, 9, 10, 11, 1, 2};
    for (uint32_t room = 0; room <= 9; room++) {
        memset(out, 0x55, sizeof out);
        abut_result result = abut_world_overlaps_many(world, shapes, poses, 4, NULL, out, room, ends);
        assert_int_equal(result, room < 8 ? ABUT_ERROR_CAPACITY : ABUT_OK);
        assert_true(ends[0] == 3 && ends[1] == 3 && ends[2] == 6 && ends[3] == 8);
        for (uint32_t k = 0; k < 16; k++) {
            assert_int_equal(out[k].index1, k < room && k < 8 ? expected[k] : 0x55555555);
        }
    }
    assert_int_equal(abut_world_overlaps_many(world, shapes, poses, 4, NULL, NULL, 0, ends), ABUT_ERROR_CAPACITY);
    assert_int_equal(ends[3], 8);
    assert_int_equal(abut_world_overlaps_many(world, NULL, NULL, 0, NULL, NULL, 0, NULL), ABUT_OK);
    abut_world_destroy(&world);
}

static void invalid_elements_have_no_ids(void **state) {
    (void)state;
    abut_body_id ids[ROW], out[16];
    size_t ends[3];
    abut_world *world = world_of_row(ids);
    abut_shape shapes[3] = {abut_box(1, 0, 0), abut_point(), abut_sphere(1)};
    abut_pose poses[3] = {pose_at(2.5f, 0, 0), pose_at(1.0001e9f, 0, 0), pose_at(9.5f, 0, 0)};
    assert_int_equal(abut_world_overlaps_many(world, shapes, poses, 3, NULL, out, 16, ends), ABUT_ERROR_LIMIT);
    assert_true(ends[0] == 3 && ends[1] == 3 && ends[2] == 6);
    assert_int_equal(abut_world_overlaps(world, &shapes[1], &poses[1], NULL, out, 16), 0);
    poses[1] = pose_at(0, 0.9e9f, 0);
    assert_int_equal(abut_world_overlaps_many(world, shapes, poses, 3, NULL, out, 16, ends), ABUT_OK);
    poses[0].rotation = (abut_quat){4e9f, 0, 0, 0}; /* of any length: the limit is one of places */
    assert_int_equal(abut_world_overlaps_many(world, shapes, poses, 3, NULL, out, 16, ends), ABUT_OK);
    assert_int_equal(ends[0], 3);
    poses[0].rotation = (abut_quat){0, 0, 0, 1};
    shapes[1] = abut_sphere(0.2e9f);
    assert_int_equal(abut_world_overlaps_many(world, shapes, poses, 3, NULL, out, 6, ends), ABUT_ERROR_LIMIT);
    assert_int_equal(abut_world_overlaps_many(world, shapes, poses, 3, NULL, out, 5, ends), ABUT_ERROR_CAPACITY);
    assert_int_equal(ends[2], 6); /* so that nobody reads a sixth */
    shapes[0] = abut_sphere(-1);
    assert_int_equal(abut_world_overlaps_many(world, shapes, poses, 3, NULL, out, 16, ends), ABUT_ERROR_ARGUMENT);
    assert_true(ends[0] == 0 && ends[1] == 0 && ends[2] == 3 && out[0].index1 == 9 && out[2].index1 == 11);
    shapes[0].radius = 0;
    poses[0].rotation.x = NAN;
    assert_int_equal(abut_world_overlaps_many(world, shapes, poses, 3, NULL, out, 16, ends), ABUT_ERROR_ARGUMENT);
    shapes[0].mesh = (const abut_mesh *)(const void *)&shapes;
    poses[0].rotation.x = 0;
    assert_int_equal(abut_world_overlaps_many(world, shapes, poses, 3, NULL, out, 16, ends), ABUT_ERROR_ARGUMENT);
    abut_world_destroy(&world);
}

static void assert_refused(const abut_world *world, const abut_shape *shape, const abut_pose *pose,
                           const abut_aabb *box, float margin, const abut_query *query) {
    abut_body_id out[ROW];
    abut_touching touching[ROW];
    size_t end;
    if (margin == 0) {
        assert_int_equal(abut_world_overlaps(world, shape, pose, query, out, ROW), 0);
        assert_int_equal(abut_world_in_bounds(world, box, query, out, ROW), 0);
        assert_int_equal(abut_world_overlaps_many(world, shape, pose, 1, query, out, ROW, &end), ABUT_ERROR_ARGUMENT);
    }
    assert_int_equal(abut_world_collide(world, shape, pose, margin, query, touching, ROW), 0);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    abut_body_id ids[ROW], out[ROW];
    size_t end;
    abut_world *world = world_of_row(ids);
    const abut_shape good = abut_box(3, 1, 1);
    const abut_pose pose = pose_at(3, 0, 0);
    const abut_aabb box = {{0, 0, 0}, {9, 1, 1}}, nan = {{0, NAN, 0}, {9, 1, 1}}, wrong = {{0, 0, 2}, {9, 1, 1}};
    abut_pose bad_pose = pose;
    bad_pose.position.y = INFINITY;
    assert_refused(NULL, &good, &pose, &box, 0, NULL);
    assert_refused(world, NULL, &pose, NULL, 0, NULL);
    assert_refused(world, &good, NULL, &nan, 0, NULL);
    assert_refused(world, &good, &bad_pose, &wrong, 0, NULL);
    assert_refused(world, &good, &pose, &box, -1, NULL);
    assert_refused(world, &good, &pose, &box, NAN, NULL);
    assert_refused(world, &good, &pose, &box, INFINITY, NULL);
    const abut_query bad[] = {{.filter.category = ABUT_MASK_NONE | 1},
                              {.ignore_count = 1},
                              {.initial = (abut_initial)3},
                              {.allowance = -1},
                              {.allowance = NAN}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_refused(world, &good, &pose, &box, 0, &bad[k]);
    }
    assert_int_equal(abut_world_overlaps_many(world, &good, &pose, 1, NULL, NULL, 3, &end), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_overlaps_many(world, &good, &pose, 1, NULL, out, ROW, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_overlaps_many(world, NULL, &pose, 1, NULL, out, ROW, &end), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_overlaps(world, &good, &pose, NULL, out, ROW), 7);
    abut_world_destroy(&world);
    world = make_world(NULL);
    assert_int_equal(abut_world_overlaps(world, &good, &pose, NULL, out, ROW), 0);
    assert_int_equal(abut_world_in_bounds(world, &box, NULL, out, ROW), 0);
    abut_world_destroy(&world);
}

/* Bounds of a world with a margin are wider inside; and whoever is beyond them by a hair is not there. */
static void bounds_are_those_that_callers_get(void **state) {
    (void)state;
    abut_world *world = make_world(&(abut_world_def){.contact_margin = 0.5f});
    abut_body_def def = {.pose = pose_at(0, 0, 0), .half = {1, 0.5f, 0.25f}};
    def.pose.rotation = (abut_quat){0.1f, 0.2f, 0.3f, 0.9f};
    abut_body_id id = add_body(world, &def), out;
    abut_aabb bounds, box;
    assert_int_equal(abut_body_get_bounds(world, id, &bounds), ABUT_OK);
    for (int step = 0; step < 2; step++) {
        for (int side = 0; side < 6; side++) {
            box = (abut_aabb){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
            float *low = &box.min.x, *high = &box.max.x;
            bool above = side < 3;
            *(above ? &low[side] : &high[side - 3]) = above ? (&bounds.max.x)[side] : (&bounds.min.x)[side - 3];
            assert_int_equal(abut_world_in_bounds(world, &box, NULL, &out, 1), 1);
            float *end = above ? &low[side] : &high[side - 3];
            *end = nextafterf(*end, above ? INFINITY : -INFINITY);
            assert_int_equal(abut_world_in_bounds(world, &box, NULL, &out, 1), 0);
        }
        (void)step_world(world);
    }
    abut_world_destroy(&world);
}

static abut_hull *tetrahedron(void) {
    static const abut_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    abut_hull *hull = NULL;
    assert_int_equal(abut_hull_create(points, 4, NULL, &hull), ABUT_OK);
    return hull;
}

/* Whatever the shapes and details are, the answers are those of the functions for two shapes. */
static void answers_are_those_of_two_shapes(void **state) {
    (void)state;
    abut_hull *hull = tetrahedron();
    abut_world *world = make_world(&(abut_world_def){.contact_margin = 0.25f});
    const abut_shape shapes[6] = {abut_box(1, 0.5f, 0.25f), abut_sphere(0.75f),
                                  abut_capsule(1, 0.25f),   abut_convex(hull, 0),
                                  abut_convex(hull, 0.2f),  {{0.5f, 0.5f, 0}, NULL, NULL, 0.1f}};
    for (uint32_t i = 0; i < 300; i++) {
        rng r = rng_make(test_seed(), i);
        const abut_shape *s = &shapes[i % 6];
        abut_body_def def = {.pose = random_pose(&r, 2), .half = s->half, .hull = s->hull, .radius = s->radius};
        def.detail = (abut_detail)(i % 3);
        (void)add_body(world, &def);
    }
    abut_body_id out[300];
    abut_touching touching[300];
    size_t seen = 0;
    for (uint32_t i = 0; i < 120; i++) {
        rng r = rng_make(test_seed(), 1000 + i);
        abut_shape shape = i % 7 == 6 ? abut_point() : shapes[i % 7];
        abut_pose pose = random_pose(&r, 2), at;
        float margin = i % 2 == 0 ? 0 : (float)rng_range(&r, 0, 1);
        size_t n = abut_world_overlaps(world, &shape, &pose, NULL, out, 300), met = 0;
        size_t near = abut_world_collide(world, &shape, &pose, margin, NULL, touching, 300), found = 0;
        assert_int_equal(abut_world_collide(world, &shape, &pose, margin, NULL, NULL, 0), near);
        for (uint32_t k = 0; k < 300; k++) {
            abut_shape other;
            abut_manifold m;
            assert_int_equal(abut_body_get_shape(world, id_of(k + 1, 1), &other, &at), ABUT_OK);
            if (abut_shape_overlap(&other, &at, &shape, &pose)) {
                assert_true(met < n && out[met].index1 == k + 1);
                met++;
            }
            if (abut_shape_collide(&other, &at, &shape, &pose, margin, &m)) {
                assert_true(found < near && touching[found].body.index1 == k + 1 && touching[found].part == 0);
                assert_memory_equal(&m, &touching[found].manifold, sizeof m);
                found++;
            }
        }
        assert_true(met == n && found == near);
        abut_touching some[5];
        assert_int_equal(abut_world_collide(world, &shape, &pose, margin, NULL, some, 5), near);
        assert_memory_equal(some, touching, (near < 5 ? near : 5) * sizeof *some);
        seen += met;
        if (i == 60) {
            (void)step_world(world);
        }
    }
    assert_true(seen > 500);
    abut_world_destroy(&world);
    abut_hull_destroy(&hull);
}

/* Two shapes may touch by the rounding that the predicate allows for although their bounds are apart. */
static void bounds_do_not_overrule_the_predicate(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id out;
    abut_body_def def = {.pose = pose_at(-1, 0, 0), .radius = 1};
    (void)add_body(world, &def);
    const abut_shape ball = abut_sphere(0x1p-51f), other = abut_sphere(1);
    const abut_pose pose = pose_at(0x1p-50f, 0, 0);
    assert_true(abut_shape_bounds(&ball, &pose).min.x > abut_shape_bounds(&other, &def.pose).max.x);
    assert_true(abut_shape_overlap(&other, &def.pose, &ball, &pose));
    for (int step = 0; step < 2; step++) {
        assert_int_equal(abut_world_overlaps(world, &ball, &pose, NULL, &out, 1), 1);
        (void)step_world(world);
    }
    abut_world_destroy(&world);
}

/* --- long shapes that are not parallel to the axes --- */

/* Rods, poles, plates, boxes and hulls that are long beside the bodies. */
static abut_shape random_long_shape(rng *r, const abut_hull *hull, double extent) {
    const float length = (float)(extent * rng_range(r, 0.3, 1.2)), width = (float)rng_log_range(r, 1e-3, extent / 2);
    switch (rng_below(r, 6)) {
    case 0:
        return abut_box(length, width, 0);
    case 1:
        return abut_capsule(length, width);
    case 2:
        return abut_box(width, length, length);
    case 3:
        return (abut_shape){.half = {width, width, length}, .radius = (float)rng_log_range(r, 1e-3, 3)};
    case 4:
        return abut_convex(hull, rng_chance(r, 0.5) ? 0 : (float)rng_log_range(r, 1e-3, 3));
    default:
        return abut_box(length, length / 2, width);
    }
}

/* Where a body touches the shape, or nearly: its centre is one of its farthest points moved out by its radius. */
static abut_vec3 beside(rng *r, const abut_shape *shape, const abut_pose *pose, float radius) {
    double m[3][3];
    abut_d3 local = {{0, 0, 0}};
    const float *half = &shape->half.x;
    abut_dquat_matrix(abut_dquat_from(pose->rotation), m);
    for (int k = 0; k < 3; k++) {
        local.x[k] = half[k] * rng_range(r, -1, 1);
    }
    uint32_t face = rng_below(r, 3);
    local.x[face] = (double)half[face] * (1 + 1e-7 * rng_range(r, -1, 1)) + shape->radius + radius;
    const abut_d3 at = abut_d3_rotate(m, local);
    return (abut_vec3){(float)(pose->position.x + at.x[0]), (float)(pose->position.y + at.x[1]),
                       (float)(pose->position.z + at.x[2])};
}

static void add_bodies(rng *r, abut_world *world, abut_body_id *id, size_t n, const abut_vec3 *middle, double extent,
                       const abut_shape *shape, const abut_pose *pose) {
    for (size_t i = 0; i < n; i++) {
        abut_body_def def = random_box(r, extent);
        def.radius = rng_chance(r, 0.3) ? 0.2f : 0;
        def.pose.position.x += middle->x;
        def.pose.position.y += middle->y;
        def.pose.position.z += middle->z;
        if (i % 4 == 0 && !shape->hull) {
            def.half = (abut_vec3){0, 0, 0};
            def.radius = 0.5f;
            def.pose.position = beside(r, shape, pose, def.radius);
        }
        id[i] = add_body(world, &def);
    }
}

/* All bodies are asked one by one. */
static void assert_met(abut_world *world, const abut_body_id *id, size_t n, const abut_shape *shape,
                       const abut_pose *pose, float margin) {
    enum { MOST = 600 };
    static abut_body_id out[MOST];
    static abut_touching touching[MOST];
    size_t overlaps = abut_world_overlaps(world, shape, pose, NULL, out, MOST), near;
    size_t found = abut_world_collide(world, shape, pose, margin, NULL, touching, MOST), met = 0;
    near = 0;
    assert_true(n <= MOST);
    for (size_t i = 0; i < n; i++) {
        abut_shape body;
        abut_pose at;
        abut_manifold m;
        assert_int_equal(abut_body_get_shape(world, id[i], &body, &at), ABUT_OK);
        if (abut_shape_overlap(&body, &at, shape, pose)) {
            assert_true(met < overlaps && abut_body_id_equal(out[met], id[i]));
            met++;
        }
        if (abut_shape_collide(&body, &at, shape, pose, margin, &m)) {
            assert_true(near < found && abut_body_id_equal(touching[near].body, id[i]));
            near++;
        }
    }
    assert_int_equal(met, overlaps);
    assert_int_equal(near, found);
}

static void long_shapes_meet_what_each_body_says(void **state) {
    (void)state;
    enum { BODIES = 500, ROUNDS = 40 };
    static abut_body_id id[BODIES];
    const abut_vec3 corners[] = {{-20, 1, 0}, {25, 0, 1}, {-18, -1, 0.5f}, {21, -1, -1}, {0, 0.3f, 2}, {3, 1, 1}};
    abut_hull *hull;
    assert_int_equal(abut_hull_create(corners, 6, NULL, &hull), ABUT_OK);
    for (unsigned long round = 0; round < ROUNDS || round < test_count(ROUNDS); round++) {
        rng r = rng_make(test_seed(), 900 + round);
        const double extent = 25, far = round % 4 == 0 ? 0 : rng_log_range(&r, 1, 1e7);
        const abut_vec3 middle = rng_vec3(&r, -far, far);
        abut_world *world = make_world(NULL);
        const abut_shape shape = random_long_shape(&r, hull, extent);
        const abut_pose pose = {middle, rng_rotation(&r)};
        add_bodies(&r, world, id, BODIES, &middle, extent, &shape, &pose);
        assert_met(world, id, BODIES, &shape, &pose, 0);
        assert_met(world, id, BODIES, &shape, &pose, (float)rng_log_range(&r, 1e-3, 5));
        for (int k = 0; k < 20; k++) {
            const abut_shape other = random_long_shape(&r, hull, extent);
            abut_pose at = random_pose(&r, extent);
            at.position = (abut_vec3){middle.x + at.position.x, middle.y + at.position.y, middle.z + at.position.z};
            assert_met(world, id, BODIES, &other, &at, (float)rng_log_range(&r, 1e-3, 1));
        }
        abut_world_destroy(&world);
    }
    abut_hull_destroy(&hull);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_sorted_and_cut),
        cmocka_unit_test(filters_decide_who_counts),
        cmocka_unit_test(ignored_compounds_do_not_count),
        cmocka_unit_test(long_lists_of_ignored_bodies),
        cmocka_unit_test(accept_is_asked_about_what_is_met),
        cmocka_unit_test(many_shapes_share_one_list),
        cmocka_unit_test(invalid_elements_have_no_ids),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(bounds_are_those_that_callers_get),
        cmocka_unit_test(answers_are_those_of_two_shapes),
        cmocka_unit_test(bounds_do_not_overrule_the_predicate),
        cmocka_unit_test(long_shapes_meet_what_each_body_says),
    };
    return test_run(tests);
}
