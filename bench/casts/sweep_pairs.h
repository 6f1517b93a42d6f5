/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Contests of single pairs that move and turn. */
#ifndef ABUT_BENCH_SWEEP_PAIRS_H
#define ABUT_BENCH_SWEEP_PAIRS_H

#include "contest.h"

void sweep_pairs_hold(bool quick, contest_list *list);

#endif
