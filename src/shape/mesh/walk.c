/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "shape/mesh/mesh.h"
#include <float.h>

static uint32_t children_near(const abut_mesh_node *node, const abut_mesh_walk *w) {
    uint32_t bits = 0;
    for (uint32_t k = 0; k < ABUT_MESH_WIDE; k++) {
        bool near = true;
        for (int i = 0; i < 3; i++) {
            near = near && node->min[i][k] <= w->max[i] && w->min[i] <= node->max[i][k];
        }
        bits |= (uint32_t)near << k;
    }
    return bits;
}

static bool triangle_is_near(const abut_mesh_leaf *leaf, uint32_t lane, const abut_mesh_walk *w) {
    for (int i = 0; i < 3; i++) {
        float a = leaf->corner[0][i][lane], b = leaf->corner[1][i][lane], c = leaf->corner[2][i][lane];
        if ((a > w->max[i] && b > w->max[i] && c > w->max[i]) || (a < w->min[i] && b < w->min[i] && c < w->min[i])) {
            return false;
        }
    }
    return leaf->number[lane] != ABUT_MESH_NONE;
}

void abut_mesh_walk_begin(const abut_mesh *mesh, const float min[3], const float max[3], abut_mesh_walk *walk) {
    for (int i = 0; i < 3; i++) { /* far beyond all coordinates, but short of the unused places of nodes */
        walk->min[i] = min[i] < -FLT_MAX / 2 ? -FLT_MAX / 2 : min[i];
        walk->max[i] = max[i] > FLT_MAX / 2 ? FLT_MAX / 2 : max[i];
    }
    walk->level = mesh->levels - 1;
    walk->child[walk->level] = 0;
    walk->pending[walk->level] = children_near(abut_mesh_nodes(mesh, walk->level), walk);
}

uint32_t abut_mesh_walk_next(const abut_mesh *mesh, abut_mesh_walk *walk, uint32_t *place, uint32_t capacity) {
    uint32_t count = 0, level = walk->level;
    while (level < mesh->levels && count + ABUT_MESH_LEAF <= capacity) {
        uint32_t *pending = &walk->pending[level];
        if (*pending == 0) {
            level++;
            continue;
        }
        uint32_t child = ABUT_MESH_WIDE * walk->child[level] + abut_bits_lowest(*pending);
        *pending &= *pending - 1;
        if (level > 0) {
            level--;
            walk->child[level] = child;
            walk->pending[level] = children_near(abut_mesh_nodes(mesh, level) + child, walk);
            continue;
        }
        for (uint32_t lane = 0; lane < ABUT_MESH_LEAF; lane++) {
            place[count] = ABUT_MESH_LEAF * child + lane;
            count += triangle_is_near(&abut_mesh_leaves(mesh)[child], lane, walk);
        }
    }
    walk->level = level;
    return count;
}
