/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The data of a pool.
 *
 * One loop runs at a time. The caller opens it and takes tasks from the shared counter like every thread. Whoever finds
 * none left closes it and leaves; the caller waits until all have left it. `state` holds whether a loop is open and how
 * many threads are in it, in one number, so that no thread can enter a loop that is closed. */
#ifndef ABUT_BASE_WORKERS_POOL_H
#define ABUT_BASE_WORKERS_POOL_H

#include "base/compiler.h"
#include "base/workers/thread.h"
#include <abut/parallel.h>

enum { ABUT_POOL_OPEN = 1 << 16 };

struct abut_pool {
    abut_allocator allocator;
    uint32_t workers;
#if ABUT_HAS_THREADS
    uint32_t threads;      /* that were made */
    abut_atomic_u32 busy;  /* a loop runs, or is being opened or closed */
    abut_atomic_u32 state; /* ABUT_POOL_OPEN or 0, plus the threads in the loop */

    /* Of the open loop. */
    void (*task)(void *data, uint32_t index);
    void *data;
    uint32_t count;
    abut_atomic_u32 next; /* the first task that nobody has taken */

    abut_mutex mutex; /* for sleeping only */
    abut_condition woken;
    uint32_t sleeping;
    abut_atomic_u32 ended; /* the threads shall return */
    abut_thread thread[ABUT_WORKERS_MAX];
#endif
};

#endif
