/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: a walk tests the eight boxes of a node at once, and of a leaf two
 * coordinates of its four triangles. */

#include "base/compiler.h"
#include "base/lanes/eight.h"
#include "base/lanes/slant.h"
#include "shape/mesh/kernels.h"

/* FEW: so many nodes of a level, or leaves, are walked at once. LINE: bytes that are read from memory at once. */
enum { ALL = (1 << ABUT_MESH_WIDE) - 1, FEW = ABUT_MESH_OPENED - ABUT_MESH_WIDE, LINE = 64 };

/* The ends of the box in each lane: by axis, and two axes in four lanes each: x with y, and y with z. */
typedef struct box_lanes {
    abut_eight min[3], max[3], low[2], high[2];
} box_lanes;

/* a in the lower four lanes and b in the upper four. Not by way of memory, where a load of what was just stored in
 * pieces would wait. */
static ABUT_INLINE abut_eight beside(float a, float b) {
    static const float most[12] = {INFINITY,  INFINITY,  INFINITY, INFINITY, -INFINITY, -INFINITY,
                                   -INFINITY, -INFINITY, INFINITY, INFINITY, INFINITY,  INFINITY};
    return abut_eight_max(abut_eight_min(abut_eight_set(a), abut_eight_load(most)),
                          abut_eight_min(abut_eight_set(b), abut_eight_load(most + ABUT_MESH_LEAF)));
}

static ABUT_INLINE box_lanes lanes_of(const abut_mesh_walk *walk) {
    box_lanes b;
    for (int i = 0; i < 3; i++) {
        b.min[i] = abut_eight_set(walk->min[i]);
        b.max[i] = abut_eight_set(walk->max[i]);
    }
    for (int i = 0; i < 2; i++) {
        b.low[i] = beside(walk->min[i], walk->min[i + 1]);
        b.high[i] = beside(walk->max[i], walk->max[i + 1]);
    }
    return b;
}

/* The children whose boxes touch the box. */
static ABUT_INLINE uint32_t children_near(const abut_mesh_node *node, const box_lanes *b) {
    uint32_t bits = ALL;
    for (int i = 0; i < 3; i++) {
        bits &= abut_eight_le(abut_eight_load(node->min[i]), b->max[i]);
        bits &= abut_eight_le(b->min[i], abut_eight_load(node->max[i]));
    }
    return bits;
}

/* The triangles whose bounds touch the box, those in unused places included. */
static ABUT_INLINE uint32_t triangles_near(const abut_mesh_leaf *leaf, const box_lanes *b) {
    uint32_t bits = ALL;
    for (int i = 0; i < 2; i++) {
        abut_eight p = abut_eight_load(leaf->corner[0][i]), q = abut_eight_load(leaf->corner[1][i]);
        abut_eight r = abut_eight_load(leaf->corner[2][i]);
        bits &= abut_eight_le(abut_eight_min(abut_eight_min(p, q), r), b->high[i]);
        bits &= abut_eight_le(b->low[i], abut_eight_max(abut_eight_max(p, q), r));
    }
    return bits & bits >> ABUT_MESH_LEAF;
}

/* Of a leaf's triangles those whose bits are set; there is room for all. Without branches: how many there are cannot be
 * foreseen, and the next leaves should be on their way meanwhile. */
static ABUT_INLINE uint32_t write_places(const abut_mesh *mesh, uint32_t leaf, uint32_t bits, uint32_t *place) {
    uint32_t n = 0, first = ABUT_MESH_LEAF * leaf, left = mesh->solid_count - first;
    bits &= left < ABUT_MESH_LEAF ? (1u << left) - 1 : (1u << ABUT_MESH_LEAF) - 1;
    for (uint32_t i = 0; i < ABUT_MESH_LEAF; i++) {
        place[n] = first + i;
        n += bits >> i & 1;
    }
    return n;
}

static ABUT_INLINE void prefetch(const void *record, size_t size) {
    const char *bytes = record;
    for (size_t at = 0; at < size; at += LINE) {
        ABUT_PREFETCH(bytes + at);
    }
    ABUT_PREFETCH(bytes + size - 1);
}

