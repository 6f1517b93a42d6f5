/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Contact points before they are rounded to floats. */
#ifndef ABUT_NARROWPHASE_POINTS_H
#define ABUT_NARROWPHASE_POINTS_H

#include "base/spatial.h"
#include <abut/contact.h>
#include <string.h>

/* A direction of a shape's own frame that no symmetry of a box or of a regular prism singles out: which points are kept
 * of many by its help does not change while poses jitter. */
static const abut_d3 ABUT_NP_CHOOSING = {{0.61, 1, 0.77}};

typedef struct abut_np_point {
    abut_d3 position; /* in the world */
    double separation;
    uint32_t feature;
} abut_np_point;

typedef struct abut_np_points {
    abut_d3 normal; /* in the world */
    uint32_t count; /* at most 4 */
    abut_np_point point[4];
} abut_np_points;

/* As a manifold, whose unused bytes are zero. */
static inline void abut_np_points_round(const abut_np_points *points, abut_manifold *manifold) {
    memset(manifold, 0, sizeof *manifold);
    manifold->normal = abut_vec3_round(points->normal);
    manifold->count = points->count;
    for (uint32_t i = 0; i < points->count; i++) {
        const abut_np_point *p = &points->point[i];
        manifold->points[i] =
            (abut_contact_point){abut_vec3_round(p->position), (float)p->separation + 0.0f, p->feature};
    }
}

static inline uint32_t abut_np_points_deepest(const abut_np_points *points) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < points->count; i++) {
        best = points->point[i].separation < points->point[best].separation ? i : best;
    }
    return best;
}

#endif
