/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A sweep of bodies on its way through one call:
 *
 *     sweeps.c          checks the call, makes room, writes the answers
 *     sweep_list.c      lists the bodies that move, and what holds them on their way
 *     sweep_meet.c      finds whom they meet: first those who stand still, then each other */
#ifndef ABUT_WORLD_CAST_SWEEP_H
#define ABUT_WORLD_CAST_SWEEP_H

#include "world/query/whom.h"
#include <abut/cast.h>

typedef struct abut_w_sweep_call {
    abut_world *world;
    const abut_body_id *ids;  /* each k is the root of element k */
    const abut_pose *targets; /* as given */
    size_t n;
    abut_hit *hits;     /* while the call runs, `index1` of body and mover is a slot plus one, 0: none */
    abut_w_whom whom;   /* whom the call is put to */
    uint32_t moving;    /* bodies that move: world->sweep.moving */
    uint32_t compounds; /* roots that move */
    abut_result result; /* of elements */
} abut_w_sweep_call;

/* --- sweep_list.c --- */

/* The most bodies that a call moves: all roots and what is attached to them. */
uint64_t abut_w_sweep_count(const abut_w_sweep_call *call);

/* Lists and marks all bodies that move, and prepares the answers; there is room. */
void abut_w_sweep_list(abut_w_sweep_call *call);

/* The way of a body that moves. */
void abut_w_sweep_way(const abut_w_sweep_call *call, const abut_w_moving *moving, abut_np_way *way);

/* --- sweep_meet.c --- */

void abut_w_sweep_meet_still(const abut_w_sweep_call *call);
/* There is room for the boxes of all that move. */
void abut_w_sweep_meet_moving(const abut_w_sweep_call *call);

#endif
