/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The broad phase: boxes in, sorted candidate rows out. It never sees a shape, a pose, a body or the world.
 *
 * Sweep and prune (Cohen, Lin, Manocha and Ponamgi, "I-COLLIDE", 1995) without its endpoint lists: the plane across the
 * sweep axis is cut into columns, each column is sorted and swept from scratch (Terdiman's box pruning does so with one
 * column). A pair counts only in the column that holds the lower corner of what the two boxes share, so that each is
 * found once, without a table of pairs.
 *
 * A key is active or settled. Active boxes are sorted and swept in every call. Settled ones keep their sorted columns
 * and their rows, so a call costs what is active. Which keys are settled changes no answer. Closed boxes: sharing a
 * point counts. */
#ifndef ABUT_BROADPHASE_BROADPHASE_H
#define ABUT_BROADPHASE_BROADPHASE_H

#include "base/radix.h"
#include <stdbool.h>

/* min <= max, all finite. */
typedef struct abut_bp_box {
    float min[3], max[3];
} abut_bp_box;

/* low < high, both keys. */
typedef struct abut_bp_pair {
    uint32_t low, high;
} abut_bp_pair;

/* What a key is; ABUT_BP_STATIC is added for those that never pair with each other. */
enum { ABUT_BP_ABSENT = 0, ABUT_BP_ACTIVE = 1, ABUT_BP_RESTING = 2, ABUT_BP_STATIC = 4 };

enum {
    ABUT_BP_SLACK = 64,     /* elements at the end of arrays that wide code may touch */
    ABUT_BP_CELLS_MAX = 256 /* columns along one axis */
};

/* A copy of a box for each column that it lies in; by place. */
typedef struct abut_bp_copies {
    float *min[3], *max[3]; /* axis 0 is the sweep axis, then the next ones, cyclically */
    uint32_t *key;
} abut_bp_copies;

/* Boxes round so many copies that follow each other. */
enum { ABUT_BP_BLOCK = 8, ABUT_BP_SUPERBLOCK = 64 };
typedef struct abut_bp_blocks {
    float *min[3], *max[3]; /* by number; axes as in abut_bp_copies */
} abut_bp_blocks;

/* Keys along a curve through space, each once, with boxes round 8 and 64 that follow each other: for whoever looks for
 * boxes in some part of space. It outlives changes: see index.c. By entry, or by entry / 8 and / 64. */
typedef struct abut_bp_index {
    uint32_t *key;                      /* the last one is repeated to the end of its superblock */
    abut_bp_blocks blocks, superblocks; /* axes as in the world */
    uint64_t *listed;                   /* by key / 64, bit by bit: it has an entry */
    uint32_t count, listed_count;       /* entries; keys that still count */
} abut_bp_index;

/* Places first .. end - 1. */
typedef struct abut_bp_span {
    uint32_t first, end;
} abut_bp_span;

/* How the plane is cut: cell = clamp(floor((v - origin) * inverse)), along the two axes after the sweep axis. */
typedef struct abut_bp_grid {
    int axis; /* the sweep axis */
    float origin[2], inverse[2];
    uint32_t cells[2];
    float low[2][ABUT_BP_CELLS_MAX]; /* the least float in each cell; of cell 0: -infinity */
} abut_bp_grid;

/* The owner sets the pointers and keeps the memory: "by key" arrays have key_capacity elements, "by place" ones
 * copy_capacity + ABUT_BP_SLACK. Zero is a valid start. */
