/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Batches of questions, cut into blocks that run side by side (base/workers). Each element is answered by itself and
 * into a place of its own, so how a batch is cut changes no answer: without workers, or where it is short, it is one
 * block, and the walks of its elements overlap from its beginning to its end. */
#ifndef ABUT_WORLD_QUERY_BLOCKS_H
#define ABUT_WORLD_QUERY_BLOCKS_H

#include "world/world.h"

/* Answers elements first .. end - 1. Returns ABUT_ERROR_ARGUMENT or ABUT_ERROR_LIMIT if one of them is invalid: the
 * former if any is wrong by more than a limit. */
typedef abut_result abut_w_answer(const void *call, size_t first, size_t end);

/* Answers all n elements in blocks of `size`, and returns what one block of all would return. The tree is prepared. */
abut_result abut_w_in_blocks(const abut_world *world, size_t n, size_t size, abut_w_answer *answer, const void *call);

/* Whether a loop over n elements in blocks of `size` can use workers. */
static inline bool abut_w_has_blocks(const abut_world *world, size_t n, size_t size) {
    return n > size && abut_workers_count(&world->workers) > 1;
}

/* The workers of a const world: loops mark them as taken. */
static inline abut_workers *abut_w_workers(const abut_world *world) {
    return &((abut_world *)world)->workers;
}

#endif
