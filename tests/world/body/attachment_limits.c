/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Compounds at the limit of coordinates, and boxes that are shifted and turned in their body's frame. */

#include "world/world_test.h"
#include <math.h>
#include <stdlib.h>

static const float limit = ABUT_MAX_COORDINATE;

/* A chain root - child - grandchild with long arms, near the limit, and a neighbour that touches the root. */
typedef struct arm {
    abut_world *world;
    abut_body_id root, child, grandchild;
} arm;

static arm make_arm(void) {
    arm a = {.world = make_world(NULL)};
    abut_body_def def = {.half = {100, 100, 100}};
    a.root = add_body(a.world, &def);
    def.pose = pose_at(0.4f * limit, 0, 0);
    def.parent = a.root;
    a.child = add_body(a.world, &def);
    def.parent = a.child;
    a.grandchild = add_body(a.world, &def);
    (void)add_cube(a.world, 50, 50, 50, 100);
    assert_int_equal(step_world(a.world), 1);
    return a;
}

static void move_that_carries_a_child_over_the_limit_is_refused(void **state) {
    (void)state;
    arm a = make_arm();
    picture before = picture_take(a.world);
    abut_pose pose = pose_at(0.3f * limit, 0, 0);
    assert_int_equal(abut_body_set_pose(a.world, a.root, &pose), ABUT_ERROR_LIMIT);
    assert_true(picture_matches(&before, a.world));
    pose = pose_at(0.7f * limit, 0, 0);
    assert_int_equal(abut_body_set_pose(a.world, a.child, &pose), ABUT_ERROR_LIMIT);
    assert_int_equal(abut_body_set_pose(a.world, a.grandchild, &pose), ABUT_ERROR_LIMIT);
    assert_true(picture_matches(&before, a.world));
    abut_body_id id = {9, 9};
    abut_body_def far = {.half = {1, 1, 1}, .parent = a.grandchild, .pose = pose_at(0.3f * limit, 0, 0)};
    assert_int_equal(abut_body_create(a.world, &far, &id), ABUT_ERROR_LIMIT);
    assert_true(abut_body_id_equal(id, id_of(0, 0)));
    assert_true(picture_matches(&before, a.world));
    picture_close(&before, a.world);
    assert_int_equal(step_world(a.world), 1);
    assert_int_equal(count_events(a.world, ABUT_PERSIST), 1);
    /* With the compound turned round, the same position of the root is fine. */
    pose = (abut_pose){{0.3f * limit, 0, 0}, {0, 1, 0, 0}};
    assert_int_equal(abut_body_set_pose(a.world, a.root, &pose), ABUT_OK);
    assert_int_equal(abut_world_validate(a.world), ABUT_OK);
    abut_world_destroy(&a.world);
}

