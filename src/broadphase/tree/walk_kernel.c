/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Walks down the tree: a node's eight boxes are tested at once, and those that are met are opened, the nearest first
 * (Wald, Benthin and Boulos, "Getting rid of packets", 2008). */

#include "base/lanes/eight.h"
#include "base/lanes/slant.h"
#include "broadphase/tree/kernels.h"
#include <float.h>

enum { INDEX_MASK = (1 << ABUT_BP_WALK_INDEX_BITS) - 1 };

static ABUT_INLINE uint32_t level_of(uint64_t node) {
    return (uint32_t)node >> ABUT_BP_WALK_INDEX_BITS;
}

static ABUT_INLINE uint32_t index_of(uint64_t node) {
    return (uint32_t)node & INDEX_MASK;
}

static ABUT_INLINE void prefetch(const abut_bp_node *node) {
    ABUT_PREFETCH(&node->min[0]);
    ABUT_PREFETCH(&node->min[2]);
    ABUT_PREFETCH(&node->max[1]);
    ABUT_PREFETCH(&node->key);
}

static ABUT_INLINE uint32_t write_keys(const abut_bp_node *node, uint32_t bits, uint32_t *key) {
    uint32_t n = 0;
    for (; bits; bits &= bits - 1) {
        key[n++] = node->key[ABUT_LOWEST_BIT(bits)];
    }
    return n;
}

/* Of a node above the lowest level, the lanes whose boxes hold keys of a class that is looked for. */
static ABUT_INLINE uint32_t of_classes(const abut_bp_node *node, uint32_t bits, uint32_t classes) {
    if (classes == UINT32_MAX) {
        return bits;
    }
    uint32_t kept = 0;
    for (uint32_t left = bits; left; left &= left - 1) {
        uint32_t lane = ABUT_LOWEST_BIT(left);
        kept |= (uint32_t)((node->classes[lane] & classes) != 0) << lane;
    }
    return kept;
}

/* Adds a node, so that those from `base` on are in order, the nearest last. */
static ABUT_INLINE void insert(abut_bp_walk *walk, uint32_t base, uint64_t node) {
    uint32_t at = walk->count++;
    for (; at > base && walk->node[at - 1] < node; at--) {
        walk->node[at] = walk->node[at - 1];
    }
    walk->node[at] = node;
}

/* Returns the nearest lane of those whose bits are set, at least one, and adds the children in the others to the walk.
 * Most often there are one or two. Which is nearer is decided without a branch, and where the nearest is in memory
 * depends on its lane alone. */
static ABUT_INLINE uint32_t open_node(const abut_bp_node *children, uint32_t level, uint32_t index, uint32_t bits,
                                      const uint32_t far[8], abut_bp_walk *walk) {
    uint32_t nearest = ABUT_LOWEST_BIT(bits), base = walk->count;
    for (bits &= bits - 1; bits; bits &= bits - 1) {
        uint32_t lane = ABUT_LOWEST_BIT(bits);
        uint32_t swap = (lane ^ nearest) & (0 - (uint32_t)(far[lane] < far[nearest])), other = lane ^ swap;
        nearest ^= swap;
        prefetch(children + other);
        insert(walk, base, abut_bp_walk_node(far[other], level - 1, index * 8 + other));
    }
    return nearest;
}

/* A node that is to be opened. */
typedef struct abut_bp_place {
    const abut_bp_node *node;
    uint32_t level, index;
} abut_bp_place;

/* Takes the next node of a walk that is no farther than the limit, the bits of a float; false: there is none. */
static ABUT_INLINE bool next_place(const abut_bp_tree *tree, abut_bp_walk *walk, uint32_t most, abut_bp_place *at) {
    while (walk->count > 0) {
        uint64_t node = walk->node[--walk->count];
        if (node >> 32 <= most) {
            at->level = level_of(node);
            at->index = index_of(node);
            at->node = &tree->node[tree->level[at->level] + at->index];
            return true;
        }
    }
    return false;
}

/* Goes to the nearest child. */
static ABUT_INLINE bool descend(const abut_bp_tree *tree, uint32_t bits, const uint32_t far[8], abut_bp_walk *walk,
                                abut_bp_place *at) {
    const abut_bp_node *children = &tree->node[tree->level[at->level - 1] + at->index * 8];
    uint32_t lane = open_node(children, at->level, at->index, bits, far, walk);
    at->node = children + lane;
    at->index = at->index * 8 + lane;
    at->level--;
    return true;
}

static ABUT_INLINE void step_back(abut_bp_walk *walk, const abut_bp_place *at) {
    walk->node[walk->count++] = abut_bp_walk_node(0, at->level, at->index);
}

