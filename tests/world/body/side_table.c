/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Plain bodies, and bodies with attachments or filters of their own: their memory, and that answers do not depend on
 * how a body is stored. */

#include "base/spatial.h"
#include "support/failing_allocator.h"
#include "world/world.h"
#include "world/world_test.h"
#include <math.h>

static const abut_filter special_filter = {6, 5, 0};

static void assert_in_use(const abut_world *world, uint32_t attachments, uint32_t filters) {
    assert_int_equal(world->attachments.live, attachments);
    assert_int_equal(world->filters.live, filters);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
}

static void plain_bodies_have_no_entries(void **state) {
    (void)state;
    abut_world *world = make_world(&(abut_world_def){.body_capacity = 100});
    rng r = rng_make(test_seed(), 0);
    for (int i = 0; i < 100; i++) {
        abut_body_def def = random_box(&r, 20);
        /* These need no entry: the box is in the middle, the filter is the default. */
        def.box = i % 2 ? (abut_pose){{0, -0.0f, 0}, {0, 0, 0, 3}} : (abut_pose){{0, 0, 0}, {0, -0.0f, 0, 0}};
        def.filter = i % 3 ? (abut_filter){1, UINT64_MAX, 0} : (abut_filter){0, 0, 0};
        abut_body_id id = add_body(world, &def);
        assert_int_equal(abut_body_set_filter(world, id, &def.filter), ABUT_OK);
    }
    assert_in_use(world, 0, 0);
    assert_int_equal(world->attachments.block.bytes + world->filters.block.bytes, 0);
    abut_world_destroy(&world);
}

static void entries_come_and_go_with_what_needs_them(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id root = add_cube(world, 1, 2, 3, 1), other = add_cube(world, 9, 9, 9, 1);
    uint64_t hash = abut_world_hash(world);
    abut_body_def def = {.half = {1, 1, 1}, .parent = root};
    abut_body_id a = add_body(world, &def), b = add_body(world, &def);
    assert_in_use(world, 3, 0);
    def.parent = b;
    (void)add_body(world, &def);
    assert_in_use(world, 4, 0);
    assert_int_equal(abut_body_set_filter(world, a, &special_filter), ABUT_OK);
    assert_int_equal(abut_body_set_filter(world, other, &special_filter), ABUT_OK);
    assert_in_use(world, 4, 2);
    assert_int_equal(abut_body_set_filter(world, other, &(abut_filter){0}), ABUT_OK);
    assert_in_use(world, 4, 1);
    assert_int_equal(abut_body_destroy(world, b), ABUT_OK);
    assert_in_use(world, 2, 1);
    assert_int_equal(abut_body_destroy(world, a), ABUT_OK);
    assert_in_use(world, 0, 0);
    assert_true(abut_world_hash(world) == hash);
    /* A root whose box is moved keeps its attachment. */
    def = (abut_body_def){.half = {1, 1, 1}, .box = pose_at(0, 1, 0), .filter = special_filter};
    def.parent = add_body(world, &def);
    a = add_body(world, &def);
    assert_in_use(world, 2, 2);
    assert_int_equal(abut_body_destroy(world, a), ABUT_OK);
    assert_in_use(world, 1, 1);
    abut_world_destroy(&world);
}

/* The tables grow to the peak, not with every body ever created; a new body inherits nothing from the last one in its
 * slot. */
