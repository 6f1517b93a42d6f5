/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The search tree: what questions, culling and placements walk. Every key has an entry; a node has eight boxes, around
 * eight entries or around eight nodes of the level below. Links are implicit: box j of node i is around entry or node
 * 8 i + j.
 *
 * The order of entries decides how good the tree is, and nothing else. It is made by medians (order.c). When boxes
 * change, only they and the boxes above them do (update.c); the order is made anew when boxes have grown too much. */
#ifndef ABUT_BROADPHASE_TREE_TREE_H
#define ABUT_BROADPHASE_TREE_TREE_H

#include "base/slant.h"
#include "base/workers/workers.h"
#include "broadphase/layout.h"
#include <abut/types.h>

enum {
    ABUT_BP_NODE_BYTES = 256,                        /* of a node */
    ABUT_BP_TREE_BYTES = ABUT_BP_NODE_BYTES * 5 / 4, /* of nodes at all levels, for each eight keys */
    ABUT_BP_TREE_SLACK = 4 * ABUT_BP_LEVELS_MAX      /* elements more: each level has less than one node too many */
};

/* Eight boxes; one that holds nothing has min = infinity and max = -infinity. */
struct abut_bp_node {
    _Alignas(64) float min[3][8];
    float max[3][8];
    union {
        uint32_t key[8];  /* of the lowest level: of the entries */
        float surplus[8]; /* of others: how far what is culled may extend beyond each box */
    };
    union {
        float radius[8];     /* of the lowest level: all that is in a box is also within this distance of its middle */
        uint32_t classes[8]; /* of others: bits of the classes of all keys in each box; some may have gone */
    };
};
_Static_assert(sizeof(abut_bp_node) == ABUT_BP_NODE_BYTES, "a node is four cache lines");

/* What an update asks for: of n keys, their boxes; how far what is culled may extend beyond each; the radius of a
 * sphere about the middle of each that contains all that is in it, which may be INFINITY. The last two may be NULL.
 * Absent keys are not asked for. */
typedef void abut_bp_boxes_of(const void *context, const uint32_t *key, uint32_t n, abut_bp_box *box, float *surplus,
                              float *radius);

/* Brings the tree up to date: the keys that were touched since the last update, or all if it makes the order anew. All
 * keys are below key_end, which never falls, and `live` of them are present. Must come before a walk if keys were
 * touched, or room was reserved, since the last update. O(touched keys log n); some 120 ns per key for a new order.
 * `workers` may be NULL, and must be where other threads may wait for the tree: what runs their loops could be one of
 * them. Else `boxes_of` is called on all of them at the same time. */
void abut_bp_tree_update(abut_bp *bp, uint32_t key_end, uint32_t live, abut_bp_boxes_of *boxes_of, const void *context,
                         abut_workers *workers);

/* Marks a key that has come or gone, or whose box or class has changed. */
static inline void abut_bp_tree_touch(abut_bp *bp, uint32_t key) {
    bp->tree.touched[key] = 1;
    bp->tree.touched_64[key / 64] = 1;
}

/* The same where `is_touched`, 0 to 3, is not 0, without a branch. */
static inline void abut_bp_tree_touch_if(abut_bp *bp, uint32_t key, uint8_t is_touched) {
    bp->tree.touched[key] |= is_touched;
    bp->tree.touched_64[key / 64] |= is_touched;
}

/* --- walks --- */

/* A walk, and how far it has come: nodes still to be opened, the nearest last. */
enum { ABUT_BP_WALK_NODES = 8 * ABUT_BP_LEVELS_MAX };
typedef struct abut_bp_walk {
    uint64_t node[ABUT_BP_WALK_NODES]; /* the bits of how far it is, a float >= 0; its level; its index */
    uint32_t count;
    uint32_t classes; /* bits: keys of other classes need not be found */
} abut_bp_walk;

/* Begins at the top of the tree; all classes are looked for. */
void abut_bp_walk_begin(const abut_bp_tree *tree, abut_bp_walk *walk);

