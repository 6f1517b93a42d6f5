/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes dealt out to the columns of a grid. */
#ifndef ABUT_BROADPHASE_COLUMNS_H
#define ABUT_BROADPHASE_COLUMNS_H

#include "broadphase/kernels.h"

/* Deals out n keys: then bp->order[first + start[c] ..] has the copies of column c, unsorted, each with the place of
 * its lower end along the sweep axis in the order of floats. Returns how many copies there are; if that is more than
 * `room`, nothing was dealt out. */
uint64_t abut_bp_deal(abut_bp *bp, const uint32_t *key, uint32_t n, uint32_t first, uint32_t room, uint32_t *start);

/* Sorts the n rows of a column, which begin at bp->order[from], and gathers its boxes at places from `at` on. */
void abut_bp_sort_column(abut_bp *bp, uint32_t from, uint32_t n, uint32_t at);

/* The same for n > 0, with static keys behind the others; returns how many others there are. */
uint32_t abut_bp_sort_column_apart(abut_bp *bp, uint32_t from, uint32_t n, uint32_t at);

/* What a column owns. */
abut_bp_column abut_bp_column_of(const abut_bp *bp, uint32_t c);

/* Finds the pairs within a span of a column, `whole`: all that was gathered. It is split where it is crowded. Boxes may
 * change places. */
void abut_bp_sweep_column(abut_bp *bp, const abut_bp_column *column, abut_bp_span span, bool whole, abut_bp_sink *sink);

#endif
