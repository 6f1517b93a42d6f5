/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Which indices are taken, and how often each was handed out. The pool owns no memory: its two arrays are columns of
 * the caller's block.
 *
 * The next index is the one freed last, else a new one, so ids are a function of the sequence of calls and never pass
 * the peak count. An index whose generation is used up is retired: an old id never comes back to life. */
#ifndef ABUT_BASE_IDPOOL_H
#define ABUT_BASE_IDPOOL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct abut_idpool {
    uint32_t *generation;         /* by index, < used: of the living id, or of the next one; 0 once retired */
    uint32_t *link;               /* by index, < used: ABUT_IDPOOL_LIVE, or 1 + the next free index (0: the last) */
    uint32_t used;                /* indices ever handed out */
    uint32_t first_free_plus_one; /* 1 + index; 0: none is free */
    uint32_t free_count;
    uint32_t live_count;
} abut_idpool;

#define ABUT_IDPOOL_LIVE UINT32_MAX

/* How many indices the arrays must have for `more` further ids. */
static inline uint64_t abut_idpool_needed(const abut_idpool *pool, uint64_t more) {
    return more > pool->free_count ? pool->used + (more - pool->free_count) : pool->used;
}

/* Takes an index; the arrays must have room. Its id is (index + 1, generation[index]). */
uint32_t abut_idpool_take(abut_idpool *pool);

void abut_idpool_release(abut_idpool *pool, uint32_t index);

static inline bool abut_idpool_is_live(const abut_idpool *pool, uint32_t index) {
    return index < pool->used && pool->link[index] == ABUT_IDPOOL_LIVE;
}

/* Whether (index1, generation) names a living id. */
static inline bool abut_idpool_names(const abut_idpool *pool, uint32_t index1, uint32_t generation) {
    return index1 != 0 && abut_idpool_is_live(pool, index1 - 1) && pool->generation[index1 - 1] == generation;
}

/* The free list holds each free index once and the counts agree. */
bool abut_idpool_validate(const abut_idpool *pool);

#endif
