/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "world/query/blocks.h"

typedef struct batch {
    abut_w_answer *answer;
    const void *call;
    size_t n, size;
    abut_atomic_u32 wrong, too_far; /* whether a block has returned ABUT_ERROR_ARGUMENT, ABUT_ERROR_LIMIT */
} batch;

static void answer_block(void *context, uint32_t block, uint32_t worker) {
    batch *b = context;
    (void)worker;
    size_t first = block * b->size;
    abut_result result = b->answer(b->call, first, b->n - first < b->size ? b->n : first + b->size);
    if (result) {
        abut_atomic_store(result == ABUT_ERROR_ARGUMENT ? &b->wrong : &b->too_far, 1);
    }
}

abut_result abut_w_in_blocks(const abut_world *world, size_t n, size_t size, abut_w_answer *answer, const void *call) {
    if (!abut_w_has_blocks(world, n, size)) {
        return answer(call, 0, n);
    }
    batch b = {.answer = answer, .call = call, .n = n, .size = size};
    abut_workers_loop(abut_w_workers(world), abut_workers_blocks(n, size), answer_block, &b);
    return abut_atomic_load(&b.wrong) ? ABUT_ERROR_ARGUMENT : abut_atomic_load(&b.too_far) ? ABUT_ERROR_LIMIT : ABUT_OK;
}