/* Level by level, so that all that a level needs is on its way at once. */
static void open_all(const abut_mesh *mesh, abut_mesh_walk *walk) {
    const box_lanes box = lanes_of(walk);
    const abut_mesh_leaf *leaves = abut_mesh_leaves(mesh);
    uint32_t other[ABUT_MESH_OPENED], n = 1, *now = mesh->levels % 2 ? other : walk->leaf, *next;
    now[0] = 0;
    walk->looked = true;
    for (uint32_t level = mesh->levels; level-- > 0; now = next) {
        const abut_mesh_node *nodes = abut_mesh_nodes(mesh, level);
        uint32_t found = 0;
        next = now == other ? walk->leaf : other;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t bits = children_near(&nodes[now[i]], &box);
            for (; bits; bits &= bits - 1) {
                uint32_t child = ABUT_MESH_WIDE * now[i] + ABUT_LOWEST_BIT(bits);
                next[found++] = child;
                if (level == 0) {
                    prefetch(&leaves[child], sizeof *leaves);
                } else {
                    prefetch(abut_mesh_nodes(mesh, level - 1) + child, sizeof *nodes);
                }
            }
            if (found > FEW) {
                return;
            }
        }
        n = found;
    }
    walk->leaf_count = n;
    walk->opened = true;
}

/* A walk that was opened, to its end. */
static ABUT_INLINE uint32_t walk_leaves(const abut_mesh *mesh, const box_lanes *box, const abut_mesh_walk *walk,
                                        uint32_t *place) {
    const abut_mesh_leaf *leaves = abut_mesh_leaves(mesh);
    uint32_t places = 0;
    for (uint32_t i = 0; i < walk->leaf_count; i++) {
        const uint32_t leaf = walk->leaf[i];
        places += write_places(mesh, leaf, triangles_near(&leaves[leaf], box), place + places);
    }
    return places;
}

/* Depth first, from where the walk is. */
static ABUT_INLINE uint32_t walk_on(const abut_mesh *mesh, const box_lanes *box, abut_mesh_walk *walk, uint32_t *place,
                                    uint32_t capacity) {
    const abut_mesh_leaf *leaves = abut_mesh_leaves(mesh);
    uint32_t count = 0, level = walk->level;
    while (level <= mesh->levels) {
        uint32_t pending = walk->pending[level], first = ABUT_MESH_WIDE * walk->child[level];
        if (level == 0) {
            for (; pending && count + ABUT_MESH_LEAF <= capacity; pending &= pending - 1) {
                uint32_t leaf = first + ABUT_LOWEST_BIT(pending);
                count += write_places(mesh, leaf, triangles_near(&leaves[leaf], box), place + count);
            }
            walk->pending[0] = pending;
            if (pending) {
                break;
            }
        }
        if (pending == 0) {
            level++;
            continue;
        }
        walk->pending[level--] = pending & (pending - 1);
        walk->child[level] = first + ABUT_LOWEST_BIT(pending);
        const abut_mesh_node *node = abut_mesh_nodes(mesh, level) + walk->child[level];
        walk->pending[level] = children_near(node, box);
        if (walk->slant && walk->pending[level]) {
            walk->pending[level] &= abut_slant_crosses(node->min, node->max, walk->min, walk->max, walk->slant);
        }
    }
    walk->level = level;
    return count;
}

static uint32_t walk(const abut_mesh *mesh, abut_mesh_walk *walk, uint32_t *place, uint32_t capacity) {
    if (walk->level > mesh->levels) {
        return 0;
    }
    bool begins = walk->level == mesh->levels;
    if (begins && !walk->looked) {
        open_all(mesh, walk);
    }
    const box_lanes box = lanes_of(walk);
    if (begins && walk->opened && ABUT_MESH_LEAF * walk->leaf_count <= capacity) {
        walk->level = mesh->levels + 1;
        return walk_leaves(mesh, &box, walk, place);
    }
    return walk_on(mesh, &box, walk, place, capacity);
}

const abut_mesh_kernels ABUT_KERNEL(abut_mesh_kernels) = {.walk = walk, .open = open_all};
