/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The walks down the tree. */
#ifndef ABUT_BROADPHASE_TREE_KERNELS_H
#define ABUT_BROADPHASE_TREE_KERNELS_H

#include "base/isa.h"
#include "broadphase/tree/tree.h"

/* A node on the way: how far it is (high 32 bits: a float >= 0, so its bits are in order), level, index in the level.
 */
enum { ABUT_BP_WALK_INDEX_BITS = 28 };

static inline uint64_t abut_bp_walk_node(uint32_t far, uint32_t level, uint32_t index) {
    return (uint64_t)far << 32 | level << ABUT_BP_WALK_INDEX_BITS | index;
}

typedef struct abut_bp_tree_kernels {
    void (*fly)(const abut_bp_tree *tree, abut_bp_flight *flight);
    void (*look)(const abut_bp_tree *tree, abut_bp_vicinity *vicinity);
    uint32_t (*box)(const abut_bp_tree *tree, const abut_bp_box *box, const abut_slant *slant, abut_bp_walk *walk,
                    uint32_t *key, uint32_t room);
} abut_bp_tree_kernels;

ABUT_KERNEL_TABLES(abut_bp_tree_kernels)

#endif
