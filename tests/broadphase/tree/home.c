/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/tree/home.h"
#include "broadphase/tree/nodes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

home *home_make(family kind) {
    home *h = calloc(1, sizeof *h);
    assert_non_null(h);
    h->allocator = failing_allocator_of(&h->books);
    h->kind = kind;
    return h;
}

void home_release(home *h) {
    abut_bp_release(&h->bp, &h->allocator);
    assert_true(failing_allocator_clean(&h->books));
    free(h);
}

/* --- boxes --- */

static void set(double v[3], double x, double y, double z) {
    v[0] = x, v[1] = y, v[2] = z;
}

static void scale(double v[3], double by) {
    set(v, v[0] * by, v[1] * by, v[2] * by);
}

static void place_box(rng *r, family kind, uint32_t key, double center[3], double half[3]) {
    double size = rng_log_range(r, 1e-3, 1e3);
    switch (kind) {
    case CITY:
        set(center, rng_range(r, -40, 40), half[1], rng_range(r, -40, 40));
        break;
    case LATTICE:
        set(center, key % 10, key / 10 % 10, (double)(key / 100));
        set(half, 0.5, 0.5, 0.5);
        break;
    case HUGE_AND_TINY:
        scale(half, key % 97 == 7 ? 100 : 0.02);
        break;
    case RODS:
        set(half, key % 2 ? 8 : 0.001, key % 2 ? 0.001 : 8, 0.001);
        break;
    case POINTS:
        set(center, rng_below(r, 5), rng_below(r, 5), rng_below(r, 5));
        set(half, 0, 0, 0);
        break;
    case DECADES:
        scale(center, size);
        scale(half, size);
        break;
    case COINCIDENT:
        set(center, 1, 1, 1);
        set(half, 1, 1, 1);
        break;
    case FAR:
        center[key % 3] += key % 2 ? 9e8 : -9e8;
        set(half, 50, 50, 50);
        break;
    case LINE:
        set(center, 0, rng_range(r, -1000, 1000), 0);
        break;
    case PLANE:
        set(center, center[0] * 5, center[1] * 5, 0);
        half[2] = 0;
        break;
    case OUTLIERS:
        scale(half, key % 50 == 3 ? 1e8 : 0.3);
        center[0] += key % 50 == 4 ? 1e9 : 0;
        break;
    case TINY: /* squares of distances are denormal */
        scale(center, 1e-23);
        scale(half, 1e-24);
        break;
    case DENORMAL:
        scale(center, 1e-39);
        scale(half, 1e-41);
        break;
    default:
        break;
    }
}

abut_bp_box home_random_box(rng *r, family kind, uint32_t key) {
    double center[3], half[3];
    abut_bp_box box;
    for (int axis = 0; axis < 3; axis++) {
        center[axis] = rng_range(r, -10, 10);
        half[axis] = rng_range(r, 0.2, 1);
    }
    place_box(r, kind, key, center, half);
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = (float)(center[axis] - half[axis]);
        box.max[axis] = (float)(center[axis] + half[axis]);
    }
    return box;
}

/* --- changes --- */

static void touch_key(home *h, uint32_t key) {
    abut_bp_tree_touch(&h->bp, key);
    h->touched[key] = true;
}

void home_set(home *h, uint32_t key, const abut_bp_box *box) {
    if (!h->present[key]) {
        abut_bp_add(&h->bp, key, key % 2);
        h->present[key] = true;
        h->live++;
    }
    h->box[key] = *box;
    touch_key(h, key);
}

void home_set_class(home *h, uint32_t key, uint32_t new_class) {
    abut_bp_set_class(&h->bp, key, new_class);
    touch_key(h, key);
}

void home_teleport(home *h, rng *r, uint32_t key) {
    abut_bp_box box = home_random_box(r, h->kind, key);
    h->surplus[key] = h->has_surplus && rng_chance(r, 0.2) ? (float)rng_log_range(r, 1e-3, 1) : 0;
    home_set(h, key, &box);
}

void home_nudge(home *h, rng *r, uint32_t key) {
    abut_bp_box box = h->box[key];
    for (int axis = 0; axis < 3; axis++) {
        float way = (box.max[axis] - box.min[axis]) * (float)rng_range(r, -0.1, 0.1);
        box.min[axis] += way;
        box.max[axis] += way;
    }
    home_set(h, key, &box);
}

void home_remove(home *h, uint32_t key) {
    if (h->present[key]) {
        abut_bp_remove(&h->bp, key);
        h->present[key] = false;
        h->live--;
        touch_key(h, key);
    }
}

