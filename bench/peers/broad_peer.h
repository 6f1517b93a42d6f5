/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Broad phases of other libraries: they get the same closed float boxes as abut, and no shapes. */
#ifndef ABUT_BENCH_BROAD_PEER_H
#define ABUT_BENCH_BROAD_PEER_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The boxes as of now; the caller changes them in place between runs. */
typedef struct box_frame {
    size_t count, mover_count; /* boxes 0 .. mover_count - 1 are new in every frame, the others never */
    bool rest_pairs;           /* pairs of two boxes that never move count as well */
    bool teleport;             /* new boxes are nowhere near the old ones */
    size_t debris;             /* this many boxes, the last ones, ignore each other */
    const abut_aabb *boxes;
} box_frame;

typedef struct broad_peer {
    const char *name;
    size_t count_max;                        /* with more boxes it takes unreasonably long */
    bool filters;                            /* it can be told that boxes ignore each other */
    void *(*create)(const box_frame *frame); /* the frame must stay at its address */
    size_t (*run)(void *state);              /* passes the movers' boxes; returns the number of current pairs */
    void (*destroy)(void *state);
} broad_peer;

extern const broad_peer broad_peer_bullet, broad_peer_cgal, broad_peer_fcl, broad_peer_ode;

/* Those that this was built with, NULL at the end. */
extern const broad_peer *const broad_peers[];

#ifdef __cplusplus
}
#endif
#endif
