/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What steps at every Nth frame of a track miss, and what sweeps between these frames find of it.
 *
 * An interval lasts from one of these frames to the next. A pair of limbs hits in an interval: in the recording, if it
 * touches at any frame of it, both ends included; in steps, if it touches at an end; in sweeps, if it touches at an end
 * or abut_world_sweep says that it meets between them. Sweeps join the ends in the straightest way, which the recording
 * only nearly does: each may find a light touch that the other does not have. */
#ifndef ABUT_DEMO_SWEPT_H
#define ABUT_DEMO_SWEPT_H

#include "fight.h"

enum { SWEPT_RECORDED = 1, SWEPT_STEPS = 2, SWEPT_SWEEPS = 4 };

typedef struct swept_hit {
    uint32_t a, b; /* bodies of the track, a < b */
    size_t interval;
    unsigned found; /* SWEPT_... bits */
    double frame;   /* of the recording, when the sweep meets; before that, where steps find it */
} swept_hit;

typedef struct swept_counts {
    size_t recorded, steps, sweeps;
    size_t steps_recorded, sweeps_recorded; /* those that the recording has, too */
} swept_counts;

typedef struct swept {
    size_t every, interval_count;
    swept_hit *hits; /* one for each pair and interval, sorted by (interval, a, b) */
    size_t hit_count, hit_capacity;
    swept_counts pairs, intervals; /* different pairs; pairs in intervals */
    double mean, max;              /* seconds of one sweep of all bodies */
} swept;

/* `recorded` is the fight of the whole track, which is not thinned. false: an error occurred and was reported; `s` is
 * then all zero. */
bool swept_run(swept *s, const track *t, const fight *recorded, size_t every);
/* Only sweeps found it. */
static inline bool swept_missed(const swept_hit *hit) {
    return (hit->found & (SWEPT_STEPS | SWEPT_SWEEPS)) == SWEPT_SWEEPS;
}
void swept_destroy(swept *s);

#endif
