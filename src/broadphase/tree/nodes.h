/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Nodes of the tree, and the boxes above them. */
#ifndef ABUT_BROADPHASE_TREE_NODES_H
#define ABUT_BROADPHASE_TREE_NODES_H

#include "base/workers/workers.h"
#include "broadphase/tree/tree.h"

/* Touches nothing. */
extern const abut_bp_box abut_bp_empty_box;

static inline void abut_bp_node_put(abut_bp_node *node, uint32_t lane, const abut_bp_box *box) {
    for (int axis = 0; axis < 3; axis++) {
        node->min[axis][lane] = box->min[axis];
        node->max[axis][lane] = box->max[axis];
    }
}

/* Makes a box hold another one, too. */
void abut_bp_box_merge(abut_bp_box *box, const abut_bp_box *other);

/* The sum of the three extents; 0 for an empty box. */
double abut_bp_box_extents(const abut_bp_box *box);

/* Makes all boxes of a node empty. */
void abut_bp_node_clear(abut_bp_node *node);

/* The number of levels of a tree with this many entries. */
uint32_t abut_bp_nodes_levels(uint32_t count);

/* Makes all boxes above the lowest level. */
void abut_bp_nodes_enclose(abut_bp_tree *tree, abut_workers *workers);

/* Makes those around entries of the lowest level's nodes from `first` on, of which there may be more or less than
 * before.
 */
void abut_bp_nodes_enclose_from(abut_bp_tree *tree, uint32_t first);

/* Makes those above one entry. */
void abut_bp_nodes_climb(abut_bp_tree *tree, uint32_t entry);

/* The sum of the extents of the boxes around eight entries. */
double abut_bp_nodes_spread(const abut_bp_tree *tree);

/* The box around all. */
abut_bp_box abut_bp_nodes_bounds(const abut_bp_tree *tree);

#endif
