/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Crowded columns are split before they are swept. */
#ifndef ABUT_BROADPHASE_CROWD_H
#define ABUT_BROADPHASE_CROWD_H

#include "broadphase/kernels.h"

/* Finds the pairs within a span of a column, splitting it where it is crowded. `whole`: the span is all that was
 * gathered for the column. May reorder the copies of the span. */
void abut_bp_sweep_column(abut_bp *bp, const abut_bp_column *column, abut_bp_span span, bool whole, abut_bp_sink *sink);

#endif
