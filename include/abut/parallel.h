/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Loops side by side: on threads of yours, or on a ready-made pool.
 *
 * A world that was given an abut_parallel uses it in abut_world_step, abut_bodies_set_poses, abut_bodies_create,
 * abut_world_refresh, abut_world_cull, placements, abut_world_sweep and all batches of queries. **Every answer has the
 * same bits with any number of workers**, whatever the order in which tasks run. Tasks never wait for each other, so
 * any schedule finishes, also one after another; they hold no lock while they call back, use no thread-local storage,
 * never call the allocator, and set the floating-point mode that they need themselves, and restore it. */
#ifndef ABUT_PARALLEL_H
#define ABUT_PARALLEL_H

#include <abut/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most workers. */
#define ABUT_WORKERS_MAX 256

/** How to run a loop side by side. Zero: on the calling thread. */
typedef struct abut_parallel {
    /** Calls task(data, 0), task(data, 1) ... task(data, count - 1), each once, in any order, on any threads, and
     * returns, on any thread, when all have returned; what they wrote must be visible then. `count` is 1 to `workers`.
     * One world has one loop at a time; worlds that share `run` and are used on several threads may call it at once. It
     * goes uncalled where it would not pay. */
    void (*run)(void (*task)(void *data, uint32_t index), void *data, uint32_t count, void *user);
    uint32_t workers; /**< 1 to ABUT_WORKERS_MAX: at most so many tasks at a time, all calls on a world together; memory
                         is reserved for so many. A call that finds all of them taken runs on its caller */
    void *user;       /**< yours; passed to `run` */
} abut_parallel;

/** A ready-made pool of threads. No other part of the library makes threads. */
typedef struct abut_pool abut_pool;

/** Makes a pool for loops of up to `workers` tasks at a time, 0 to ABUT_WORKERS_MAX; 0: as many as the system has
 * processors, also where this process may use only some of them. The thread that calls works, too: `workers` - 1
 * threads are made. On error *pool is NULL: ABUT_ERROR_ARGUMENT for a null `pool`; ABUT_ERROR_LIMIT for more than
 * ABUT_WORKERS_MAX, and where the platform has no threads or refuses them, unless one worker is enough;
 * ABUT_ERROR_MEMORY.
 *
 * Its memory comes from malloc. Threads of a pool that has nothing to do wait for some 50 microseconds and then sleep.
 */
ABUT_API abut_result abut_pool_create(uint32_t workers, abut_pool **pool);

/** What runs loops on the pool: for abut_world_def::parallel, or for loops of your own. `workers` of the result tells
 * the number of workers. Any number of worlds and threads may use it at the same time; a loop that is begun inside a
 * task of the pool, or that finds the pool busy, runs on its caller. Zero for a NULL pool. */
ABUT_API abut_parallel abut_pool_parallel(abut_pool *pool);

/** Ends the threads and sets *pool to NULL. Call it after the last world that uses the pool is destroyed, on a thread
 * that does not belong to the pool, while no loop runs. Does nothing if `pool` or *pool is NULL. */
ABUT_API void abut_pool_destroy(abut_pool **pool);

#ifdef __cplusplus
}
#endif
#endif
