/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Data that is made when a thread first asks for it; threads that ask meanwhile wait until it is made.
 *
 *     if (abut_once_begin(&once)) {
 *         ...make it...
 *         abut_once_end(&once);
 *     }
 *     ...read it...
 *
 * One number is both the lock and the flag that says that the data is made. Zero-initialised: not made. Making takes
 * microseconds for most data and milliseconds for the search index of a large world, so a waiting thread pauses at
 * first and then yields (abut_wait). */
#ifndef ABUT_BASE_ONCE_H
#define ABUT_BASE_ONCE_H

#include "base/compiler.h"
#include "base/workers/wait.h"
#include <stdbool.h>

typedef struct abut_once {
    abut_atomic_u32 state;
} abut_once;

enum { ABUT_ONCE_NOT_MADE, ABUT_ONCE_BEING_MADE, ABUT_ONCE_MADE };

/* True: the caller must make the data and call abut_once_end. False: it is made, and the caller sees all that its maker
 * wrote. */
static inline bool abut_once_begin(abut_once *once) {
    if (abut_atomic_load(&once->state) == ABUT_ONCE_MADE) {
        return false;
    }
    if (abut_atomic_replace(&once->state, ABUT_ONCE_NOT_MADE, ABUT_ONCE_BEING_MADE)) {
        return true;
    }
    for (uint32_t turns = 0; abut_atomic_load(&once->state) != ABUT_ONCE_MADE;) {
        abut_wait(&turns);
    }
    return false;
}

static inline void abut_once_end(abut_once *once) {
    abut_atomic_store(&once->state, ABUT_ONCE_MADE);
}

/* Whether the data is made; a false answer may be out of date at once. */
static inline bool abut_once_is_made(const abut_once *once) {
    return abut_atomic_load(&once->state) == ABUT_ONCE_MADE;
}

/* Marks the data as out of date: the next thread that asks makes it again. Call it only while no other thread uses the
 * data. */
static inline void abut_once_reset(abut_once *once) {
    abut_atomic_store(&once->state, ABUT_ONCE_NOT_MADE);
}

/* A lock for short work that one thread at a time may do. Zero-initialised: free. */
typedef struct abut_lock {
    abut_atomic_u32 taken;
} abut_lock;

static inline void abut_lock_take(abut_lock *lock) {
    for (uint32_t turns = 0; !abut_atomic_replace(&lock->taken, 0, 1);) {
        abut_wait(&turns);
    }
}

static inline void abut_lock_release(abut_lock *lock) {
    abut_atomic_store(&lock->taken, 0);
}

#endif
