/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/workers/workers.h"
#include "base/workers/fpmode.h"

typedef struct workers_loop {
    abut_workers_block *body;
    void *context;
    uint32_t blocks;
    abut_atomic_u32 next; /* the first block that nobody has taken */
} workers_loop;

static void loop_task(void *data, uint32_t worker) {
    workers_loop *l = data;
    abut_fpmode found = abut_fpmode_enter();
    for (uint32_t block; (block = abut_atomic_add(&l->next, 1)) < l->blocks;) {
        l->body(l->context, block, worker);
    }
    abut_fpmode_leave(found);
}

void abut_workers_loop(abut_workers *workers, uint32_t blocks, abut_workers_block *body, void *context) {
    uint32_t count = abut_workers_count(workers);
    if (count < 2 || blocks < 2 || !abut_atomic_replace(&workers->taken, 0, 1)) {
        for (uint32_t block = 0; block < blocks; block++) {
            body(context, block, 0);
        }
        return;
    }
    workers_loop l = {.body = body, .context = context, .blocks = blocks};
    workers->parallel.run(loop_task, &l, count < blocks ? count : blocks, workers->parallel.user);
    abut_atomic_store(&workers->taken, 0);
}
