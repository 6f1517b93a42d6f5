/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A collection's hulls, each brought to a size between 1 and 2, on a grid where neighbours drift through each other. */
#ifndef ABUT_DEMO_TUMBLE_H
#define ABUT_DEMO_TUMBLE_H

#include "bounds.h"
#include "specimen.h"
#include "timing.h"

typedef struct tumble_fault {
    const char *what;
    const specimen *a, *b; /* b NULL: of one hull */
    size_t frame;
} tumble_fault;

enum { TUMBLE_FAULTS_MAX = 100 };

typedef struct tumble {
    size_t frame_count, body_count;
    size_t *contacts; /* per frame */
    size_t begun, persisted, ended;
    uint64_t hash;
    timing time;
    bounds_cost bounds; /* in the last frame */
    /* What the judge found. */
    size_t hulls_judged, frames_judged;
    size_t pairs_judged; /* whose spheres meet, along all axes; of them: */
    size_t pairs_touching, pairs_either;
    size_t pairs_too_large; /* not among them */
    size_t fault_count;     /* in all; the first ones are kept */
    tumble_fault faults[TUMBLE_FAULTS_MAX];
} tumble;

/* Shows on stderr how far it is. false: something went wrong and was told; the tumble is then all zero. Faults are no
 * reason for that. */
bool tumble_run(tumble *t, const collection *c, size_t frames);
void tumble_destroy(tumble *t);

#endif
