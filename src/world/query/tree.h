/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The search tree of a world: bounds of all bodies, where they are now. It belongs to the broad phase
 * (broadphase/tree); this file says when it is brought up to date, which is when somebody first asks after a change. */
#ifndef ABUT_WORLD_QUERY_TREE_H
#define ABUT_WORLD_QUERY_TREE_H

#include "world/world.h"

/* Brings the tree up to date; must come before a walk. Any number of threads may call it: one of them does the work,
 * and the others wait. */
void abut_w_tree_prepare(const abut_world *world);

/* The same on the workers of the world, for calls that change the world: then nobody waits. */
void abut_w_tree_prepare_wide(abut_world *world);

/* The boxes that it has of n bodies. */
void abut_w_tree_boxes(const abut_world *world, const uint32_t *slot, uint32_t n, abut_bp_box *box);

/* What to walk. */
static inline const abut_bp_tree *abut_w_tree(const abut_world *world) {
    return &world->bp.tree;
}

#endif
