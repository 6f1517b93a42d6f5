/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "bounds.h"
#include "timing.h"
#include <stdlib.h>

enum { repeats = 9 };

static double volume(const abut_aabb *b) {
    return ((double)b->max.x - b->min.x) * ((double)b->max.y - b->min.y) * ((double)b->max.z - b->min.z);
}

static bool meet(const abut_aabb *p, const abut_aabb *q) {
    return p->min.x <= q->max.x && q->min.x <= p->max.x && p->min.y <= q->max.y && q->min.y <= p->max.y &&
           p->min.z <= q->max.z && q->min.z <= p->max.z;
}

static size_t count_meetings(const abut_aabb *boxes, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = i + 1; j < n; ++j) {
            count += meet(&boxes[i], &boxes[j]);
        }
    }
    return count;
}

bool bounds_measure(bounds_cost *cost, const abut_hull *const *hulls, const abut_pose *poses, size_t n) {
    abut_aabb (*const measured[BOUNDS_KIND_COUNT])(const abut_hull *, const abut_pose *) = {abut_hull_bounds_fast,
                                                                                            abut_hull_bounds_tight};
    abut_aabb *boxes[BOUNDS_KIND_COUNT] = {malloc(n * sizeof **boxes), malloc(n * sizeof **boxes)};
    bool ok = boxes[BOUNDS_FAST] != NULL && boxes[BOUNDS_TIGHT] != NULL;
    *cost = (bounds_cost){0};
    for (int kind = 0; ok && kind < BOUNDS_KIND_COUNT; ++kind) {
        for (int repeat = 0; repeat < repeats; ++repeat) {
            double start = timing_now();
            for (size_t i = 0; i < n; ++i) {
                boxes[kind][i] = measured[kind](hulls[i], &poses[i]);
            }
            double ns = 1e9 * (timing_now() - start) / (double)n;
            cost->ns[kind] = repeat == 0 || ns < cost->ns[kind] ? ns : cost->ns[kind];
        }
        cost->candidates[kind] = count_meetings(boxes[kind], n);
    }
    for (size_t i = 0; ok && i < n; ++i) {
        double ratio = volume(&boxes[BOUNDS_FAST][i]) / volume(&boxes[BOUNDS_TIGHT][i]);
        cost->volume_mean += ratio / (double)n;
        cost->volume_most = ratio > cost->volume_most ? ratio : cost->volume_most;
    }
    free(boxes[BOUNDS_FAST]);
    free(boxes[BOUNDS_TIGHT]);
    return ok;
}