void home_add(home *h, rng *r, uint32_t n) {
    n = n < HOME_MOST - h->keys ? n : HOME_MOST - h->keys;
    if (h->keys + n > h->bp.storage.keys.capacity) {
        assert_int_equal(abut_bp_reserve(&h->bp, &h->allocator, h->keys + n + rng_below(r, 100)), ABUT_OK);
    }
    for (uint32_t end = h->keys + n; h->keys < end; h->keys++) {
        home_teleport(h, r, h->keys);
    }
}

void home_change(home *h, rng *r) {
    static const double shares[] = {0, 0.005, 0.05, 0.5, 1};
    uint32_t what = rng_below(r, 6);
    double share = shares[rng_below(r, 5)];
    if (what == 4) {
        home_add(h, r, 1 + rng_below(r, rng_chance(r, 0.3) ? h->keys / 2 + 1 : 9));
    }
    for (uint32_t key = 0; key < h->keys; key++) {
        if (!rng_chance(r, share)) {
            continue;
        }
        if (what == 0) {
            home_remove(h, key);
        } else if (what == 1) {
            home_teleport(h, r, key);
        } else if (h->present[key]) {
            home_nudge(h, r, key);
        }
    }
    for (uint32_t k = 0; k < 3 && h->keys > 0; k++) {
        home_remove(h, rng_below(r, h->keys));
        home_teleport(h, r, rng_below(r, h->keys));
    }
}

/* --- checks --- */

/* The radius of the smallest sphere that holds a box, rounded up: rays through corners just meet it. */
static float half_diagonal(const abut_bp_box *box) {
    double squared = 0;
    for (int axis = 0; axis < 3; axis++) {
        double half = ((double)box->max[axis] - box->min[axis]) / 2;
        squared += half * half;
    }
    return abut_bits_round_up(sqrt(squared));
}

static void boxes_of(const void *context, const uint32_t *key, uint32_t n, abut_bp_box *box, float *surplus,
                     float *radius) {
    home *h = (home *)context; /* const to the tree */
    for (uint32_t k = 0; k < n; k++) {
        assert_true(key[k] < h->keys && h->present[key[k]]);
        h->asked[key[k]]++;
        box[k] = h->box[key[k]];
        if (surplus && radius) {
            surplus[k] = h->surplus[key[k]];
            radius[k] = key[k] % 5 == 0 ? INFINITY : half_diagonal(&box[k]);
        }
    }
}

static abut_bp_box box_at(const abut_bp_tree *tree, uint32_t level, uint32_t at) {
    const float *eight =
        abut_bp_tree_eights(tree, level) + (size_t)(at / 8) * (ABUT_BP_NODE_BYTES / sizeof(float)) + at % 8;
    abut_bp_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = eight[8 * axis];
        box.max[axis] = eight[8 * (axis + 3)];
    }
    return box;
}

static bool is_empty(const abut_bp_box *box) {
    bool empty = true;
    for (int axis = 0; axis < 3; axis++) {
        empty = empty && box->min[axis] == INFINITY && box->max[axis] == -INFINITY;
    }
    return empty;
}

/* Each present key has one entry with its box; all others are empty, also those that their key has left. */
static void check_entries(const home *h) {
    const abut_bp_tree *tree = &h->bp.tree;
    uint32_t live = 0;
    for (uint32_t entry = 0; entry < (tree->count + 7) / 8 * 8; entry++) {
        abut_bp_box box = box_at(tree, 0, entry);
        uint32_t key = entry < tree->count ? tree->key[entry] : 0;
        if (entry >= tree->count) {
            assert_true(is_empty(&box));
            continue;
        }
        if (key == ABUT_BP_NO_KEY) {
            assert_true(is_empty(&box));
            continue;
        }
        assert_true(key < h->keys);
        assert_int_equal(tree->entry_plus_one[key], entry + 1);
        if (h->present[key]) {
            assert_memory_equal(&box, &h->box[key], sizeof box);
            assert_true(tree->surplus[entry / 8] >= h->surplus[key]);
            assert_true(tree->classes[entry / 8] >> abut_bp_class_of(&h->bp, key) & 1);
        } else {
            assert_true(is_empty(&box));
        }
        live += h->present[key];
    }
    assert_int_equal(live, h->live);
}

static void merge(abut_bp_box *box, const abut_bp_box *other) {
    for (int axis = 0; axis < 3; axis++) {
        box->min[axis] = fminf(box->min[axis], other->min[axis]);
        box->max[axis] = fmaxf(box->max[axis], other->max[axis]);
    }
}

