/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Pairs of shapes that both move and turn, without a world, in other libraries. */
#ifndef ABUT_BENCH_SWEEP_PEER_H
#define ABUT_BENCH_SWEEP_PEER_H

#include <abut/abut.h>
#include <abut/hull.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sweep_body {
    abut_shape shape; /* a sharp box, or a hull */
    abut_pose from, to;
} sweep_body;

typedef struct sweep_set {
    size_t count;        /* pairs; they are apart at the start, and either all boxes or all hulls */
    const sweep_body *a; /* per pair */
    const sweep_body *b;
} sweep_set;

#define SWEEP_NONE 2.0f /* the fraction of a pair that does not meet */

typedef struct sweep_peer {
    const char *name;
    void *(*create)(const sweep_set *set);
    void (*run)(void *state, float *fractions); /* per pair */
    void (*destroy)(void *state);
} sweep_peer;

typedef struct sweep_library {
    const sweep_peer *peers;
    size_t peer_count;
} sweep_library;

extern const sweep_library sweep_library_bullet, sweep_library_fcl;

/* Those that this was built with, NULL at the end. */
extern const sweep_library *const sweep_libraries[];

#ifdef __cplusplus
}
#endif
#endif
