/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh_way/descent.h"

/* A child that waits for its turn. */
typedef struct waiting {
    double measure;
    uint32_t index, level; /* level 0: a leaf; else a node of the level below */
} waiting;

enum { STACK = ABUT_MESH_LEVELS * ABUT_MESH_WIDE };

static double visit_leaf(const abut_np_descent *d, uint32_t index, double limit) {
    const abut_mesh_leaf *leaf = &abut_mesh_leaves(d->mesh)[index];
    for (uint32_t l = 0; l < ABUT_MESH_LEAF && leaf->number[l] != ABUT_MESH_NONE; l++) {
        abut_np_bounds bounds;
        for (int i = 0; i < 3; i++) {
            double a = leaf->corner[0][i][l], b = leaf->corner[1][i][l], c = leaf->corner[2][i][l];
            bounds.min[i] = abut_min_d(abut_min_d(a, b), c);
            bounds.max[i] = abut_max_d(abut_max_d(a, b), c);
        }
        if (d->measure(&bounds, d->context) <= limit) {
            limit = d->visit(leaf->number[l], limit, d->context);
        }
    }
    return limit;
}

/* Puts the children of a node on the stack, the nearest last; returns how many wait then. */
static uint32_t open_node(const abut_np_descent *d, uint32_t level, uint32_t index, double limit, waiting *stack,
                          uint32_t count) {
    const abut_mesh_node *node = &abut_mesh_nodes(d->mesh, level)[index];
    uint32_t first = count;
    for (uint32_t k = 0; k < ABUT_MESH_WIDE && node->min[0][k] <= node->max[0][k]; k++) {
        const abut_np_bounds bounds = {{node->min[0][k], node->min[1][k], node->min[2][k]},
                                       {node->max[0][k], node->max[1][k], node->max[2][k]}};
        double measure = d->measure(&bounds, d->context);
        if (measure <= limit) {
            uint32_t at = count++;
            for (; at > first && stack[at - 1].measure < measure; at--) {
                stack[at] = stack[at - 1];
            }
            stack[at] = (waiting){measure, index * ABUT_MESH_WIDE + k, level};
        }
    }
    return count;
}

void abut_np_descend(const abut_np_descent *d, double limit) {
    waiting stack[STACK];
    uint32_t count = open_node(d, d->mesh->levels - 1, 0, limit, stack, 0);
    while (count > 0) {
        const waiting next = stack[--count];
        if (!(next.measure <= limit)) {
            continue;
        }
        if (next.level == 0) {
            limit = visit_leaf(d, next.index, limit);
        } else {
            count = open_node(d, next.level - 1, next.index, limit, stack, count);
        }
    }
}
