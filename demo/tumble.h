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
    /* The judge's findings. */
    size_t hulls_judged, frames_judged;
    size_t pairs_judged; /* pairs whose spheres meet, tested along all axes; of them: */
    size_t pairs_touching, pairs_either;
    size_t pairs_too_large; /* pairs not among them */
    size_t fault_count;     /* all faults; the first ones are kept */
    tumble_fault faults[TUMBLE_FAULTS_MAX];
} tumble;

/* Shows its progress on stderr. false: an error occurred and was reported; the tumble is then all zero. A fault is not
 * an error. */
bool tumble_run(tumble *t, const collection *c, size_t frames);
void tumble_destroy(tumble *t);

#endif
