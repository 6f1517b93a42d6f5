/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The search tree as numbers: its order, every box of every node, when its order is made anew, whose boxes it asks for,
 * and how walks go down. Other tests judge what walks find; a worse tree would only take longer, so nothing in it may
 * change unnoticed. */
#include "broadphase/broadphase.h"
#include "broadphase/made_boxes.h"
#include "broadphase/tree/nodes.h"
#include "broadphase/tree/order.h"
#include "support/digest.h"
#include "support/failing_allocator.h"
#include "support/schedules.h"
#include "support/test.h"
#include <math.h>
#include <stdlib.h>

static failing_allocator books;
static abut_allocator allocator;

#define digest_array(digest, array, n) digest_words(digest, array, (n) * sizeof *(array))

enum { KEYS_MOST = 9000 };

/* A tree and what it is made of. */
typedef struct life {
    abut_bp bp;
    abut_workers workers;
    rng r;
    made_family family;
    uint32_t keys, live;
    abut_bp_box box[KEYS_MOST];
    float surplus[KEYS_MOST];
    uint64_t asked; /* whose boxes were asked for, in which order */
} life;

static float half_diagonal(const abut_bp_box *box) {
    double squared = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double half = ((double)box->max[axis] - (double)box->min[axis]) / 2;
        squared += half * half;
    }
    return abut_bits_round_up(sqrt(squared));
}

static void boxes_of(const void *context, const uint32_t *key, uint32_t n, abut_bp_box *box, float *surplus,
                     float *radius) {
    life *l = (life *)context; /* const to the tree */
    digest_number(&l->asked, (uint64_t)n << 2 | (uint64_t)(surplus != NULL) << 1 | (radius != NULL));
    digest_array(&l->asked, key, n);
    for (uint32_t k = 0; k < n; k++) {
        box[k] = l->box[key[k]];
        if (surplus) {
            surplus[k] = l->surplus[key[k]];
        }
        if (radius) {
            const float width = box[k].max[0] - box[k].min[0]; /* of a ball, which leaves the corners of a cube empty */
            radius[k] = key[k] % 50 == 9 ? INFINITY : key[k] % 3 == 1 ? width / 2 : half_diagonal(&box[k]);
        }
    }
}

/* --- all of the tree --- */

static void digest_node(uint64_t *digest, const abut_bp_node *node, uint32_t entries) {
    digest_words(digest, node->min, sizeof node->min);
    digest_words(digest, node->max, sizeof node->max);
    if (entries > 0) { /* of the lowest level */
        digest_array(digest, node->key, entries);
        digest_array(digest, node->radius, entries);
    } else {
        digest_words(digest, node->surplus, sizeof node->surplus);
    }
}

static void digest_tree(uint64_t *digest, const life *l) {
    const abut_bp_tree *tree = &l->bp.tree;
    const uint32_t numbers[] = {tree->count, tree->levels, tree->ordered, tree->written};
    digest_array(digest, numbers, 4);
    digest_words(digest, &tree->bounds, sizeof tree->bounds);
    digest_double(digest, tree->spread);
    digest_array(digest, tree->key, tree->count);
    digest_array(digest, tree->entry_plus_one, l->keys);
    digest_bytes(digest, tree->touched, l->keys);
    digest_bytes(digest, tree->touched_64, (l->keys + 63) / 64);
    uint32_t nodes = (tree->count + 7) / 8;
    digest_array(digest, tree->surplus, nodes + 1); /* what follows the last node is left alone */
    digest_words(digest, tree->node[nodes].min, sizeof tree->node[nodes].min);
    for (uint32_t level = 0; level < tree->levels && nodes > 0; level++, nodes = (nodes + 7) / 8) {
        for (uint32_t k = 0; k < nodes; k++) {
            const uint32_t left = tree->count - 8 * k;
            digest_node(digest, &tree->node[tree->level[level] + k], level > 0 ? 0 : left < 8 ? left : 8);
        }
    }
}

/* --- changes --- */

static void put(life *l, uint32_t key, abut_bp_box box) {
    if (!abut_bp_is_present(&l->bp, key)) {
        abut_bp_add(&l->bp, key, key % 2);
        l->live++;
    }
    l->box[key] = box;
    l->surplus[key] = rng_chance(&l->r, 0.1) ? (float)rng_range(&l->r, 0, 0.5) : 0;
    abut_bp_tree_touch(&l->bp, key);
}

static void drop(life *l, uint32_t key) {
    l->live -= abut_bp_is_present(&l->bp, key);
    abut_bp_remove(&l->bp, key);
    abut_bp_tree_touch(&l->bp, key);
}

static void add(life *l, uint32_t n) {
    n = l->keys + n > KEYS_MOST ? KEYS_MOST - l->keys : n;
    if (l->keys + n > l->bp.storage.keys.capacity) {
        assert_int_equal(abut_bp_reserve(&l->bp, &allocator, l->keys + n + n / 4), ABUT_OK);
    }
    for (uint32_t end = l->keys + n; l->keys < end; l->keys++) {
        put(l, l->keys, made_box(&l->r, l->family, l->keys));
    }
}

