/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* abut_world_validate must find damage: the tests damage a sound world from the inside in each way, expect it to be
 * found, and repair it. */
#include "shape/hull/hull.h"
#include "support/test.h"
#include "world/world.h"
#include <string.h>

enum { BODIES = 6 };

/* A row of touching boxes; 1 and 2 are attached to 0, 2 of another parent than 1. */
static abut_world *make_world(void) {
    abut_world *world;
    abut_body_id ids[BODIES];
    assert_int_equal(abut_world_create(NULL, &world), ABUT_OK);
    for (int i = 0; i < BODIES; i++) {
        abut_body_def def = {.half = {1, 1, 1}, .pose.position = {1.5f * (float)i, 0, 0}};
        def.parent = i == 1 || i == 2 ? ids[0] : def.parent;
        assert_int_equal(abut_body_create(world, &def, &ids[i]), ABUT_OK);
    }
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    assert_true(world->current.count >= 3);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    return world;
}

/* Writes `size` bytes of `damage` over `*at`, expects validation to fail, and restores the old ones. */
static void expect_seen(abut_world *world, void *at, const void *damage, size_t size) {
    unsigned char before[64];
    assert_true(size <= sizeof before);
    memcpy(before, at, size);
    assert_memory_not_equal(at, damage, size);
    memcpy(at, damage, size);
    assert_int_equal(abut_world_validate(world), ABUT_ERROR_FORMAT);
    memcpy(at, before, size);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
}

static void expect_seen_u32(abut_world *world, uint32_t *at, uint32_t damage) {
    expect_seen(world, at, &damage, sizeof damage);
}

static void damaged_ids_are_seen(void **state) {
    (void)state;
    abut_world *world = make_world();
    expect_seen_u32(world, &world->ids.live_count, BODIES - 1);
    expect_seen_u32(world, &world->ids.link[3], 0);
    expect_seen_u32(world, &world->ids.first_free_plus_one, 2);
    abut_world_destroy(&world);
}

static void damaged_compounds_are_seen(void **state) {
    (void)state;
    abut_world *world = make_world();
    for (uint32_t slot = 0; slot < BODIES; slot++) {
        assert_int_equal(world->attachment_plus_one[slot] != 0, slot < 3);
    }
    abut_w_hierarchy *hierarchy[3];
    for (uint32_t slot = 0; slot < 3; slot++) {
        hierarchy[slot] = &world->attachment[world->attachment_plus_one[slot] - 1].hierarchy;
    }
    expect_seen_u32(world, &hierarchy[0]->parent_plus_one, 2); /* a cycle */
    expect_seen_u32(world, &hierarchy[0]->first_child_plus_one, 0);
    expect_seen_u32(world, &hierarchy[0]->first_child_plus_one, 5);
    expect_seen_u32(world, &hierarchy[1]->root, 3);
    expect_seen_u32(world, &hierarchy[1]->parent_plus_one, 77);
    expect_seen_u32(world, &hierarchy[1]->previous_sibling_plus_one, 0);
    expect_seen_u32(world, &hierarchy[2]->next_sibling_plus_one, 4);
    expect_seen_u32(world, &hierarchy[2]->previous_sibling_plus_one, 4);
    world->traits[1].motion = ABUT_STATIC;
    assert_int_equal(abut_world_validate(world), ABUT_ERROR_FORMAT);
    world->traits[1].motion = ABUT_MOVING;
    abut_world_destroy(&world);
}

static void damaged_side_tables_are_seen(void **state) {
    (void)state;
    abut_world *world = make_world();
    abut_w_side_table *side = &world->attachments;
    abut_body_id id;
    abut_body_def def = {.half = {1, 1, 1}, .box.position = {1, 0, 0}};
    assert_int_equal(abut_body_create(world, &def, &id), ABUT_OK);
    assert_int_equal(abut_body_destroy(world, id), ABUT_OK);
    assert_true(side->used == 4 && side->live == 3 && side->first_free_plus_one == 4 && side->owner[3] == 0);
    expect_seen_u32(world, &side->first_free_plus_one, 0); /* an entry is lost */
    expect_seen_u32(world, &side->first_free_plus_one, 5); /* there is none */
    expect_seen_u32(world, &side->first_free_plus_one, 1); /* in use */
    expect_seen_u32(world, &side->owner[3], 4);            /* a cycle */
    expect_seen_u32(world, &side->live, 2);
    expect_seen_u32(world, &side->used, 3);
    expect_seen_u32(world, &side->block.capacity, 3);
    expect_seen_u32(world, &side->owner[0], 5);
    expect_seen_u32(world, &world->attachment_plus_one[1], 77);
    expect_seen_u32(world, &world->attachment_plus_one[1], world->attachment_plus_one[2]); /* another body's */
    expect_seen_u32(world, &world->attachment_plus_one[5], 4);                             /* a free one */
    abut_world_destroy(&world);
}

static void damaged_colliders_and_attachments_are_seen(void **state) {
    (void)state;
    abut_world *world = make_world();
    const float off = 4.25f, huge = 2e9f;
    expect_seen(world, &world->collider[3].center.x, &off, sizeof off);
    expect_seen(world, &world->collider[3].rotation.x, &off, sizeof off);
    expect_seen(world, &world->collider[3].half.y, &off, sizeof off); /* the list no longer fits */
    expect_seen(world, &world->collider[3].center.y, &huge, sizeof huge);
    abut_w_attachment *attachment = &world->attachment[world->attachment_plus_one[1] - 1];
    expect_seen(world, &attachment->pose.position.y, &off, sizeof off);
    expect_seen(world, &attachment->pose.position.y, &huge, sizeof huge);
    expect_seen(world, &attachment->box.position.y, &off, sizeof off);
    abut_world_destroy(&world);
}

