/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Benchmarks of abut through its public API alone. Every figure is a median, so that occasional other work on the
 * machine does not count. */
#ifndef ABUT_BENCH_BENCH_H
#define ABUT_BENCH_BENCH_H

#include "scenes.h"

/* --- samples --- */

double bench_now(void);                                 /* seconds since an arbitrary moment */
double bench_median(double *samples, size_t count);     /* sorts the samples; count > 0 */
_Noreturn void bench_fail(const char *what);            /* prints the message and exits with failure */
void *bench_alloc(size_t count, size_t size);           /* zeroed; never NULL */
void bench_check(abut_result result, const char *what); /* fails unless ABUT_OK */

/* --- whole frames --- */

typedef enum frame_phase {
    PHASE_POSES,
    PHASE_BOUNDS,
    PHASE_BROAD,
    PHASE_NARROW,
    PHASE_EVENTS,
    PHASE_FRAME,
    PHASE_COUNT
} frame_phase;
extern const char *const frame_phase_names[PHASE_COUNT];

typedef struct frame_case {
    scene_kind kind;
    size_t boxes, frames;
} frame_case;

typedef struct frame_result {
    size_t movers, candidates, contacts; /* of the last frame */
    double seconds[PHASE_COUNT];         /* medians over the frames */
} frame_result;

frame_result bench_frame(const frame_case *c);

/* --- single calls --- */

typedef struct call_result {
    const char *call, *input;
    double nanoseconds; /* per pair, box or body */
    double ratio;       /* to the row that is the natural comparison; 0: none */
    const char *ratio_to;
} call_result;

enum { CALL_RESULTS_MAX = 40 };

/* Fills in the rows and returns how many. */
size_t bench_calls(call_result rows[CALL_RESULTS_MAX], bool quick);

#endif
