/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes distributed to the columns of a grid. */
#ifndef ABUT_BROADPHASE_COLUMNS_H
#define ABUT_BROADPHASE_COLUMNS_H

#include "broadphase/groups.h"
#include "broadphase/kernels.h"

/* The most columns for which there is room in resting_start and active_start. */
uint32_t abut_bp_columns_max(const abut_bp *bp);

/* Distributes the boxes of n keys: bp->order[first + start[c] .. first + start[c + 1] - 1] become the sort items of
 * column c, unsorted. Returns how many items there are; if that is more than `room`, nothing was distributed. */
uint64_t abut_bp_distribute(abut_bp *bp, const uint32_t *key, uint32_t n, uint32_t first, uint32_t room,
                            uint32_t *start);

/* Sorts the n items of a column, which begin at bp->order[from], and gathers their boxes as copies from index `at` on.
 */
void abut_bp_sort_column(abut_bp *bp, uint32_t from, uint32_t n, uint32_t at);

/* The same for n > 0, group after group: group g ends before copy at + end[g]. All keys have a group. */
void abut_bp_sort_column_by_group(abut_bp *bp, uint32_t from, uint32_t n, uint32_t at, const abut_bp_groups *groups,
                                  uint32_t end[ABUT_BP_GROUPS_MOST]);

/* Column c as kernels take it. */
abut_bp_column abut_bp_column_of(const abut_bp *bp, uint32_t c);

#endif
