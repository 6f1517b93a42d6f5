/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Entries behind those of the order: of keys that came after it was made, and of keys whose boxes have gone so far that
 * they would enlarge every box above their old entry. They are kept in runs that are in order themselves, whose lengths
 * are those of the ones in a binary number: where a run is full it is put in order together with the one before, so
 * that each entry is put in order as often as the number has digits, and a walk meets as many runs (Bentley and Saxe,
 * "Decomposable searching problems", 1980). */
#include "base/bits.h"
#include "broadphase/tree/entries.h"
#include "broadphase/tree/nodes.h"
#include "broadphase/tree/order.h"
#include <math.h>

enum {
    ORDERED_LEAST = 512, /* trees with fewer entries in order are small enough */
    GAP_SHARE = 32       /* up to 1 / GAP_SHARE of the entries stay free before the first late one */
};

/* The mean extent of the boxes around eight when the order was made. */
static double mean_extent(const abut_bp_tree *tree) {
    return 8 * tree->spread / tree->ordered;
}

float abut_bp_late_far(const abut_bp_tree *tree) {
    return tree->ordered < ORDERED_LEAST ? INFINITY : (float)mean_extent(tree);
}

/* Late entries begin at a node, and if there are many entries, where a box of a higher level begins. */
static void begin_late(abut_bp_tree *tree) {
    uint32_t unit = 8;
    while (unit < tree->count / (8 * GAP_SHARE)) {
        unit *= 8;
    }
    tree->late = (tree->ordered + unit - 1) / unit * unit;
    for (; tree->count < tree->late && tree->count < tree->room; tree->count++) {
        tree->key[tree->count] = ABUT_BP_NO_KEY;
    }
}

bool abut_bp_late_append(abut_bp_tree *tree, uint32_t key) {
    if (tree->count == tree->ordered) {
        begin_late(tree);
    }
    if (tree->count >= tree->room) {
        return false;
    }
    tree->key[tree->count++] = key;
    tree->entry_plus_one[key] = tree->count;
    tree->written++;
    return true;
}

static abut_bp_box box_in(const abut_bp_node *node, uint32_t lane) {
    abut_bp_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = node->min[axis][lane];
        box.max[axis] = node->max[axis][lane];
    }
    return box;
}

/* Whether the box around a node is much longer than the one around the other entries, or than the one that was around
 * all of them before, and than the entry's own. One that is left alone should lie where they all were. */
static bool is_far(const abut_bp_tree *tree, uint32_t entry) {
    const uint32_t at = entry / 8;
    const abut_bp_node *node = &tree->node[at];
    const abut_bp_box own = box_in(node, entry % 8), before = box_in(&tree->node[tree->level[1] + at / 8], at % 8);
    abut_bp_box others = abut_bp_empty_box, all = own;
    for (uint32_t lane = 0; lane < 8; lane++) {
        const abut_bp_box box = box_in(node, lane);
        abut_bp_box_merge(lane == entry % 8 ? &all : &others, &box);
    }
    others = others.min[0] > others.max[0] ? before : others;
    abut_bp_box_merge(&all, &others);
    return abut_bp_box_extents(&all) > 1.5 * abut_min_d(abut_bp_box_extents(&others), abut_bp_box_extents(&before)) +
                                           abut_bp_box_extents(&own) + mean_extent(tree);
}

bool abut_bp_late_leaves(abut_bp_tree *tree, uint32_t key) {
    const uint32_t entry = tree->entry_plus_one[key] - 1;
    if (tree->ordered < ORDERED_LEAST || !is_far(tree, entry)) {
        return false;
    }
    abut_bp_entry_empty(tree, entry);
    return true;
}

bool abut_bp_late_move(abut_bp_tree *tree, uint32_t key) {
    tree->key[tree->entry_plus_one[key] - 1] = ABUT_BP_NO_KEY;
    return abut_bp_late_append(tree, key);
}

/* Where the run begins that ends with the last node of the entries before `end`, if those from `from` on are new. */
static uint32_t run_before(uint32_t from, uint32_t end) {
    const uint32_t old = from / 8, now = end / 8;
    if (old == now) {
        return 8 * old;
    }
    const uint32_t digit = UINT32_C(1) << (ABUT_BIT_WIDTH(old ^ now) - 1);
    return 8 * ((now & ~(digit - 1)) - digit);
}

/* Drops entries of keys that have gone, from `first` on; returns how many entries are left there. */
static uint32_t drop_gone(abut_bp *bp, uint32_t first) {
    abut_bp_tree *tree = &bp->tree;
    uint32_t to = first;
    for (uint32_t entry = first; entry < tree->count; entry++) {
        const uint32_t key = tree->key[entry];
        if (key != ABUT_BP_NO_KEY && abut_bp_is_present(bp, key)) {
            tree->key[to++] = key;
        } else if (key != ABUT_BP_NO_KEY) {
            tree->entry_plus_one[key] = 0;
        }
    }
    tree->count = to;
    return to - first;
}

/* Puts n entries in order, in the memory of their nodes. `first` is that of a node. */
static void order_run(abut_bp_tree *tree, const abut_bp_box_source *boxes, uint32_t first, uint32_t n) {
    abut_bp_placed *placed = (abut_bp_placed *)(void *)&tree->node[first / 8];
    for (uint32_t at = 0; at < n; at += ABUT_BP_ENTRIES_BATCH) {
        abut_bp_box box[ABUT_BP_ENTRIES_BATCH];
        const uint32_t *key = &tree->key[first + at];
        uint32_t m = n - at < ABUT_BP_ENTRIES_BATCH ? n - at : ABUT_BP_ENTRIES_BATCH;
        boxes->of(boxes->context, key, m, box, NULL, NULL);
        for (uint32_t k = 0; k < m; k++) {
            placed[at + k] = abut_bp_placed_of(&box[k], key[k]);
        }
    }
    abut_bp_order_with(placed, 0, n, boxes->workers);
    for (uint32_t k = 0; k < n; k++) {
        tree->key[first + k] = placed[k].key;
        tree->entry_plus_one[placed[k].key] = first + k + 1;
    }
}

uint32_t abut_bp_late_sort(abut_bp *bp, const abut_bp_box_source *boxes) {
    abut_bp_tree *tree = &bp->tree;
    const bool begins = tree->sorted == tree->ordered; /* there were no late entries */
    const uint32_t end = (tree->count + 7) / 8;
    if (tree->count == tree->sorted) {
        return ABUT_BP_NO_NODE;
    }
    uint32_t first = run_before(begins ? tree->late : tree->sorted, tree->count);
    first = first < tree->late ? tree->late : first;
    const uint32_t n = drop_gone(bp, first);
    order_run(tree, boxes, first, n);
    abut_bp_entries_clear(tree, begins ? (tree->ordered + 7) / 8 : first / 8, end);
    for (uint32_t at = 0; at < n; at += ABUT_BP_ENTRIES_BATCH) {
        uint32_t m = n - at < ABUT_BP_ENTRIES_BATCH ? n - at : ABUT_BP_ENTRIES_BATCH;
        abut_bp_entries_write(bp, boxes, &tree->key[first + at], m, INFINITY);
    }
    tree->sorted = tree->count;
    return begins ? tree->ordered / 8 : first / 8;
}
