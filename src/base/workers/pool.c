/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/workers/pool.h"
#include "base/memory.h"
#include "base/workers/wait.h"

static void run_alone(void (*task)(void *data, uint32_t index), void *data, uint32_t count) {
    for (uint32_t index = 0; index < count; index++) {
        task(data, index);
    }
}

static void free_pool(abut_pool *pool) {
    abut_allocator allocator = pool->allocator;
    abut_memory_release(&allocator, pool, sizeof *pool);
}

#if ABUT_HAS_THREADS

/* A thread that has nothing to do looks for a loop this often before it sleeps: some 50 microseconds. Loops of a step
 * follow each other faster. */
enum { LOOKS = 2000 };

static void take_tasks(abut_pool *pool) {
    for (uint32_t index; (index = abut_atomic_add(&pool->next, 1)) < pool->count;) {
        pool->task(pool->data, index);
    }
}

/* Whoever finds no task left closes the loop: until then threads without work would take part in it again and again,
 * and a caller who is not running at the moment might wait for their processor. */
static void close_loop(abut_pool *pool) {
    uint32_t state;
    do {
        state = abut_atomic_load(&pool->state);
    } while (state & ABUT_POOL_OPEN && !abut_atomic_replace(&pool->state, state, state - ABUT_POOL_OPEN));
}

/* Takes part in the open loop, if there is one. */
static bool take_part(abut_pool *pool) {
    uint32_t state = abut_atomic_load(&pool->state);
    if (!(state & ABUT_POOL_OPEN) || !abut_atomic_replace(&pool->state, state, state + 1)) {
        return false;
    }
    take_tasks(pool);
    close_loop(pool);
    (void)abut_atomic_add(&pool->state, UINT32_MAX); /* minus one */
    return true;
}

static void sleep_until_woken(abut_pool *pool) {
    abut_mutex_lock(&pool->mutex);
    pool->sleeping++;
    while (!(abut_atomic_load(&pool->state) & ABUT_POOL_OPEN) && !abut_atomic_load(&pool->ended)) {
        abut_condition_wait(&pool->woken, &pool->mutex);
    }
    pool->sleeping--;
    abut_mutex_unlock(&pool->mutex);
}

static ABUT_THREAD_RETURNS live(void *data) {
    abut_pool *pool = data;
    for (uint32_t looks = 0; !abut_atomic_load(&pool->ended);) {
        if (take_part(pool)) {
            looks = 0;
        } else if (looks < LOOKS) {
            looks++;
            ABUT_PAUSE();
        } else {
            sleep_until_woken(pool);
            looks = 0;
        }
    }
    return 0;
}

static void wake_sleepers(abut_pool *pool) {
    abut_mutex_lock(&pool->mutex);
    bool any = pool->sleeping > 0;
    abut_mutex_unlock(&pool->mutex);
    if (any) {
        abut_condition_wake_all(&pool->woken);
    }
}

static void run_on_pool(void (*task)(void *data, uint32_t index), void *data, uint32_t count, void *user) {
    abut_pool *pool = user;
    if (count < 2 || pool->threads == 0 || !abut_atomic_replace(&pool->busy, 0, 1)) {
        run_alone(task, data, count);
        return;
    }
    pool->task = task;
    pool->data = data;
    pool->count = count;
    abut_atomic_store(&pool->next, 0);
    (void)abut_atomic_add(&pool->state, ABUT_POOL_OPEN);
    wake_sleepers(pool);
    take_tasks(pool);
    close_loop(pool);
    for (uint32_t turns = 0; abut_atomic_load(&pool->state) != 0;) {
        abut_wait(&turns);
    }
    abut_atomic_store(&pool->busy, 0);
}

static abut_result start(abut_pool *pool) {
    if (!abut_mutex_init(&pool->mutex, &pool->woken)) {
        free_pool(pool);
        return ABUT_ERROR_LIMIT;
    }
    while (pool->threads < pool->workers - 1 && abut_thread_start(&pool->thread[pool->threads], live, pool)) {
        pool->threads++;
    }
    if (pool->threads < pool->workers - 1) {
        abut_pool_destroy(&pool);
        return ABUT_ERROR_LIMIT;
    }
    return ABUT_OK;
}

static void stop(abut_pool *pool) {
    abut_mutex_lock(&pool->mutex);
    abut_atomic_store(&pool->ended, 1);
    abut_mutex_unlock(&pool->mutex);
    abut_condition_wake_all(&pool->woken);
    for (uint32_t k = 0; k < pool->threads; k++) {
        abut_thread_join(pool->thread[k]);
    }
    abut_mutex_destroy(&pool->mutex, &pool->woken);
    free_pool(pool);
}

#else

/* Without threads: a pool of one worker, who is the caller. */

static void run_on_pool(void (*task)(void *data, uint32_t index), void *data, uint32_t count, void *user) {
    (void)user;
    run_alone(task, data, count);
}

static uint32_t abut_processors(void) {
    return 1;
}

static abut_result start(abut_pool *pool) {
    bool enough = pool->workers == 1;
    if (!enough) {
        free_pool(pool);
    }
    return enough ? ABUT_OK : ABUT_ERROR_LIMIT;
}

static void stop(abut_pool *pool) {
    free_pool(pool);
}

#endif

abut_result abut_pool_create(uint32_t workers, abut_pool **pool) {
    static const abut_allocator zero;
    if (!pool) {
        return ABUT_ERROR_ARGUMENT;
    }
    *pool = NULL;
    if (workers > ABUT_WORKERS_MAX) {
        return ABUT_ERROR_LIMIT;
    }
    if (workers == 0) {
        uint32_t processors = abut_processors();
        workers = processors < ABUT_WORKERS_MAX ? processors : ABUT_WORKERS_MAX;
    }
    abut_allocator allocator;
    (void)abut_memory_init(&allocator, &zero);
    abut_pool *made = abut_memory_alloc(&allocator, sizeof *made);
    if (!made) {
        return ABUT_ERROR_MEMORY;
    }
    *made = (abut_pool){.allocator = allocator, .workers = workers};
    abut_result result = start(made);
    *pool = result ? NULL : made;
    return result;
}

abut_parallel abut_pool_parallel(abut_pool *pool) {
    return pool ? (abut_parallel){run_on_pool, pool->workers, pool} : (abut_parallel){0};
}

void abut_pool_destroy(abut_pool **pool) {
    if (pool && *pool) {
        stop(*pool);
        *pool = NULL;
    }
}
