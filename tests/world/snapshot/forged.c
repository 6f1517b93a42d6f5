/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Snapshots that are well formed but say what no step has found: contacts of bodies that rest far apart. Steps after
 * them neither touch memory that is gone nor allocate where they must not. */

#include "support/failing_allocator.h"
#include "world/snapshot/format.h"
#include "world/snapshot/lives.h"
#include <stdlib.h>

/* Slots: bodies that rest apart, two that rest in contact or nearly, and pairs that move. */
enum { APART = 80, NEAR = 2, NOMADS = 10, SLOTS = APART + NEAR + NOMADS };

static abut_world *make_scene(const abut_world_def *def, float near_gap, abut_body_id *id) {
    abut_world *world = make_world(def);
    for (int i = 0; i < SLOTS; i++) {
        id[i] = add_cube(world, i == APART + 1 ? 4.0f * APART + near_gap : 4.0f * (float)i, 0, 0, 1);
    }
    return world;
}

/* Moves the pairs: each touches a little deeper at every time. */
static void move_nomads(abut_world *world, const abut_body_id *id, int time) {
    for (int k = 0; k < NOMADS; k++) {
        const float x = 10 * (float)(k / 2) + (k % 2 ? 1.5f - 0.01f * (float)time : 0);
        move_to(world, id[APART + NEAR + k], x, 50, 0);
    }
}

/* All but the nomads come to rest. */
static void rest_others(abut_world *world, const abut_body_id *id) {
    for (int time = 0; time < 8; time++) {
        move_nomads(world, id, time);
        (void)step_world(world);
    }
}

/* The snapshot with these contacts instead: of slots k and k + 1, k < n. */
static saved with_contacts(const saved *s, uint32_t n) {
    abut_w_snap_header header;
    memcpy(&header, s->bytes, sizeof header);
    header.contacts = n;
    header.parts = header.ends = 0;
    const abut_w_snap_layout layout = abut_w_snap_layout_of(&header);
    saved forged = {.size = (size_t)layout.at[ABUT_W_SNAP_SECTIONS]};
    header.size = forged.size;
    header.checksum = abut_w_snap_checksum(&header);
    forged.bytes = calloc(1, forged.size);
    assert_non_null(forged.bytes);
    memcpy(forged.bytes, s->bytes, (size_t)layout.at[ABUT_W_SNAP_CONTACTS]);
    memcpy(forged.bytes, &header, sizeof header);
    for (uint32_t k = 0; k < n; k++) {
        const abut_contact c = {.a = id_of(k + 1, 1), .b = id_of(k + 2, 1), .phase = ABUT_BEGIN};
        memcpy(forged.bytes + layout.at[ABUT_W_SNAP_CONTACTS] + k * sizeof c, &c, sizeof c);
    }
    return forged;
}

static void restore_contacts(abut_world *world, uint32_t n) {
    saved honest = save_world(world), forged = with_contacts(&honest, n);
    assert_int_equal(abut_world_restore(world, forged.bytes, forged.size, NULL), ABUT_OK);
    assert_true(is_saved(world, &forged));
    saved_free(&honest);
    saved_free(&forged);
}

static bool contacts_are_right(const abut_world *world, const abut_body_id *id) {
    model_body models[SLOTS];
    for (int i = 0; i < SLOTS; i++) {
        models[i] = (model_body){.id = id[i], .half = {1, 1, 1}, .root = (uint32_t)i};
    }
    body_now *bodies = read_bodies(world, models, SLOTS);
    pair_list pairs = brute_pairs(bodies, SLOTS, 0);
    const bool right = contacts_are(world, bodies, &pairs, 0);
    free_pairs(&pairs);
    free(bodies);
    return right;
}

/* No pair rests, so the next step writes manifolds where contacts will be. */
static void forged_contacts_of_resting_bodies_end(void **state) {
    enum { FORGED = 18 };
    (void)state;
    failing_allocator books = {0};
    abut_body_id id[SLOTS];
    abut_world *world = make_scene(&(abut_world_def){.allocator = failing_allocator_of(&books)}, 4, id);
    rest_others(world, id);
    restore_contacts(world, FORGED);
    move_nomads(world, id, 8);
    assert_int_equal(step_world(world), NOMADS / 2);
    assert_int_equal(count_events(world, ABUT_BEGIN), NOMADS / 2);
    assert_int_equal(count_events(world, ABUT_END), FORGED);
    assert_true(contacts_are_right(world, id));
    assert_int_equal(abut_world_validate(world), ABUT_OK);
    abut_world_destroy(&world);
    assert_true(failing_allocator_clean(&books));
}

/* Where a pair rests, the contacts of resting bodies stay, the forged ones as well: they need room beside those that
 * begin. A world of fixed capacity has none. */
static void fixed_worlds_do_not_allocate_for_forged_contacts(void **state) {
    enum { FORGED = 12 };
    (void)state;
    for (uint32_t lack = 0; lack < 2; lack++) {
        failing_allocator books = {0};
        abut_body_id id[SLOTS];
        const abut_world_def def = {.allocator = failing_allocator_of(&books),
                                    .body_capacity = SLOTS,
                                    .pair_capacity = FORGED + NOMADS / 2 - lack,
                                    .fixed_capacity = true};
        abut_world *world = make_scene(&def, 1, id);
        rest_others(world, id);
        restore_contacts(world, FORGED);
        move_nomads(world, id, 8);
        const size_t calls = books.calls;
        picture before = picture_take(world);
        assert_int_equal(abut_world_step(world, NULL, NULL), lack ? ABUT_ERROR_CAPACITY : ABUT_OK);
        assert_int_equal(picture_matches(&before, world), lack);
        picture_free(&before);
        assert_int_equal(books.calls, calls);
        assert_int_equal(abut_world_shift(world, (abut_vec3){1, 0, 0}), ABUT_OK); /* then all have moved */
        assert_int_equal(step_world(world), 1 + NOMADS / 2);
        assert_true(contacts_are_right(world, id));
        assert_int_equal(abut_world_validate(world), ABUT_OK);
        assert_int_equal(books.calls, calls);
        abut_world_destroy(&world);
        assert_true(failing_allocator_clean(&books));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forged_contacts_of_resting_bodies_end),
        cmocka_unit_test(fixed_worlds_do_not_allocate_for_forged_contacts),
    };
    return test_run(tests);
}
