/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The same world several times: without workers, and with different numbers of them and schedules. */
#ifndef ABUT_TESTS_SIDE_BY_SIDE_H
#define ABUT_TESTS_SIDE_BY_SIDE_H

#include "scenes.h"
#include "support/schedules.h"
#include "world/world_test.h"

enum { SIDE_WORLDS = 1 + SCHEDULE_WORKERS };

/* world[0] has no workers; schedule[k] runs those of world[k]: its kind may be changed between calls. */
typedef struct side_worlds {
    scene scene;
    rng r;
    schedule schedule[SIDE_WORLDS];
    abut_world *world[SIDE_WORLDS];
    abut_body_id *ids; /* of the bodies of each: living ones, then dead ones */
    size_t living;
} side_worlds;

/* Worlds with the bodies of a scene; unless `plain`, some of them are filtered, have others attached, or are destroyed.
 */
void side_begin(side_worlds *s, scene_kind kind, size_t n, bool plain, uint64_t stream);
/* Checks that loops ran as they should. */
void side_end(side_worlds *s);

#endif
