/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Sweeps with answers that are known beforehand; errors, callbacks, memory; thousands of movers. */

#include "world/cast/sweep_pairs.h"
#include <math.h>
#include <stdlib.h>

static abut_hit sweep_one(abut_world *world, abut_body_id id, abut_pose target, const abut_query *query) {
    abut_hit hit;
    memset(&hit, 0xee, sizeof hit);
    assert_int_equal(abut_world_sweep(world, &id, &target, 1, query, &hit), ABUT_OK);
    return hit;
}

static bool is_close(float x, double to) {
    return fabs((double)x - to) <= 1e-3;
}

static bool is_vector(abut_vec3 v, double x, double y, double z) {
    return is_close(v.x, x) && is_close(v.y, y) && is_close(v.z, z);
}

static bool is_none(abut_hit hit) {
    const abut_hit none = {.fraction = 1};
    return bits_equal(&hit, &none, sizeof hit);
}

static bool is_invalid(abut_hit hit) {
    bool nan = isnan(hit.fraction);
    hit.fraction = 0;
    const abut_hit none = {.fraction = 0};
    return nan && bits_equal(&hit, &none, sizeof hit);
}

/* --- known answers --- */

/* A wall at x = 0, 0.1 thick. */
static abut_body_id add_wall(abut_world *world) {
    return add_body(world, &(abut_body_def){.half = {0.05f, 9, 9}, .motion = ABUT_STATIC, .user = 3});
}

static void a_bullet_hits_a_wall(void **state) {
    (void)state;
    for (int detail = ABUT_DETAIL_MANIFOLD; detail <= ABUT_DETAIL_BOUNDS; detail++) {
        abut_world *world = make_world(&(abut_world_def){.contact_margin = detail ? 0.5f : 0});
        const abut_body_id wall = add_wall(world);
        const abut_body_def def = {.pose = pose_at(-5, 0, 0), .radius = 0.05f, .detail = (abut_detail)detail};
        const abut_body_id bullet = add_body(world, &def);
        abut_hit hit = sweep_one(world, bullet, pose_at(5, 0, 0), NULL);
        assert_true(abut_body_id_equal(hit.body, wall) && abut_body_id_equal(hit.mover, bullet) && hit.user == 3);
        assert_true(is_close(hit.fraction, 0.49) && hit.fraction <= 0.49f && is_vector(hit.normal, -1, 0, 0));
        assert_true(is_vector(hit.position, -0.05, 0, 0) && hit.part == 0);
        assert_true(is_none(sweep_one(world, bullet, pose_at(-0.2f, 0, 0), NULL)));
        assert_true(is_none(sweep_one(world, wall, pose_at(0, 5, 0), NULL)));
        hit = sweep_one(world, wall, pose_at(-10, 0, 0), NULL); /* a static body may move, too */
        assert_true(abut_body_id_equal(hit.body, bullet) && is_close(hit.fraction, 0.49));
        const abut_query others = {.ignore = &wall, .ignore_count = 1}, me = {.ignore = &bullet, .ignore_count = 1};
        assert_true(is_none(sweep_one(world, bullet, pose_at(5, 0, 0), &others)));
        assert_true(abut_body_id_equal(sweep_one(world, bullet, pose_at(5, 0, 0), &me).body, wall));
        abut_world_destroy(&world);
    }
}