typedef struct abut_bp {
    /* By key. The owner writes boxes (of keys that are not settled) and roles, through the functions below. */
    abut_bp_box *box;
    uint8_t *role;
    uint32_t *active;       /* scratch: the active keys, ascending */
    abut_radix_item *spare; /* scratch of each call, and the owner's between calls; key_end elements */
    uint32_t key_end;       /* all keys are below */

    /* By place: settled copies, then active ones. */
    abut_bp_copies copies;
    abut_radix_item *order;
    uint32_t *resting_start,
        *active_start; /* by column, one more than there are; together in copy_capacity bytes each */
    uint32_t copy_capacity;

    abut_bp_blocks blocks, superblocks; /* by place / 8 and place / 64; of active ones see abut_bp_query_prepare */
    uint32_t resting_copies, active_copies;
    bool active_listed; /* active places have no columns: keys follow each other, each once */
    abut_bp_grid grid;

    uint32_t active_count;   /* as of the last find */
    uint32_t resting_count;  /* keys with that role now */
    uint32_t woken;          /* keys that were settled and are no more, since the last settling */
    uint32_t woken_seen;     /* so many of them when rows were dropped the last time */
    uint32_t patience, calm; /* see settled.c */
    uint64_t unrest;         /* so often was a key active that did not move, since the last settling */

    abut_bp_index index;

    /* Rows, sorted by (low, high): pairs of two settled keys first, then pairs with an active one. */
    abut_bp_pair *pool;
    size_t pool_capacity;
    size_t resting_pairs, active_pairs;
    uint64_t tests; /* of the last find: pairs of boxes compared */
} abut_bp;

/* --- roles --- */

/* A new key, or one that shall be looked at anew. Its box may be written from now on. O(1). */
static inline void abut_bp_activate(abut_bp *bp, uint32_t key, bool is_static) {
    bool was_settled = bp->role[key] & ABUT_BP_RESTING;
    bp->resting_count -= was_settled;
    bp->woken += was_settled;
    bp->role[key] = is_static ? ABUT_BP_ACTIVE | ABUT_BP_STATIC : ABUT_BP_ACTIVE;
}

static inline void abut_bp_remove(abut_bp *bp, uint32_t key) {
    bool was_settled = bp->role[key] & ABUT_BP_RESTING;
    bp->resting_count -= was_settled;
    bp->woken += was_settled;
    bp->role[key] = ABUT_BP_ABSENT;
}

/* Makes all keys active, without places: before the owner moves or grows the arrays by place. */
void abut_bp_activate_all(abut_bp *bp);

/* --- pairs --- */

/* What the pool must hold for so many rows. */
static inline uint64_t abut_bp_pool_for(uint64_t rows) {
    return 2 * rows + ABUT_BP_SLACK;
}

/* Finds every pair of touching boxes, each once, but for pairs of two static ones. Returns how many rows there are
 * (settled and active together). If the pool is too small for them, they are of no use: make room, keeping the first
 * resting_pairs elements, and call again. */
size_t abut_bp_find(abut_bp *bp);

/* Pairs with an active key, and pairs of two settled keys, as of the last find. */
static inline const abut_bp_pair *abut_bp_active_pairs(const abut_bp *bp) {
    return bp->pool + bp->resting_pairs;
}

static inline const abut_bp_pair *abut_bp_resting_pairs(const abut_bp *bp) {
    return bp->pool;
}

/* After a find: active keys of which flags[key] & changed is 0 have not changed for a while and are settled, together
 * with their rows, if that is likely to pay. */
void abut_bp_put_to_rest(abut_bp *bp, const uint8_t *flags, uint8_t changed);

/* --- where boxes are --- */

/* The places of settled and of active copies, the second from the beginning of a superblock on. copies.key[place] is
 * the key, of active ones after abut_bp_query_prepare. */
static inline abut_bp_span abut_bp_resting_copies(const abut_bp *bp) {
    return (abut_bp_span){0, bp->resting_copies};
}

static inline abut_bp_span abut_bp_active_copies(const abut_bp *bp) {
    uint32_t first = (bp->resting_copies + ABUT_BP_SUPERBLOCK - 1) / ABUT_BP_SUPERBLOCK * ABUT_BP_SUPERBLOCK;
    return (abut_bp_span){first, first + bp->active_copies};
}

/* Gathers the boxes of active keys (all have one) at their places and makes the blocks and superblocks round them;
 * those of settled places are there. For whoever looks for the boxes in some part of space: neighbours in a block are
 * neighbours in space, mostly. A box may be in several blocks; a key among settled places counts only if it is settled
 * still, one among active places only if it is active. Boxes are as they were when this was done. Before it is, and
 * after every other call that changes roles or boxes, order and boxes of active places are of no use.
 *
 * Of a last block, what lies beyond the places is like the last of them. */
