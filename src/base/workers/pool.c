/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include <abut/parallel.h>

abut_result abut_pool_create(uint32_t workers, abut_pool **pool) {
    (void)workers;
    if (!pool) {
        return ABUT_ERROR_ARGUMENT;
    }
    *pool = NULL;
    return ABUT_ERROR_LIMIT;
}

abut_parallel abut_pool_parallel(abut_pool *pool) {
    (void)pool;
    return (abut_parallel){0};
}

void abut_pool_destroy(abut_pool **pool) {
    (void)pool;
}
