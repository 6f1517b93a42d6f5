/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A broad phase with memory of its own, and what brute force says of it. */
#ifndef ABUT_TESTS_BROADPHASE_FIXTURE_H
#define ABUT_TESTS_BROADPHASE_FIXTURE_H

#include "broadphase/broadphase.h"
#include "support/test.h"

typedef struct fixture {
    abut_bp bp;
    uint32_t capacity; /* of keys */
    uint8_t *moved;    /* by key */
    uint8_t *kind;     /* by key: what was said of it last, ABUT_BP_ABSENT or _ACTIVE, and _STATIC */
    void *memory[64];
    int memory_count;
} fixture;

/* Every array is just as large as its contract says. `pool`: pairs. */
void set_up(fixture *f, uint32_t keys, size_t pool);
/* The same with room for so many copies, at least as many as keys, and 8. */
void set_up_narrow(fixture *f, uint32_t keys, uint32_t copies, size_t pool);
void tear_down(fixture *f);

/* A new key, or one that moves: its box is written afterwards. */
void stir(fixture *f, uint32_t key, bool is_static);
void take_out(fixture *f, uint32_t key);

/* Both are there, share a point and are not both static. */
bool touch(const fixture *f, uint32_t a, uint32_t b);

/* A find, of which both lists of rows are what brute force finds, in the same order; returns how many rows. And another
 * with room for just those rows: the same again. */
size_t find(fixture *f);
/* What did not move may settle. */
void end_of_step(fixture *f);

#endif