static void who_meets_whom(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id wall = add_wall(world), other;
    const abut_filter ghost = {.category = 4, .mask = ABUT_MASK_NONE};
    const abut_body_id cube = add_cube(world, -5, 0, 0, 0.5f);
    const abut_pose beyond = pose_at(5, 0, 0);
    assert_int_equal(abut_body_set_motion(world, cube, ABUT_STATIC), ABUT_OK);
    assert_true(is_none(sweep_one(world, cube, beyond, NULL))); /* two static bodies */
    assert_int_equal(abut_body_set_motion(world, cube, ABUT_MOVING), ABUT_OK);
    assert_true(abut_body_id_equal(sweep_one(world, cube, beyond, NULL).body, wall));
    const abut_query nobody = {.filter = {.mask = 8}};
    assert_true(is_none(sweep_one(world, cube, beyond, &nobody)));
    assert_int_equal(abut_body_set_filter(world, cube, &ghost), ABUT_OK);
    assert_true(is_none(sweep_one(world, cube, beyond, NULL)));
    assert_int_equal(abut_body_set_filter(world, cube, &(abut_filter){0}), ABUT_OK);
    /* a sword of the cube, which meets the wall first, and never its cube */
    other = add_body(world, &(abut_body_def){.parent = cube, .pose = pose_at(1, 0, 0), .half = {2, 0.1f, 0.1f}});
    const abut_hit hit = sweep_one(world, cube, beyond, NULL);
    assert_true(abut_body_id_equal(hit.body, wall) && abut_body_id_equal(hit.mover, other));
    assert_true(is_close(hit.fraction, 0.195));
    /* the sword alone, by a turn of half a circle */
    const abut_pose turned = {.position = {-2.5f, 0, 0}, .rotation = {0, 0, 2, 0}};
    assert_int_equal(abut_body_set_pose(world, cube, &turned), ABUT_OK); /* away from the wall */
    const abut_hit swing = sweep_one(world, cube, pose_at(-2.5f, 0, 0), NULL);
    assert_true(abut_body_id_equal(swing.mover, other) && swing.fraction > 0.5f && swing.fraction < 1);
    abut_world_destroy(&world);
}

/* Two that meet half way; each sees the other. */
static void two_movers_meet(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id ids[3];
    abut_hit hits[3];
    ids[1] = add_cube(world, -5, 0, 0, 0.5f);
    ids[0] = add_cube(world, 5, 0, 0, 0.5f);
    ids[2] = add_cube(world, 0, 20, 0, 0.5f);
    const abut_pose targets[3] = {pose_at(-5, 0, 0), pose_at(5, 0, 0), pose_at(0, 10, 0)};
    assert_int_equal(abut_world_sweep(world, ids, targets, 3, NULL, hits), ABUT_OK);
    assert_true(is_close(hits[0].fraction, 0.45) && hits[0].fraction == hits[1].fraction && is_none(hits[2]));
    assert_true(abut_body_id_equal(hits[0].body, ids[1]) && abut_body_id_equal(hits[0].mover, ids[0]));
    assert_true(abut_body_id_equal(hits[1].body, ids[0]) && abut_body_id_equal(hits[1].mover, ids[1]));
    assert_true(is_vector(hits[0].normal, 1, 0, 0) && is_vector(hits[1].normal, -1, 0, 0));
    assert_true(bits_equal(&hits[0].position, &hits[1].position, 12));
    const abut_pose chased[2] = {pose_at(9, 0, 0), pose_at(-1, 0, 0)}; /* as fast: never met */
    assert_int_equal(abut_world_sweep(world, ids, chased, 2, NULL, hits), ABUT_OK);
    assert_true(is_none(hits[0]) && is_none(hits[1]));
    /* the other is passed over only in its own answer */
    const abut_query not_first = {.ignore = &ids[0], .ignore_count = 1};
    assert_int_equal(abut_world_sweep(world, ids, targets, 2, &not_first, hits), ABUT_OK);
    assert_true(abut_body_id_equal(hits[0].body, ids[1]) && is_none(hits[1]));
    abut_world_destroy(&world);
}

static void the_start_goes_by_initial(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    const abut_body_id floor = add_body(world, &(abut_body_def){.half = {50, 1, 50}, .motion = ABUT_STATIC});
    const abut_body_id crate = add_cube(world, 0, 2, 0, 1);
    const abut_query hit = {.initial = ABUT_INITIAL_HIT}, skip = {.initial = ABUT_INITIAL_SKIP};
    const abut_query some = {.allowance = 0.25f}, much = {.allowance = 0.6f};
    assert_true(is_none(sweep_one(world, crate, pose_at(5, 2, 0), NULL)));
    assert_true(is_none(sweep_one(world, crate, pose_at(0, 5, 0), NULL)));
    abut_hit h = sweep_one(world, crate, pose_at(0, 1.5f, 0), NULL);
    assert_true(abut_body_id_equal(h.body, floor) && h.fraction < 0.001f && is_vector(h.normal, 0, 1, 0));
    h = sweep_one(world, crate, pose_at(0, 1.5f, 0), &some);
    assert_true(abut_body_id_equal(h.body, floor) && is_close(h.fraction, 0.5));
    assert_true(is_none(sweep_one(world, crate, pose_at(0, 1.5f, 0), &much)));
    assert_true(is_none(sweep_one(world, crate, pose_at(0, 1.5f, 0), &skip)));
    h = sweep_one(world, crate, pose_at(5, 2, 0), &hit);
    assert_true(abut_body_id_equal(h.body, floor) && h.fraction == 0 && is_vector(h.normal, 0, 0, 0));
    assert_true(is_close(h.position.y, 1));
    h = sweep_one(world, crate, pose_at(0, 2, 0), &hit); /* it stays */
    assert_true(abut_body_id_equal(h.body, floor) && h.fraction == 0);
    assert_true(is_none(sweep_one(world, crate, pose_at(0, 2, 0), NULL)));
    abut_world_destroy(&world);
}

