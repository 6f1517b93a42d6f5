/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The broad phase: boxes in, sorted candidate rows out. It never sees a shape, a pose, a body or the world.
 *
 * Sweep and prune along one axis, from scratch at every call (Cohen, Lin, Manocha and Ponamgi, "I-COLLIDE", 1995, for
 * the idea; Terdiman's box pruning for doing it without state): no answer can depend on the past. Closed boxes: sharing
 * a point counts. */
#ifndef ABUT_BROADPHASE_BROADPHASE_H
#define ABUT_BROADPHASE_BROADPHASE_H

#include "base/radix.h"

/* Boxes by key, one array per axis and end; min <= max, all finite. */
typedef struct abut_bp_boxes {
    float *min[3], *max[3];
} abut_bp_boxes;

/* Whose boxes take part. Moving ones pair with moving and resting ones; resting ones never pair with each other. The
 * key lists are disjoint. */
typedef struct abut_bp_input {
    abut_bp_boxes boxes;
    const uint32_t *moving, *resting;
    uint32_t moving_count, resting_count;
} abut_bp_input;

/* Room for moving_count + resting_count elements in each array. */
typedef struct abut_bp_scratch {
    abut_radix_row *order, *spare;
    abut_bp_boxes sorted;
} abut_bp_scratch;

/* low < high, both keys. */
typedef struct abut_bp_pair {
    uint32_t low, high;
} abut_bp_pair;

/* Where pairs go: `spare` has the same capacity. */
typedef struct abut_bp_pairs {
    abut_bp_pair *pair, *spare;
    size_t capacity;
} abut_bp_pairs;

/* Finds every pair of touching boxes, each once, and returns how many there are. If that is more than the capacity, the
 * pairs written are of no use: make room and call again. */
size_t abut_bp_sweep(const abut_bp_input *input, abut_bp_scratch *scratch, abut_bp_pairs *out);

/* Sorts pairs by (low, high), in place: the canonical order. `start` has room for key_end + 1 elements, all keys are
 * below key_end. O(count + key_end). */
void abut_bp_sort_pairs(abut_bp_pairs *pairs, size_t count, uint32_t *start, uint32_t key_end);

#endif
