/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which bodies may touch: categories, masks, groups, motion. */

#include "world/world_test.h"

#define BIT(n) (UINT64_C(1) << (n))

/* Two coincident boxes with these filters and motions: do they touch? */
static bool touch(abut_filter a, abut_motion motion_a, abut_filter b, abut_motion motion_b) {
    abut_world *world = make_world(NULL);
    abut_body_def def = {.half = {1, 1, 1}, .filter = a, .motion = motion_a};
    (void)add_body(world, &def);
    def.filter = b;
    def.motion = motion_b;
    (void)add_body(world, &def);
    size_t count = step_world(world);
    assert_true(count <= 1);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
    return count == 1;
}

/* Both orders must agree. */
static bool moving_touch(abut_filter a, abut_filter b) {
    bool ab = touch(a, ABUT_MOVING, b, ABUT_MOVING), ba = touch(b, ABUT_MOVING, a, ABUT_MOVING);
    assert_true(ab == ba);
    return ab;
}

static void zero_filters_touch_each_other(void **state) {
    (void)state;
    assert_true(moving_touch((abut_filter){0}, (abut_filter){0}));
}

static void zero_filters_read_back_with_defaults_filled_in(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id id = add_cube(world, 0, 0, 0, 1);
    abut_filter f = {5, 5, 5};
    assert_int_equal(abut_body_get_filter(world, id, &f), ABUT_OK);
    assert_true(f.category == 1 && f.mask != 0 && f.group == 0);
    for (int bit = 0; bit < 63; bit++) {
        assert_true((f.mask & BIT(bit)) != 0);
    }
    uint64_t hash = abut_world_hash(world);
    assert_int_equal(abut_body_set_filter(world, id, &f), ABUT_OK);
    assert_true(abut_world_hash(world) == hash);
    abut_filter set = {BIT(62) | BIT(3), BIT(7), -9}, got = {0};
    assert_int_equal(abut_body_set_filter(world, id, &set), ABUT_OK);
    assert_int_equal(abut_body_get_filter(world, id, &got), ABUT_OK);
    assert_true(got.category == set.category && got.mask == set.mask && got.group == set.group);
    assert_true(abut_world_hash(world) != hash);
    abut_world_destroy(&world);
}

static void zero_category_is_bit_zero(void **state) {
    (void)state;
    abut_filter zero = {0};
    assert_true(moving_touch(zero, (abut_filter){.mask = BIT(0)}));
    assert_false(moving_touch(zero, (abut_filter){.mask = ~BIT(0)}));
}

static void both_masks_must_agree(void **state) {
    (void)state;
    for (unsigned k = 0; k < 63; k++) {
        unsigned other = (k + 31) % 63;
        abut_filter a = {.category = BIT(k), .mask = BIT(other)}, b = {.category = BIT(other), .mask = BIT(k)};
        abut_filter deaf = {.category = BIT(other), .mask = ~BIT(k)};
        assert_true(moving_touch(a, b));
        assert_false(moving_touch(a, deaf));
        assert_false(moving_touch(a, a));
        abut_filter several = {.category = BIT(other) | BIT(k), .mask = BIT(k)};
        assert_true(moving_touch(a, several));
    }
}

static void mask_none_touches_nothing(void **state) {
    (void)state;
    abut_filter none = {.mask = ABUT_MASK_NONE};
    assert_false(moving_touch(none, (abut_filter){0}));
    assert_false(moving_touch(none, none));
    abut_filter all = {.category = ABUT_MASK_NONE - 1, .mask = UINT64_MAX};
    assert_false(moving_touch(none, all));
    assert_true(moving_touch(all, all));
}

static void positive_group_overrides_masks(void **state) {
    (void)state;
    abut_filter one = {.mask = ABUT_MASK_NONE, .group = 1}, two = {.mask = ABUT_MASK_NONE, .group = 2};
    assert_true(moving_touch(one, one));
    assert_false(moving_touch(one, two));
    abut_filter largest = {.mask = ABUT_MASK_NONE, .group = INT32_MAX};
    assert_true(moving_touch(largest, largest));
    assert_false(moving_touch(one, (abut_filter){.mask = ABUT_MASK_NONE}));
}

static void negative_group_never_touches(void **state) {
    (void)state;
    abut_filter one = {.group = -1}, two = {.group = -2}, least = {.group = INT32_MIN};
    assert_false(moving_touch(one, one));
    assert_false(moving_touch(least, least));
    assert_true(moving_touch(one, two));
    assert_true(moving_touch(one, least));
    assert_true(moving_touch(one, (abut_filter){.group = 1}));
    assert_true(moving_touch(one, (abut_filter){0}));
}

static void static_bodies_never_touch_each_other(void **state) {
    (void)state;
    abut_filter zero = {0}, always = {.group = 5};
    assert_true(touch(zero, ABUT_MOVING, zero, ABUT_STATIC));
    assert_true(touch(zero, ABUT_STATIC, zero, ABUT_MOVING));
    assert_false(touch(zero, ABUT_STATIC, zero, ABUT_STATIC));
    assert_false(touch(always, ABUT_STATIC, always, ABUT_STATIC));
    assert_true(touch(always, ABUT_STATIC, always, ABUT_MOVING));
}