static void entries_are_reused(void **state) {
    (void)state;
    enum { N = 20 };
    abut_world *world = make_world(NULL);
    abut_body_id ids[N], plain[N];
    for (int round = 0; round < 50; round++) {
        abut_body_def def = {.half = {1, 1, 1}, .box = pose_at(0, 0.5f, 0), .filter = special_filter};
        for (int i = 0; i < N; i++) {
            def.pose = pose_at((float)i * 3, (float)round, 0);
            def.parent = i % 4 ? ids[i - 1] : id_of(0, 0);
            ids[i] = add_body(world, &def);
        }
        assert_in_use(world, N, N);
        for (int i = 0; i < N; i += 4) {
            assert_int_equal(abut_body_destroy(world, ids[(i + 4 * round) % N]), ABUT_OK);
        }
        assert_in_use(world, 0, 0);
        assert_true(world->extent == 0);
        for (int i = 0; i < N; i++) {
            abut_filter filter;
            abut_pose pose;
            plain[i] = add_cube(world, (float)i, 0, 0, 1);
            assert_int_equal(abut_body_get_filter(world, plain[i], &filter), ABUT_OK);
            assert_true(filter.category == 1 && filter.mask == UINT64_MAX && filter.group == 0);
            assert_int_equal(abut_body_get_world_pose(world, plain[i], &pose), ABUT_OK);
            assert_true(pose.position.x == (float)i && pose.position.y == 0);
        }
        assert_in_use(world, 0, 0);
        for (int i = 0; i < N; i++) {
            assert_int_equal(abut_body_destroy(world, plain[i]), ABUT_OK);
        }
    }
    assert_int_equal(world->attachments.used, N);
    assert_int_equal(world->filters.used, N);
    abut_world_destroy(&world);
}

/* All bodies may need entries, also bodies that become parents later. */
static void fixed_world_has_entries_for_all_its_bodies(void **state) {
    (void)state;
    enum { N = 12 };
    failing_allocator books = {0};
    abut_world *world = make_world(&(abut_world_def){
        .allocator = failing_allocator_of(&books), .body_capacity = N, .pair_capacity = 100, .fixed_capacity = true});
    const size_t calls = books.calls;
    for (int round = 0; round < 3; round++) {
        abut_body_id root = add_cube(world, 0, 0, 0, 1), ids[N];
        abut_body_def defs[N];
        for (int i = 0; i < N; i++) {
            defs[i] =
                (abut_body_def){.half = {1, 1, 1}, .parent = root, .box = pose_at(0, 1, 0), .filter = special_filter};
        }
        assert_int_equal(abut_bodies_create(world, defs, N, ids), ABUT_ERROR_CAPACITY);
        assert_int_equal(abut_bodies_create(world, defs, N - 1, ids), ABUT_OK);
        assert_int_equal(abut_body_set_filter(world, root, &special_filter), ABUT_OK);
        assert_in_use(world, N, N);
        assert_int_equal(abut_body_destroy(world, root), ABUT_OK);
        assert_in_use(world, 0, 0);
    }
    assert_int_equal(books.calls, calls);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
}

/* --- poses --- */

static abut_quat any_quat(rng *r) {
    abut_quat q = rng_rotation(r);
    float *part[4] = {&q.x, &q.y, &q.z, &q.w};
    for (int i = 0; i < 4; i++) {
        *part[i] = rng_chance(r, 0.15) ? (rng_chance(r, 0.5) ? 0.0f : -0.0f) : *part[i];
    }
    if (rng_chance(r, 0.5)) { /* close to what counts as a rounded unit quaternion */
        float length = 1 + (float)rng_range(r, -3, 3) * 0x1p-24f;
        return (abut_quat){q.x * length, q.y * length, q.z * length, q.w * length};
    }
    if (rng_chance(r, 0.5)) {
        float length = (float)rng_log_range(r, 1e-44, 1e38);
        return (abut_quat){q.x * length, q.y * length, q.z * length, q.w * length};
    }
    return q;
}

