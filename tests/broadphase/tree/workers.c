/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Trees that are brought up to date on workers against the same trees on one thread: every entry and every box. */

#include "broadphase/broadphase.h"
#include "broadphase/tree/order.h"
#include "support/rng.h"
#include "support/schedules.h"
#include "support/test.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 40000, ROUNDS = 8 };

/* What both trees are made of. */
typedef struct place {
    uint32_t keys, live;
    bool present[MOST];
    abut_bp_box box[MOST];
    float surplus[MOST];
} place;

static void boxes_of(const void *context, const uint32_t *key, uint32_t n, abut_bp_box *box, float *surplus,
                     float *radius) {
    const place *p = context;
    for (uint32_t k = 0; k < n; k++) {
        assert_true(key[k] < p->keys && p->present[key[k]]);
        box[k] = p->box[key[k]];
        if (surplus && radius) {
            surplus[k] = p->surplus[key[k]];
            radius[k] = 1 + p->surplus[key[k]];
        }
    }
}

static void choose_box(place *p, rng *r, uint32_t key) {
    float size = key % 50 == 0 ? (float)rng_log_range(r, 1, 100) : 1;
    for (int axis = 0; axis < 3; axis++) {
        float at = (float)rng_range(r, 0, 100);
        p->box[key].min[axis] = at;
        p->box[key].max[axis] = at + size;
    }
    p->surplus[key] = rng_below(r, 4) ? 0 : (float)rng_unit(r);
}

static void nudge_box(place *p, rng *r, uint32_t key) {
    float by = (float)rng_range(r, -0.1, 0.1);
    p->box[key].min[key % 3] += by;
    p->box[key].max[key % 3] += by;
    p->surplus[key] = (float)rng_unit(r);
}

static void make_present(place *p, abut_bp bp[2], uint32_t key, bool present) {
    if (p->present[key] == present) {
        return;
    }
    p->live += present ? 1 : UINT32_MAX;
    p->present[key] = present;
    for (int k = 0; k < 2; k++) {
        if (present) {
            abut_bp_add(&bp[k], key, false);
        } else {
            abut_bp_remove(&bp[k], key);
        }
    }
}

/* Changes one of `per` keys: nudges all of those, or moves, adds and removes some. */
static void change(place *p, abut_bp bp[2], rng *r, uint32_t per, bool everywhere) {
    uint32_t more = everywhere ? rng_below(r, 2000) : rng_below(r, 300);
    p->keys = p->keys + more < MOST ? p->keys + more : MOST;
    for (uint32_t key = 0; key < p->keys; key++) {
        if (rng_below(r, per) == 0 || key + more >= p->keys) {
            if (!p->present[key] || everywhere) {
                choose_box(p, r, key);
            } else {
                nudge_box(p, r, key);
            }
            make_present(p, bp, key, rng_below(r, 20) > 0);
            abut_bp_tree_touch(&bp[0], key);
            abut_bp_tree_touch(&bp[1], key);
        }
    }
}

static void assert_same_nodes(const abut_bp_tree *a, const abut_bp_tree *b, uint32_t level, uint32_t nodes) {
    for (uint32_t i = 0; i < nodes; i++) {
        const abut_bp_node *m = &a->node[a->level[level] + i], *n = &b->node[b->level[level] + i];
        assert_memory_equal(m->min, n->min, sizeof m->min);
        assert_memory_equal(m->max, n->max, sizeof m->max);
        if (level > 0) {
            assert_memory_equal(m->surplus, n->surplus, sizeof m->surplus);
            assert_memory_equal(m->classes, n->classes, sizeof m->classes);
        }
        for (uint32_t k = 0; k < 8 && level == 0; k++) {
            bool empty = n->min[0][k] > n->max[0][k];
            assert_true(empty || (m->key[k] == n->key[k] && m->radius[k] == n->radius[k]));
        }
    }
}

