/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "base/compiler.h"
#include "broadphase/broadphase.h"
#include "broadphase/tree/nodes.h"
#include "broadphase/tree/order.h"
#include "broadphase/tree/tree.h"
#include <string.h>

/* Bringing the tree up to date. Boxes of touched keys are written; the boxes above them follow, one path at a time if
 * they are few, else level by level. A new key gets an entry at the end, wherever it is. The order is made anew when
 * there are many such entries, many empty ones, or the boxes around eight have grown by half on average. */

enum {
    BATCH = 64,       /* keys whose boxes are asked for at once */
    FEW_SHARE = 16,   /* up to 1 / FEW_SHARE of the entries are written one path at a time */
    STALE_SHARE = 4,  /* the order is made anew when more than 1 / STALE_SHARE of the entries came later */
    STALE_LEAST = 32, /* and more than this */
    SIZE_CLASSES = 4, /* larger boxes come first, so that they do not enlarge nodes of small ones */
    SIZE_SAMPLE = 128,
    ENTRIES_AT_ONCE = 2048 /* of a block of work: whole nodes */
};
static const double SPREAD_MOST = 1.5;

typedef struct box_source {
    abut_bp_boxes_of *of;
    const void *context;
    abut_workers *workers;
} box_source;

/* --- writing --- */

/* A radius that allows for all rounding of the box and its middle. */
static float widened(float radius, const abut_bp_box *box) {
    float size = 0;
    for (int axis = 0; axis < 3; axis++) {
        size += abut_max_f(box->max[axis], -box->min[axis]);
    }
    return radius * (1 + 0x1p-20f) + 0x1p-20f * size;
}

/* Writes the boxes of n <= BATCH entries; `key` has theirs. */
static void write_boxes(abut_bp *bp, const box_source *boxes, const uint32_t *key, uint32_t n) {
    abut_bp_tree *tree = &bp->tree;
    abut_bp_box box[BATCH];
    float surplus[BATCH], radius[BATCH];
    for (uint32_t k = 0; k < n; k++) {
        const abut_bp_node *to = &tree->node[(tree->entry_plus_one[key[k]] - 1) / 8];
        ABUT_PREFETCH_TO_WRITE(&to->min[0]);
        ABUT_PREFETCH_TO_WRITE(&to->min[2]);
        ABUT_PREFETCH_TO_WRITE(&to->max[1]);
        ABUT_PREFETCH_TO_WRITE(&to->key);
    }
    boxes->of(boxes->context, key, n, box, surplus, radius);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t entry = tree->entry_plus_one[key[k]] - 1, node = entry / 8;
        abut_bp_node_put(&tree->node[node], entry % 8, &box[k]);
        tree->node[node].key[entry % 8] = key[k];
        tree->node[node].radius[entry % 8] = widened(radius[k], &box[k]);
        tree->surplus[node] = abut_max_f(tree->surplus[node], surplus[k]);
        tree->classes[node] |= UINT32_C(1) << abut_bp_class_of(bp, key[k]);
    }
}

static void write_empty(abut_bp_tree *tree, uint32_t entry) {
    abut_bp_node_put(&tree->node[entry / 8], entry % 8, &abut_bp_empty_box);
}

/* Gives a key the next entry, and clears the nodes that begin with it. */
static void append(abut_bp_tree *tree, uint32_t key) {
    uint32_t entry = tree->count++, node = entry;
    tree->key[entry] = key;
    tree->entry_plus_one[key] = entry + 1;
    for (uint32_t level = 0; level < tree->levels && node % 8 == 0; level++) {
        node /= 8;
        abut_bp_node_clear(&tree->node[tree->level[level] + node]);
        if (level == 0) {
            tree->surplus[node] = 0;
            tree->classes[node] = 0;
        }
    }
}

/* --- the order --- */

static float size_of(const abut_bp_box *box) {
    float x = box->max[0] - box->min[0], y = box->max[1] - box->min[1], z = box->max[2] - box->min[2];
    return abut_max_f(abut_max_f(x, y), z);
}