/* The stored pose is that of abut_pose_round, bit for bit. */
static void poses_are_rounded_as_ever(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id plain = add_cube(world, 0, 0, 0, 1);
    abut_body_id boxed = add_body(world, &(abut_body_def){.half = {1, 1, 1}, .box = pose_at(1, 0, 0)});
    rng r = rng_make(test_seed(), 1);
    unsigned long cases = test_count(100000), kept = 0;
    for (unsigned long i = 0; i < cases; i++) {
        abut_pose pose = {rng_vec3(&r, -10, 10), any_quat(&r)}, got, made;
        float *zero[4] = {&pose.position.x, &pose.position.y, &pose.position.z, &pose.rotation.x};
        *zero[i % 4] = i % 5 ? *zero[i % 4] : -0.0f;
        const abut_pose wanted = abut_pose_round(abut_dpose_from(&pose));
        abut_body_id ids[2] = {plain, boxed};
        abut_pose poses[2] = {pose, pose};
        assert_int_equal(abut_bodies_set_poses(world, ids, poses, 1 + i % 2), ABUT_OK);
        assert_int_equal(abut_body_get_pose(world, plain, &got), ABUT_OK);
        check_case(bits_equal(&got, &wanted, sizeof got), "pose of a plain body", 1, i);
        kept += bits_equal(&got, &pose, sizeof got);
        if (i % 2) {
            assert_int_equal(abut_body_get_pose(world, boxed, &got), ABUT_OK);
            check_case(bits_equal(&got, &wanted, sizeof got), "pose of a boxed body", 1, i);
        }
        if (i % 16 == 0) {
            abut_body_id id = add_body(world, &(abut_body_def){.half = {1, 1, 1}, .pose = pose});
            assert_int_equal(abut_body_get_pose(world, id, &made), ABUT_OK);
            check_case(bits_equal(&made, &wanted, sizeof made), "pose of a new body", 1, i);
            assert_int_equal(abut_body_destroy(world, id), ABUT_OK);
        }
    }
    assert_true(kept > cases / 10 && kept < cases);
    abut_world_destroy(&world);
}

enum { BODIES = 24, BATCH = 40 };

/* The same bodies twice; in `attached` every body has a speck attached, so none is plain. Ids are the same. */
typedef struct twins {
    abut_world *mixed, *attached;
    abut_body_id ids[BODIES];
} twins;

static twins make_twins(rng *r) {
    twins t = {make_world(NULL), make_world(NULL), {{0, 0}}};
    for (int i = 0; i < BODIES; i++) {
        abut_body_def def = random_box(r, 10);
        def.filter = i % 5 == 1 ? special_filter : def.filter;
        def.box = i % 7 == 2 ? pose_at(0, 0.25f, 0) : def.box;
        def.parent = i % 6 == 5 ? t.ids[i - 1] : id_of(0, 0);
        t.ids[i] = add_body(t.mixed, &def);
        assert_true(abut_body_id_equal(add_body(t.attached, &def), t.ids[i]));
    }
    for (int i = 0; i < BODIES; i++) {
        (void)add_body(t.attached, &(abut_body_def){.half = {1e-6f, 0, 0}, .parent = t.ids[i]});
    }
    return t;
}

/* Mostly valid, sometimes beyond the limit, rarely NaN. */
static abut_pose any_pose(rng *r, double trouble) {
    abut_pose pose = {rng_vec3(r, -10, 10), any_quat(r)};
    if (rng_chance(r, trouble)) {
        pose.position.x = rng_sign(r) * (float)rng_range(r, 0.99999999e9, 1.00000001e9);
    } else if (rng_chance(r, trouble / 8)) {
        pose.position.z = 2e9f;
    } else if (rng_chance(r, trouble / 32)) {
        pose.rotation.y = rng_chance(r, 0.5) ? NAN : INFINITY;
    } else if (rng_chance(r, trouble / 32)) {
        pose.position.y = NAN;
    }
    return pose;
}

