/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "broadphase/tree/entries.h"
#include "base/bits.h"
#include "base/compiler.h"
#include "broadphase/tree/nodes.h"
#include <math.h>

/* A radius that allows for all rounding of the box and its middle. */
static float widened(float radius, const abut_bp_box *box) {
    float size = 0;
    for (int axis = 0; axis < 3; axis++) {
        size += abut_max_f(box->max[axis], -box->min[axis]);
    }
    return radius * (1 + 0x1p-20f) + 0x1p-20f * size;
}

/* How far the lower corner of a box has moved from that in a lane of a node, along the axis on which that is most. */
static float moved_by(const abut_bp_node *node, uint32_t lane, const abut_bp_box *box) {
    float most = 0;
    for (int axis = 0; axis < 3; axis++) {
        most = abut_max_f(most, fabsf(box->min[axis] - node->min[axis][lane]));
    }
    return most;
}

void abut_bp_entries_write(abut_bp *bp, const abut_bp_box_source *boxes, const uint32_t *key, uint32_t n, float far) {
    abut_bp_tree *tree = &bp->tree;
    abut_bp_box box[ABUT_BP_ENTRIES_BATCH];
    float surplus[ABUT_BP_ENTRIES_BATCH], radius[ABUT_BP_ENTRIES_BATCH];
    for (uint32_t k = 0; k < n; k++) {
        const abut_bp_node *to = &tree->node[(tree->entry_plus_one[key[k]] - 1) / 8];
        ABUT_PREFETCH_TO_WRITE(&to->min[0]);
        ABUT_PREFETCH_TO_WRITE(&to->min[2]);
        ABUT_PREFETCH_TO_WRITE(&to->max[1]);
        ABUT_PREFETCH_TO_WRITE(&to->key);
    }
    boxes->of(boxes->context, key, n, box, surplus, radius);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t entry = tree->entry_plus_one[key[k]] - 1, node = entry / 8;
        if (moved_by(&tree->node[node], entry % 8, &box[k]) > far) {
            tree->touched[key[k]] |= ABUT_BP_TOUCHED_FAR;
        }
        abut_bp_node_put(&tree->node[node], entry % 8, &box[k]);
        tree->node[node].key[entry % 8] = key[k];
        tree->node[node].radius[entry % 8] = widened(radius[k], &box[k]);
        tree->surplus[node] = abut_max_f(tree->surplus[node], surplus[k]);
        tree->classes[node] |= UINT32_C(1) << abut_bp_class_of(bp, key[k]);
    }
}

void abut_bp_entries_clear(abut_bp_tree *tree, uint32_t first, uint32_t end) {
    for (uint32_t node = first; node < end; node++) {
        abut_bp_node_clear(&tree->node[node]);
        tree->surplus[node] = 0;
        tree->classes[node] = 0;
    }
}

void abut_bp_entry_empty(abut_bp_tree *tree, uint32_t entry) {
    abut_bp_node_put(&tree->node[entry / 8], entry % 8, &abut_bp_empty_box);
}
