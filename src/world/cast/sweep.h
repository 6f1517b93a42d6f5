/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A sweep of bodies on its way through one call:
 *
 *     sweeps.c          checks the call, makes room, writes the answers
 *     sweep_list.c      lists the bodies that move, and what holds them on their way
 *     sweep_search.c    looks for those who stand still near the way of a body
 *     sweep_meet.c      finds whom they meet: first those who stand still, then each other */
#ifndef ABUT_WORLD_CAST_SWEEP_H
#define ABUT_WORLD_CAST_SWEEP_H

#include "narrowphase/narrowphase.h"
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

/* A line in float: half extents hold what rounding makes of middle and way, and what is rounded where two such boxes
 * are compared. */
void abut_w_sweep_round(const abut_np_line *line, abut_bp_mover *bounds);

/* --- sweep_search.c --- */

/* A piece of a way, and what holds the body in it. */
typedef struct abut_w_sweep_piece {
    double begin, end;
    abut_np_piece shape;
    abut_bp_mover bounds;
} abut_w_sweep_piece;

/* The longest are an eighth of the way; the first is shorter by at most so many powers of two. */
enum { ABUT_W_SWEEP_DOUBLINGS = 7, ABUT_W_SWEEP_PIECES = ABUT_W_SWEEP_DOUBLINGS + 8 };

/* A search for the bodies near a way, in pieces. */
typedef struct abut_w_sweep_search {
    const abut_world *world;
    const abut_np_way *way;
    abut_bp_flight flight;
    uint32_t count; /* pieces so far */
    abut_w_sweep_piece piece[ABUT_W_SWEEP_PIECES];
    abut_w_sweep_piece left; /* the last one, or what is left of it before the limit */
} abut_w_sweep_search;

/* Whether the turn of a way moves points farther than a body's share of the extents of eight neighbours: else pieces
 * are not worth a thought. */
static inline bool abut_w_sweep_turns_far(const abut_world *world, const abut_np_way *way) {
    return way->turn.angle * way->reach * world->bp.tree.ordered > world->bp.tree.spread;
}

/* `bounds` hold the body all the way; bits of `classes`: whom to look for. The world's tree is up to date. False: the
 * way is not worth pieces. */
bool abut_w_sweep_search_begin(const abut_world *world, const abut_np_way *way, const abut_bp_mover *bounds,
                               uint32_t classes, abut_w_sweep_search *search);
/* Goes on until it finds bodies, search->flight.found, roughly the first to be met first; returns how many. None: no
 * other can be met at `limit`, a time, which never grows, or before. No body is found twice. */
uint32_t abut_w_sweep_search_next(abut_w_sweep_search *search, double limit);

/* --- sweep_meet.c --- */

void abut_w_sweep_meet_still(const abut_w_sweep_call *call);
/* There is room for the boxes of all that move. */
void abut_w_sweep_meet_moving(const abut_w_sweep_call *call);

#endif
