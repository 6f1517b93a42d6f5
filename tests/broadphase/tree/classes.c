/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Walks of the tree that look for some classes of keys only, under every instruction set: they find all keys of these
 * classes that other walks find, once, and of other keys only such as are in a node with one of them. */
#include "broadphase/tree/home.h"
#include <abut/isa.h>
#include <math.h>
#include <string.h>

typedef struct question {
    abut_bp_box box;
    uint32_t classes;
} question;

typedef bool found_keys[HOME_MOST];

static void note(const home *h, found_keys found, const uint32_t *key, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        assert_true(key[k] < h->keys && h->present[key[k]] && !found[key[k]]);
        found[key[k]] = true;
    }
}

/* What touches the box. */
static void walk_box(const home *h, const question *q, found_keys found) {
    uint32_t key[24];
    abut_bp_walk walk;
    abut_bp_walk_begin(&h->bp.tree, &walk);
    walk.classes = q->classes;
    for (uint32_t n; (n = abut_bp_walk_box(&h->bp.tree, &q->box, NULL, &walk, key, 24)) > 0;) {
        note(h, found, key, n);
    }
}

/* What is as near to the box as it is long. */
static void walk_near(const home *h, const question *q, found_keys found) {
    abut_bp_vicinity v = {.found = {.fetch = h->box, .fetch_stride = sizeof *h->box}};
    abut_bp_vicinity_begin(&h->bp.tree, &q->box, &v);
    abut_bp_vicinity_limit(&v, (double)q->box.max[0] - q->box.min[0]);
    v.walk.classes = q->classes;
    while (abut_bp_look(&h->bp.tree, &v), v.found.n > 0) {
        note(h, found, v.found.key, v.found.n);
    }
}

/* What is met on the way from one of the box's corners to the opposite one. */
static void walk_ray(const home *h, const question *q, found_keys found) {
    const float *min = q->box.min, *max = q->box.max;
    const abut_vec3 way = {max[0] - min[0], max[1] - min[1], max[2] - min[2]};
    abut_bp_flight flight = {.found = {.fetch = h->box, .fetch_stride = sizeof *h->box}};
    abut_bp_flight_begin(&h->bp.tree, (abut_vec3){min[0], min[1], min[2]}, way, &flight);
    flight.walk.classes = q->classes;
    while (abut_bp_fly(&h->bp.tree, &flight), flight.found.n > 0) {
        note(h, found, flight.found.key, flight.found.n);
    }
}

typedef void walk_once(const home *h, const question *q, found_keys found);

static bool is_of(const home *h, uint32_t key, uint32_t classes) {
    return classes >> abut_bp_class_of(&h->bp, key) & 1;
}

/* Whether the node of a key has, or has had, one of these classes. */
static bool is_beside(const home *h, uint32_t key, uint32_t classes) {
    return (h->bp.tree.classes[(h->bp.tree.entry_plus_one[key] - 1) / 8] & classes) != 0;
}

static void check(const home *h, walk_once *walk, const question *q) {
    static found_keys all, some;
    const question of_all = {q->box, UINT32_MAX};
    memset(all, 0, sizeof all);
    memset(some, 0, sizeof some);
    walk(h, &of_all, all);
    walk(h, q, some);
    for (uint32_t key = 0; key < h->keys; key++) {
        bool wanted = all[key] && is_of(h, key, q->classes), possible = all[key] && is_beside(h, key, q->classes);
        assert_true(some[key] ? possible : !wanted);
    }
}

static void check_everywhere(const home *h, const question *q) {
    static walk_once *const walks[] = {walk_box, walk_near, walk_ray};
    const abut_isa best = abut_isa_active();
    for (int isa = ABUT_ISA_PORTABLE; isa <= ABUT_ISA_WASM; isa++) {
        for (int k = 0; k < 3 && abut_isa_select((abut_isa)isa) == ABUT_OK; k++) {
            check(h, walks[k], q);
        }
    }
    assert_int_equal(abut_isa_select(best), ABUT_OK);
}

/* The first is common, the last are rare. */
static uint32_t random_class(rng *r) {
    uint32_t of = 0;
    while (of + 1 < ABUT_BP_CLASSES && rng_chance(r, 0.4)) {
        of += 1 + rng_below(r, ABUT_BP_CLASSES / 4);
    }
    return of < ABUT_BP_CLASSES ? of : ABUT_BP_CLASSES - 1;
}

static void change_classes(home *h, rng *r, double share) {
    for (uint32_t key = 0; key < h->keys; key++) {
        if (h->present[key] && rng_chance(r, share)) {
            home_set_class(h, key, random_class(r));
        }
    }
}

/* Around two keys. */
static question random_question(rng *r, const home *h) {
    question q = {h->box[rng_below(r, h->keys)], 0};
    const abut_bp_box *other = &h->box[rng_below(r, h->keys)];
    for (int axis = 0; axis < 3; axis++) {
        q.box.min[axis] = fminf(q.box.min[axis], other->min[axis]);
        q.box.max[axis] = fmaxf(q.box.max[axis], other->max[axis]);
    }
    for (uint32_t n = rng_below(r, 4); n > 0; n--) {
        q.classes |= UINT32_C(1) << random_class(r);
    }
    return q;
}

static void classes_that_are_looked_for_are_found(void **state) {
    (void)state;
    static const uint32_t counts[] = {1, 8, 9, 64, 65, 512, 513, 1500};
    for (int kind = 0; kind < FAMILY_COUNT; kind++) {
        for (unsigned long round = 0; round < 4 || round < test_count(20); round++) {
            rng r = rng_make(test_seed(), (uint64_t)kind * 10000 + round);
            home *h = home_make((family)kind);
            home_add(h, &r, counts[rng_below(&r, 8)]);
            change_classes(h, &r, round % 2 == 0 ? 1 : 0.02);
            home_update(h);
            for (int step = 0; step < 4; step++) {
                for (int k = 0; k < 10; k++) {
                    const question q = random_question(&r, h);
                    check_everywhere(h, &q);
                }
                home_change(h, &r);
                change_classes(h, &r, step % 2 == 0 ? 0.01 : 0.5);
                home_update(h);
            }
            home_release(h);
        }
    }
}

/* Of 4,096 keys in a row sixteen are looked for. */
static void rare_classes_open_few_nodes(void **state) {
    (void)state;
    enum { KEYS = 4096, RARE = 256, CLASS = 9 };
    static found_keys found;
    rng r = rng_make(test_seed(), 0);
    home *h = home_make(LINE);
    const question q = {{{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}}, UINT32_C(1) << CLASS};
    uint32_t total = 0;
    home_add(h, &r, KEYS);
    for (uint32_t key = 0; key < KEYS; key += RARE) {
        home_set_class(h, key, CLASS);
    }
    home_update(h);
    memset(found, 0, sizeof found);
    walk_box(h, &q, found);
    for (uint32_t key = 0; key < KEYS; key++) {
        total += found[key];
        assert_true(found[key] || key % RARE != 0);
    }
    assert_true(total <= 8 * KEYS / RARE);
    home_release(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(classes_that_are_looked_for_are_found),
                                       cmocka_unit_test(rare_classes_open_few_nodes)};
    return test_run(tests);
}
