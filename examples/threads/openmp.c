/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Loops of a world on OpenMP. */
#include "drifting.h"
#include <omp.h>

static void run(void (*task)(void *data, uint32_t index), void *data, uint32_t count, void *user) {
    (void)user;
#pragma omp parallel for schedule(static, 1) num_threads((int)count)
    for (uint32_t index = 0; index < count; index++) {
        task(data, index);
    }
}

int main(void) {
    int threads = omp_get_max_threads();
    uint32_t workers = threads < 1 ? 1 : threads > ABUT_WORKERS_MAX ? ABUT_WORKERS_MAX : (uint32_t)threads;
    return drifting_compare((abut_parallel){.run = run, .workers = workers}) ? 0 : 1;
}