static void positive_group_does_not_lift_the_compound_rule(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_def def = {.half = {1, 1, 1}, .filter = {.group = 3}};
    abut_body_id root = add_body(world, &def);
    def.parent = root;
    abut_body_id child = add_body(world, &def);
    def.parent = child;
    (void)add_body(world, &def);
    def.parent = root;
    (void)add_body(world, &def);
    assert_int_equal(step_world(world), 0);
    def.parent = id_of(0, 0);
    (void)add_body(world, &def);
    assert_int_equal(step_world(world), 4);
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
}

static void filter_with_bit_63_as_category_is_refused(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id id = add_cube(world, 0, 0, 0, 1);
    picture before = picture_take(world);
    abut_filter bad = {.category = BIT(63)}, mixed = {.category = BIT(63) | 1};
    assert_int_equal(abut_body_set_filter(world, id, &bad), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_set_filter(world, id, &mixed), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_set_filter(world, id, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_set_filter(NULL, id, &(abut_filter){0}), ABUT_ERROR_ARGUMENT);
    abut_filter got;
    assert_int_equal(abut_body_get_filter(world, id, NULL), ABUT_ERROR_ARGUMENT);
    assert_int_equal(abut_body_get_filter(NULL, id, &got), ABUT_ERROR_ARGUMENT);
    picture_close(&before, world);
    abut_world_destroy(&world);
}

/* How a contact between two coincident boxes is ended. */
typedef enum ending { END_BY_FILTER, END_BY_MOTION, END_BY_GROUP, END_BY_MOVE, END_BY_DESTROY, ENDINGS } ending;

static void end_contact(abut_world *world, abut_body_id a, abut_body_id b, ending how) {
    switch (how) {
    case END_BY_FILTER:
        assert_int_equal(abut_body_set_filter(world, a, &(abut_filter){.mask = ABUT_MASK_NONE}), ABUT_OK);
        break;
    case END_BY_MOTION:
        assert_int_equal(abut_body_set_motion(world, a, ABUT_STATIC), ABUT_OK);
        assert_int_equal(abut_body_set_motion(world, b, ABUT_STATIC), ABUT_OK);
        break;
    case END_BY_GROUP:
        assert_int_equal(abut_body_set_filter(world, a, &(abut_filter){.group = -4}), ABUT_OK);
        assert_int_equal(abut_body_set_filter(world, b, &(abut_filter){.group = -4}), ABUT_OK);
        break;
    case END_BY_MOVE:
        move_to(world, a, 100, 0, 0);
        break;
    case END_BY_DESTROY:
    default:
        assert_int_equal(abut_body_destroy(world, a), ABUT_OK);
        break;
    }
}

static void refiltered_contact_ends_exactly_once(void **state) {
    (void)state;
    for (int how = 0; how < ENDINGS; how++) {
        abut_world *world = make_world(NULL);
        abut_body_id a = add_cube(world, 0, 0, 0, 1), b = add_cube(world, 0.5f, 0, 0, 1);
        assert_int_equal(step_world(world), 1);
        assert_int_equal(count_events(world, ABUT_BEGIN), 1);
        assert_int_equal(step_world(world), 1);
        assert_int_equal(count_events(world, ABUT_PERSIST), 1);
        end_contact(world, a, b, (ending)how);
        size_t count;
        assert_int_equal((contacts_of(world, &count), count), 1);
        assert_int_equal(step_world(world), 0);
        const abut_contact *events = events_of(world, &count);
        assert_int_equal(count, 1);
        assert_int_equal(events[0].phase, ABUT_END);
        assert_true(abut_body_id_equal(events[0].a, a) && abut_body_id_equal(events[0].b, b));
        assert_int_equal(events[0].manifold.count, 0);
        assert_int_equal(step_world(world), 0);
        assert_null(events_of(world, &count));
        assert_int_equal(abut_world_validate(world), ABUT_OK);
        abut_world_destroy(&world);
    }
}

static void filter_put_back_before_the_step_ends_nothing(void **state) {
    (void)state;
    abut_world *world = make_world(NULL);
    abut_body_id a = add_cube(world, 0, 0, 0, 1);
    (void)add_cube(world, 0.5f, 0, 0, 1);
    assert_int_equal(step_world(world), 1);
    assert_int_equal(abut_body_set_filter(world, a, &(abut_filter){.mask = ABUT_MASK_NONE}), ABUT_OK);
    assert_int_equal(abut_body_set_filter(world, a, &(abut_filter){0}), ABUT_OK);
    assert_int_equal(step_world(world), 1);
    assert_int_equal(count_events(world, ABUT_PERSIST), 1);
    assert_int_equal(count_events(world, ABUT_END), 0);
    abut_world_destroy(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_filters_touch_each_other),
        cmocka_unit_test(zero_filters_read_back_with_defaults_filled_in),
        cmocka_unit_test(zero_category_is_bit_zero),
        cmocka_unit_test(both_masks_must_agree),
        cmocka_unit_test(mask_none_touches_nothing),
        cmocka_unit_test(positive_group_overrides_masks),
        cmocka_unit_test(negative_group_never_touches),
        cmocka_unit_test(static_bodies_never_touch_each_other),
        cmocka_unit_test(positive_group_does_not_lift_the_compound_rule),
        cmocka_unit_test(filter_with_bit_63_as_category_is_refused),
        cmocka_unit_test(refiltered_contact_ends_exactly_once),
        cmocka_unit_test(filter_put_back_before_the_step_ends_nothing),
    };
    return test_run(tests);
}