/* The limits between classes of size: a power of two times the median of a sample. */
static void choose_limits(const abut_bp_tree *tree, const box_source *boxes, float limit[SIZE_CLASSES - 1]) {
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
    const box_source *boxes;
    abut_bp_placed *placed;
    float limit[SIZE_CLASSES - 1];
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
            l->placed[first + k] =
                (abut_bp_placed){{b->min[0] + b->max[0], b->min[1] + b->max[1], b->min[2] + b->max[2]}, key};
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

static void make_order(abut_bp *bp, uint32_t key_end, const box_source *boxes) {
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
    for (uint32_t node = begin / 8; node < (end + 7) / 8; node++) {
        abut_bp_node_clear(&tree->node[node]);
        tree->surplus[node] = 0;
        tree->classes[node] = 0;
    }
    for (uint32_t first = begin; first < end; first += BATCH) {
        write_boxes(l->bp, l->boxes, &tree->key[first], block_end(tree, first, BATCH) - first);
    }
}

static void remake(abut_bp *bp, uint32_t key_end, const box_source *boxes) {
    abut_bp_tree *tree = &bp->tree;
    entry_loop l = {.bp = bp, .boxes = boxes};
    make_order(bp, key_end, boxes);
    loop_over_entries(&l, write_block);
    abut_bp_nodes_enclose(tree, boxes->workers);
    tree->spread = abut_bp_nodes_spread(tree);
    tree->ordered = tree->count;
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

/* The keys of a group that were touched, one bit each; clears their marks. */
static uint64_t take_group(abut_bp_tree *tree, uint32_t group, uint32_t key_end) {
    uint64_t bits = 0;
    uint32_t first = group * 64, n = key_end - first < 64 ? key_end - first : 64;
    for (uint32_t k = 0; k < n; k++) {
        bits |= (uint64_t)(tree->touched[first + k] != 0) << k;
    }
    memset(tree->touched + first, 0, n);
    tree->touched_64[group] = 0;
    return bits;
}

static void clear_marks(abut_bp_tree *tree, uint32_t key_end) {
    if (key_end > 0) { /* else there may be no memory yet */
        memset(tree->touched, 0, key_end);
        memset(tree->touched_64, 0, (key_end + 63) / 64);
    }
}

static uint32_t count_touched(const abut_bp_tree *tree, uint32_t key_end) {
    uint32_t n = 0, groups = (key_end + 63) / 64;
    for (uint32_t group = 0; (group = next_group(tree, group, groups)) < groups; group++) {
        for (uint32_t key = group * 64; key < (group + 1) * 64 && key < key_end; key++) {
            n += tree->touched[key] != 0;
        }
    }
    return n;
}

/* Writes the boxes of a list of touched keys: absent ones become empty, new ones get an entry. Leaves in `list` those
 * whose paths have changed; returns their number. */
static uint32_t write_touched(abut_bp *bp, const box_source *boxes, uint32_t *list, uint32_t n) {
    abut_bp_tree *tree = &bp->tree;
    uint32_t present[BATCH], m = 0, kept = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t key = list[k];
        bool is_present = bp->role[key] != ABUT_BP_ABSENT;
        if (!is_present && !tree->entry_plus_one[key]) {
            continue;
        }
        if (!tree->entry_plus_one[key]) {
            append(tree, key);
        }
        if (is_present) {
            present[m++] = key;
        } else {
            write_empty(tree, tree->entry_plus_one[key] - 1);
        }
        list[kept++] = key;
    }
    write_boxes(bp, boxes, present, m);
    tree->written += m;
    return kept;
}

static void update_touched(abut_bp *bp, uint32_t key_end, uint32_t touched, const box_source *boxes) {
    abut_bp_tree *tree = &bp->tree;
    bool few = touched <= tree->count / FEW_SHARE;
    uint32_t list[BATCH], levels = tree->levels, groups = (key_end + 63) / 64;
    for (uint32_t group = 0; (group = next_group(tree, group, groups)) < groups; group++) {
        uint32_t n = 0;
        for (uint64_t bits = take_group(tree, group, key_end); bits; bits &= bits - 1) {
            list[n++] = group * 64 + ABUT_LOWEST_BIT64(bits);
        }
        n = write_touched(bp, boxes, list, n);
        few = few && abut_bp_nodes_levels(tree->count) == levels;
        for (uint32_t k = 0; k < n && few; k++) {
            abut_bp_nodes_climb(tree, tree->entry_plus_one[list[k]] - 1);
        }
    }
    if (!few) {
        abut_bp_nodes_enclose(tree, NULL);
    }
}

/* Gives all new keys an entry. */
static void append_touched(abut_bp *bp, uint32_t key_end) {
    abut_bp_tree *tree = &bp->tree;
    uint32_t groups = (key_end + 63) / 64;
    for (uint32_t group = 0; (group = next_group(tree, group, groups)) < groups; group++) {
        for (uint32_t key = group * 64; key < (group + 1) * 64 && key < key_end; key++) {
            if (!tree->entry_plus_one[key] && tree->touched[key] && abut_bp_is_present(bp, key)) {
                append(tree, key);
            }
        }
    }
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
        if (tree->touched[key] && !abut_bp_is_present(l->bp, key)) {
            write_empty(tree, entry);
        } else if (tree->touched[key]) {
            list[n++] = key;
        }
        if (n == BATCH || entry + 1 == end) {
            write_boxes(l->bp, l->boxes, list, n);
            written += n;
            n = 0;
        }
    }
    (void)abut_atomic_add(&l->counted, written);
}

