/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The tree after changes of all kinds: every update is checked whole. */
#include "broadphase/tree/home.h"
#include "broadphase/tree/nodes.h"
#include <math.h>

static void the_tree_follows_changes_of_all_kinds(void **state) {
    (void)state;
    for (int kind = 0; kind < FAMILY_COUNT; kind++) {
        uint32_t updates = 0, orders = 0;
        for (unsigned long round = 0; round < 4 || round < test_count(12); round++) {
            rng r = rng_make(test_seed(), (uint64_t)kind * 10000 + round);
            home *h = home_make((family)kind);
            h->has_surplus = round % 2 == 1;
            home_add(h, &r, rng_below(&r, round % 4 == 3 ? 1500 : 200));
            home_update(h);
            for (int step = 0; step < 25; step++) {
                home_change(h, &r);
                home_update(h);
                if (rng_chance(&r, 0.2)) {
                    home_update(h); /* nothing has changed */
                }
            }
            updates += h->updates;
            orders += h->orders;
            home_release(h);
        }
        assert_true(orders > 0 && orders < updates);
    }
}

/* One at a time, over every count at which a level begins. */
static void keys_may_come_one_by_one(void **state) {
    (void)state;
    for (uint32_t stride = 1; stride <= 7; stride += 6) {
        rng r = rng_make(test_seed(), stride);
        home *h = home_make(SPREAD);
        home_update(h);
        while (h->keys < 4200) {
            home_add(h, &r, stride);
            bool near_level = h->keys < 80 || (h->keys > 505 && h->keys < 520) || h->keys > 4090;
            if (near_level || h->keys % 101 < stride) {
                home_update(h);
            }
        }
        home_release(h);
    }
}

static void keys_may_all_go_and_come_back(void **state) {
    (void)state;
    rng r = rng_make(test_seed(), 0);
    static const uint32_t counts[] = {1, 7, 8, 9, 31, 64, 65, 512, 513, 4096, 4097};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        home *h = home_make((family)(i % FAMILY_COUNT));
        home_add(h, &r, counts[i]);
        home_update(h);
        for (int time = 0; time < 3; time++) {
            for (uint32_t key = 0; key < h->keys; key++) {
                home_remove(h, key);
                if (key % 64 == 13) {
                    home_update(h);
                }
            }
            home_update(h);
            home_update(h);
            for (uint32_t key = 0; key < h->keys; key += 1 + (uint32_t)time) {
                home_teleport(h, &r, key);
            }
            home_update(h);
        }
        home_release(h);
    }
}

/* Boxes that shake in place ask for no new order, and boxes that wander off do. */
static void the_order_is_made_anew_only_if_boxes_have_gone_elsewhere(void **state) {
    (void)state;
    rng r = rng_make(test_seed(), 0);
    home *h = home_make(SPREAD);
    home_add(h, &r, 3000);
    home_update(h);
    for (int frame = 0; frame < 40; frame++) {
        for (uint32_t key = 0; key < h->keys; key++) {
            abut_bp_box box = h->box[key];
            float way = frame % 2 ? -0.01f : 0.01f;
            box.min[frame / 2 % 3] += way;
            box.max[frame / 2 % 3] += way;
            home_set(h, key, &box);
        }
        home_update(h);
        assert_int_equal(h->bp.tree.ordered, 3000);
    }
    const double spread = h->bp.tree.spread;
    for (uint32_t key = 0; key < h->keys; key++) {
        home_teleport(h, &r, key);
    }
    home_update(h);
    assert_true(abut_bp_nodes_spread(&h->bp.tree) < 1.2 * spread);
    home_release(h);
}

/* What walks pay for: the extents of all boxes around eight. */
static double spread_of(const home *h) {
    return abut_bp_nodes_spread(&h->bp.tree);
}

/* A point of a cube that begins at (from, from, from). */
static void put_beyond(home *h, rng *r, uint32_t key, double from) {
    abut_bp_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = box.max[axis] = (float)rng_range(r, from, from + 8);
    }
    home_set(h, key, &box);
}

static void put_anywhere(home *h, rng *r, uint32_t key) {
    put_beyond(h, r, key, 0);
}

static home *home_of_points(rng *r, uint32_t n) {
    home *h = home_make(SPREAD);
    home_add(h, r, n);
    for (uint32_t key = 0; key < n; key++) {
        put_anywhere(h, r, key);
    }
    return h;
}