/* A share of the keys goes (0), goes elsewhere or comes back (1), or moves a little. */
static void change(life *l, uint32_t what, double share) {
    for (uint32_t key = 0; key < l->keys; key++) {
        if (!rng_chance(&l->r, share)) {
            continue;
        }
        if (what == 0) {
            drop(l, key);
        } else if (what == 1) {
            put(l, key, made_box(&l->r, l->family, key));
        } else if (abut_bp_is_present(&l->bp, key)) {
            put(l, key, made_nudged(&l->r, &l->box[key]));
        }
    }
}

static void update(life *l, uint64_t *digest) {
    abut_bp_tree_update(&l->bp, l->keys, l->live, boxes_of, l, &l->workers);
    digest_number(digest, l->asked);
    digest_tree(digest, l);
}

/* --- walks --- */

static void digest_walk(uint64_t *digest, const abut_bp_walk *walk) {
    digest_number(digest, walk->count);
    for (uint32_t k = 0; k < walk->count; k++) {
        digest_number(digest, (uint32_t)walk->node[k]); /* without how far it is */
    }
}

static void digest_found(uint64_t *digest, const abut_bp_found *found) {
    digest_number(digest, found->n);
    digest_array(digest, found->key, found->n);
}

static void digest_ray(uint64_t *digest, const abut_bp_ray *ray) {
    digest_words(digest, ray->near_origin, sizeof ray->near_origin);
    digest_words(digest, ray->far_origin, sizeof ray->far_origin);
    digest_words(digest, ray->near_inverse, sizeof ray->near_inverse);
    digest_words(digest, ray->far_inverse, sizeof ray->far_inverse);
    digest_words(digest, ray->near_side, sizeof ray->near_side);
    digest_words(digest, ray->origin, sizeof ray->origin);
    digest_words(digest, ray->unit, sizeof ray->unit);
    digest_words(digest, &ray->radius, sizeof ray->radius);
    digest_double(digest, ray->scale);
}

static void fly(life *l, uint64_t *digest, abut_bp_flight *flight) {
    const double shorter = rng_chance(&l->r, 0.3) ? rng_range(&l->r, 0.1, 1) : 0;
    digest_ray(digest, &flight->ray);
    flight->found.fetch = l->box;
    flight->found.fetch_stride = sizeof *l->box;
    do {
        abut_bp_fly(&l->bp.tree, flight);
        digest_found(digest, &flight->found);
        digest_walk(digest, &flight->walk);
        if (shorter > 0) {
            abut_bp_flight_shorten(flight, shorter);
        }
        digest_words(digest, &flight->limit, sizeof flight->limit);
    } while (flight->found.n > 0);
}

static void look(life *l, uint64_t *digest, const abut_bp_box *box) {
    const double nearer = rng_chance(&l->r, 0.7) ? rng_range(&l->r, 0, 4) : (double)INFINITY;
    abut_bp_vicinity v;
    abut_bp_vicinity_begin(&l->bp.tree, box, &v);
    v.found.fetch = l->box;
    v.found.fetch_stride = sizeof *l->box;
    for (int k = 0; k < 20 && v.walk.count > 0; k++) {
        digest_words(digest, &v.limit, sizeof v.limit);
        abut_bp_look(&l->bp.tree, &v);
        digest_found(digest, &v.found);
        digest_walk(digest, &v.walk);
        abut_bp_vicinity_limit(&v, nearer);
    }
}

static void walk_box(life *l, uint64_t *digest, const abut_bp_box *box) {
    abut_bp_walk walk;
    uint32_t key[40], n;
    abut_bp_walk_begin(&l->bp.tree, &walk);
    do {
        n = abut_bp_walk_box(&l->bp.tree, box, NULL, &walk, key, 8 + rng_below(&l->r, 33));
        digest_number(digest, n);
        digest_array(digest, key, n);
        digest_walk(digest, &walk);
    } while (n > 0);
}

/* From or to a corner of a box of the tree or of another one, along axes or not, or standing still. */
static void walk(life *l, uint64_t *digest) {
    rng *r = &l->r;
    const abut_bp_box other = made_box(r, l->family, rng_below(r, l->keys + 1));
    const abut_bp_box *at = l->keys > 0 && rng_chance(r, 0.5) ? &l->box[rng_below(r, l->keys)] : &other;
    float size = at->max[0] - at->min[0];
    abut_vec3 way = rng_vec3(r, -20, 20);
    way.x = rng_chance(r, 0.2) ? 0 : way.x;
    way.y = rng_chance(r, 0.2) ? -0.0f : way.y;
    way.z = rng_chance(r, 0.2) ? 0 : rng_chance(r, 0.1) ? 0x1p-100f : way.z;
    abut_bp_mover mover = {.origin = {at->min[0], at->max[1], at->min[2]}, .translation = way};
    abut_bp_flight flight;
    abut_bp_flight_begin(&l->bp.tree, mover.origin, way, &flight);
    fly(l, digest, &flight);
    mover.half[rng_below(r, 3)] = size / 2;
    mover.half[rng_below(r, 3)] = size / 4;
    mover.radius = rng_chance(r, 0.3) ? INFINITY : size;
    abut_bp_flight_begin_box(&l->bp.tree, &mover, &flight);
    fly(l, digest, &flight);
    look(l, digest, at);
    abut_bp_box wide = *at;
    wide.max[rng_below(r, 3)] += rng_chance(r, 0.1) ? INFINITY : size;
    walk_box(l, digest, &wide);
}

