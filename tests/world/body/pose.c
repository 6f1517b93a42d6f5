/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Poses: how they are normalised, read back, set in batches and refused. */

#include "support/schedules.h"
#include "world/world_test.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

static bool pose_equal(const abut_pose *a, const abut_pose *b) {
    return bits_equal(&a->position, &b->position, sizeof a->position) &&
           bits_equal(&a->rotation, &b->rotation, sizeof a->rotation);
}

/* Half a unit in the last place of a float below 1 is 2^-25; as much again for a length that is off by rounding. */
static bool near_unit(double got, double wanted) {
    return fabs(got - wanted) <= 0x1.02p-24;
}

static double norm_of(abut_quat q) {
    return sqrt((double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w);
}

/* A random direction, at any length that a float can have. */
static abut_quat wild_quat(rng *r) {
    abut_quat q = rng_rotation(r);
    if (rng_chance(r, 0.3)) {
        q.x = 0;
        q.y = rng_chance(r, 0.5) ? q.y * 1e-5f : 0;
    }
    float length = (float)rng_log_range(r, 1e-36, 1e38);
    if (rng_chance(r, 0.5)) {
        length = (float)rng_range(r, 0.999999, 1.000001);
    }
    return (abut_quat){q.x * length, q.y * length, q.z * length, q.w * length};
}

static void rotations_are_normalised_in_double(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id id = add_cube(world, 0, 0, 0, 1);
    rng r = rng_make(test_seed(), 0);
    unsigned long cases = test_count(20000), changed = 0;
    for (unsigned long i = 0; i < cases; i++) {
        abut_pose set = {.position = rng_vec3(&r, -10, 10), .rotation = wild_quat(&r)}, got;
        assert_int_equal(abut_body_set_pose(world, id, &set), ABUT_OK);
        assert_int_equal(abut_body_get_pose(world, id, &got), ABUT_OK);
        double n = norm_of(set.rotation);
        bool near = near_unit(got.rotation.x, set.rotation.x / n) && near_unit(got.rotation.y, set.rotation.y / n) &&
                    near_unit(got.rotation.z, set.rotation.z / n) && near_unit(got.rotation.w, set.rotation.w / n);
        check_case(near, "not the normalised rotation", 0, i);
        check_case(bits_equal(&got.position, &set.position, sizeof set.position), "position changed", 0, i);
        changed += !pose_equal(&got, &set);
    }
    assert_true(changed > cases / 3);
    abut_world_destroy(&world);
}

/* Setting a pose that was read changes no bit of the pose, the hash or the world pose. */
static void pose_read_and_set_again_changes_nothing(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id root = add_cube(world, 1, 2, 3, 1);
    abut_body_id child = add_body(world, &(abut_body_def){.half = {1, 1, 1}, .parent = root, .box = pose_at(1, 0, 0)});
    rng r = rng_make(test_seed(), 1);
    unsigned long cases = test_count(100000);
    for (unsigned long i = 0; i < cases; i++) {
        abut_pose set = {.position = rng_vec3(&r, -10, 10), .rotation = wild_quat(&r)}, got, again, world_got,
                  world_again;
        abut_body_id id = i % 4 == 0 ? child : root;
        assert_int_equal(abut_body_set_pose(world, id, &set), ABUT_OK);
        assert_int_equal(abut_body_get_pose(world, id, &got), ABUT_OK);
        assert_int_equal(abut_body_get_world_pose(world, child, &world_got), ABUT_OK);
        uint64_t hash = abut_world_hash(world);
        assert_int_equal(abut_body_set_pose(world, id, &got), ABUT_OK);
        assert_int_equal(abut_body_get_pose(world, id, &again), ABUT_OK);
        assert_int_equal(abut_body_get_world_pose(world, child, &world_again), ABUT_OK);
        check_case(pose_equal(&got, &again), "pose drifted", 1, i);
        check_case(abut_world_hash(world) == hash, "hash drifted", 1, i);
        check_case(pose_equal(&world_got, &world_again), "world pose drifted", 1, i);
    }
    abut_world_destroy(&world);
}

/* A body created from values that were read is the same body. */
static void body_made_from_a_pose_that_was_read_is_the_same(void **state) {
    (void)state;
    rng r = rng_make(test_seed(), 2);
    for (unsigned long i = 0; i < 500; i++) {
        abut_world *a = make_world(NULL), *b = make_world(NULL);
        abut_body_def def = random_box(&r, 5);
        def.pose.rotation = wild_quat(&r);
        abut_body_id id = add_body(a, &def);
        assert_int_equal(abut_body_get_pose(a, id, &def.pose), ABUT_OK);
        (void)add_body(b, &def);
        check_case(abut_world_hash(a) == abut_world_hash(b), "hash", 2, i);
        abut_world_destroy(&a);
        abut_world_destroy(&b);
    }
}

static void zero_rotation_reads_as_identity(void **state) {
    (void)state;
    abut_world *world = make_world(NULL), *other = make_world(NULL);
    const abut_quat zeros[] = {{0, 0, 0, 0}, {-0.0f, 0, -0.0f, -0.0f}};
    (void)add_cube(other, 1, 2, 3, 1);
    abut_body_id id = add_body(world, &(abut_body_def){.half = {1, 1, 1}, .pose = {{1, 2, 3}, {0}}});
    assert_true(abut_world_hash(world) == abut_world_hash(other));
    for (int i = 0; i < 2; i++) {
        abut_pose pose = {{1, 2, 3}, zeros[i]}, got;
        assert_int_equal(abut_body_set_pose(world, id, &pose), ABUT_OK);
        assert_int_equal(abut_body_get_pose(world, id, &got), ABUT_OK);
        assert_true(got.rotation.x == 0 && got.rotation.y == 0 && got.rotation.z == 0 && got.rotation.w == 1);
    }
    abut_world_destroy(&world);
    abut_world_destroy(&other);
}

/* The tiniest quaternion is not zero. */
static void denormal_rotation_has_a_direction(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id id = add_cube(world, 0, 0, 0, 1);
    const float tiny = 1e-45f;
    abut_pose pose = {{0, 0, 0}, {0, tiny, 0, tiny}}, got;
    assert_int_equal(abut_body_set_pose(world, id, &pose), ABUT_OK);
    assert_int_equal(abut_body_get_pose(world, id, &got), ABUT_OK);
    assert_true(near_unit(got.rotation.y, sqrt(0.5)) && near_unit(got.rotation.w, sqrt(0.5)));
    pose.rotation = (abut_quat){FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX};
    assert_int_equal(abut_body_set_pose(world, id, &pose), ABUT_OK);
    assert_int_equal(abut_body_get_pose(world, id, &got), ABUT_OK);
    assert_true(near_unit(got.rotation.x, 0.5) && near_unit(got.rotation.w, 0.5));
    abut_world_destroy(&world);
}

static void negative_zero_touches_like_zero(void **state) {
    (void)state;
    abut_world *plus = make_world(NULL), *minus = make_world(NULL);
    abut_body_id p = add_cube(plus, 0, 0, 0, 1), m = add_cube(minus, 0, 0, 0, 1);
    (void)add_cube(plus, 2, 0, 0, 1);
    (void)add_cube(minus, 2, 0, 0, 1);
    abut_pose pose = {{-0.0f, -0.0f, -0.0f}, {-0.0f, -0.0f, -0.0f, 1}}, got;
    assert_int_equal(abut_body_set_pose(minus, m, &pose), ABUT_OK);
    assert_int_equal(abut_body_get_pose(minus, m, &got), ABUT_OK);
    uint64_t hash = abut_world_hash(minus);
    assert_int_equal(abut_body_set_pose(minus, m, &got), ABUT_OK);
    assert_true(abut_world_hash(minus) == hash);
    abut_aabb a, b;
    assert_int_equal(abut_body_get_bounds(plus, p, &a), ABUT_OK);
    assert_int_equal(abut_body_get_bounds(minus, m, &b), ABUT_OK);
    assert_true(bits_equal(&a, &b, sizeof a));
    assert_int_equal(step_world(plus), 1);
    assert_int_equal(step_world(minus), 1);
    size_t count;
    const abut_manifold *x = &contacts_of(plus, &count)[0].manifold, *y = &contacts_of(minus, &count)[0].manifold;
    assert_int_equal(x->count, 4);
    assert_int_equal(y->count, 4);
    for (int i = 0; i < 4; i++) {
        assert_true(x->points[i].separation == y->points[i].separation && x->points[i].feature == y->points[i].feature);
    }
    abut_world_destroy(&plus);
    abut_world_destroy(&minus);
}

enum { BODIES = 40 };

static void make_bodies(abut_world *world, abut_body_id ids[BODIES]) {
    for (int i = 0; i < BODIES; i++) {
        ids[i] = add_cube(world, (float)i, 0, 0, 0.6f);
    }
    assert_int_equal(step_world(world), BODIES - 1);
}

/* Ids and poses inside structs of odd sizes at odd addresses. */
static void strided_poses_equal_single_calls_at_any_alignment(void **state) {
    (void)state;
    static const size_t strides[][2] = {{8, 28}, {0, 0}, {9, 29}, {8, 0}, {0, 31}, {64, 64}, {13, 28}, {8, 101}};
    unsigned char ids_bytes[BODIES * 64 + 16], poses_bytes[BODIES * 101 + 16];
    rng r = rng_make(test_seed(), 3);
    for (size_t s = 0; s < sizeof strides / sizeof strides[0]; s++) {
        for (size_t shift = 0; shift < 4; shift++) {
            abut_world *single = make_world(NULL), *strided = make_world(NULL);
            abut_body_id ids[BODIES];
            make_bodies(single, ids);
            make_bodies(strided, ids);
            size_t id_step = strides[s][0] != 0 ? strides[s][0] : sizeof ids[0];
            size_t pose_step = strides[s][1] != 0 ? strides[s][1] : sizeof(abut_pose);
            for (int i = 0; i < BODIES; i++) {
                abut_pose pose = random_pose(&r, 5);
                memcpy(ids_bytes + shift + (size_t)i * id_step, &ids[BODIES - 1 - i], sizeof ids[0]);
                memcpy(poses_bytes + shift + (size_t)i * pose_step, &pose, sizeof pose);
                assert_int_equal(abut_body_set_pose(single, ids[BODIES - 1 - i], &pose), ABUT_OK);
            }
            size_t first_bad = 99;
            assert_int_equal(
                abut_bodies_set_poses_strided(strided, (const abut_body_id *)(const void *)(ids_bytes + shift),
                                              strides[s][0], (const abut_pose *)(const void *)(poses_bytes + shift),
                                              strides[s][1], BODIES, &first_bad),
                ABUT_OK);
            assert_int_equal(first_bad, 99);
            assert_true(abut_world_hash(single) == abut_world_hash(strided));
            assert_int_equal(step_world(single), step_world(strided));
            assert_true(same_contacts(single, strided));
            abut_world_destroy(&single);
            abut_world_destroy(&strided);
        }
    }
}

static void last_of_duplicate_ids_wins(void **state) {
    (void)state;
    abut_world *world = make_world(NULL), *wanted = make_world(NULL);
    abut_body_id ids[BODIES], many[3 * BODIES];
    abut_pose poses[3 * BODIES];
    make_bodies(world, ids);
    make_bodies(wanted, ids);
    rng r = rng_make(test_seed(), 4);
    for (unsigned long round = 0; round < 50; round++) {
        for (int i = 0; i < 3 * BODIES; i++) {
            many[i] = ids[rng_below(&r, BODIES / 2)];
            poses[i] = random_pose(&r, 6);
            assert_int_equal(abut_body_set_pose(wanted, many[i], &poses[i]), ABUT_OK);
        }
        assert_int_equal(abut_bodies_set_poses(world, many, poses, 3 * BODIES), ABUT_OK);
        check_case(abut_world_hash(world) == abut_world_hash(wanted), "hash", 4, round);
        (void)step_world(world);
        (void)step_world(wanted);
        check_case(same_contacts(world, wanted), "contacts", 4, round);
    }
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
    abut_world_destroy(&wanted);
}

typedef struct bad_pose {
    abut_pose pose;
    abut_result why;
} bad_pose;

static const bad_pose bad_poses[] = {
    {{{NAN, 0, 0}, {0, 0, 0, 1}}, ABUT_ERROR_ARGUMENT},       {{{0, INFINITY, 0}, {0, 0, 0, 1}}, ABUT_ERROR_ARGUMENT},
    {{{0, 0, -INFINITY}, {0, 0, 0, 1}}, ABUT_ERROR_ARGUMENT}, {{{0, 0, 0}, {NAN, 0, 0, 1}}, ABUT_ERROR_ARGUMENT},
    {{{0, 0, 0}, {0, NAN, 0, 1}}, ABUT_ERROR_ARGUMENT},       {{{0, 0, 0}, {0, 0, INFINITY, 1}}, ABUT_ERROR_ARGUMENT},
    {{{0, 0, 0}, {0, 0, 0, NAN}}, ABUT_ERROR_ARGUMENT},       {{{2e9f, 0, 0}, {0, 0, 0, 1}}, ABUT_ERROR_LIMIT},
    {{{0, -1e9f, 0}, {0, 0, 0, 1}}, ABUT_ERROR_LIMIT},        {{{0, 0, FLT_MAX}, {0, 0, 0, 1}}, ABUT_ERROR_LIMIT},
};
enum { BAD_POSES = sizeof bad_poses / sizeof bad_poses[0] };

static void bad_pose_is_refused(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id ids[BODIES];
    make_bodies(world, ids);
    picture before = picture_take(world);
    for (size_t i = 0; i < BAD_POSES; i++) {
        assert_int_equal(abut_body_set_pose(world, ids[3], &bad_poses[i].pose), bad_poses[i].why);
        assert_true(picture_matches(&before, world));
    }
    picture_close(&before, world);
    assert_int_equal(step_world(world), BODIES - 1);
    assert_int_equal(count_events(world, ABUT_PERSIST), BODIES - 1);
    abut_world_destroy(&world);
}

static void one_bad_element_refuses_the_whole_batch_and_is_named(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id ids[BODIES], given[BODIES];
    abut_pose poses[BODIES];
    make_bodies(world, ids);
    abut_body_id gone = add_cube(world, 500, 0, 0, 1);
    assert_int_equal(abut_body_destroy(world, gone), ABUT_OK);
    picture before = picture_take(world);
    rng r = rng_make(test_seed(), 5);
    for (size_t k = 0; k <= BAD_POSES; k++) {
        for (size_t at = 0; at < BODIES; at += 13) {
            for (int i = 0; i < BODIES; i++) {
                given[i] = ids[i];
                poses[i] = random_pose(&r, 5);
            }
            abut_result why = k < BAD_POSES ? bad_poses[k].why : ABUT_ERROR_HANDLE;
            if (k < BAD_POSES) {
                poses[at] = bad_poses[k].pose;
            } else {
                given[at] = at == 0 ? gone : id_of((uint32_t)rng_u64(&r) | 64, 1);
            }
            size_t first_bad = 1000;
            assert_int_equal(abut_bodies_set_poses_strided(world, given, 0, poses, 0, BODIES, &first_bad), why);
            assert_int_equal(first_bad, at);
            assert_int_equal(abut_bodies_set_poses_strided(world, given, 0, poses, 0, BODIES, NULL), why);
            assert_int_equal(abut_bodies_set_poses(world, given, poses, BODIES), why);
            assert_true(picture_matches(&before, world));
        }
    }
    picture_close(&before, world);
    assert_int_equal(step_world(world), BODIES - 1);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

static void first_of_several_bad_elements_is_named(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id ids[BODIES];
    abut_pose poses[BODIES];
    make_bodies(world, ids);
    for (int i = 0; i < BODIES; i++) {
        poses[i] = pose_at((float)i, 1, 1);
    }
    poses[30].position.x = NAN;
    poses[20].position.y = NAN;
    poses[10].rotation.w = NAN;
    size_t first_bad = 1000;
    assert_int_equal(abut_bodies_set_poses_strided(world, ids, 0, poses, 0, BODIES, &first_bad), ABUT_ERROR_ARGUMENT);
    assert_int_equal(first_bad, 10);
    abut_world_destroy(&world);
}

/* A coordinate may be 1e9, but not more. */
static void limit_is_met_at_the_bounds(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id id = add_cube(world, 0, 0, 0, 1);
    const float limit = ABUT_MAX_COORDINATE;
    abut_pose inside = pose_at(limit - 1024, -limit + 1024, 0), outside = pose_at(0, 0, -limit);
    assert_int_equal(abut_body_set_pose(world, id, &inside), ABUT_OK);
    assert_int_equal(abut_body_set_pose(world, id, &outside), ABUT_ERROR_LIMIT);
    abut_pose got;
    assert_int_equal(abut_body_get_pose(world, id, &got), ABUT_OK);
    assert_true(bits_equal(&got.position, &inside.position, sizeof got.position));
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

/* Beside a body as large as the world, whose corners are farther away than any coordinate may be, every pose is checked
 * by itself. */
static void beside_a_body_as_large_as_the_world_poses_are_limited_as_ever(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    const float half = 0.9f * ABUT_MAX_COORDINATE;
    abut_body_id large = add_body(world, &(abut_body_def){.half = {half, half, half}}),
                 small = add_cube(world, 0, 0, 0, 1);
    const abut_pose near = pose_at(5, 6, 7), beyond = pose_at(0, ABUT_MAX_COORDINATE, 0);
    const abut_pose turned = {{0, 0, 0}, {0, 0, 1, 3}}, zero = {{0, 0, 0}, {0, 0, 0, 1}};
    abut_pose got;
    assert_int_equal(abut_body_set_pose(world, small, &near), ABUT_OK);
    assert_int_equal(abut_body_set_pose(world, small, &beyond), ABUT_ERROR_LIMIT);
    assert_int_equal(abut_body_get_pose(world, small, &got), ABUT_OK);
    assert_true(bits_equal(&got, &near, sizeof got));
    assert_int_equal(abut_body_set_pose(world, large, &turned), ABUT_ERROR_LIMIT); /* its corners stick out */
    assert_int_equal(abut_body_set_pose(world, large, &zero), ABUT_OK);
    assert_int_equal(step_world(world), 1);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

/* --- side by side --- */

enum { AT_ONCE = 2048, MANY = 3 * AT_ONCE };

/* Sets the first n poses; the arrays are longer, and what follows names no bodies. */
static abut_result set_many(abut_world *world, const abut_body_id *ids, size_t n, float at, size_t *first_bad) {
    static abut_body_id some[MANY + AT_ONCE];
    static abut_pose poses[MANY + AT_ONCE], now[MANY];
    memset(some, 0, sizeof some);
    memset(poses, 0, sizeof poses);
    for (size_t i = 0; i < n; i++) {
        some[i] = ids[i];
        poses[i] = pose_at((float)ids[i].index1, at, (float)i);
    }
    abut_result result = abut_bodies_set_poses_strided(world, some, 0, poses, 0, n, first_bad);
    assert_int_equal(abut_bodies_get_poses(world, some, now, result ? 0 : n), ABUT_OK);
    for (size_t i = 0; i < n && !result; i++) {
        assert_true(now[i].position.x == poses[i].position.x && now[i].position.y == at);
        assert_true(now[i].position.z >= poses[i].position.z);
    }
    return result;
}

/* One loop checks a batch of more than one block; another one writes it if ids ascend, so that none comes twice. */
static void long_batches_are_checked_and_written_side_by_side(void **state) {
    (void)state;
    static const size_t sizes[] = {1, AT_ONCE, AT_ONCE + 1, 2 * AT_ONCE, 2 * AT_ONCE + 900, MANY};
    static abut_body_id ids[MANY];
    schedule s = {.kind = SCHEDULE_DESCENDING, .workers = 3};
    abut_world *world = make_world(&(abut_world_def){.parallel = schedule_parallel(&s)});
    for (uint32_t i = 0; i < MANY; i++) {
        ids[i] = add_cube(world, (float)i, 0, 0, 0.5f);
    }
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const size_t n = sizes[k];
        const uint32_t wide = n > AT_ONCE;
        for (uint32_t twice = 0; twice < 3; twice++) { /* in order; the last id comes before or, again, at a border */
            size_t border = n > AT_ONCE ? AT_ONCE - 1 : 0, bad = n;
            const abut_body_id kept = ids[border];
            ids[border] = twice == 2 ? ids[n - 1] : twice == 1 && n > 1 ? ids[border + 1] : kept;
            uint32_t loops = abut_atomic_load(&s.loops);
            assert_int_equal(set_many(world, ids, n, (float)(k + twice), &bad), ABUT_OK);
            assert_int_equal(abut_atomic_load(&s.loops) - loops, wide * (twice ? 1 : 2));
            ids[border] = kept;
        }
        for (size_t at = 0; at < n; at += n < 500 ? 1 : 500) {
            size_t bad = n;
            const abut_body_id kept[2] = {ids[at], ids[n - 1]};
            ids[at] = ids[n - 1] = id_of(MANY + 1, 1);
            assert_int_equal(set_many(world, ids, n, 9, &bad), ABUT_ERROR_HANDLE);
            assert_int_equal(bad, at);
            ids[n - 1] = kept[1];
            ids[at] = kept[0];
        }
    }
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_are_normalised_in_double),
        cmocka_unit_test(pose_read_and_set_again_changes_nothing),
        cmocka_unit_test(body_made_from_a_pose_that_was_read_is_the_same),
        cmocka_unit_test(zero_rotation_reads_as_identity),
        cmocka_unit_test(denormal_rotation_has_a_direction),
        cmocka_unit_test(negative_zero_touches_like_zero),
        cmocka_unit_test(strided_poses_equal_single_calls_at_any_alignment),
        cmocka_unit_test(last_of_duplicate_ids_wins),
        cmocka_unit_test(bad_pose_is_refused),
        cmocka_unit_test(one_bad_element_refuses_the_whole_batch_and_is_named),
        cmocka_unit_test(first_of_several_bad_elements_is_named),
        cmocka_unit_test(limit_is_met_at_the_bounds),
        cmocka_unit_test(beside_a_body_as_large_as_the_world_poses_are_limited_as_ever),
        cmocka_unit_test(long_batches_are_checked_and_written_side_by_side),
    };
    return test_run(tests);
}