/* Boxes that go elsewhere leave the others' nodes as small as they were. */
static void what_goes_far_does_not_enlarge_nodes(void **state) {
    (void)state;
    enum { N = 4500, GOING = 300, GO = 2 };
    static const uint32_t at_once[GO] = {1, 20};
    for (int k = 0; k < GO; k++) {
        rng r = rng_make(test_seed(), (uint64_t)k);
        home *h = home_of_points(&r, N);
        home_update(h);
        const double spread = spread_of(h);
        for (uint32_t gone = 0; gone < GOING; gone++) {
            put_anywhere(h, &r, rng_below(&r, N));
            if ((gone + 1) % at_once[k] == 0) {
                home_update(h);
            }
        }
        assert_int_equal(h->bp.tree.ordered, N); /* the order was not made anew */
        assert_true(h->bp.tree.count > N + GOING / 2 && h->bp.tree.count < N + N / 8);
        assert_true(spread_of(h) < 1.45 * spread);
        home_release(h);
    }
}

/* Of nodes whose eight boxes all go, as those of a pool do, none stays but some that go to the same place. */
static void whole_nodes_go_far(void **state) {
    (void)state;
    enum { N = 4500, GOING = 400 };
    rng r = rng_make(test_seed(), 0);
    home *h = home_of_points(&r, N);
    home_update(h);
    for (uint32_t gone = 0; gone < GOING; gone++) {
        put_beyond(h, &r, h->bp.tree.key[gone], 100);
    }
    home_update(h);
    assert_int_equal(h->bp.tree.ordered, N);
    assert_in_range(h->bp.tree.count - h->bp.tree.late, GOING - GOING / 20, GOING);
    home_release(h);
}

/* Late entries find places among each other, and go when their keys do. */
static void late_keys_are_put_in_order(void **state) {
    (void)state;
    enum { N = 4000, LATE = 400 };
    rng r = rng_make(test_seed(), 0);
    home *h = home_of_points(&r, N + LATE);
    for (uint32_t late = 0; late < LATE; late++) {
        home_remove(h, N + late);
    }
    home_update(h);
    const double spread = spread_of(h);
    for (uint32_t late = 0; late < LATE; late++) {
        put_anywhere(h, &r, N + late);
        home_update(h);
    }
    assert_int_equal(h->bp.tree.ordered, N);
    assert_true(spread_of(h) < 1.45 * spread);
    for (uint32_t late = 0; late < LATE; late += 2) {
        home_remove(h, N + late);
        home_update(h);
    }
    for (uint32_t again = 0; again < LATE; again++) {
        put_anywhere(h, &r, N + 1 + 2 * (again % 10));
        home_update(h);
    }
    assert_int_equal(h->bp.tree.ordered, N);
    assert_true(spread_of(h) < 1.45 * spread);
    home_release(h);
}

/* 4096 small boxes in a cube: the best possible blocks of eight are cubes of an eighth of it. */
static void the_order_keeps_neighbours_together(void **state) {
    (void)state;
    enum { N = 4096 };
    rng r = rng_make(test_seed(), 0);
    home *h = home_of_points(&r, N);
    home_update(h);
    assert_true(spread_of(h) < 1.1 * 3 * (N / 8));
    home_release(h);
}

/* Large boxes must not enlarge nodes of small ones. */
static void large_boxes_are_kept_apart(void **state) {
    (void)state;
    enum { N = 4000 };
    rng r = rng_make(test_seed(), 0);
    home *h = home_make(HUGE_AND_TINY);
    home_add(h, &r, N);
    home_update(h);
    const abut_bp_tree *tree = &h->bp.tree;
    uint32_t wide = 0;
    for (uint32_t node = 0; node < N / 8; node++) {
        const float *eight = abut_bp_tree_eights(tree, 1) + (size_t)(node / 8) * 48 + node % 8;
        wide += eight[24] - eight[0] > 20;
    }
    assert_true(wide > 0 && wide <= N / 97 / 8 + 2);
    home_release(h);
}

static void more_keys_than_the_tree_can_number_are_refused(void **state) {
    (void)state;
    home *h = home_make(SPREAD);
    assert_int_equal(abut_bp_reserve(&h->bp, &h->allocator, ABUT_BP_TREE_KEYS_MAX + 1), ABUT_ERROR_MEMORY);
    assert_int_equal(h->books.calls, 0);
    home_release(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_follows_changes_of_all_kinds),
        cmocka_unit_test(keys_may_come_one_by_one),
        cmocka_unit_test(keys_may_all_go_and_come_back),
        cmocka_unit_test(the_order_is_made_anew_only_if_boxes_have_gone_elsewhere),
        cmocka_unit_test(what_goes_far_does_not_enlarge_nodes),
        cmocka_unit_test(whole_nodes_go_far),
        cmocka_unit_test(late_keys_are_put_in_order),
        cmocka_unit_test(the_order_keeps_neighbours_together),
        cmocka_unit_test(large_boxes_are_kept_apart),
        cmocka_unit_test(more_keys_than_the_tree_can_number_are_refused),
    };
    return test_run(tests);
}
