/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The broad phase in memory of its own: it grows between calls and loses nothing, even when memory runs out. */

#include "broadphase/broadphase.h"
#include "support/failing_allocator.h"
#include "support/rng.h"
#include "support/test.h"
#include <math.h>
#include <string.h>

enum { MOST = 600 };

typedef struct home {
    failing_allocator books;
    abut_allocator allocator;
    abut_bp bp;
    abut_bp_box box[MOST]; /* what was written */
    uint8_t moved[MOST];
    uint32_t keys;
} home;

static void begin(home *h) {
    memset(h, 0, sizeof *h);
    h->allocator = failing_allocator_of(&h->books);
}

static void end(home *h) {
    abut_bp_release(&h->bp, &h->allocator);
    assert_true(failing_allocator_clean(&h->books));
}

static void move(home *h, rng *r, uint32_t key) {
    abut_bp_box *box = &h->box[key];
    for (int axis = 0; axis < 3; axis++) {
        box->min[axis] = (float)rng_range(r, 0, 8);
        box->max[axis] = box->min[axis] + (float)rng_range(r, 0, 1);
    }
    abut_bp_boxes(&h->bp)[key] = *box;
    h->moved[key] = 1;
}

static void add(home *h, rng *r, uint32_t n) {
    for (uint32_t end = h->keys + n; h->keys < end; h->keys++) {
        abut_bp_add(&h->bp, h->keys, h->keys % 5 == 0);
        move(h, r, h->keys);
    }
}

static size_t count_touching(const home *h) {
    size_t count = 0;
    for (uint32_t a = 0; a < h->keys; a++) {
        for (uint32_t b = a + 1; b < h->keys; b++) {
            bool touch = a % 5 != 0 || b % 5 != 0;
            for (int axis = 0; axis < 3; axis++) {
                touch =
                    touch && h->box[a].min[axis] <= h->box[b].max[axis] && h->box[b].min[axis] <= h->box[a].max[axis];
            }
            count += touch;
        }
    }
    return count;
}

/* Finds, with more memory for pairs where that is needed; then keys that did not move may rest. */
static void find(home *h) {
    size_t pairs;
    while (pairs = abut_bp_find(&h->bp, h->keys, NULL), !abut_bp_has_room(&h->bp, pairs)) {
        abut_result result = abut_bp_reserve_pairs(&h->bp, &h->allocator, pairs);
        assert_true(result == ABUT_OK || result == ABUT_ERROR_MEMORY);
    }
    assert_int_equal(pairs, count_touching(h));
    assert_int_equal(abut_bp_pair_count(&h->bp), pairs);
    abut_bp_put_to_rest(&h->bp, h->moved, 1);
    memset(h->moved, 0, sizeof h->moved);
}

/* One allocation of those that this takes fails; then none does. */
static size_t grow(home *h, uint32_t keys, size_t failing) {
    const size_t failed = h->books.failed;
    const uint32_t room = h->bp.tree.room;
    failing_allocator_fail_once(&h->books, failing);
    abut_result result = abut_bp_reserve(&h->bp, &h->allocator, keys);
    assert_int_equal(result, h->books.failed > failed ? ABUT_ERROR_MEMORY : ABUT_OK);
    for (uint32_t key = 0; key < h->keys; key++) {
        assert_memory_equal(abut_bp_box_of(&h->bp, key), &h->box[key], sizeof h->box[key]);
    }
    if (result) {
        assert_true(h->bp.tree.room >= room); /* without it every question after a change would make the tree anew */
        find(h);
    }
    failing_allocator_fail_never(&h->books);
    assert_int_equal(abut_bp_reserve(&h->bp, &h->allocator, keys), ABUT_OK);
    return h->books.failed - failed;
}

static void growth_and_failures_change_no_pair(void **state) {
    (void)state;
    size_t failures = 0, rested = 0;
    for (uint64_t stream = 0; stream < test_count(20); stream++) {
        home h;
        rng r = rng_make(test_seed(), stream);
        begin(&h);
        for (uint32_t keys = 10 + rng_below(&r, 50); keys <= MOST; keys += 1 + rng_below(&r, 150)) {
            failures += grow(&h, keys, 1 + rng_below(&r, 5));
            add(&h, &r, keys - h.keys);
            for (int step = 0; step < 6; step++) {
                uint32_t key = rng_below(&r, h.keys);
                abut_bp_activate(&h.bp, key, key % 5 == 0);
                move(&h, &r, key);
                failing_allocator_fail_once(&h.books, 1);
                find(&h);
                failing_allocator_fail_never(&h.books);
                rested += h.bp.resting_count;
            }
        }
        end(&h);
    }
    assert_true(failures > 10 && rested > 1000);
}

static void own_boxes(const void *context, const uint32_t *key, uint32_t n, abut_bp_box *box, float *surplus,
                      float *radius) {
    const abut_bp *bp = context;
    for (uint32_t k = 0; k < n; k++) {
        box[k] = *abut_bp_box_of(bp, key[k]);
        if (surplus && radius) {
            surplus[k] = 0;
            radius[k] = INFINITY;
        }
    }
}

static void room_for_all_at_once_is_all_that_is_allocated(void **state) {
    (void)state;
    home h;
    rng r = rng_make(test_seed(), 0);
    begin(&h);
    assert_int_equal(abut_bp_reserve(&h.bp, &h.allocator, MOST), ABUT_OK);
    assert_int_equal(abut_bp_reserve_pairs(&h.bp, &h.allocator, MOST * (MOST - 1) / 2), ABUT_OK);
    const size_t calls = h.books.calls, bytes = h.books.live_bytes;
    assert_true(bytes >= abut_bp_bytes(&h.bp));
    for (int round = 0; round < 20; round++) {
        assert_int_equal(abut_bp_reserve(&h.bp, &h.allocator, MOST), ABUT_OK);
        add(&h, &r, MOST / 20);
        find(&h);
        abut_bp_tree_update(&h.bp, h.keys, h.keys, own_boxes, &h.bp, NULL);
        assert_true(abut_bp_used_bytes(&h.bp, h.keys) <= abut_bp_bytes(&h.bp));
    }
    assert_int_equal(h.books.calls, calls);
    end(&h);
}

static void before_room_is_made_no_bytes_are_in_use(void **state) {
    (void)state;
    home h;
    begin(&h);
    assert_int_equal(abut_bp_bytes(&h.bp), 0);
    assert_int_equal(abut_bp_used_bytes(&h.bp, 0), 0);
    end(&h);
}

static void too_many_pairs_are_refused(void **state) {
    (void)state;
    home h;
    begin(&h);
    assert_int_equal(abut_bp_reserve_pairs(&h.bp, &h.allocator, UINT32_MAX / 2), ABUT_ERROR_MEMORY);
    assert_int_equal(h.books.calls, 0);
    end(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth_and_failures_change_no_pair),
        cmocka_unit_test(room_for_all_at_once_is_all_that_is_allocated),
        cmocka_unit_test(before_room_is_made_no_bytes_are_in_use),
        cmocka_unit_test(too_many_pairs_are_refused),
    };
    return test_run(tests);
}
