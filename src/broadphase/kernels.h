/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What the broad phase does to many boxes at once. Each function is compiled for every instruction set; all of them
 * return the same bits. */
#ifndef ABUT_BROADPHASE_KERNELS_H
#define ABUT_BROADPHASE_KERNELS_H

#include "base/isa.h"
#include "broadphase/broadphase.h"

/* Where pairs go. Beyond the capacity they are only counted. */
typedef struct abut_bp_sink {
    abut_bp_pair *pair;
    size_t count, capacity; /* ABUT_BP_SLACK more may be written */
    uint64_t tests;         /* pairs of boxes compared */
} abut_bp_sink;

/* A column and who is in it. */
typedef struct abut_bp_column {
    const abut_bp_copies *copies;
    float low[2]; /* its lower corner: the column owns the pairs of which the shared lower corner is not below */
} abut_bp_column;

typedef struct abut_bp_kernels {
    /* cell[0..1] [k], cell[2..3] [k]: the first and last cell that box[key[k]] lies in along one and the other axis.
     * May write ABUT_BP_SLACK / 4 more of each. */
    void (*cells)(const abut_bp_box *box, const uint32_t *key, uint32_t n, const abut_bp_grid *grid,
                  uint8_t *const cell[4]);
    /* Copies the boxes of keys order[k].value to places first + k; n > 0. May write ABUT_BP_SLACK places more; those
     * begin later than everything. */
    void (*gather)(const abut_bp_box *box, const abut_radix_item *order, uint32_t n, int axis, uint32_t first,
                   const abut_bp_copies *copies);
    /* Pairs within a span: one that was just gathered, or part of one. These and the next two may read ABUT_BP_SLACK
     * places, and blocks, beyond what they are given. */
    void (*whole)(const abut_bp_column *column, abut_bp_span span, abut_bp_sink *sink);
    void (*within)(const abut_bp_column *column, abut_bp_span span, abut_bp_sink *sink);
    /* Pairs of a box of one and a box of the other. */
    void (*between)(const abut_bp_column *column, abut_bp_span a, abut_bp_span b, abut_bp_sink *sink);
    /* The same for few boxes and many, those whose role is settled, but for pairs of two static ones; with the blocks
     * round the many. */
    void (*among)(const abut_bp_column *column, abut_bp_span few, abut_bp_span many, const abut_bp_blocks *superblocks,
                  const uint8_t *role, abut_bp_sink *sink);
    /* Box k of `out` becomes the one round the boxes ABUT_BP_BLOCK * k .. ABUT_BP_BLOCK * k + 7, for first <= k < first
     * + n; n > 0. May write ABUT_BP_SLACK / 4 more. */
    void (*enclose)(const abut_bp_blocks *boxes, uint32_t first, uint32_t n, const abut_bp_blocks *out);
    /* Box k of `out` becomes the one round the boxes of keys key[8 k .. 8 k + 7], for k < n; n > 0. May read
     * ABUT_BP_SLACK more keys, which are some, and write ABUT_BP_SLACK / 4 more boxes. */
    void (*enclose_keys)(const abut_bp_box *box, const uint32_t *key, uint32_t n, const abut_bp_blocks *out);
    /* Writes the keys, among what is left of the query's span, of which the box touches that of the query, as long as
     * there is ABUT_BP_QUERY_ROOM; returns how many. */
    uint32_t (*meeting)(const abut_bp *bp, abut_bp_query *query, uint32_t *key, uint32_t room);
} abut_bp_kernels;

ABUT_KERNEL_TABLES(abut_bp_kernels)
uint32_t ABUT_KERNEL(abut_bp_meeting)(const abut_bp *bp, abut_bp_query *query, uint32_t *key, uint32_t room);

const abut_bp_kernels *abut_bp_kernels_active(void);

#endif