/* Where floats are an eighth apart: what is attached a little beside them hits what it overlaps by less. */
static void what_is_attached_far_away(void **state) {
    (void)state;
    const float far = 0x1p20f + 8;
    for (int axis = 0; axis < 3; axis++) {
        for (float side = -1; side <= 1; side += 2) {
            abut_world *world = make_world(NULL);
            abut_body_def slab = {.pose = pose_at(far, far, far), .half = {0.5f, 0.5f, 0.5f}, .motion = ABUT_STATIC};
            abut_body_def root = {.pose = slab.pose, .half = {0.01f, 0.01f, 0.01f}};
            abut_body_def part = {.pose = pose_at(0, 0, 0), .half = {0.47f, 0.47f, 0.47f}};
            (&slab.pose.position.x)[axis] += side;
            (&part.pose.position.x)[axis] += 0.06f * side;
            (&root.pose.position.x)[(axis + 1) % 3] -= 8;
            const abut_body_id wall = add_body(world, &slab), mover = add_body(world, &root);
            part.parent = mover;
            const abut_body_id arm = add_body(world, &part);
            abut_pose to = root.pose;
            (&to.position.x)[(axis + 1) % 3] += 16;
            const abut_hit hit = sweep_one(world, mover, to, NULL);
            assert_true(abut_body_id_equal(hit.body, wall) && abut_body_id_equal(hit.mover, arm));
            assert_true(fabsf(hit.fraction - 7.03f / 16) < 0.001f);
            abut_world_destroy(&world);
        }
    }
}

/* --- errors --- */

static void check_nothing_written(abut_world *world, const abut_body_id *ids, const abut_pose *targets, size_t n,
                                  const abut_query *query, abut_result expected) {
    unsigned char hits[4 * sizeof(abut_hit)];
    picture before = picture_take(world);
    assert_true(n <= 4);
    memset(hits, 0xee, sizeof hits);
    assert_int_equal(abut_world_sweep(world, ids, targets, n, query, (abut_hit *)(void *)hits), expected);
    for (size_t i = 0; i < sizeof hits; i++) {
        assert_int_equal(hits[i], 0xee);
    }
    picture_close(&before, world);
}