/* The same as update_touched, for many keys on several workers. Goes by entries, not by keys: a node, with the surplus
 * of its eight, is written by one worker only. */
static void update_wide(abut_bp *bp, uint32_t key_end, const box_source *boxes) {
    abut_bp_tree *tree = &bp->tree;
    entry_loop l = {.bp = bp, .boxes = boxes};
    append_touched(bp, key_end);
    loop_over_entries(&l, write_touched_block);
    tree->written += abut_atomic_load(&l.counted);
    clear_marks(tree, key_end);
    abut_bp_nodes_enclose(tree, boxes->workers);
}

/* Whether the order is no good for where boxes are now, judged by some nodes of the lowest level: the extents of what
 * they would hold, compared with the mean when the order was made. Cheaper than writing all boxes twice. */
static bool is_scattered(const abut_bp *bp, const box_source *boxes) {
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
            n += abut_bp_is_present(bp, key[k]);
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
static bool update_or_not(abut_bp *bp, uint32_t key_end, uint32_t live, const box_source *boxes) {
    abut_bp_tree *tree = &bp->tree;
    uint32_t touched = count_touched(tree, key_end);
    if (tree->count == 0 || (touched > tree->count / 2 && is_scattered(bp, boxes))) {
        return true;
    }
    if (touched > tree->count / FEW_SHARE && touched > ENTRIES_AT_ONCE && abut_workers_count(boxes->workers) > 1) {
        update_wide(bp, key_end, boxes);
    } else {
        update_touched(bp, key_end, touched, boxes);
    }
    uint32_t late = tree->count - tree->ordered, empty = tree->count - live;
    return (late > STALE_LEAST && late > tree->count / STALE_SHARE) ||
           (empty > STALE_LEAST && empty > tree->count / 2) || has_grown(tree);
}

void abut_bp_tree_update(abut_bp *bp, uint32_t key_end, uint32_t live, abut_bp_boxes_of *boxes_of, const void *context,
                         abut_workers *workers) {
    abut_bp_tree *tree = &bp->tree;
    const box_source boxes = {boxes_of, context, workers};
    if (update_or_not(bp, key_end, live, &boxes)) {
        remake(bp, key_end, &boxes);
        clear_marks(tree, key_end);
    }
    tree->bounds = tree->count > 0 ? abut_bp_nodes_bounds(tree) : abut_bp_empty_box;
}
