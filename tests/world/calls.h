/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A random life of a world through its public calls. Lives with the same stream make the same calls as long as their
 * worlds give the same answers; all answers go into one number. Work counts, times and memory figures are left out. */
#ifndef ABUT_TESTS_WORLD_CALLS_H
#define ABUT_TESTS_WORLD_CALLS_H

#include "world/world_test.h"
#include <abut/snapshot.h>

enum { CALLS_BODIES = 1200, CALLS_SHAPES = 3 };

typedef struct calls_shapes {
    abut_hull *hull[CALLS_SHAPES];
    abut_mesh *mesh[CALLS_SHAPES];
    float scale; /* of all lengths; a power of two */
} calls_shapes;

void calls_make_shapes(calls_shapes *shapes, float scale);
void calls_free_shapes(calls_shapes *shapes);
/* Finds them by digest; `user` of the finder is the shapes. */
abut_shape_finder calls_finder(calls_shapes *shapes);

typedef struct calls {
    abut_world *world;
    const calls_shapes *shapes;
    rng r;
    uint32_t n, most; /* bodies now, and at most */
    double extent;    /* of the cube in which they are */
    uint64_t log;     /* of all answers */
    abut_body_id id[CALLS_BODIES];
} calls;

void calls_mix(calls *c, const void *bytes, size_t size);
void calls_change(calls *c); /* a random call that changes the world, or is refused */
void calls_create(calls *c, uint32_t n);
void calls_step(calls *c); /* a step, and all that can be read of it */
void calls_ask(calls *c);  /* every question */

#endif
