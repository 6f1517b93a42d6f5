/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "base/compiler.h"
#include "broadphase/broadphase.h"
#include "broadphase/tree/entries.h"
#include "broadphase/tree/nodes.h"
#include "broadphase/tree/order.h"
#include "broadphase/tree/tree.h"
#include <math.h>
#include <string.h>

/* Bringing the tree up to date. Boxes of touched keys are written; the boxes above them follow, one path at a time if
 * they are few, else level by level. A new key gets an entry behind the others, and so does one whose box has gone far
 * (late.c). The order is made anew when there are many such entries, many empty ones, or the boxes around eight have
 * grown by half on average. */

enum {
    BATCH = ABUT_BP_ENTRIES_BATCH,
    ANY_MARK = 15,    /* of a touched key */
    FEW_SHARE = 16,   /* up to 1 / FEW_SHARE of the entries are written one path at a time */
    STALE_SHARE = 4,  /* the order is made anew when more than 1 / STALE_SHARE of the entries came later */
    STALE_LEAST = 32, /* and more than this */
    SIZE_CLASSES = 4, /* larger boxes come first, so that they do not enlarge nodes of small ones */
    SIZE_SAMPLE = 128,
    ENTRIES_AT_ONCE = 2048 /* of a block of work: whole nodes */
};
static const double SPREAD_MOST = 1.5;

/* --- the order --- */

static float size_of(const abut_bp_box *box) {
    float x = box->max[0] - box->min[0], y = box->max[1] - box->min[1], z = box->max[2] - box->min[2];
    return abut_max_f(abut_max_f(x, y), z);
}

/* The limits between classes of size: a power of two times the median of a sample. */
static void choose_limits(const abut_bp_tree *tree, const abut_bp_box_source *boxes, float limit[SIZE_CLASSES - 1]) {
    float size[SIZE_SAMPLE];
    uint32_t n = 0;
    for (uint32_t i = 0; i < SIZE_SAMPLE; i++) {
        uint32_t entry = (uint32_t)((uint64_t)tree->count * i / SIZE_SAMPLE), at = n;
        abut_bp_box box;
        float value;
        boxes->of(boxes->context, &tree->key[entry], 1, &box, NULL, NULL);
        value = size_of(&box);
        for (; at > 0 && size[at - 1] > value; at--) {
            size[at] = size[at - 1];
        }
        size[at] = value;
        n++;
    }
    for (int k = 0; k < SIZE_CLASSES - 1; k++) {
        limit[k] = size[n / 2] * (float)(2 << k);
    }
}

/* Lists the present keys as entries, in their own order. */
static void list_keys(abut_bp *bp, uint32_t key_end) {
    abut_bp_tree *tree = &bp->tree;
    tree->count = 0;
    for (uint32_t key = 0; key < key_end; key++) {
        tree->key[tree->count] = key;
        tree->count += bp->role[key] != ABUT_BP_ABSENT;
        tree->entry_plus_one[key] = 0;
    }
}

/* Work on all entries, in blocks. */
typedef struct entry_loop {
    abut_bp *bp;
    const abut_bp_box_source *boxes;
    abut_bp_placed *placed;
    float limit[SIZE_CLASSES - 1];
    float far;               /* as in touched_keys */
    abut_atomic_u32 counted; /* of what a block counts, in all blocks */
} entry_loop;

static uint32_t block_end(const abut_bp_tree *tree, uint32_t first, uint32_t size) {
    return tree->count - first < size ? tree->count : first + size;
}

static void loop_over_entries(entry_loop *l, abut_workers_block *body) {
    abut_workers_loop(l->boxes->workers, abut_workers_blocks(l->bp->tree.count, ENTRIES_AT_ONCE), body, l);
}

/* Fills in what is to be ordered, in the memory of the nodes. The class of each key is noted in `touched`, which an
 * update clears in any case. Counts the entries that are not of the smallest class. */
