/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What the broad phase does to many boxes at once. Each function is compiled for every instruction set; all of them
 * return the same bits. */
#ifndef ABUT_BROADPHASE_KERNELS_H
#define ABUT_BROADPHASE_KERNELS_H

#include "broadphase/broadphase.h"

/* Boxes in order of their lower ends along the sweep axis: places first .. end - 1 of the copies. */
typedef struct abut_bp_span {
    uint32_t first, end;
} abut_bp_span;

/* Where pairs go. Beyond the capacity they are only counted. Pairs of two static keys are written but not kept: before
 * they could take room from others, or be counted beyond the capacity, they are taken out. */
typedef struct abut_bp_sink {
    abut_bp_pair *pair;
    size_t count, capacity; /* ABUT_BP_SLACK more may be written */
    uint64_t tests;         /* pairs of boxes compared */
    const uint8_t *role;    /* by key; NULL: no active key is static */
    size_t sifted;          /* so many of the pairs are none of two static keys */
} abut_bp_sink;

/* Takes out the pairs of two static keys. */
static inline void abut_bp_sift(abut_bp_sink *sink) {
    size_t kept = sink->sifted;
    if (sink->count > sink->capacity) { /* those that were only counted were looked at before */
        return;
    }
    for (size_t i = kept; i < sink->count && sink->role; i++) {
        abut_bp_pair pair = sink->pair[i];
        sink->pair[kept] = pair;
        kept += !(sink->role[pair.low] & sink->role[pair.high] & ABUT_BP_STATIC);
    }
    sink->count = sink->sifted = sink->role ? kept : sink->count;
}

/* A column and who is in it. */
typedef struct abut_bp_column {
    const abut_bp_copies *copies;
    float low[2]; /* its lower corner: the column owns the pairs of which the shared lower corner is not below */
} abut_bp_column;

typedef struct abut_bp_kernels {
    /* cell[0..1] [k], cell[2..3] [k]: the first and last cell that box[key[k]] lies in along one and the other axis. */
    void (*cells)(const abut_bp_box *box, const uint32_t *key, uint32_t n, const abut_bp_grid *grid,
                  uint8_t *const cell[4]);
    /* Copies the boxes of keys order[k].value to places first + k. May write ABUT_BP_SLACK places more; those begin
     * later than everything. */
    void (*gather)(const abut_bp_box *box, const abut_radix_row *order, uint32_t n, int axis, uint32_t first,
                   const abut_bp_copies *copies);
    /* Pairs within a span: one that was just gathered, or part of one. */
    void (*whole)(const abut_bp_column *column, abut_bp_span span, abut_bp_sink *sink);
    void (*within)(const abut_bp_column *column, abut_bp_span span, abut_bp_sink *sink);
    /* Pairs of a box of one and a box of the other. */
    void (*between)(const abut_bp_column *column, abut_bp_span a, abut_bp_span b, abut_bp_sink *sink);
    /* The same for few boxes and many, those whose role is settled; with the blocks round them. */
    void (*among)(const abut_bp_column *column, abut_bp_span few, abut_bp_span many, const abut_bp_blocks *superblocks,
                  const uint8_t *role, abut_bp_sink *sink);
    /* The boxes round `size` things each: places first .. of `out` are those round first * size ..., `count` of them.
     * The last may be of fewer: there are n things. */
    void (*enclose)(const float *const min[3], const float *const max[3], uint32_t n, uint32_t size,
                    const abut_bp_blocks *out, uint32_t first, uint32_t count);
} abut_bp_kernels;

extern const abut_bp_kernels abut_bp_kernels_portable;

const abut_bp_kernels *abut_bp_kernels_active(void);

#endif