/* The centre of the child stays within the limit, its far end does not. */
static void extent_of_a_child_counts_for_the_limit(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id root = add_cube(world, 0, 0, 0, 1), id = {9, 9};
    abut_body_def def = {.half = {0.25f * limit, 1, 1}, .parent = root, .pose = pose_at(0.8f * limit, 0, 0)};
    assert_int_equal(abut_body_create(world, &def, &id), ABUT_ERROR_LIMIT);
    assert_true(abut_body_id_equal(id, id_of(0, 0)));
    def.pose.position.x = 0.7f * limit;
    abut_body_id child = add_body(world, &def);
    picture before = picture_take(world);
    abut_pose pose = pose_at(0.1f * limit, 0, 0), turned = {{0.1f * limit, 0, 0}, {0, 0, 1, 1}};
    assert_int_equal(abut_body_set_pose(world, root, &pose), ABUT_ERROR_LIMIT);
    assert_true(picture_matches(&before, world));
    pose = pose_at(0.8f * limit, 0, 0);
    assert_int_equal(abut_body_set_pose(world, child, &pose), ABUT_ERROR_LIMIT);
    picture_close(&before, world);
    assert_int_equal(abut_body_set_pose(world, root, &turned), ABUT_OK);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

static void batch_over_the_limit_is_rolled_back_whole(void **state) {
    (void)state;
    arm a = make_arm();
    abut_body_id other = add_cube(a.world, 0, 1000, 0, 100);
    (void)step_world(a.world);
    picture before = picture_take(a.world);
    abut_body_id ids[3][3] = {{other, a.root, a.grandchild}, {a.root, other, a.child}, {a.child, other, other}};
    abut_pose poses[3] = {pose_at(0.35f * limit, 5, 0), pose_at(0.3f * limit, 7, 0), pose_at(0.31f * limit, 9, 0)};
    for (int k = 0; k < 2; k++) {
        size_t first_bad = 99;
        assert_int_equal(abut_bodies_set_poses_strided(a.world, ids[k], 0, poses, 0, 3, &first_bad), ABUT_ERROR_LIMIT);
        assert_true(first_bad < 3);
        assert_true(picture_matches(&before, a.world));
    }
    picture_close(&before, a.world);
    assert_int_equal(abut_bodies_set_poses(a.world, ids[2], poses, 3), ABUT_OK);
    assert_int_equal(abut_world_validate(a.world), ABUT_OK);
    abut_world_destroy(&a.world);
}

/* Only the poses after the whole batch count, not those in between. */
static void batch_that_is_legal_as_a_whole_is_taken_in_any_order(void **state) {
    (void)state;
    uint64_t hash = 0;
    static const size_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int k = 0; k < 6; k++) {
        arm a = make_arm();
        const abut_body_id all[3] = {a.root, a.child, a.grandchild};
        const abut_pose to[3] = {pose_at(0.9f * limit, 0, 0), pose_at(-0.8f * limit, 0, 0),
                                 pose_at(0.7f * limit, 0, 0)};
        abut_body_id ids[3];
        abut_pose poses[3];
        for (int i = 0; i < 3; i++) {
            ids[i] = all[orders[k][i]];
            poses[i] = to[orders[k][i]];
        }
        assert_int_equal(abut_body_set_pose(a.world, a.root, &to[0]), ABUT_ERROR_LIMIT);
        assert_int_equal(abut_bodies_set_poses(a.world, ids, poses, 3), ABUT_OK);
        assert_true(k == 0 || abut_world_hash(a.world) == hash);
        hash = abut_world_hash(a.world);
        assert_int_equal(abut_world_validate(a.world), ABUT_OK);
        abut_world_destroy(&a.world);
    }
}

/* --- shifted and tilted boxes --- */

static void rotate(const abut_quat *q, const double v[3], double out[3]) {
    double x = q->x, y = q->y, z = q->z, w = q->w, s = 2 / (x * x + y * y + z * z + w * w);
    out[0] = v[0] + s * (-(y * y + z * z) * v[0] + (x * y - w * z) * v[1] + (x * z + w * y) * v[2]);
    out[1] = v[1] + s * ((x * y + w * z) * v[0] - (x * x + z * z) * v[1] + (y * z - w * x) * v[2]);
    out[2] = v[2] + s * ((x * z - w * y) * v[0] + (y * z + w * x) * v[1] - (x * x + y * y) * v[2]);
}

/* The pose of a box at `inner` in a frame at `outer`. */
static abut_pose compose(const abut_pose *outer, const abut_pose *inner) {
    const double v[3] = {inner->position.x, inner->position.y, inner->position.z};
    const abut_quat *p = &outer->rotation, *q = &inner->rotation;
    double out[3];
    rotate(p, v, out);
    abut_pose pose;
    pose.position.x = (float)(out[0] + outer->position.x);
    pose.position.y = (float)(out[1] + outer->position.y);
    pose.position.z = (float)(out[2] + outer->position.z);
    pose.rotation.x = p->w * q->x + p->x * q->w + p->y * q->z - p->z * q->y;
    pose.rotation.y = p->w * q->y - p->x * q->z + p->y * q->w + p->z * q->x;
    pose.rotation.z = p->w * q->z + p->x * q->y - p->y * q->x + p->z * q->w;
    pose.rotation.w = p->w * q->w - p->x * q->x - p->y * q->y - p->z * q->z;
    return pose;
}

static abut_vec3 scaled(abut_vec3 v, float s) {
    return (abut_vec3){v.x * s, v.y * s, v.z * s};
}

/* Whether `bounds` holds the eight corners and is not much larger. */
static bool bounds_fit(const abut_aabb *bounds, const abut_obb *box) {
    abut_aabb tight = abut_obb_bounds(box);
    const float slack = 1e-5f * (fabsf(box->center.x) + fabsf(box->center.y) + fabsf(box->center.z) + 4);
    return fabsf(bounds->min.x - tight.min.x) <= slack && fabsf(bounds->min.y - tight.min.y) <= slack &&
           fabsf(bounds->min.z - tight.min.z) <= slack && fabsf(bounds->max.x - tight.max.x) <= slack &&
           fabsf(bounds->max.y - tight.max.y) <= slack && fabsf(bounds->max.z - tight.max.z) <= slack;
}

