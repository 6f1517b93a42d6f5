/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The data of the broad phase. Other rooms include broadphase.h and use its functions; they write none of these
 * members, and read only those of the search tree. */
#ifndef ABUT_BROADPHASE_LAYOUT_H
#define ABUT_BROADPHASE_LAYOUT_H

#include "base/block.h"
#include "base/radix.h"
#include <stdbool.h>
#include <stddef.h>

/* min <= max, all finite. */
typedef struct abut_bp_box {
    float min[3], max[3];
} abut_bp_box;

/* low < high, both keys. */
typedef struct abut_bp_pair {
    uint32_t low, high;
} abut_bp_pair;

/* Lists of pairs ascend by this: by low, then by high. */
static inline uint64_t abut_bp_pair_order(const abut_bp_pair *pair) {
    return (uint64_t)pair->low << 32 | pair->high;
}

/* The role of a key. ABUT_BP_STATIC is added to it, and its class times ABUT_BP_CLASS; two static keys never make a
 * pair, nor do keys of two classes that are apart. */
enum { ABUT_BP_ABSENT = 0, ABUT_BP_ACTIVE = 1, ABUT_BP_RESTING = 2, ABUT_BP_STATIC = 4, ABUT_BP_CLASS = 8 };
enum { ABUT_BP_CLASSES = 32 };

enum {
    ABUT_BP_SLACK = 64,     /* elements past the end of arrays that wide code may read or write */
    ABUT_BP_CELLS_MAX = 256 /* columns along one axis */
};

/* Copies of boxes, one for each column that a box overlaps; by copy index. */
typedef struct abut_bp_copies {
    float *min[3], *max[3]; /* axis 0 is the sweep axis; the other two follow it cyclically */
    uint32_t *key;
} abut_bp_copies;

/* Superblocks: a box around each 64 consecutive copies. */
enum { ABUT_BP_SUPERBLOCK = 64 };
typedef struct abut_bp_superblocks {
    float *min[3], *max[3]; /* axes as in the copies */
} abut_bp_superblocks;

/* The search tree: see tree/tree.h. */
enum {
    ABUT_BP_LEVELS_MIN = 3,
    ABUT_BP_LEVELS_MAX = 11,
    ABUT_BP_TREE_KEYS_MAX = 1 << 28 /* walks have 28 bits for the index of an entry */
};
#define ABUT_BP_NO_KEY UINT32_MAX /* that of an entry which its key has left */
typedef struct abut_bp_node abut_bp_node;
typedef struct abut_bp_tree {
    abut_bp_node *node;                 /* all levels, the lowest first */
    uint32_t level[ABUT_BP_LEVELS_MAX]; /* the first node of each level */
    uint32_t *key;                      /* by entry */
    uint32_t *entry_plus_one;           /* by key; 0: it has no entry */
    float *surplus;      /* by node of the lowest level: how far what is culled may extend beyond its boxes */
    uint32_t *classes;   /* by node of the lowest level: bits of the classes that its keys have, or have had */
    uint8_t *touched;    /* by key: its box has changed, or it has come or gone, since the last update */
    uint8_t *touched_64; /* by key / 64: any of these keys was touched */
    uint32_t room;       /* for entries */
    uint32_t count;      /* entries; those of absent keys, and those that keys have left, are empty */
    uint32_t levels;     /* the highest has one node */
    uint32_t ordered;    /* entries when the order was last made */
    uint32_t late;       /* the first entry behind those, if there are more; see tree/late.c */
    uint32_t sorted;     /* entries when late ones were last put in order */
    uint32_t written;    /* boxes written since the spread was last measured */
    abut_bp_box bounds;  /* of all */
    double spread;       /* sum of the extents of the boxes around eight, when the order was last made */
} abut_bp_tree;

/* Copies first .. end - 1. */
typedef struct abut_bp_span {
    uint32_t first, end;
} abut_bp_span;

/* How the plane across the sweep axis is cut into columns: cell = clamp(floor((v - origin) * inverse)), along the two
 * axes after the sweep axis. */
typedef struct abut_bp_grid {
    int axis; /* the sweep axis */
    float origin[2], inverse[2];
    uint32_t cells[2];
    float low[2][ABUT_BP_CELLS_MAX]; /* the least float in each cell; -infinity for cell 0 */
} abut_bp_grid;

/* The memory of a broad phase: see storage.c. */
typedef struct abut_bp_storage {
    abut_block keys, copies, superblocks, tree, pairs;
} abut_bp_storage;

/* Zero is a valid start. */
typedef struct abut_bp {
    abut_bp_storage storage;

    /* By key. */
    abut_bp_box *box;
    uint8_t *role;
    uint32_t *active;                /* scratch: the active keys, ascending */
    abut_radix_item *scratch;        /* used within each call, and by the owner between calls */
    uint32_t key_end;                /* all keys are below this */
    uint32_t apart[ABUT_BP_CLASSES]; /* by class: bits of the classes that it makes no pair with; symmetric */

    /* By copy index: resting copies, then active ones. copy_capacity + ABUT_BP_SLACK elements. */
    abut_bp_copies copies;
    abut_radix_item *order;  /* sort items. key: lower end along the sweep axis, as an ordered integer; value: the key
                                of the box */
    uint32_t *resting_start; /* by column, with one element more: its first copy. At most copy_capacity bytes */
    uint32_t *active_start;  /* the same, counted from the first active copy */
    uint32_t copy_capacity;

    abut_bp_superblocks superblocks; /* around resting copies */
    uint32_t resting_copies, active_copies;
    abut_bp_grid grid;

    uint32_t active_count;  /* as of the last find */
    uint32_t resting_count; /* keys that rest now */

    /* What decides when keys are put to rest: see rest.c. */
    uint32_t woken;       /* keys that have stopped resting since keys were last put to rest */
    uint32_t woken_seen;  /* the value of `woken` when pairs of woken keys were last dropped */
    uint32_t back_off;    /* each unit doubles the cost at which keys are put to rest */
    uint32_t quiet_finds; /* finds with resting keys since back_off last fell */
    uint64_t rest_cost;   /* sum over finds of active keys that did not move, and of as large a share of the active
                             pairs, since keys were last put to rest */

    abut_bp_tree tree;

    /* Pairs, sorted by (low, high): first those of two resting keys, then those with an active key. */
    abut_bp_pair *pool;
    size_t pool_capacity;
    size_t resting_pairs, active_pairs;
    uint64_t tests; /* pairs of boxes compared by the last find */
} abut_bp;

#endif
