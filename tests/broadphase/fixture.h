/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A broad phase in arrays of exactly the size that it needs, and its comparison with brute force. */
#ifndef ABUT_TESTS_BROADPHASE_FIXTURE_H
#define ABUT_TESTS_BROADPHASE_FIXTURE_H

#include "broadphase/broadphase.h"
#include "support/test.h"

typedef struct fixture {
    abut_bp bp;
    uint32_t capacity; /* of keys */
    uint8_t *moved;    /* by key */
    uint8_t *kind;     /* by key, as set last: ABUT_BP_ABSENT or ABUT_BP_ACTIVE, and ABUT_BP_STATIC */
    void *memory[64];
    int memory_count;
} fixture;

/* `pool`: elements for pairs. */
void set_up(fixture *f, uint32_t keys, size_t pool);
/* The same with room for `copies` copies: at least as many as keys, and at least 8. */
void set_up_narrow(fixture *f, uint32_t keys, uint32_t copies, size_t pool);
void tear_down(fixture *f);

/* A new key, or one that moves. Its box is written afterwards. */
void activate(fixture *f, uint32_t key, bool is_static);
void take_out(fixture *f, uint32_t key);

/* Both keys are present, their boxes share a point, not both are static, and their classes are not apart. */
bool touch(const fixture *f, uint32_t a, uint32_t b);

/* Finds pairs twice, the second time with room for just those pairs. Both lists must be those of brute force, in the
 * same order. Returns how many pairs there are. */
size_t find(fixture *f);
/* Keys that did not move may be put to rest. */
void end_of_step(fixture *f);

#endif