enum { N = 150 };

/* The box of body i by our own composition; bodies are attached to the first. */
static void read_boxes(const abut_world *world, const abut_body_id *ids, const abut_body_def *defs, abut_obb *boxes) {
    for (size_t i = 0; i < N; i++) {
        abut_pose pose;
        abut_aabb bounds;
        assert_int_equal(abut_body_get_world_pose(world, ids[i], &pose), ABUT_OK);
        assert_int_equal(abut_body_get_bounds(world, ids[i], &bounds), ABUT_OK);
        pose = compose(&pose, &defs[i].box);
        boxes[i] = (abut_obb){pose.position, pose.rotation, defs[i].half};
        assert_true(bounds_fit(&bounds, &boxes[i]));
    }
}

static size_t find_contact(const abut_contact *contacts, size_t count, abut_body_id a, abut_body_id b) {
    for (size_t i = 0; i < count; i++) {
        if (abut_body_id_equal(contacts[i].a, a) && abut_body_id_equal(contacts[i].b, b)) {
            return 1;
        }
    }
    return 0;
}

/* Pairs that certainly touch must be listed, pairs that certainly do not must not be; within rounding either is fine.
 */
static void check_shifted(const abut_world *world, const abut_body_id *ids, const abut_body_def *defs, size_t *yes,
                          size_t *no) {
    abut_obb boxes[N];
    size_t count;
    read_boxes(world, ids, defs, boxes);
    const abut_contact *contacts = contacts_of(world, &count);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = i + 1; j < N; j++) {
            bool hierarchy = (i == 0 || defs[i].parent.index1 != 0) && defs[j].parent.index1 != 0;
            abut_obb smaller = boxes[i], larger = boxes[i];
            smaller.half = scaled(smaller.half, 0.9999f);
            larger.half = scaled(larger.half, 1.0001f);
            larger.half.x += 1e-4f;
            larger.half.y += 1e-4f;
            larger.half.z += 1e-4f;
            size_t found = find_contact(contacts, count, ids[i], ids[j]);
            if (hierarchy || !abut_obb_overlap(&larger, &boxes[j])) {
                assert_true(found == 0);
                (*no)++;
            } else if (abut_obb_overlap(&smaller, &boxes[j]) && defs[i].half.y > 0 && defs[j].half.y > 0) {
                assert_true(found == 1);
                (*yes)++;
            }
        }
    }
}