/* --- lives --- */

static void live(uint64_t *digest, made_family family, uint32_t keys, uint32_t updates, uint32_t workers) {
    static const double shares[] = {0, 0.003, 0.02, 0.05, 0.3, 0.6, 1};
    life *l = calloc(1, sizeof *l);
    assert_non_null(l);
    schedule s = {.kind = SCHEDULE_ASCENDING, .workers = workers};
    l->r = rng_make(21, (uint64_t)family);
    l->family = family;
    if (workers > 0) {
        l->workers.parallel = schedule_parallel(&s);
    }
    add(l, keys);
    for (uint32_t k = 0; k < updates; k++) {
        update(l, digest);
        for (int j = 0; j < 8; j++) {
            walk(l, digest);
        }
        if (rng_chance(&l->r, 0.3)) {
            add(l, 1 + rng_below(&l->r, rng_chance(&l->r, 0.4) ? keys / 2 : 9));
        }
        const uint32_t what = rng_below(&l->r, 5);
        change(l, what, shares[rng_below(&l->r, sizeof shares / sizeof *shares)]);
    }
    abut_bp_release(&l->bp, &allocator);
    free(l);
}

static void few_keys(uint64_t *digest) {
    for (int family = 0; family < MADE_FAMILIES; family++) {
        live(digest, (made_family)family, 2 + 5 * (uint32_t)family, 12, 0);
        live(digest, (made_family)family, 150, 25, 0);
    }
}

static void many_keys(uint64_t *digest) {
    for (int family = 0; family < MADE_FAMILIES; family++) {
        live(digest, (made_family)family, 700, 8, 0);
    }
    live(digest, MADE_SPREAD, 5000, 5, 0);
    live(digest, MADE_SIZES, 5000, 5, 0);
}

static void side_by_side(uint64_t *digest) {
    live(digest, MADE_CITY, 8900, 4, 2);
    live(digest, MADE_SIZES, 8900, 4, 3);
}

/* Just fewer, just as many and just more go or come than need a new order. */
static void limits(uint64_t *digest) {
    for (uint32_t n = 60; n < 150; n += 9) {
        for (uint32_t k = 0; k < 9; k++) {
            life *l = calloc(1, sizeof *l);
            assert_non_null(l);
            l->r = rng_make(23, n);
            add(l, n);
            update(l, digest);
            const uint32_t gone = k < 3 ? n / 2 - 1 + k : k < 6 ? 31 + k - 3 : 0;
            const uint32_t come = k < 6 ? 0 : (n < 130 ? 32 : n / 3) - 1 + k - 6;
            for (uint32_t key = 0; key < gone; key++) {
                drop(l, 2 * key % n + 2 * key / n % 2);
            }
            for (uint32_t one = 0; one < come; one++) {
                add(l, 1);
                update(l, digest);
            }
            update(l, digest);
            abut_bp_release(&l->bp, &allocator);
            free(l);
        }
    }
}

static void orders(uint64_t *digest) {
    static abut_bp_placed entry[KEYS_MOST];
    for (uint32_t k = 0; k < 150; k++) {
        rng r = rng_make(22, k);
        const made_family family = (made_family)(k % MADE_FAMILIES);
        const uint32_t n = k < 70 ? k : rng_below(&r, k % 10 == 0 ? KEYS_MOST : 1500), first = k % 3 * n / 8;
        for (uint32_t i = 0; i < n; i++) {
            const abut_bp_box box = made_box(&r, family, i);
            entry[i] = (abut_bp_placed){{box.min[0], box.min[1], box.min[2]}, i};
        }
        abut_bp_order(entry, first, n);
        digest_array(digest, entry, n);
    }
}

static void heights(uint64_t *digest) {
    for (uint32_t bits = 0; bits <= 28; bits++) {
        for (uint32_t k = 0; k < 3; k++) {
            digest_number(digest, abut_bp_nodes_levels((UINT32_C(1) << bits) + k - 1));
        }
    }
    digest_double(digest, abut_bp_box_extents(&abut_bp_empty_box));
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    static const digest_pin pins[] = {
        {"few keys", few_keys, UINT64_C(0x153ceba8683775e1)},
        {"many keys", many_keys, UINT64_C(0x4cf06eea7f0ccd9c)},
        {"side by side", side_by_side, UINT64_C(0x471f4548f3cb249c)},
        {"limits", limits, UINT64_C(0xefcfbf785cec7b48)},
        {"orders", orders, UINT64_C(0x53ebc9bd44522d41)},
        {"heights", heights, UINT64_C(0x5d24350f0a4e3802)},
    };
    allocator = failing_allocator_of(&books);
    assert_true(digest_pins_hold(pins, sizeof pins / sizeof *pins));
    assert_true(failing_allocator_clean(&books));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return test_run(tests);
}
