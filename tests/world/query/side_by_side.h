/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The same world several times, with different numbers of workers, and hostile ways to run tasks: in any order, one
 * after another, and on threads of their own. */
#ifndef ABUT_TESTS_SIDE_BY_SIDE_H
#define ABUT_TESTS_SIDE_BY_SIDE_H

#include "scenes.h"
#include "world/world_test.h"

typedef enum side_order { SIDE_ASCENDING, SIDE_REVERSE, SIDE_SHUFFLED, SIDE_THREADS, SIDE_ORDERS } side_order;

/* What runs tasks. */
typedef struct side_runner {
    side_order order; /* where there are no threads, SIDE_THREADS is like SIDE_SHUFFLED */
    rng r;
    size_t loops; /* so far */
} side_runner;

enum { SIDE_WORLDS = 5 };

/* world[0] has no workers. */
typedef struct side_worlds {
    scene scene;
    side_runner runner;
    abut_world *world[SIDE_WORLDS];
    abut_body_id *ids; /* of the bodies of each */
} side_worlds;

/* Worlds with the bodies of a scene, some of them in compounds, filtered, or destroyed. */
void side_begin(side_worlds *s, scene_kind kind, size_t n, uint64_t stream);
void side_end(side_worlds *s);

/* How many workers a world has. */
uint32_t side_workers(int world);

abut_parallel side_parallel(side_runner *runner, uint32_t workers);

#endif