static void shifted_and_tilted_boxes_touch_where_they_stand(void **state) {
    (void)state;
    rng r = rng_make(test_seed(), 0);
    abut_world *world = make_world(NULL);
    abut_body_def defs[N];
    abut_body_id ids[N];
    for (size_t i = 0; i < N; i++) {
        defs[i] = random_box(&r, 2);
        defs[i].box = (abut_pose){rng_vec3(&r, -2, 2), rng_rotation(&r)};
        defs[i].parent = i % 5 == 4 ? ids[0] : id_of(0, 0);
        ids[i] = add_body(world, &defs[i]);
    }
    size_t yes = 0, no = 0;
    for (int step = 0; step < 8; step++) {
        (void)step_world(world);
        check_shifted(world, ids, defs, &yes, &no);
        for (size_t i = 0; i < N; i += 2) {
            abut_pose pose = random_pose(&r, 2);
            assert_int_equal(abut_body_set_pose(world, ids[i], &pose), ABUT_OK);
        }
    }
    assert_true(yes > 1000 && no > 1000);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

/* A shift that loses no bits: the same contact bits as of a body that has the composed pose itself. */
static void box_shifted_without_rounding_equals_a_body_that_stands_there(void **state) {
    (void)state;
    abut_world *shifted = make_world(NULL), *plain = make_world(NULL);
    for (int i = 0; i < 60; i++) {
        float x = (float)(i % 4) * 1.25f, y = (float)(i / 4 % 4) * 0.75f, z = (float)(i / 16) * 1.25f;
        abut_quat turn = {0, 0, 0, 1}, quarter = {0, 0, 1, 1};
        abut_body_def def = {.half = {1, 0.5f, 0.75f}, .pose = pose_at(x, y, z)};
        def.pose.rotation = i % 3 == 0 ? quarter : turn;
        (void)add_body(plain, &def);
        def.box = (abut_pose){{0, 0, 0.5f}, def.pose.rotation};
        def.pose = pose_at(x, y, z - 0.5f);
        (void)add_body(shifted, &def);
    }
    assert_true(step_world(plain) > 100);
    (void)step_world(shifted);
    assert_true(same_contacts(plain, shifted));
    assert_true(abut_world_hash(plain) != abut_world_hash(shifted));
    abut_world_destroy(&plain);
    abut_world_destroy(&shifted);
}

/* get_pose returns the pose of the body, not of its box. */
static void pose_of_a_shifted_body_reads_back_without_the_shift(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_def def = {.half = {1, 1, 1}, .pose = pose_at(1, 2, 3), .box = pose_at(10, 0, 0)};
    abut_body_id id = add_body(world, &def), far = add_cube(world, 11, 2, 3, 0.5f);
    abut_pose pose;
    assert_int_equal(abut_body_get_pose(world, id, &pose), ABUT_OK);
    assert_true(bits_equal(&pose, &def.pose, sizeof pose));
    assert_int_equal(abut_body_get_world_pose(world, id, &pose), ABUT_OK);
    assert_true(bits_equal(&pose, &def.pose, sizeof pose));
    assert_int_equal(step_world(world), 1);
    pose = (abut_pose){{1, 2, 3}, {0, 1, 0, 0}};
    assert_int_equal(abut_body_set_pose(world, id, &pose), ABUT_OK);
    assert_int_equal(step_world(world), 0);
    move_to(world, far, -9, 2, 3);
    assert_int_equal(step_world(world), 1);
    abut_world_destroy(&world);
}

/* The limit applies to the float that a composed centre is rounded to, not to the double before. */
static void limit_is_that_of_the_stored_floats(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_def def = {.half = {1, 1, 1}, .pose = pose_at(999999936, 0, 0), .box = pose_at(33, 0, 0)};
    abut_body_id id;
    assert_int_equal(abut_body_create(world, &def, &id), ABUT_ERROR_LIMIT);
    def.box = pose_at(31, 0, 0);
    assert_int_equal(abut_body_create(world, &def, &id), ABUT_OK);
    abut_world_destroy(&world);
}

/* The element at fault: of a parent and a child the one whose pose exceeds the limit, of duplicates the last. */
static void first_bad_names_the_element_that_passes_the_limit(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id parent = add_cube(world, 0, 0, 0, 1);
    abut_body_id child = add_body(world, &(abut_body_def){.half = {1, 1, 1}, .parent = parent});
    const abut_body_id both[2] = {parent, child}, twice[2] = {parent, parent};
    const abut_pose poses[2] = {pose_at(1, 0, 0), pose_at(2e9f, 0, 0)};
    const uint64_t hash = abut_world_hash(world);
    size_t bad = 99;
    assert_int_equal(abut_bodies_set_poses_strided(world, both, 0, poses, 0, 2, &bad), ABUT_ERROR_LIMIT);
    assert_int_equal(bad, 1);
    bad = 99;
    assert_int_equal(abut_bodies_set_poses_strided(world, twice, 0, poses, 0, 2, &bad), ABUT_ERROR_LIMIT);
    assert_int_equal(bad, 1);
    assert_true(abut_world_hash(world) == hash);
    abut_world_destroy(&world);
}

/* Builds a chain: each new id is written where the next parent is read. */
static void id_may_be_written_to_the_definitions_own_parent(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_def def = {.half = {1, 1, 1}, .pose = pose_at(1, 0, 0)};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(abut_body_create(world, &def, &def.parent), ABUT_OK);
    }
    abut_pose pose;
    assert_int_equal(abut_body_get_world_pose(world, def.parent, &pose), ABUT_OK);
    assert_true(pose.position.x == 3);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limit_is_that_of_the_stored_floats),
        cmocka_unit_test(first_bad_names_the_element_that_passes_the_limit),
        cmocka_unit_test(id_may_be_written_to_the_definitions_own_parent),
        cmocka_unit_test(move_that_carries_a_child_over_the_limit_is_refused),
        cmocka_unit_test(extent_of_a_child_counts_for_the_limit),
        cmocka_unit_test(batch_over_the_limit_is_rolled_back_whole),
        cmocka_unit_test(batch_that_is_legal_as_a_whole_is_taken_in_any_order),
        cmocka_unit_test(shifted_and_tilted_boxes_touch_where_they_stand),
        cmocka_unit_test(box_shifted_without_rounding_equals_a_body_that_stands_there),
        cmocka_unit_test(pose_of_a_shifted_body_reads_back_without_the_shift),
    };
    return test_run(tests);
}
