/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "timing.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const names[] = {"poses", "bounds", "broad", "narrow", "events", "frame"};
_Static_assert(sizeof names / sizeof names[0] == TIMING_PHASE_COUNT, "a name per phase");

double timing_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

const char *timing_phase_name(timing_phase phase) {
    return names[phase];
}

bool timing_create(timing *t, size_t capacity) {
    *t = (timing){.capacity = capacity};
    t->samples = calloc(capacity == 0 ? 1 : capacity, TIMING_PHASE_COUNT * sizeof *t->samples);
    return t->samples != NULL;
}

void timing_destroy(timing *t) {
    free(t->samples);
    *t = (timing){0};
}

void timing_add(timing *t, double poses, double frame, const abut_step_report *report) {
    const double seconds[TIMING_PHASE_COUNT] = {
        poses, report->seconds_bounds, report->seconds_broad, report->seconds_narrow, report->seconds_events, frame};
    if (t->count < t->capacity) {
        for (size_t phase = 0; phase < TIMING_PHASE_COUNT; ++phase) {
            t->samples[phase * t->capacity + t->count] = seconds[phase];
        }
        ++t->count;
    }
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

timing_summary timing_summarise(const timing *t, timing_phase phase) {
    timing_summary summary = {0};
    double *samples = t->samples + (size_t)phase * t->capacity;
    if (t->count == 0) {
        return summary;
    }
    qsort(samples, t->count, sizeof *samples, compare); /* their order in time is no longer needed */
    for (size_t i = 0; i < t->count; ++i) {
        summary.mean += samples[i];
    }
    summary.mean /= (double)t->count;
    summary.median = 0.5 * (samples[(t->count - 1) / 2] + samples[t->count / 2]);
    summary.max = samples[t->count - 1];
    return summary;
}
