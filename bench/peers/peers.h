/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Other libraries behind one small interface, each only if it was there when this was built. Shapes, positions and
 * matrices are set up beforehand, so that `run` contains only their pair tests. */
#ifndef ABUT_BENCH_PEERS_H
#define ABUT_BENCH_PEERS_H

#include "inputs.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum peer_task {
    PEER_BOX_OVERLAP,
    PEER_BOX_MANIFOLD,
    PEER_HULL_OVERLAP,
    PEER_HULL_MANIFOLD,
    PEER_ROUND_MANIFOLD, /* boxes, and shapes with a radius */
    PEER_DISTANCE        /* of boxes or hulls that are apart, with the closest points; answers whether it is far */
} peer_task;

#define FAR_GAP 1.0f /* that is far */

/* A way to test pairs. */
typedef struct peer {
    const char *name;
    peer_task task;
    void *(*create)(const pair_set *set);             /* NULL: it cannot take these shapes */
    void (*update)(void *state, const pair_set *set); /* new poses and pairs of the same bodies; pairs ascend */
    void (*run)(void *state, uint8_t *answers);
    void (*destroy)(void *state);
} peer;

/* A way to make hulls. */
typedef struct peer_builder {
    const char *name;
    size_t (*build)(const abut_vec3 *points, size_t n); /* makes and frees one; returns its number of vertices */
} peer_builder;

typedef struct peer_library {
    const peer *peers;
    size_t peer_count;
    const peer_builder *builders;
    size_t builder_count;
} peer_library;

extern const peer_library peer_bullet, peer_ode, peer_ccd, peer_fcl;

/* Those that this was built with, NULL at the end. */
extern const peer_library *const peer_libraries[];

#ifdef __cplusplus
}
#endif
#endif