static void errors_write_nothing(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    const abut_body_id a = add_cube(world, 0, 0, 0, 1), b = add_cube(world, 5, 0, 0, 1),
                       dead = add_cube(world, 9, 0, 0, 1);
    const abut_body_id child = add_body(world, &(abut_body_def){.parent = a, .half = {1, 1, 1}});
    assert_int_equal(abut_body_destroy(world, dead), ABUT_OK);
    step_world(world);
    const abut_body_id twice[3] = {a, b, a}, attached[2] = {b, child}, stale[2] = {a, dead}, none[2] = {{0}, a};
    const abut_body_id good[3] = {a, b, a}, foreign = id_of(99, 1);
    const abut_pose to[3] = {pose_at(3, 0, 0), pose_at(1, 0, 0), pose_at(2, 0, 0)};
    abut_hit hits[3];
    check_nothing_written(world, twice, to, 3, NULL, ABUT_ERROR_ARGUMENT);
    check_nothing_written(world, attached, to, 2, NULL, ABUT_ERROR_ARGUMENT);
    check_nothing_written(world, stale, to, 2, NULL, ABUT_ERROR_HANDLE);
    check_nothing_written(world, none, to, 2, NULL, ABUT_ERROR_HANDLE);
    check_nothing_written(world, &foreign, to, 1, NULL, ABUT_ERROR_HANDLE);
    check_nothing_written(world, NULL, to, 2, NULL, ABUT_ERROR_ARGUMENT);
    check_nothing_written(world, good, NULL, 2, NULL, ABUT_ERROR_ARGUMENT);
    const abut_query bad[] = {{.filter = {.category = ABUT_MASK_NONE}},
                              {.ignore_count = 1},
                              {.initial = (abut_initial)3},
                              {.allowance = -1},
                              {.allowance = NAN},
                              {.allowance = INFINITY}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        check_nothing_written(world, good, to, 2, &bad[i], ABUT_ERROR_ARGUMENT);
    }
    assert_int_equal(abut_world_sweep(world, good, to, 2, NULL, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_sweep(NULL, good, to, 2, NULL, hits), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_world_sweep(world, NULL, NULL, 0, NULL, NULL), ABUT_OK);
    check_nothing_written(world, good, to, 0, NULL, ABUT_OK);
    abut_world_destroy(&world);
}

/* Those of invalid targets stand still for the others. */
static void invalid_targets(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id ids[3] = {add_cube(world, 0, 0, 0, 1), add_cube(world, 0, 9, 0, 1), add_cube(world, 9, 0, 0, 1)};
    abut_pose to[3] = {pose_at(-9, 0, 0), pose_at(0, 20, 0), pose_at(-9, 0, 0)};
    const abut_body_id last[1] = {ids[2]};
    abut_hit hits[3], alone;
    assert_int_equal(abut_world_sweep(world, last, &to[2], 1, NULL, &alone), ABUT_OK);
    assert_true(abut_body_id_equal(alone.body, ids[0]));
    for (int way = 0; way < 5; way++) {
        const abut_result expected = way < 3 ? ABUT_ERROR_ARGUMENT : ABUT_ERROR_LIMIT;
        to[0] = pose_at(-9, 0, 0);
        if (way == 0) {
            to[0].position.y = NAN;
        } else if (way == 1) {
            to[0].rotation.w = INFINITY;
        } else if (way == 2) { /* an argument goes before a limit */
            to[0].rotation.x = NAN;
            to[1].position.y = -2e9f;
        } else if (way == 3) {
            to[0].position.z = 1.5e9f;
            to[1].position.y = 20;
        } else { /* its bounds */
            to[0].position.z = 1e9f;
        }
        assert_int_equal(abut_world_sweep(world, ids, to, 3, NULL, hits), expected);
        assert_true(is_invalid(hits[0]) && (way == 2 ? is_invalid(hits[1]) : is_none(hits[1])));
        assert_true(bits_equal(&hits[2], &alone, sizeof alone));
    }
    /* what is attached counts */
    (void)add_body(world, &(abut_body_def){.parent = ids[0], .pose = pose_at(0, 0, 4096), .half = {1, 1, 1}});
    to[0].position.z = 1e9f - 2048;
    assert_int_equal(abut_world_sweep(world, ids, to, 3, NULL, hits), ABUT_ERROR_LIMIT);
    assert_int_equal(abut_body_set_pose(world, ids[0], &to[0]), ABUT_ERROR_LIMIT);
    assert_true(is_invalid(hits[0]));
    to[0].position.z = 1e9f - 8192;
    assert_int_equal(abut_world_sweep(world, ids, to, 3, NULL, hits), ABUT_OK);
    abut_world_destroy(&world);
}

/* --- callbacks --- */

typedef struct inside {
    abut_world *world;
    abut_body_id id;
    size_t calls, busy, questions;
} inside;

static void try_to_sweep(inside *c) {
    abut_hit hit;
    const abut_pose to = pose_at(0, 0, 0);
    const abut_ray ray = {.origin = {-10, 0, 0}, .translation = {100, 0, 0}};
    c->calls++;
    c->busy += abut_world_sweep(c->world, &c->id, &to, 1, NULL, &hit) == ABUT_ERROR_BUSY;
    c->questions += abut_world_ray_hits(c->world, &ray, NULL, NULL, 0) > 0;
}

static bool sweep_while_stepping(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    (void)a, (void)b, (void)user_a, (void)user_b;
    try_to_sweep(user);
    return true;
}

static bool sweep_while_sweeping(const abut_candidate *candidate, void *context) {
    (void)candidate;
    try_to_sweep(context);
    return true;
}

static void sweeps_are_busy_inside_callbacks(void **state) {
    (void)state;
    inside c = {0};
    abut_world *world = make_world(&(abut_world_def){.should_collide = sweep_while_stepping, .user = &c});
    c.world = world;
    for (int i = 0; i < 20; i++) {
        c.id = add_cube(world, (float)i, 0, 0, 0.5f);
    }
    assert_int_equal(step_world(world), 19);
    assert_true(c.calls >= 19 && c.busy == c.calls && c.questions == c.calls);
    const size_t before = c.calls;
    assert_int_equal(sweep_one(world, c.id, pose_at(19, 30, 0), NULL).body.index1, 0); /* should_collide is not asked */
    assert_int_equal(c.calls, before);
    const abut_query query = {.accept = sweep_while_sweeping, .context = &c, .initial = ABUT_INITIAL_SKIP};
    assert_true(sweep_one(world, c.id, pose_at(0, 0, 0), &query).body.index1 != 0);
    assert_true(c.calls > before && c.busy == c.calls && c.questions == c.calls);
    abut_world_destroy(&world);
}

/* --- memory --- */

enum { CROWD = 300 };

static abut_world *make_crowd(const abut_world_def *def, rng *r, abut_body_id *ids, size_t n, abut_pose *targets) {
    const double extent = 2 * cbrt((double)n);
    abut_world *world = make_world(def);
    for (size_t i = 0; i < n; i++) {
        const abut_body_def box = random_box(r, extent);
        ids[i] = add_body(world, &box);
        targets[i] = random_pose(r, extent);
        if (i % 3) { /* not far */
            const abut_vec3 way = rng_vec3(r, -1, 1), at = box.pose.position;
            targets[i].position = (abut_vec3){at.x + way.x, at.y + way.y, at.z + way.z};
        }
    }
    return world;
}

static size_t hits_in(const abut_hit *hit, size_t n) {
    size_t found = 0;
    for (size_t k = 0; k < n; k++) {
        found += hit[k].body.index1 > 0;
    }
    return found;
}

static void failed_allocations_change_nothing(void **state) {
    (void)state;
    static abut_body_id ids[CROWD];
    static abut_pose targets[CROWD];
    static abut_hit expected[CROWD], hits[CROWD];
    failing_allocator books = {0};
    const abut_query query = {.initial = ABUT_INITIAL_SKIP};
    rng r = rng_make(test_seed(), 1), again = r;
    abut_world *world = make_crowd(NULL, &r, ids, CROWD, targets);
    assert_int_equal(abut_world_sweep(world, ids, targets, CROWD, &query, expected), ABUT_OK);
    abut_world_destroy(&world);
    world = make_crowd(&(abut_world_def){.allocator = failing_allocator_of(&books)}, &again, ids, CROWD, targets);
    size_t failures = 0;
    for (size_t at = 1;; at++) {
        picture before = picture_take(world);
        memset(hits, 0xee, sizeof hits);
        failing_allocator_fail_once(&books, at);
        const size_t failed = books.failed;
        const abut_result result = abut_world_sweep(world, ids, targets, CROWD, &query, hits);
        failing_allocator_fail_never(&books);
        picture_close(&before, world);
        assert_int_equal(abut_world_validate(world), ABUT_OK);
        if (result == ABUT_OK) {
            assert_int_equal(books.failed, failed);
            break;
        }
        assert_int_equal(result, ABUT_ERROR_MEMORY);
        assert_int_equal(books.failed, failed + 1);
        assert_true(((const unsigned char *)hits)[0] == 0xee && ((const unsigned char *)hits)[sizeof hits - 1] == 0xee);
        failures++;
    }
    assert_true(bits_equal(hits, expected, sizeof hits));
    const size_t calls = books.calls; /* the second time there is room */
    assert_int_equal(abut_world_sweep(world, ids, targets, CROWD, &query, hits), ABUT_OK);
    assert_true(bits_equal(hits, expected, sizeof hits) && books.calls == calls);
    assert_true(failures > 0 && hits_in(expected, CROWD) > CROWD / 8);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
}

static void fixed_capacity_never_allocates(void **state) {
    (void)state;
    static abut_body_id ids[CROWD];
    static abut_pose targets[CROWD];
    static abut_hit expected[CROWD], hits[CROWD];
    const abut_query query = {.initial = ABUT_INITIAL_SKIP};
    rng r = rng_make(test_seed(), 1);
    abut_world *world = make_crowd(NULL, &r, ids, CROWD, targets);
    assert_int_equal(abut_world_sweep(world, ids, targets, CROWD, &query, expected), ABUT_OK);
    abut_world_destroy(&world);
    size_t answered = 0;
    for (uint32_t pairs = 1; pairs <= 1 << 16; pairs *= 16) {
        failing_allocator books = {0};
        rng again = rng_make(test_seed(), 1);
        const abut_world_def def = {.fixed_capacity = true,
                                    .body_capacity = CROWD,
                                    .pair_capacity = pairs,
                                    .allocator = failing_allocator_of(&books)};
        world = make_crowd(&def, &again, ids, CROWD, targets);
        const size_t calls = books.calls;
        picture before = picture_take(world);
        memset(hits, 0xee, sizeof hits);
        const abut_result result = abut_world_sweep(world, ids, targets, CROWD, &query, hits);
        picture_close(&before, world);
        assert_int_equal(books.calls, calls);
        assert_true(result == ABUT_OK || result == ABUT_ERROR_CAPACITY);
        assert_true(result == ABUT_OK ? bits_equal(hits, expected, sizeof hits)
                                      : ((const unsigned char *)hits)[0] == 0xee);
        answered += result == ABUT_OK;
        abut_world_destroy(&world);
        assert_true(failing_allocator_clean(&books));
    }
    assert_true(answered > 0 && hits_in(expected, CROWD) > CROWD / 8);
}

/* --- many --- */

enum { MANY = 4000 };

static void thousands_of_movers(void **state) {
    (void)state;
    static subject s;
    static asking a;
    static abut_body_id ids[MANY];
    static abut_pose targets[MANY];
    static abut_result error[MANY];
    static abut_hit hits[MANY];
    static sweep_met first[MANY];
    for (unsigned long round = 0; round < test_count(1); round++) {
        const size_t n = test_sanitized() ? MANY / 10 : MANY;
        subject_begin(&s, KIND_SPARSE, 700 + round);
        abut_world_destroy(&s.world);
        s.world = make_crowd(&(abut_world_def){.allocator = failing_allocator_of(&s.books)}, &s.r, ids, n, targets);
        subject_read(&s);
        a.s = &s;
        a.query = NULL;
        sweep_pairs *p = sweep_pairs_begin(&a, ids, targets, n, error);
        for (size_t k = 0; k < n; k++) {
            first[k] = (sweep_met){.met = {.fraction = INFINITY}};
        }
        size_t met = 0;
        for (sweep_met m; sweep_pairs_next(p, ABUT_INITIAL_CLOSING, 0, &m); met++) {
            sweep_met *f = &first[m.element];
            bool earlier = m.met.fraction < f->met.fraction || (m.met.fraction == f->met.fraction && m.body < f->body);
            *f = earlier ? m : *f;
        }
        assert_int_equal(abut_world_sweep(s.world, ids, targets, n, NULL, hits), ABUT_OK);
        for (size_t k = 0; k < n; k++) {
            const abut_hit expected = first[k].met.fraction <= 1 ? sweep_hit(p, &first[k]) : (abut_hit){.fraction = 1};
            check_case(bits_equal(&hits[k], &expected, sizeof expected), "one of thousands", s.stream, k);
        }
        assert_true(met > n / 4);
        subject_end(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bullet_hits_a_wall),
        cmocka_unit_test(who_meets_whom),
        cmocka_unit_test(two_movers_meet),
        cmocka_unit_test(the_start_goes_by_initial),
        cmocka_unit_test(what_is_attached_far_away),
        cmocka_unit_test(errors_write_nothing),
        cmocka_unit_test(invalid_targets),
        cmocka_unit_test(sweeps_are_busy_inside_callbacks),
        cmocka_unit_test(failed_allocations_change_nothing),
        cmocka_unit_test(fixed_capacity_never_allocates),
        cmocka_unit_test(thousands_of_movers),
    };
    return test_run(tests);
}