static void place_block(void *context, uint32_t block, uint32_t worker) {
    entry_loop *l = context;
    const abut_bp_tree *tree = &l->bp->tree;
    abut_bp_box box[BATCH];
    uint32_t large = 0, begin = block * ENTRIES_AT_ONCE, end = block_end(tree, begin, ENTRIES_AT_ONCE);
    (void)worker;
    for (uint32_t first = begin; first < end; first += BATCH) {
        uint32_t n = block_end(tree, first, BATCH) - first;
        l->boxes->of(l->boxes->context, &tree->key[first], n, box, NULL, NULL);
        for (uint32_t k = 0; k < n; k++) {
            const abut_bp_box *b = &box[k];
            uint32_t key = tree->key[first + k];
            float size = size_of(b);
            uint8_t class = (uint8_t)((size > l->limit[0]) + (size > l->limit[1]) + (size > l->limit[2]));
            l->placed[first + k] = abut_bp_placed_of(b, key);
            tree->touched[key] = class;
            large += class > 0;
        }
    }
    (void)abut_atomic_add(&l->counted, large);
}

static void number_block(void *context, uint32_t block, uint32_t worker) {
    entry_loop *l = context;
    abut_bp_tree *tree = &l->bp->tree;
    uint32_t first = block * ENTRIES_AT_ONCE, end = block_end(tree, first, ENTRIES_AT_ONCE);
    (void)worker;
    for (uint32_t entry = first; entry < end; entry++) {
        tree->key[entry] = l->placed[entry].key;
        tree->entry_plus_one[l->placed[entry].key] = entry + 1;
    }
}

/* Moves the entries of at least a class to the front; returns where they end. */
static uint32_t move_class(const uint8_t *class_of, abut_bp_placed *placed, uint32_t first, uint32_t end,
                           uint8_t class) {
    for (uint32_t i = first; i < end; i++) {
        const abut_bp_placed moved = placed[i];
        placed[i] = placed[first];
        placed[first] = moved;
        first += class_of[moved.key] >= class;
    }
    return first;
}

static void make_order(abut_bp *bp, uint32_t key_end, const abut_bp_box_source *boxes) {
    abut_bp_tree *tree = &bp->tree;
    abut_bp_placed *placed = (abut_bp_placed *)(void *)tree->node;
    uint32_t first = 0;
    _Static_assert(8 * sizeof *placed <= ABUT_BP_TREE_BYTES, "there is room for all in the memory of the nodes");
    list_keys(bp, key_end);
    if (tree->count == 0) {
        return;
    }
    entry_loop l = {.bp = bp, .boxes = boxes, .placed = placed};
    choose_limits(tree, boxes, l.limit);
    loop_over_entries(&l, place_block);
    for (uint8_t class = SIZE_CLASSES - 1; class > 0 && abut_atomic_load(&l.counted) > 0; class --) {
        uint32_t end = move_class(tree->touched, placed, first, tree->count, class);
        abut_bp_order_with(placed, first, end, boxes->workers);
        first = end;
    }
    abut_bp_order_with(placed, first, tree->count, boxes->workers);
    loop_over_entries(&l, number_block);
}

/* --- updates --- */

static void write_block(void *context, uint32_t block, uint32_t worker) {
    entry_loop *l = context;
    abut_bp_tree *tree = &l->bp->tree;
    uint32_t begin = block * ENTRIES_AT_ONCE, end = block_end(tree, begin, ENTRIES_AT_ONCE);
    (void)worker;
    abut_bp_entries_clear(tree, begin / 8, (end + 7) / 8);
    for (uint32_t first = begin; first < end; first += BATCH) {
        abut_bp_entries_write(l->bp, l->boxes, &tree->key[first], block_end(tree, first, BATCH) - first, INFINITY);
    }
}

static void remake(abut_bp *bp, uint32_t key_end, const abut_bp_box_source *boxes) {
    abut_bp_tree *tree = &bp->tree;
    entry_loop l = {.bp = bp, .boxes = boxes};
    make_order(bp, key_end, boxes);
    loop_over_entries(&l, write_block);
    abut_bp_nodes_enclose(tree, boxes->workers);
    tree->spread = abut_bp_nodes_spread(tree);
    tree->ordered = tree->sorted = tree->count;
    tree->written = 0;
}

/* The first group of 64 keys from `group` on in which any was touched; `end` if there is none. Most often few are, so
 * eight groups are skipped at once. */
