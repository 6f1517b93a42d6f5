/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Entries of the tree: where each key's box lies in the nodes of the lowest level. The first `ordered` are in order.
 * Keys that came later, or whose box went far from where its entry is, have theirs behind them: late.c. */
#ifndef ABUT_BROADPHASE_TREE_ENTRIES_H
#define ABUT_BROADPHASE_TREE_ENTRIES_H

#include "base/workers/workers.h"
#include "broadphase/broadphase.h"
#include "broadphase/tree/tree.h"

enum {
    ABUT_BP_ENTRIES_BATCH = 64, /* keys whose boxes are asked for at once */
    ABUT_BP_TOUCHED_FAR = 4,    /* in `touched`, during an update: the box may have gone far from its entry, */
    ABUT_BP_TOUCHED_LEAVES = 8  /* or has: the key is to get another entry */
};

/* What an update asks for boxes, and who helps it. */
typedef struct abut_bp_box_source {
    abut_bp_boxes_of *of;
    const void *context;
    abut_workers *workers;
} abut_bp_box_source;

/* Writes the boxes of n <= ABUT_BP_ENTRIES_BATCH keys with entries, and marks keys in `touched` whose box has moved by
 * more than `far` along an axis since it was written. */
void abut_bp_entries_write(abut_bp *bp, const abut_bp_box_source *boxes, const uint32_t *key, uint32_t n, float far);

/* Makes the nodes first .. end - 1 of the lowest level empty. */
void abut_bp_entries_clear(abut_bp_tree *tree, uint32_t first, uint32_t end);

/* Makes the box of an entry empty. */
void abut_bp_entry_empty(abut_bp_tree *tree, uint32_t entry);

/* --- late.c --- */

/* Gives a key the next entry, which abut_bp_late_sort will write. False if there is no room. */
bool abut_bp_late_append(abut_bp_tree *tree, uint32_t key);

/* From how far a move of a box on is far, if many have moved. */
float abut_bp_late_far(const abut_bp_tree *tree);

/* Whether a key should have another entry, as its box is far from the other boxes of its node, or from where they all
 * were: the box around them must still be the one before the update. That of its entry is empty then. */
bool abut_bp_late_leaves(abut_bp_tree *tree, uint32_t key);

/* Gives such a key another entry. False if there is no room. */
bool abut_bp_late_move(abut_bp_tree *tree, uint32_t key);

/* Orders entries behind the first `ordered`, if any were appended since the last time, and writes their boxes. Returns
 * the first node of the lowest level that may have changed, or ABUT_BP_NO_NODE. */
#define ABUT_BP_NO_NODE UINT32_MAX
uint32_t abut_bp_late_sort(abut_bp *bp, const abut_bp_box_source *boxes);

#endif
