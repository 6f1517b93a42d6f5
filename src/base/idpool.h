/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A pool of ids: which indices are in use, and how often each has been given out. The pool owns no memory: its two
 * arrays are columns of the caller's block.
 *
 * The next index is the one released last, else a new one. So ids depend only on the sequence of calls, and there are
 * never more indices than the peak count. An index whose generations are used up is retired: an old id never becomes
 * valid again. */
#ifndef ABUT_BASE_IDPOOL_H
#define ABUT_BASE_IDPOOL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct abut_idpool {
    uint32_t *generation;         /* by index < used: that of the live id, or of the next one; 0: retired */
    uint32_t *link;               /* by index < used: ABUT_IDPOOL_LIVE, or the next free index plus one (0: the last) */
    uint32_t used;                /* indices given out so far */
    uint32_t first_free_plus_one; /* 0: none is free */
    uint32_t free_count;
    uint32_t live_count;
} abut_idpool;

#define ABUT_IDPOOL_LIVE UINT32_MAX

/* The capacity that the arrays need for `more` further ids. */
static inline uint64_t abut_idpool_needed(const abut_idpool *pool, uint64_t more) {
    return more > pool->free_count ? pool->used + (more - pool->free_count) : pool->used;
}

/* Takes an index, for which the arrays must have room. Its id is (index + 1, generation[index]). */
uint32_t abut_idpool_take(abut_idpool *pool);

void abut_idpool_release(abut_idpool *pool, uint32_t index);

static inline bool abut_idpool_is_live(const abut_idpool *pool, uint32_t index) {
    return index < pool->used && pool->link[index] == ABUT_IDPOOL_LIVE;
}

/* Whether (index_plus_one, generation) names a live id. */
static inline bool abut_idpool_names(const abut_idpool *pool, uint32_t index_plus_one, uint32_t generation) {
    return index_plus_one != 0 && abut_idpool_is_live(pool, index_plus_one - 1) &&
           pool->generation[index_plus_one - 1] == generation;
}

/* Whether the free list holds each free index once and the counts agree. */
bool abut_idpool_validate(const abut_idpool *pool);

#endif
