/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Collision worlds of other libraries: every body is moved, and every contact read. */
#ifndef ABUT_BENCH_WORLD_PEER_H
#define ABUT_BENCH_WORLD_PEER_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bodies as of now; the caller changes the poses in place between runs. */
typedef struct body_frame {
    size_t count, mover_count; /* bodies 0 .. mover_count - 1 are moved in every frame, the others are static */
    const abut_vec3 *halves;   /* half extents of boxes; with a radius: all zero (a sphere) or z alone (a capsule) */
    const float *radii;        /* 0: a box */
    const abut_pose *poses;
} body_frame;

/* What a run found: pairs with a point, and points. `depth` makes sure that every point is read. */
typedef struct world_count {
    size_t pairs, points;
    double depth;
} world_count;

typedef struct world_peer {
    const char *name;
    void *(*create)(const body_frame *frame); /* the frame must stay at its address */
    world_count (*run)(void *state);          /* passes all poses of movers, finds the contacts and reads them */
    void (*destroy)(void *state);
} world_peer;

extern const world_peer world_peer_bullet, world_peer_fcl, world_peer_ode_4, world_peer_ode_8;

/* Those that this was built with, NULL at the end. */
extern const world_peer *const world_peers[];

#ifdef __cplusplus
}
#endif
#endif
