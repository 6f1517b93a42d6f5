/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Something that is made when it is first asked for, by whichever thread asks first; the others wait for it.
 *
 *     if (abut_once_begin(&once)) {
 *         ...make it...
 *         abut_once_end(&once);
 *     }
 *     ...it is there...
 *
 * A spin lock and the flag that it guards, in one number. Making takes microseconds, so nobody sleeps. Zero: not made
 * yet. */
#ifndef ABUT_BASE_ONCE_H
#define ABUT_BASE_ONCE_H

#include "base/compiler.h"
#include <stdbool.h>

typedef struct abut_once {
    abut_atomic_u32 state;
} abut_once;

enum { ABUT_ONCE_NOT_MADE, ABUT_ONCE_BEING_MADE, ABUT_ONCE_MADE };

/* True: the caller must make it and call abut_once_end. False: it is made, and what its maker wrote can be read. */
static inline bool abut_once_begin(abut_once *once) {
    if (abut_atomic_load(&once->state) == ABUT_ONCE_MADE) {
        return false;
    }
    if (abut_atomic_replace(&once->state, ABUT_ONCE_NOT_MADE, ABUT_ONCE_BEING_MADE)) {
        return true;
    }
    while (abut_atomic_load(&once->state) != ABUT_ONCE_MADE) {
    }
    return false;
}

/* The same without waiting: false also where somebody else is making it. */
static inline bool abut_once_try(abut_once *once) {
    return abut_atomic_replace(&once->state, ABUT_ONCE_NOT_MADE, ABUT_ONCE_BEING_MADE);
}

static inline void abut_once_end(abut_once *once) {
    abut_atomic_store(&once->state, ABUT_ONCE_MADE);
}

/* Whether it is made; it may be a moment later. */
static inline bool abut_once_is_made(const abut_once *once) {
    return abut_atomic_load(&once->state) == ABUT_ONCE_MADE;
}

/* What was made is out of date. Only while nobody else uses it. */
static inline void abut_once_reset(abut_once *once) {
    abut_atomic_store(&once->state, ABUT_ONCE_NOT_MADE);
}

/* For what only one thread at a time may do, and does in microseconds. Zero: free. */
typedef struct abut_lock {
    abut_atomic_u32 taken;
} abut_lock;

static inline void abut_lock_take(abut_lock *lock) {
    while (!abut_atomic_replace(&lock->taken, 0, 1)) {
    }
}

static inline void abut_lock_release(abut_lock *lock) {
    abut_atomic_store(&lock->taken, 0);
}

#endif