/* Plain bodies in a batch behave like others: the same poses, the same errors, the same first bad element. */
static void plain_bodies_behave_like_those_with_attachments(void **state) {
    (void)state;
    size_t results[3] = {0, 0, 0};
    rng r = rng_make(test_seed(), 2);
    twins t = make_twins(&r);
    unsigned long cases = test_count(20000);
    for (unsigned long step = 0; step < cases; step++) {
        abut_body_id ids[BATCH];
        abut_pose poses[BATCH];
        size_t n = 1 + rng_below(&r, BATCH), bad[2] = {99, 99};
        double trouble = step % 3 == 0 ? 0 : step % 3 == 1 ? 0.04 : 0.3;
        for (size_t i = 0; i < n; i++) {
            ids[i] = t.ids[rng_below(&r, step % 2 ? BODIES : 5)];
            ids[i].generation += trouble > 0 && rng_chance(&r, 0.002);
            poses[i] = any_pose(&r, trouble);
        }
        abut_result a = abut_bodies_set_poses_strided(t.mixed, ids, 0, poses, 0, n, &bad[0]);
        abut_result b = abut_bodies_set_poses_strided(t.attached, ids, 0, poses, 0, n, &bad[1]);
        check_case(a == b, "result", 2, step);
        check_case(bad[0] == bad[1] && (a != ABUT_OK) == (bad[0] < n), "first_bad", 2, step);
        results[a == ABUT_OK ? 0 : a == ABUT_ERROR_LIMIT ? 1 : 2]++;
        for (int i = 0; i < BODIES; i++) {
            abut_pose p, q;
            assert_int_equal(abut_body_get_world_pose(t.mixed, t.ids[i], &p), ABUT_OK);
            assert_int_equal(abut_body_get_world_pose(t.attached, t.ids[i], &q), ABUT_OK);
            check_case(bits_equal(&p, &q, sizeof p), "pose", 2, step);
            check_case(t.mixed->flags[i] == t.attached->flags[i], "flags", 2, step);
        }
        if (step % 64 == 0) {
            assert_int_equal(abut_world_validate(t.mixed), ABUT_OK);
            (void)step_world(t.mixed);
            (void)step_world(t.attached);
        }
    }
    assert_true(results[0] > cases / 4 && results[1] > cases / 4 && results[2] > cases / 50);
    abut_world_destroy(&t.mixed);
    abut_world_destroy(&t.attached);
}

/* A step re-resolves exactly the bodies whose pose has changed by a bit: body 0 and everything below it. */
static void check_changed_bits(abut_world *world, abut_body_id id) {
    const uint8_t same = ABUT_W_MOVED, other = ABUT_W_MOVED | ABUT_W_STALE | ABUT_W_CHANGED;
    const uint32_t last = world->ids.used - 1;
    uint8_t rest[2];
    abut_pose pose;
    (void)step_world(world);
    memcpy(rest, (uint8_t[]){world->flags[0], world->flags[last]}, sizeof rest);
    assert_int_equal(abut_body_get_pose(world, id, &pose), ABUT_OK);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(abut_body_set_pose(world, id, &pose), ABUT_OK);
        assert_true(world->flags[0] == (rest[0] | same) && world->flags[last] == (rest[1] | same));
        pose.rotation = (abut_quat){-0.0f, 0, -0.0f, 7};
    }
    for (int i = 0; i < 7; i++) {
        (void)step_world(world);
        float part[7] = {1, 2, 3, 0, 0, 0, 1};
        part[i] = i == 6 ? -1 : nextafterf(part[i] + 0.5f, 2);
        memcpy(&pose, part, sizeof pose);
        for (int round = 0; round < 2; round++) {
            assert_int_equal(abut_body_set_pose(world, id, &pose), ABUT_OK);
            const uint8_t wanted = round ? same : other;
            assert_true(world->flags[0] == (rest[0] | wanted) && world->flags[last] == (rest[1] | wanted));
            (void)step_world(world);
        }
    }
}

static void only_a_changed_bit_makes_a_body_new(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        abut_world *world = make_world(NULL);
        abut_body_def def = {.half = {1, 1, 1}, .pose = pose_at(1, 2, 3)};
        def.box = kind == 1 ? pose_at(0, 1, 0) : def.box;
        abut_body_id id = add_body(world, &def);
        if (kind == 2) {
            def.parent = id;
            (void)add_body(world, &def);
        }
        check_changed_bits(world, id);
        abut_world_destroy(&world);
    }
}

/* The contact list shows it. */
static void user_data_is_a_change(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id id = add_cube(world, 1, 2, 3, 1);
    (void)step_world(world);
    assert_false(world->changed);
    assert_int_equal(abut_body_set_user(world, id, 5), ABUT_OK);
    assert_true(world->changed);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_bodies_have_no_entries),
        cmocka_unit_test(entries_come_and_go_with_what_needs_them),
        cmocka_unit_test(entries_are_reused),
        cmocka_unit_test(fixed_world_has_entries_for_all_its_bodies),
        cmocka_unit_test(poses_are_rounded_as_ever),
        cmocka_unit_test(plain_bodies_behave_like_those_with_attachments),
        cmocka_unit_test(only_a_changed_bit_makes_a_body_new),
        cmocka_unit_test(user_data_is_a_change),
    };
    return test_run(tests);
}
