/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/tree/nodes.h"
#include "base/bits.h"
#include <math.h>

const abut_bp_box abut_bp_empty_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

void abut_bp_node_clear(abut_bp_node *node) {
    for (int axis = 0; axis < 3; axis++) {
        for (int lane = 0; lane < 8; lane++) {
            node->min[axis][lane] = INFINITY;
            node->max[axis][lane] = -INFINITY;
        }
    }
    for (int lane = 0; lane < 8; lane++) {
        node->surplus[lane] = 0;
        node->classes[lane] = 0;
    }
}

uint32_t abut_bp_nodes_levels(uint32_t count) {
    uint32_t levels = 1;
    for (uint32_t nodes = (count + 7) / 8; nodes > 1; nodes = (nodes + 7) / 8) {
        levels++;
    }
    return levels < ABUT_BP_LEVELS_MIN ? ABUT_BP_LEVELS_MIN : levels;
}

static float least(const float *x) {
    float low[4];
    for (int k = 0; k < 4; k++) {
        low[k] = x[k] < x[k + 4] ? x[k] : x[k + 4];
    }
    low[0] = low[0] < low[2] ? low[0] : low[2];
    low[1] = low[1] < low[3] ? low[1] : low[3];
    return low[0] < low[1] ? low[0] : low[1];
}

static float greatest(const float *x) {
    float high[4];
    for (int k = 0; k < 4; k++) {
        high[k] = x[k] > x[k + 4] ? x[k] : x[k + 4];
    }
    high[0] = high[0] > high[2] ? high[0] : high[2];
    high[1] = high[1] > high[3] ? high[1] : high[3];
    return high[0] > high[1] ? high[0] : high[1];
}

/* The box around a node of a level. */
static abut_bp_box around(const abut_bp_tree *tree, uint32_t level, uint32_t at) {
    const abut_bp_node *node = &tree->node[tree->level[level] + at];
    abut_bp_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = least(node->min[axis]);
        box.max[axis] = greatest(node->max[axis]);
    }
    return box;
}

static float surplus_around(const abut_bp_tree *tree, uint32_t level, uint32_t at) {
    return level == 0 ? tree->surplus[at] : greatest(tree->node[tree->level[level] + at].surplus);
}

abut_bp_box abut_bp_nodes_bounds(const abut_bp_tree *tree) {
    return around(tree, tree->levels - 1, 0);
}

static uint32_t classes_around(const abut_bp_tree *tree, uint32_t level, uint32_t at) {
    if (level == 0) {
        return tree->classes[at];
    }
    const uint32_t *lane = tree->node[tree->level[level] + at].classes;
    return lane[0] | lane[1] | lane[2] | lane[3] | lane[4] | lane[5] | lane[6] | lane[7];
}

void abut_bp_box_merge(abut_bp_box *box, const abut_bp_box *other) {
    for (int axis = 0; axis < 3; axis++) {
        box->min[axis] = other->min[axis] < box->min[axis] ? other->min[axis] : box->min[axis];
        box->max[axis] = abut_max_f(other->max[axis], box->max[axis]);
    }
}

double abut_bp_box_extents(const abut_bp_box *box) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        sum += (double)box->max[axis] - box->min[axis];
    }
    return sum > 0 ? sum : 0;
}

/* The boxes of a level > 0, to be made from nodes first .. nodes - 1 of the level below; `first` is a multiple of
 * eight.
 */
typedef struct enclosure {
    abut_bp_tree *tree;
    uint32_t level, first, nodes;
} enclosure;

enum { NODES_AT_ONCE = 1024 }; /* a multiple of eight, so that no two blocks write to one node */

static void enclose_block(void *context, uint32_t block, uint32_t worker) {
    const enclosure *e = context;
    abut_bp_tree *tree = e->tree;
    abut_bp_node *to = &tree->node[tree->level[e->level]];
    uint32_t first = e->first + block * NODES_AT_ONCE;
    uint32_t end = e->nodes - first < NODES_AT_ONCE ? e->nodes : first + NODES_AT_ONCE;
    (void)worker;
    for (uint32_t at = first; at < end; at++) {
        abut_bp_box box = around(tree, e->level - 1, at);
        if (at % 8 == 0) {
            abut_bp_node_clear(&to[at / 8]);
        }
        abut_bp_node_put(&to[at / 8], at % 8, &box);
        to[at / 8].surplus[at % 8] = surplus_around(tree, e->level - 1, at);
        to[at / 8].classes[at % 8] = classes_around(tree, e->level - 1, at);
    }
}

static void enclose(abut_bp_tree *tree, uint32_t first, abut_workers *workers) {
    enclosure e = {.tree = tree, .level = 1, .first = first / 8 * 8, .nodes = (tree->count + 7) / 8};
    tree->levels = abut_bp_nodes_levels(tree->count);
    for (; e.level < tree->levels; e.level++, e.nodes = (e.nodes + 7) / 8, e.first = e.first / 64 * 8) {
        abut_workers_loop(workers, abut_workers_blocks(e.nodes - e.first, NODES_AT_ONCE), enclose_block, &e);
    }
}

void abut_bp_nodes_enclose(abut_bp_tree *tree, abut_workers *workers) {
    enclose(tree, 0, workers);
}

void abut_bp_nodes_enclose_from(abut_bp_tree *tree, uint32_t first) {
    enclose(tree, first, NULL);
}

double abut_bp_nodes_spread(const abut_bp_tree *tree) {
    double sum = 0;
    uint32_t nodes = (tree->count + 7) / 8;
    for (uint32_t at = 0; at < nodes; at++) {
        const abut_bp_node *node = &tree->node[tree->level[1] + at / 8];
        abut_bp_box box;
        for (int axis = 0; axis < 3; axis++) {
            box.min[axis] = node->min[axis][at % 8];
            box.max[axis] = node->max[axis][at % 8];
        }
        sum += abut_bp_box_extents(&box);
    }
    return sum;
}

static bool holds(const abut_bp_node *node, uint32_t lane, const abut_bp_box *box) {
    bool equal = true;
    for (int axis = 0; axis < 3; axis++) {
        equal = equal && node->min[axis][lane] == box->min[axis] && node->max[axis][lane] == box->max[axis];
    }
    return equal;
}

void abut_bp_nodes_climb(abut_bp_tree *tree, uint32_t entry) {
    uint32_t at = entry / 8;
    for (uint32_t level = 1; level < tree->levels; level++, at /= 8) {
        abut_bp_box box = around(tree, level - 1, at);
        abut_bp_node *node = &tree->node[tree->level[level] + at / 8];
        float surplus = surplus_around(tree, level - 1, at);
        uint32_t classes = classes_around(tree, level - 1, at);
        if (holds(node, at % 8, &box) && node->surplus[at % 8] == surplus && node->classes[at % 8] == classes) {
            return;
        }
        abut_bp_node_put(node, at % 8, &box);
        node->surplus[at % 8] = surplus;
        node->classes[at % 8] = classes;
    }
}
