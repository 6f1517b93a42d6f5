/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* How long the phases of a frame took. */
#ifndef ABUT_DEMO_TIMING_H
#define ABUT_DEMO_TIMING_H

#include <abut/abut.h>

typedef enum timing_phase {
    TIMING_POSES,  /* setting the new poses */
    TIMING_BOUNDS, /* this and the next three: from the step's report */
    TIMING_BROAD,
    TIMING_NARROW,
    TIMING_EVENTS, /* including the listener */
    TIMING_FRAME,  /* poses and step, by the clock */
    TIMING_PHASE_COUNT
} timing_phase;

typedef struct timing {
    size_t count, capacity; /* of frames */
    double *samples;        /* seconds: [phase * capacity + frame] */
} timing;

typedef struct timing_summary {
    double mean, median, max; /* seconds; all 0 without samples */
} timing_summary;

double timing_now(void); /* seconds since an arbitrary moment */
const char *timing_phase_name(timing_phase phase);

bool timing_create(timing *t, size_t capacity); /* false: out of memory */
void timing_destroy(timing *t);
void timing_add(timing *t, double poses, double frame, const abut_step_report *report);
timing_summary timing_summarise(const timing *t, timing_phase phase);

#endif