/* Nodes that are opened after the first boxes are found, while what the caller will read of them is fetched. */
enum { AHEAD = 2 };

/* How many more nodes a search opens: counts down once something is found. */
static ABUT_INLINE uint32_t nodes_left(const abut_bp_found *found, uint32_t left) {
    return found->n > 0 && left > AHEAD ? AHEAD + 1 : left;
}

static ABUT_INLINE void find(const abut_bp_node *node, uint32_t bits, abut_bp_found *found) {
    for (; bits; bits &= bits - 1) {
        uint32_t key = node->key[ABUT_LOWEST_BIT(bits)];
        ABUT_PREFETCH((const char *)found->fetch + (size_t)key * found->fetch_stride);
        found->key[found->n++] = key;
    }
}

/* --- rays --- */

typedef struct wide_ray {
    abut_eight near_origin[3], far_origin[3], near_inverse[3], far_inverse[3];
    uint32_t near_at[3], far_at[3]; /* where in a node the planes are */
} wide_ray;

static ABUT_INLINE void widen(const abut_bp_ray *ray, wide_ray *w) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        w->near_origin[axis] = abut_eight_set(ray->near_origin[axis]);
        w->far_origin[axis] = abut_eight_set(ray->far_origin[axis]);
        w->near_inverse[axis] = abut_eight_set(ray->near_inverse[axis]);
        w->far_inverse[axis] = abut_eight_set(ray->far_inverse[axis]);
        w->near_at[axis] = 8 * axis + ray->near_side[axis];
        w->far_at[axis] = 8 * axis + 24 - ray->near_side[axis];
    }
}

/* Which boxes the ray meets within the limit, and where it enters them. A product of zero and infinity, which is a
 * plane that the ray stands on, constrains nothing. */
static ABUT_INLINE uint32_t meets(const abut_bp_node *node, const wide_ray *ray, abut_eight limit, uint32_t far[8]) {
    const float *plane = &node->min[0][0];
    abut_eight enter = abut_eight_set(0), leave = limit;
    for (int axis = 0; axis < 3; axis++) {
        abut_eight in =
            abut_eight_mul(abut_eight_sub(abut_eight_load(plane + ray->near_at[axis]), ray->near_origin[axis]),
                           ray->near_inverse[axis]);
        abut_eight out = abut_eight_mul(
            abut_eight_sub(abut_eight_load(plane + ray->far_at[axis]), ray->far_origin[axis]), ray->far_inverse[axis]);
        enter = abut_eight_max(in, enter);
        leave = abut_eight_min(out, leave);
    }
    float entered[8];
    abut_eight_store(entered, enter);
    memcpy(far, entered, sizeof entered);
    return abut_eight_le(enter, leave);
}

/* Of which entries the ray certainly passes by the sphere: its distance squared from the middle, where both are
 * relative to the origin, is more than the sum of the radii squared, by more than what rounding makes of it. */
static ABUT_INLINE uint32_t passes_by(const abut_bp_node *node, const abut_bp_ray *ray) {
    const abut_eight half = abut_eight_set(0.5f);
    abut_eight square = abut_eight_set(0), along = abut_eight_set(0);
    abut_eight radius = abut_eight_add(abut_eight_load(node->radius), abut_eight_set(ray->radius));
    for (int axis = 0; axis < 3; axis++) {
        abut_eight middle =
            abut_eight_mul(half, abut_eight_add(abut_eight_load(node->min[axis]), abut_eight_load(node->max[axis])));
        abut_eight to = abut_eight_sub(middle, abut_eight_set(ray->origin[axis]));
        square = abut_eight_add(square, abut_eight_mul(to, to));
        along = abut_eight_add(along, abut_eight_mul(to, abut_eight_set(ray->unit[axis])));
    }
    abut_eight apart =
        abut_eight_sub(abut_eight_mul(square, abut_eight_set(1 - 0x1p-19f)), abut_eight_mul(along, along));
    return abut_eight_lt(abut_eight_add(abut_eight_mul(radius, radius), abut_eight_set(0x1p-120f)), apart);
}

static void fly(const abut_bp_tree *tree, abut_bp_flight *flight) {
    wide_ray wide;
    widen(&flight->ray, &wide);
    const abut_eight limits = abut_eight_set(flight->limit);
    uint32_t far[8], most, left = UINT32_MAX;
    abut_bp_place at;
    memcpy(&most, &flight->limit, sizeof most);
    flight->found.n = 0;
    for (bool more = next_place(tree, &flight->walk, most, &at); more; left--) {
        if (left == 0 || flight->found.n > ABUT_BP_FOUND_MAX - 8) {
            step_back(&flight->walk, &at);
            break;
        }
        uint32_t bits = meets(at.node, &wide, limits, far);
        if (at.level > 0) {
            bits = of_classes(at.node, bits, flight->walk.classes);
        } else if (bits) {
            find(at.node, bits & ~passes_by(at.node, &flight->ray), &flight->found);
            left = nodes_left(&flight->found, left);
        }
        more = at.level > 0 && bits ? descend(tree, bits, far, &flight->walk, &at)
                                    : next_place(tree, &flight->walk, most, &at);
    }
    abut_lanes_done();
}

