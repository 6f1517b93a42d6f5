/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The memory that a world reserves, counted by its allocator. */
#ifndef ABUT_BENCH_MEMORY_H
#define ABUT_BENCH_MEMORY_H

#include <stddef.h>

typedef struct memory_result {
    const char *what;
    size_t bodies, candidates, contacts; /* of the last step */
    size_t reserved, peak;               /* bytes: after the last step, and the most ever at once */
    double per_body;                     /* bytes reserved by a world of as many bodies that are far apart */
    double per_contact;                  /* what this world reserves beyond that, per contact; 0: it has none */
} memory_result;

enum { MEMORY_RESULTS_MAX = 8 };

/* Fills in the rows and returns how many. */
size_t bench_memory(memory_result rows[MEMORY_RESULTS_MAX], size_t bodies);

#endif