/* A ray, or the middle of a box that moves, for boxes: a point of it is origin + t translation / scale. */
typedef struct abut_bp_ray {
    float near_origin[3], far_origin[3], near_inverse[3], far_inverse[3];
    uint32_t near_side[3];    /* where it enters boxes: 0 at their min, 24 at their max, as floats of a node */
    float origin[3], unit[3]; /* its direction; zero if it stands still */
    float radius;             /* all that moves is within this distance of it */
    double scale;             /* a power of two: t at the end of the ray */
} abut_bp_ray;

/* What a search has just found. */
enum { ABUT_BP_FOUND_MAX = 16 };
typedef struct abut_bp_found {
    uint32_t n, key[ABUT_BP_FOUND_MAX];
    const void *fetch; /* what the caller will read of a key: an array by key, which is fetched beforehand */
    size_t fetch_stride;
} abut_bp_found;

/* A ray, or a box that moves, on its way down the tree. */
typedef struct abut_bp_flight {
    abut_bp_ray ray;
    float limit; /* of t */
    abut_bp_found found;
    abut_bp_walk walk;
} abut_bp_flight;

/* Begins with the closed segment from origin to origin + translation; all finite. Boxes are as if larger by 1e-12 of
 * the distance to the far end of the tree, at least. */
void abut_bp_flight_begin(const abut_bp_tree *tree, abut_vec3 origin, abut_vec3 translation, abut_bp_flight *flight);

/* A box that moves without turning. */
typedef struct abut_bp_mover {
    abut_vec3 origin, translation; /* of its middle */
    float half[3];
    float radius; /* all that moves is also within this distance of its middle; may be INFINITY */
} abut_bp_mover;

/* Begins with what a box sweeps over. Boxes are as if larger by 7e-9 of the distance to the far end of the tree and of
 * the box's own half extents, at least. */
void abut_bp_flight_begin_box(const abut_bp_tree *tree, const abut_bp_mover *mover, abut_bp_flight *flight);

/* Boxes that the ray enters after this fraction of it do not matter any more. */
void abut_bp_flight_shorten(abut_bp_flight *flight, double fraction);

/* Goes on until it finds the keys of boxes that it enters within its limit, some at a time and roughly the nearest
 * first. None: it has come to its end. Keys of boxes that it just misses may be among them. */
void abut_bp_fly(const abut_bp_tree *tree, abut_bp_flight *flight);

/* A search for what is near a box. */
typedef struct abut_bp_vicinity {
    abut_bp_box box;
    float limit; /* of the distance, squared */
    abut_bp_found found;
    abut_bp_walk walk;
} abut_bp_vicinity;

void abut_bp_vicinity_begin(const abut_bp_tree *tree, const abut_bp_box *box, abut_bp_vicinity *vicinity);

/* Boxes farther than this (>= 0, may be INFINITY) do not matter any more. */
void abut_bp_vicinity_limit(abut_bp_vicinity *vicinity, double distance);

/* Goes on until it finds the keys of boxes within its limit, some at a time and roughly the nearest first. None: it has
 * come to its end. Keys of boxes slightly farther may be among them. */
void abut_bp_look(const abut_bp_tree *tree, abut_bp_vicinity *vicinity);

/* Whether a box is longer than `times` the boxes around eight entries, on average. */
static inline bool abut_bp_tree_is_long(const abut_bp_tree *tree, const abut_bp_box *box, float times) {
    float x = box->max[0] - box->min[0], y = box->max[1] - box->min[1], z = box->max[2] - box->min[2];
    return (double)(x + y + z) * tree->ordered > (double)(8 * times) * tree->spread;
}

/* Writes the keys of boxes that touch a closed box, in no order, up to `room` >= 8 keys at a time. Returns how many; 0
 * ends the walk. Ends may be infinite. With a slant, whose centre is in the box, it need not find boxes of which no
 * point in the box is within all reaches. */
uint32_t abut_bp_walk_box(const abut_bp_tree *tree, const abut_bp_box *box, const abut_slant *slant, abut_bp_walk *walk,
                          uint32_t *key, uint32_t room);

/* The boxes of a level > 0, eight by eight: the eight min of x, of y, of z, then the max, then the surplus, then eight
 * more. */
static inline const float *abut_bp_tree_eights(const abut_bp_tree *tree, uint32_t level) {
    return &tree->node[tree->level[level]].min[0][0];
}

#endif