static void assert_same(const abut_bp_tree *a, const abut_bp_tree *b, uint32_t keys) {
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->levels, b->levels);
    assert_int_equal(a->ordered, b->ordered);
    assert_int_equal(a->written, b->written);
    assert_memory_equal(&a->spread, &b->spread, sizeof a->spread);
    assert_memory_equal(&a->bounds, &b->bounds, sizeof a->bounds);
    assert_memory_equal(a->key, b->key, a->count * sizeof *a->key);
    assert_memory_equal(a->entry_plus_one, b->entry_plus_one, keys * sizeof *a->entry_plus_one);
    assert_memory_equal(a->touched, b->touched, keys);
    assert_memory_equal(a->touched_64, b->touched_64, (keys + 63) / 64);
    assert_memory_equal(a->surplus, b->surplus, (a->count + 7) / 8 * sizeof *a->surplus);
    assert_memory_equal(a->classes, b->classes, (a->count + 7) / 8 * sizeof *a->classes);
    uint32_t nodes = (a->count + 7) / 8;
    for (uint32_t level = 0; level < a->levels; level++, nodes = (nodes + 7) / 8) {
        assert_same_nodes(a, b, level, nodes);
    }
}

/* Returns how many updates after the first did not make the order anew. */
static uint32_t run(abut_workers *workers, rng *r) {
    static const abut_allocator zero;
    static place p;
    abut_allocator allocator;
    abut_bp bp[2];
    uint32_t kept = 0;
    memset(bp, 0, sizeof bp);
    memset(&p, 0, sizeof p);
    assert_true(abut_memory_init(&allocator, &zero));
    for (int k = 0; k < 2; k++) {
        assert_int_equal(abut_bp_reserve(&bp[k], &allocator, MOST), ABUT_OK);
    }
    p.keys = 12000 + rng_below(r, 20000);
    for (int round = 0; round < ROUNDS; round++) {
        static const uint32_t per[ROUNDS] = {1, 1, 1, 3, 8, 1, 40, 1};
        change(&p, bp, r, per[round], round == 0 || round == 5);
        abut_bp_tree_update(&bp[0], p.keys, p.live, boxes_of, &p, NULL);
        abut_bp_tree_update(&bp[1], p.keys, p.live, boxes_of, &p, workers);
        assert_same(&bp[0].tree, &bp[1].tree, p.keys);
        kept += round > 0 && bp[0].tree.ordered != bp[0].tree.count;
    }
    abut_bp_release(&bp[0], &allocator);
    abut_bp_release(&bp[1], &allocator);
    return kept;
}

static void same_tree_with_workers(void **state) {
    uint32_t kept = 0;
    (void)state;
    for (unsigned long i = 0; i < test_count(40); i++) {
        rng r = rng_make(test_seed(), i);
        schedule s = schedule_random(&r);
        s.workers = schedule_workers[1 + i % (SCHEDULE_WORKERS - 1)];
        abut_workers workers = {.parallel = schedule_parallel(&s)};
        kept += run(&workers, &r);
        assert_int_equal(abut_atomic_load(&s.wrong), 0);
        assert_true(abut_atomic_load(&s.loops) > 20);
    }
    assert_true(kept > 0);
}

/* So long that ranges are cut no shorter than a share of all. */
static void same_order_of_many_with_workers(void **state) {
    enum { MANY = 300000 };
    (void)state;
    abut_bp_placed *a = malloc(MANY * sizeof *a), *b = malloc(MANY * sizeof *b);
    assert_true(a && b);
    for (unsigned long i = 0; i < test_count(8); i++) {
        rng r = rng_make(test_seed(), i);
        schedule s = schedule_random(&r);
        s.workers = schedule_workers[1 + i % (SCHEDULE_WORKERS - 1)];
        abut_workers workers = {.parallel = schedule_parallel(&s)};
        uint32_t first = rng_below(&r, 100), end = MANY - rng_below(&r, 100000);
        for (uint32_t k = 0; k < MANY; k++) {
            a[k] = (abut_bp_placed){{(float)rng_unit(&r), (float)rng_unit(&r), (float)rng_below(&r, 3)}, k};
        }
        memcpy(b, a, MANY * sizeof *a);
        abut_bp_order(a, first, end);
        abut_bp_order_with(b, first, end, &workers);
        assert_memory_equal(a, b, MANY * sizeof *a);
        assert_true(abut_atomic_load(&s.loops) > 1);
    }
    free(a);
    free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_tree_with_workers),
                                       cmocka_unit_test(same_order_of_many_with_workers)};
    return test_run(tests);
}