static void damaged_hulls_are_seen(void **state) {
    (void)state;
    abut_world *world;
    abut_hull *hull, *other;
    abut_vec3 corners[8];
    abut_obb_corners(&(abut_obb){.half = {1, 1, 1}}, corners);
    assert_int_equal(abut_hull_create(corners, 8, NULL, &hull), ABUT_OK);
    assert_int_equal(abut_hull_create(corners, 5, NULL, &other), ABUT_OK);
    assert_int_equal(abut_world_create(NULL, &world), ABUT_OK);
    for (int i = 0; i < BODIES; i++) {
        abut_body_id id;
        const abut_body_def def = {
            .half = {1, 1, 1}, .hull = i % 2 ? hull : NULL, .pose.position = {1.9f * (float)i, 0, 0}};
        assert_int_equal(abut_body_create(world, &def, &id), ABUT_OK);
    }
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    assert_int_equal(world->current.count, BODIES - 1);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    const abut_hull *none = NULL;
    expect_seen_u32(world, &world->collider[1].type, ABUT_SHAPE_BOX);
    expect_seen_u32(world, &world->collider[2].type, ABUT_SHAPE_HULL);
    expect_seen(world, &world->collider[1].hull, &none, sizeof none);
    expect_seen(world, &world->collider[2].hull, &hull, sizeof hull);
    expect_seen(world, &world->collider[1].hull, &other, sizeof other); /* the list no longer fits */
    expect_seen_u32(world, &hull->magic, 7);
    abut_vec3 *vertices = (abut_vec3 *)(void *)((char *)hull + hull->vertices);
    const float outside = -3;
    expect_seen(world, &vertices[0].x, &outside, sizeof outside);
    abut_world_destroy(&world);
    abut_hull_destroy(&hull);
    abut_hull_destroy(&other);
}

static void a_damaged_contact_list_is_seen(void **state) {
    (void)state;
    abut_world *world = make_world();
    abut_w_contacts *list = &world->current;
    const abut_phase end = ABUT_END;
    const float off = -7;
    expect_seen(world, &list->contact[1].phase, &end, sizeof end);
    expect_seen(world, &list->contact[1].manifold.points[0].separation, &off, sizeof off);
    expect_seen_u32(world, &list->contact[1].a.generation, 9);
    expect_seen_u32(world, &list->contact[1].b.index1, 1);
    expect_seen_u32(world, &world->index.by_b[0], list->count);
    expect_seen_u32(world, &world->index.by_b[0], world->index.by_b[1]);
    const abut_w_pair pair = abut_w_pair_of(1, 5);
    expect_seen(world, &list->pair[0], &pair, sizeof pair);
    expect_seen_u32(world, &list->count, list->count - 1); /* one is missing */
    abut_contact swapped[2] = {list->contact[1], list->contact[0]};
    memcpy(list->contact, swapped, sizeof swapped);
    assert_int_equal(abut_world_validate(world), ABUT_ERROR_FORMAT);
    abut_world_destroy(&world);
}

/* Gaps far below the accuracy of the shapes' test may pass it and fail the more accurate test of the bounds: no
 * contact, and no error. */
static void a_gap_below_what_counts_is_sound(void **state) {
    (void)state;
    abut_world *world;
    abut_body_id id;
    assert_int_equal(abut_world_create(NULL, &world), ABUT_OK);
    const abut_body_def left = {.half = {0.5f, 0.5f, 0.5f}, .pose.position = {-0.5f, 0, 0}};
    const abut_body_def right = {.half = {1e-30f, 1e-30f, 1e-30f}, .pose.position = {2e-30f, 0, 0}};
    assert_int_equal(abut_body_create(world, &left, &id), ABUT_OK);
    assert_int_equal(abut_body_create(world, &right, &id), ABUT_OK);
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    assert_int_equal(world->current.count, 0);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

static bool refuse(abut_body_id a, uint64_t user_a, abut_body_id b, uint64_t user_b, void *user) {
    (void)a, (void)user_a, (void)b, (void)user_b, (void)user;
    return false;
}

static void pairs_that_should_collide_refused_are_not_missed(void **state) {
    (void)state;
    abut_world *world = make_world();
    world->should_collide = refuse;
    world->changed = true;
    assert_int_equal(abut_world_step(world, NULL, NULL), ABUT_OK);
    assert_int_equal(world->current.count, 0);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
    assert_int_equal(abut_world_validate(NULL), ABUT_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_ids_are_seen),
        cmocka_unit_test(damaged_compounds_are_seen),
        cmocka_unit_test(damaged_side_tables_are_seen),
        cmocka_unit_test(damaged_colliders_and_attachments_are_seen),
        cmocka_unit_test(damaged_hulls_are_seen),
        cmocka_unit_test(a_damaged_contact_list_is_seen),
        cmocka_unit_test(a_gap_below_what_counts_is_sound),
        cmocka_unit_test(pairs_that_should_collide_refused_are_not_missed),
    };
    return test_run(tests);
}
