/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Loops over blocks of work, on the threads that the caller of the library has given (abut_parallel).
 *
 *     static void refresh(void *context, uint32_t block, uint32_t worker) { ... }
 *     abut_workers_loop(&world->workers, blocks, refresh, &context);
 *
 * Which worker takes which block, and when, is left to chance. So that answers do not depend on it:
 * - blocks are cut by the work alone, never by the number of workers;
 * - a block writes to a place of its own, or counts, and a sum over the counts of all blocks gives the places;
 * - what several blocks need to know is made before or after the loop, by the calling thread.
 * Bodies of loops allocate nothing, wait for nothing and leave no trace in memory of their worker.
 *
 * A loop costs some microseconds: blocks should be worth some 10 microseconds, and a loop of few short blocks be left
 * out. */
#ifndef ABUT_BASE_WORKERS_WORKERS_H
#define ABUT_BASE_WORKERS_WORKERS_H

#include "base/compiler.h"
#include <abut/parallel.h>

/* Zero: no workers but the calling thread. */
typedef struct abut_workers {
    abut_parallel parallel;
    abut_atomic_u32 taken; /* a loop is using them */
} abut_workers;

/* Of one block. `worker` is below abut_workers_count and the number of blocks, and different in blocks that run at the
 * same time in this loop: the index of memory that no other block uses meanwhile. Loops of `const` public calls may run
 * on their callers, all of which are worker 0: their memory is the stack. */
typedef void abut_workers_block(void *context, uint32_t block, uint32_t worker);

/* Runs all blocks 0 .. blocks - 1 in any order, and returns when all have ended. Side by side if there are workers that
 * no other loop is using; else one after the other, in ascending order, on the caller as worker 0. Each block runs in
 * the floating-point mode of base/workers/fpmode.h. */
void abut_workers_loop(abut_workers *workers, uint32_t blocks, abut_workers_block *body, void *context);

/* 1 for NULL. */
static inline uint32_t abut_workers_count(const abut_workers *workers) {
    return workers && workers->parallel.run ? workers->parallel.workers : 1;
}

/* How many blocks of `size` hold n; n < 2^32 * size. */
static inline uint32_t abut_workers_blocks(size_t n, size_t size) {
    return (uint32_t)((n + size - 1) / size);
}

#endif
