/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/idpool.h"

uint32_t abut_idpool_take(abut_idpool *pool) {
    uint32_t index;
    if (pool->first_free_plus_one) {
        index = pool->first_free_plus_one - 1;
        pool->first_free_plus_one = pool->link[index];
        pool->free_count--;
    } else {
        index = pool->used++;
        pool->generation[index] = 1;
    }
    pool->link[index] = ABUT_IDPOOL_LIVE;
    pool->live_count++;
    return index;
}

void abut_idpool_release(abut_idpool *pool, uint32_t index) {
    pool->live_count--;
    pool->generation[index]++;
    if (pool->generation[index] == 0) {
        pool->link[index] = 0;
        return;
    }
    pool->link[index] = pool->first_free_plus_one;
    pool->first_free_plus_one = index + 1;
    pool->free_count++;
}

bool abut_idpool_validate(const abut_idpool *pool) {
    uint32_t live = 0, retired = 0, free = 0;
    for (uint32_t i = 0; i < pool->used; i++) {
        live += pool->link[i] == ABUT_IDPOOL_LIVE;
        retired += pool->generation[i] == 0;
    }
    for (uint32_t next_plus_one = pool->first_free_plus_one; next_plus_one != 0;
         next_plus_one = pool->link[next_plus_one - 1]) {
        if (next_plus_one > pool->used || pool->link[next_plus_one - 1] == ABUT_IDPOOL_LIVE || ++free > pool->used) {
            return false;
        }
    }
    return live == pool->live_count && free == pool->free_count && live + free + retired == pool->used;
}