static uint32_t next_group(const abut_bp_tree *tree, uint32_t group, uint32_t end) {
    uint64_t eight = 0;
    while (end - group >= 8 && (memcpy(&eight, tree->touched_64 + group, sizeof eight), eight == 0)) {
        group += 8;
    }
    while (group < end && !tree->touched_64[group]) {
        group++;
    }
    return group;
}

/* The keys of a group that have any of these marks, one bit each. Eight at a time: all marks are below 16. */
static uint64_t marked_in(const abut_bp_tree *tree, uint32_t group, uint32_t key_end, uint8_t marks) {
    const uint64_t each = UINT64_C(0x0101010101010101), gather = UINT64_C(0x0102040810204080);
    const uint32_t n = key_end - group * 64;
    const uint8_t *touched = tree->touched + (size_t)group * 64;
    uint64_t bits = 0;
    for (uint32_t first = 0; first < 64 && first < n; first += 8, touched += 8) {
        uint64_t eight = 0;
        for (uint32_t k = 0; k < 8; k++) {
            eight |= (uint64_t)touched[k] << 8 * k;
        }
        eight = ((eight & marks * each) + 15 * each) >> 4 & each; /* 1 for each that has one */
        bits |= eight * gather >> 56 << first;
    }
    return n < 64 ? bits & ((UINT64_C(1) << n) - 1) : bits;
}

static void clear_marks(abut_bp_tree *tree, uint32_t key_end) {
    if (key_end > 0) { /* else there may be no memory yet */
        memset(tree->touched, 0, key_end);
        memset(tree->touched_64, 0, (key_end + 63) / 64);
    }
}

/* What an update does with the keys that were touched. */
typedef struct touched_keys {
    uint32_t end;           /* all keys are below */
    uint32_t count;         /* of those that were touched */
    uint32_t first, groups; /* groups of 64 of which any was touched are first .. groups - 1 */
    bool few;               /* so few that boxes above them are made one path at a time */
    float far;              /* from how far a box's move on its entry may be in the wrong place */
} touched_keys;

/* Counts the keys that were touched. */
static void count_touched(const abut_bp_tree *tree, touched_keys *t) {
    const uint32_t end = (t->end + 63) / 64;
    t->first = next_group(tree, 0, end);
    t->count = 0;
    t->groups = t->first; /* none */
    for (uint32_t group = t->first; group < end; group = next_group(tree, group + 1, end)) {
        t->count += abut_bits_count(marked_in(tree, group, t->end, ANY_MARK));
        t->groups = group + 1;
    }
}

/* Writes the boxes of n touched keys: those of absent ones become empty, new ones get an entry. Returns false if there
 * is no room for one. */
static bool write_touched(abut_bp *bp, const abut_bp_box_source *boxes, float far, const uint32_t *list, uint32_t n) {
    abut_bp_tree *tree = &bp->tree;
    uint32_t present[BATCH], m = 0;
    bool room = true;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t key = list[k];
        const bool is_present = abut_bp_is_present(bp, key);
        if (!tree->entry_plus_one[key]) {
            room = room && (!is_present || abut_bp_late_append(tree, key));
        } else if (is_present) {
            present[m++] = key;
        } else {
            abut_bp_entry_empty(tree, tree->entry_plus_one[key] - 1);
        }
    }
    abut_bp_entries_write(bp, boxes, present, m, far);
    tree->written += m;
    return room;
}

static bool write_all_touched(abut_bp *bp, const touched_keys *t, const abut_bp_box_source *boxes) {
    uint32_t list[BATCH];
    bool room = true;
    for (uint32_t group = t->first; (group = next_group(&bp->tree, group, t->groups)) < t->groups && room; group++) {
        uint32_t n = 0;
        for (uint64_t bits = marked_in(&bp->tree, group, t->end, ANY_MARK); bits; bits &= bits - 1) {
            list[n++] = group * 64 + ABUT_LOWEST_BIT64(bits);
        }
        room = write_touched(bp, boxes, t->far, list, n);
    }
    return room;
}

