/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The third stage of a mesh: the search tree over the triangles that can be touched. */
#ifndef ABUT_SHAPE_MESH_TREE_H
#define ABUT_SHAPE_MESH_TREE_H

#include "shape/mesh/soup.h"

/* A triangle to place: twice the middle of its box, and its number. */
typedef struct abut_tree_item {
    float middle[3];
    uint32_t number;
} abut_tree_item;

/* Sorts n > 0 items into the order of the leaves. Every subtree but the last of its level is full. O(n log n). */
void abut_tree_sort(abut_tree_item *item, size_t n);

/* Fills the leaves from the sorted items, and the nodes from the leaves. */
void abut_tree_fill(const abut_mesh *mesh, const abut_tree_item *item, abut_mesh_leaf *leaf, abut_mesh_node *node);

#endif
