/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The inner loops of the broad phase. Each function is compiled once per instruction set; all versions return the same
 * bits. */
#ifndef ABUT_BROADPHASE_KERNELS_H
#define ABUT_BROADPHASE_KERNELS_H

#include "base/isa.h"
#include "broadphase/broadphase.h"

/* Where pairs are written. Pairs beyond the capacity are only counted. */
typedef struct abut_bp_sink {
    abut_bp_pair *pair;
    size_t count, capacity; /* up to ABUT_BP_SLACK pairs beyond the capacity may be overwritten */
    uint64_t tests;         /* pairs of boxes compared */
} abut_bp_sink;

/* Which two keys make a pair: abut_bp::role and ::apart. */
typedef struct abut_bp_who {
    const uint8_t *role;
    const uint32_t *apart;
} abut_bp_who;

static inline bool abut_bp_may_pair(const abut_bp_who *who, uint32_t a, uint32_t b) {
    uint32_t role = who->role[a], other = who->role[b];
    return !(role & other & ABUT_BP_STATIC) && !(who->apart[role / ABUT_BP_CLASS] >> other / ABUT_BP_CLASS & 1);
}

/* A column. */
typedef struct abut_bp_column {
    const abut_bp_copies *copies;
    float low[2]; /* its lower corner: it owns a pair if the lower corner of the pair's intersection is not below
                     this */
    abut_bp_who who;
    bool ask; /* whether two keys make a pair; else all do. `sweep` never asks, cross_resting always */
} abut_bp_column;

typedef struct abut_bp_kernels {
    /* The cells that box[key[k]] lies in, k < n: the first and last one along the first axis of the grid in cell[0][k]
     * and cell[1][k], those along the second axis in cell[2][k] and cell[3][k]. May write ABUT_BP_SLACK / 4 more of
     * each. */
    void (*cells)(const abut_bp_box *box, const uint32_t *key, uint32_t n, const abut_bp_grid *grid,
                  uint8_t *const cell[4]);
    /* Copy first + k becomes the box of key order[k].value, k < n; n > 0. May write ABUT_BP_SLACK more copies; the
     * first of them begins after every box. */
    void (*gather)(const abut_bp_box *box, const abut_radix_item *order, uint32_t n, int axis, uint32_t first,
                   const abut_bp_copies *copies);
    /* Finds the pairs within a span that is all that was just gathered. This and the next three functions may read
     * ABUT_BP_SLACK copies and superblocks beyond what they are given. */
    void (*sweep)(const abut_bp_column *column, abut_bp_span span, abut_bp_sink *sink);
    /* The same for a span that is a part of what was gathered. */
    void (*sweep_part)(const abut_bp_column *column, abut_bp_span span, abut_bp_sink *sink);
    /* Finds the pairs of a box in span a and a box in span b. */
    void (*cross)(const abut_bp_column *column, abut_bp_span a, abut_bp_span b, abut_bp_sink *sink);
    /* Finds the pairs of an active box and a box whose key still rests. Tests each
     * active box against the superblocks of resting boxes, which pays if there are many more resting boxes than active
     * ones. */
    void (*cross_resting)(const abut_bp_column *column, abut_bp_span active, abut_bp_span resting,
                          const abut_bp_superblocks *superblocks, abut_bp_sink *sink);
    /* Superblock k encloses copies ABUT_BP_SUPERBLOCK * k .. ABUT_BP_SUPERBLOCK * k + 63, k < n; n > 0. May write
     * ABUT_BP_SLACK / 4 more. */
    void (*enclose)(const abut_bp_copies *copies, uint32_t n, const abut_bp_superblocks *superblocks);
} abut_bp_kernels;

ABUT_KERNEL_TABLES(abut_bp_kernels)

const abut_bp_kernels *abut_bp_kernels_active(void);

#endif
