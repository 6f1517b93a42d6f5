/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The order of the tree's entries. */
#ifndef ABUT_BROADPHASE_TREE_ORDER_H
#define ABUT_BROADPHASE_TREE_ORDER_H

#include "base/workers/workers.h"
#include "broadphase/layout.h"

/* An entry that is being placed: a point (twice the middle of its box), and its key. */
typedef struct abut_bp_placed {
    float at[3];
    uint32_t key;
} abut_bp_placed;

static inline abut_bp_placed abut_bp_placed_of(const abut_bp_box *b, uint32_t key) {
    return (abut_bp_placed){{b->min[0] + b->max[0], b->min[1] + b->max[1], b->min[2] + b->max[2]}, key};
}

/* Reorders entries first .. end - 1 so that those which share a node, at any level, are near each other. */
void abut_bp_order(abut_bp_placed *entry, uint32_t first, uint32_t end);

/* The same on several workers, with the same result. */
void abut_bp_order_with(abut_bp_placed *entry, uint32_t first, uint32_t end, abut_workers *workers);

#endif