/* Writes the boxes of entries that were touched, and counts those that are present. */
static void write_touched_block(void *context, uint32_t block, uint32_t worker) {
    entry_loop *l = context;
    abut_bp_tree *tree = &l->bp->tree;
    uint32_t list[BATCH], n = 0, written = 0;
    uint32_t first = block * ENTRIES_AT_ONCE, end = block_end(tree, first, ENTRIES_AT_ONCE);
    (void)worker;
    for (uint32_t entry = first; entry < end; entry++) {
        uint32_t key = tree->key[entry];
        bool is_touched = key != ABUT_BP_NO_KEY && tree->touched[key];
        if (is_touched && !abut_bp_is_present(l->bp, key)) {
            abut_bp_entry_empty(tree, entry);
        } else if (is_touched) {
            list[n++] = key;
        }
        if (n == BATCH || entry + 1 == end) {
            abut_bp_entries_write(l->bp, l->boxes, list, n, l->far);
            written += n;
            n = 0;
        }
    }
    (void)abut_atomic_add(&l->counted, written);
}

/* Gives all new keys an entry. */
static bool append_touched(abut_bp *bp, const touched_keys *t) {
    abut_bp_tree *tree = &bp->tree;
    for (uint32_t group = t->first; (group = next_group(tree, group, t->groups)) < t->groups; group++) {
        for (uint64_t bits = marked_in(tree, group, t->end, ANY_MARK); bits; bits &= bits - 1) {
            uint32_t key = group * 64 + ABUT_LOWEST_BIT64(bits);
            if (!tree->entry_plus_one[key] && abut_bp_is_present(bp, key) && !abut_bp_late_append(tree, key)) {
                return false;
            }
        }
    }
    return true;
}

/* The same as write_all_touched, for many keys on several workers. Goes by entries, not by keys: a node, with the
 * surplus of its eight, is written by one worker only. */
static bool write_wide(abut_bp *bp, const touched_keys *t, const abut_bp_box_source *boxes) {
    entry_loop l = {.bp = bp, .boxes = boxes, .far = t->far};
    loop_over_entries(&l, write_touched_block);
    bp->tree.written += abut_atomic_load(&l.counted);
    return append_touched(bp, t);
}

/* Finds the keys whose boxes have gone so far that they need another entry. */
static void find_leaving(abut_bp_tree *tree, const touched_keys *t) {
    for (uint32_t group = t->first; (group = next_group(tree, group, t->groups)) < t->groups; group++) {
        for (uint64_t bits = marked_in(tree, group, t->end, ABUT_BP_TOUCHED_FAR); bits; bits &= bits - 1) {
            uint32_t key = group * 64 + ABUT_LOWEST_BIT64(bits);
            tree->touched[key] |= abut_bp_late_leaves(tree, key) ? ABUT_BP_TOUCHED_LEAVES : 0;
        }
    }
}

/* Gives them one. If few keys were touched, the boxes above their old entries are made, too. Returns false if there is
 * no room for an entry. */
static bool climb_and_move(abut_bp_tree *tree, const touched_keys *t) {
    const uint32_t sorted = tree->sorted;
    bool room = true;
    for (uint32_t group = t->first; (group = next_group(tree, group, t->groups)) < t->groups && room; group++) {
        const uint8_t marks = t->few ? ANY_MARK : ABUT_BP_TOUCHED_LEAVES;
        for (uint64_t bits = marked_in(tree, group, t->end, marks); bits; bits &= bits - 1) {
            uint32_t key = group * 64 + ABUT_LOWEST_BIT64(bits), entry_plus_one = tree->entry_plus_one[key];
            if (t->few && entry_plus_one > 0 && entry_plus_one <= sorted) {
                abut_bp_nodes_climb(tree, entry_plus_one - 1);
            }
            room = room && (tree->touched[key] < ABUT_BP_TOUCHED_LEAVES || abut_bp_late_move(tree, key));
        }
    }
    return room;
}

/* Removes the marks of touched keys. */
static void forget_touched(abut_bp_tree *tree, const touched_keys *t) {
    for (uint32_t group = t->first; (group = next_group(tree, group, t->groups)) < t->groups; group++) {
        memset(tree->touched + group * 64, 0, t->end - group * 64 < 64 ? t->end - group * 64 : 64);
        tree->touched_64[group] = 0;
    }
}