void abut_bp_query_prepare(abut_bp *bp);

/* --- the index --- */

/* Arrays of the index have key_end / 8 elements and so many more: of 8 keys, of 8 bits of `listed`, of one block, of
 * one byte of superblocks. */
enum { ABUT_BP_INDEX_SLACK = 128 };

/* Lists the keys that are not absent and of which flags[key] & without is 0; their boxes are there. Overwrites `spare`.
 */
void abut_bp_index_make(abut_bp *bp, const uint8_t *flags, uint8_t without);

/* Enlarges the boxes round an entry so that they contain this box as well. */
void abut_bp_index_enclose(abut_bp_index *index, uint32_t entry, const abut_bp_box *box);

static inline bool abut_bp_index_lists(const abut_bp_index *index, uint32_t key) {
    return index->listed[key / 64] >> key % 64 & 1;
}

/* The key's entry no longer counts. */
static inline void abut_bp_index_drop(abut_bp_index *index, uint32_t key) {
    index->listed_count -= abut_bp_index_lists(index, key);
    index->listed[key / 64] &= ~(UINT64_C(1) << key % 64);
}

/* --- who is there --- */

/* A box that is looked for, and how far the search has got. */
typedef struct abut_bp_query {
    abut_bp_box box;                     /* axes as in abut_bp_copies */
    uint32_t first[2], last[2], cell[2]; /* the columns that it lies in; the next one */
    bool columns, listed;                /* there is a next one; keys without columns are done */
    float low[2];                        /* the lower corner of the column that is looked at */
    uint8_t role;                        /* whose places are */
    abut_bp_span left;                   /* those of them that are left */
} abut_bp_query;

/* Room for the keys of a superblock, and one that does not count. */
enum { ABUT_BP_QUERY_ROOM = ABUT_BP_SUPERBLOCK + 1 };

/* Begins to look for the keys of which the box, as enclosed, touches this one: closed boxes; min <= max, which may be
 * infinite. After abut_bp_query_prepare, until roles or boxes change. */
void abut_bp_query_begin(const abut_bp *bp, const abut_bp_box *box, abut_bp_query *query);

/* Writes the next ones and returns how many: at least one, until all were told of, each once, in any order. `room` is
 * at least ABUT_BP_QUERY_ROOM. */
uint32_t abut_bp_query_next(const abut_bp *bp, abut_bp_query *query, uint32_t *key, uint32_t room);

/* Few boxes as a broad phase that can be asked: on the stack of const functions. */
enum { ABUT_BP_TEMPORARY_MAX = 512 };
typedef struct abut_bp_temporary {
    abut_bp bp; /* points into the arrays below */
    abut_bp_box box[ABUT_BP_TEMPORARY_MAX];
    uint8_t role[ABUT_BP_TEMPORARY_MAX];
    abut_radix_item order[ABUT_BP_TEMPORARY_MAX], spare[ABUT_BP_TEMPORARY_MAX];
    uint32_t key[ABUT_BP_TEMPORARY_MAX + ABUT_BP_SLACK];
    float copy[6][ABUT_BP_TEMPORARY_MAX + ABUT_BP_SLACK];
    float block[6][ABUT_BP_TEMPORARY_MAX / ABUT_BP_BLOCK + ABUT_BP_SLACK];
    float superblock[6][ABUT_BP_TEMPORARY_MAX / ABUT_BP_SUPERBLOCK + ABUT_BP_SLACK];
} abut_bp_temporary;

/* Encloses the first n boxes. Their numbers are the keys. Neighbours along the axis share blocks, which pays when many
 * ask; -1: those of neighbouring keys do. */
void abut_bp_temporary_prepare(abut_bp_temporary *few, uint32_t n, int axis);

/* Sorts pairs by (low, high): the canonical order. `spare` has room for as many; all keys are below key_end. */
void abut_bp_sort_pairs(abut_bp_pair *pairs, abut_bp_pair *spare, size_t count, uint32_t key_end);

#endif