static float surplus_at(const abut_bp_tree *tree, uint32_t level, uint32_t at) {
    return level == 0 ? tree->surplus[at / 8] : tree->node[tree->level[level] + at / 8].surplus[at % 8];
}

static uint32_t classes_at(const abut_bp_tree *tree, uint32_t level, uint32_t at) {
    return level == 0 ? tree->classes[at / 8] : tree->node[tree->level[level] + at / 8].classes[at % 8];
}

/* The boxes of a level > 0 are just around eight of the level below, their surplus is the largest of those, and their
 * classes are those of all eight. */
static void check_level(const home *h, uint32_t level, uint32_t below) {
    const abut_bp_tree *tree = &h->bp.tree;
    uint32_t nodes = (below + 7) / 8;
    for (uint32_t at = 0; at < (nodes + 7) / 8 * 8; at++) {
        abut_bp_box box = box_at(tree, level, at), around = abut_bp_empty_box;
        float surplus = 0;
        uint32_t classes = 0;
        for (uint32_t k = 8 * at; k < 8 * at + 8 && k < below; k++) {
            abut_bp_box part = box_at(tree, level - 1, k);
            if (!is_empty(&part)) {
                merge(&around, &part);
            }
            surplus = fmaxf(surplus, surplus_at(tree, level - 1, k));
            classes |= classes_at(tree, level - 1, k);
        }
        assert_int_equal(classes_at(tree, level, at), classes);
        assert_true(surplus_at(tree, level, at) == surplus);
        if (at >= nodes || is_empty(&around)) {
            assert_true(is_empty(&box));
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            assert_true(box.min[axis] == around.min[axis] && box.max[axis] == around.max[axis]);
        }
    }
}

static void check_levels(const home *h) {
    const abut_bp_tree *tree = &h->bp.tree;
    uint32_t levels = ABUT_BP_LEVELS_MIN, below = tree->count;
    for (uint64_t room = 512; room < tree->count; room *= 8) {
        levels++;
    }
    assert_int_equal(tree->levels, levels);
    for (uint32_t level = 1; level < tree->levels && tree->count > 0; level++, below = (below + 7) / 8) {
        check_level(h, level, below);
    }
    abut_bp_box all = abut_bp_empty_box;
    for (uint32_t k = 0; k < 8 && tree->count > 0; k++) {
        abut_bp_box box = box_at(tree, tree->levels - 1, k);
        merge(&all, &box);
    }
    for (int axis = 0; axis < 3; axis++) {
        assert_true(all.min[axis] == tree->bounds.min[axis] && all.max[axis] == tree->bounds.max[axis]);
    }
}

/* Nobody was asked for but those that were touched and late ones, except for a new order, and to see whether it takes
 * one when more than half of the `entries` that it had were touched. */
static void check_asked(home *h, uint32_t entries) {
    uint32_t others = 0, touched = 0;
    for (uint32_t key = 0; key < h->keys; key++) {
        assert_true(!h->touched[key] || !h->present[key] || h->asked[key] > 0);
        touched += h->touched[key];
        others += !h->touched[key] && h->asked[key] > 0 && h->bp.tree.entry_plus_one[key] <= h->bp.tree.ordered;
        assert_int_equal(h->bp.tree.touched[key], 0);
        assert_int_equal(h->bp.tree.touched_64[key / 64], 0);
    }
    bool ordered = h->bp.tree.written == 0 && h->bp.tree.ordered == h->live;
    assert_true(others == 0 || ordered || (others <= 8 * 256 && touched > entries / 2));
    h->orders += others > 0 && ordered;
    h->updates++;
}

/* The order is not left bad. */
static void check_order(const home *h) {
    const abut_bp_tree *tree = &h->bp.tree;
    uint32_t late = tree->count - tree->ordered, empty = tree->count - h->live;
    assert_true(late <= 32 || late <= tree->count / 4);
    assert_true(empty <= 32 || empty <= tree->count / 2);
    if (tree->count > 0 && tree->written == 0) { /* the spread has just been measured */
        assert_true(abut_bp_nodes_spread(tree) <= 1.5 * tree->spread);
    }
    assert_true(tree->written < tree->count / 2 || tree->count < 2);
}

void home_update(home *h) {
    const uint32_t entries = h->bp.tree.count;
    memset(h->asked, 0, sizeof h->asked);
    abut_bp_tree_update(&h->bp, h->keys, h->live, boxes_of, h, NULL);
    check_entries(h);
    check_levels(h);
    check_asked(h, entries);
    check_order(h);
    memset(h->touched, 0, sizeof h->touched);
}
