/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#ifndef ABUT_BENCH_RARE_H
#define ABUT_BENCH_RARE_H

#include "arena.h"

/* The nearest to each point of every so many-th body. Frees the points. */
void rare_hold(arena *a, size_t every, query_set points);

#endif