/* --- near a box --- */

/* Which boxes are within a distance of a box, given squared, and their own distances squared. */
static ABUT_INLINE uint32_t is_near(const abut_bp_node *node, const abut_eight min[3], const abut_eight max[3],
                                    abut_eight limit, uint32_t far[8]) {
    abut_eight sum = abut_eight_set(0);
    for (int axis = 0; axis < 3; axis++) {
        abut_eight gap = abut_eight_max(abut_eight_sub(abut_eight_load(node->min[axis]), max[axis]),
                                        abut_eight_sub(min[axis], abut_eight_load(node->max[axis])));
        gap = abut_eight_max(gap, abut_eight_set(0));
        sum = abut_eight_add(sum, abut_eight_mul(gap, gap));
    }
    float squared[8];
    abut_eight_store(squared, sum);
    memcpy(far, squared, sizeof squared);
    return abut_eight_le(sum, limit);
}

static void look(const abut_bp_tree *tree, abut_bp_vicinity *v) {
    abut_eight min[3], max[3];
    for (int axis = 0; axis < 3; axis++) {
        min[axis] = abut_eight_set(v->box.min[axis]);
        max[axis] = abut_eight_set(v->box.max[axis]);
    }
    const abut_eight limits = abut_eight_set(v->limit);
    uint32_t far[8], most, left = UINT32_MAX;
    abut_bp_place at;
    memcpy(&most, &v->limit, sizeof most);
    v->found.n = 0;
    for (bool more = next_place(tree, &v->walk, most, &at); more; left--) {
        if (left == 0 || v->found.n > ABUT_BP_FOUND_MAX - 8) {
            step_back(&v->walk, &at);
            break;
        }
        uint32_t bits = is_near(at.node, min, max, limits, far);
        if (at.level > 0) {
            bits = of_classes(at.node, bits, v->walk.classes);
        } else if (bits) {
            find(at.node, bits, &v->found);
            left = nodes_left(&v->found, left);
        }
        more = at.level > 0 && bits ? descend(tree, bits, far, &v->walk, &at) : next_place(tree, &v->walk, most, &at);
    }
    abut_lanes_done();
}

/* --- touching a box --- */

static ABUT_INLINE uint32_t touches(const abut_bp_node *node, const abut_eight min[3], const abut_eight max[3]) {
    uint32_t bits = 0xff;
    for (int axis = 0; axis < 3; axis++) {
        bits &= abut_eight_le(abut_eight_load(node->min[axis]), max[axis]) &
                abut_eight_le(min[axis], abut_eight_load(node->max[axis]));
    }
    return bits;
}

static uint32_t walk_box(const abut_bp_tree *tree, const abut_bp_box *box, const abut_slant *slant, abut_bp_walk *walk,
                         uint32_t *key, uint32_t room) {
    abut_eight min[3], max[3];
    for (int axis = 0; axis < 3; axis++) { /* finite, so that empty boxes are not touched */
        min[axis] = abut_eight_set(box->min[axis] > -FLT_MAX ? box->min[axis] : -FLT_MAX);
        max[axis] = abut_eight_set(box->max[axis] < FLT_MAX ? box->max[axis] : FLT_MAX);
    }
    uint32_t n = 0;
    while (walk->count > 0 && room - n >= 8) {
        uint64_t top = walk->node[--walk->count];
        uint32_t level = level_of(top), index = index_of(top);
        const abut_bp_node *at = &tree->node[tree->level[level] + index];
        uint32_t bits = touches(at, min, max);
        if (slant && bits) {
            bits &= abut_slant_crosses(at->min, at->max, box->min, box->max, slant);
        }
        if (level == 0) {
            n += write_keys(at, bits, key + n);
            continue;
        }
        for (bits = of_classes(at, bits, walk->classes); bits; bits &= bits - 1) {
            uint64_t child = abut_bp_walk_node(0, level - 1, index * 8 + ABUT_LOWEST_BIT(bits));
            prefetch(&tree->node[tree->level[level - 1] + index_of(child)]);
            walk->node[walk->count++] = child;
        }
    }
    abut_lanes_done();
    return n;
}

const abut_bp_tree_kernels ABUT_KERNEL(abut_bp_tree_kernels) = {fly, look, walk_box};