/* Brings what was touched up to date. Returns false if there is no room for new entries. */
static bool update_touched(abut_bp *bp, const touched_keys *t, const abut_bp_box_source *boxes) {
    abut_bp_tree *tree = &bp->tree;
    const bool wide = !t->few && t->count > ENTRIES_AT_ONCE && abut_workers_count(boxes->workers) > 1;
    if (!(wide ? write_wide(bp, t, boxes) : write_all_touched(bp, t, boxes))) {
        return false;
    }
    find_leaving(tree, t);
    if (!climb_and_move(tree, t)) {
        return false;
    }
    const uint32_t changed = abut_bp_late_sort(bp, boxes);
    if (!t->few) {
        abut_bp_nodes_enclose(tree, boxes->workers);
    } else if (changed != ABUT_BP_NO_NODE) {
        abut_bp_nodes_enclose_from(tree, changed);
    }
    forget_touched(tree, t);
    return true;
}

/* Whether the order is no good for where boxes are now, judged by some nodes of the lowest level: the extents of what
 * they would hold, compared with the mean when the order was made. Cheaper than writing all boxes twice. */
static bool is_scattered(const abut_bp *bp, const abut_bp_box_source *boxes) {
    enum { NODES = 256 };
    const abut_bp_tree *tree = &bp->tree;
    uint32_t nodes = tree->ordered / 8;
    double sum = 0;
    for (uint32_t i = 0; i < NODES && nodes >= NODES; i++) {
        const uint32_t *key = &tree->key[(uint64_t)nodes * i / NODES * 8];
        abut_bp_box box[8], around = abut_bp_empty_box;
        uint32_t present[8], n = 0;
        for (uint32_t k = 0; k < 8; k++) {
            present[n] = key[k];
            n += key[k] != ABUT_BP_NO_KEY && abut_bp_is_present(bp, key[k]);
        }
        boxes->of(boxes->context, present, n, box, NULL, NULL);
        for (uint32_t k = 0; k < n; k++) {
            abut_bp_box_merge(&around, &box[k]);
        }
        sum += abut_bp_box_extents(&around);
    }
    return nodes >= NODES && sum * nodes > SPREAD_MOST * tree->spread * NODES;
}

static bool has_grown(abut_bp_tree *tree) {
    if (tree->written < tree->count / 2) {
        return false;
    }
    tree->written = 0;
    return abut_bp_nodes_spread(tree) > SPREAD_MOST * tree->spread;
}

/* Updates what was touched, unless the order must be made anew: returns whether it must. */
static bool update_or_not(abut_bp *bp, uint32_t key_end, uint32_t live, const abut_bp_box_source *boxes) {
    abut_bp_tree *tree = &bp->tree;
    touched_keys t = {.end = key_end};
    count_touched(tree, &t);
    if (tree->count == 0 || (t.count > tree->count / 2 && is_scattered(bp, boxes))) {
        return true;
    }
    t.few = t.count <= tree->count / FEW_SHARE;
    t.far = t.few ? -1 : abut_bp_late_far(tree);
    if (!update_touched(bp, &t, boxes)) {
        return true;
    }
    uint32_t late = tree->count - tree->ordered, empty = tree->count - live;
    return (late > STALE_LEAST && late > tree->count / STALE_SHARE) ||
           (empty > STALE_LEAST && empty > tree->count / 2) || has_grown(tree);
}

void abut_bp_tree_update(abut_bp *bp, uint32_t key_end, uint32_t live, abut_bp_boxes_of *boxes_of, const void *context,
                         abut_workers *workers) {
    abut_bp_tree *tree = &bp->tree;
    const abut_bp_box_source boxes = {boxes_of, context, workers};
    if (update_or_not(bp, key_end, live, &boxes)) {
        remake(bp, key_end, &boxes);
        clear_marks(tree, key_end);
    }
    tree->bounds = tree->count > 0 ? abut_bp_nodes_bounds(tree) : abut_bp_empty_box;
}
