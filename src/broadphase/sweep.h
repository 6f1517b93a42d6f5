/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The sweep of all columns. */
#ifndef ABUT_BROADPHASE_SWEEP_H
#define ABUT_BROADPHASE_SWEEP_H

#include "broadphase/groups.h"
#include "broadphase/kernels.h"

/* Finds the pairs of all active boxes, which were distributed from copy `first` on, in any order. The pairs are
 * complete if they fit the sink; sink->count and sink->tests are right in any case. */
void abut_bp_sweep(abut_bp *bp, uint32_t first, const abut_bp_groups *groups, abut_workers *workers,
                   abut_bp_sink *sink);

#endif
