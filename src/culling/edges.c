/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The edges of a frustum, for debug draw. Each run stores the corner of the cube from which it starts (build.c). Every
 * corner with w > 0 is an end of a run along axis 2, and runs that end before infinity all lie along that axis. So the
 * runs give the positions of all such corners, and the edges between them are the cube's: nothing is derived from
 * planes, which may nearly coincide. */
#include "culling/build.h"
#include "culling/culling.h"

/* Rays at a large angle to the mean direction are cut off at this multiple of the depth. */
static const double LONGEST = 64;

typedef struct corners {
    abut_d3 point[8];
    bool finite[8];
} corners;

static abut_d3 start_of(const double run[7]) {
    return abut_d3_load(run);
}

static abut_d3 direction_of(const double run[7]) {
    return abut_d3_load(run + 3);
}

static void set_corner(corners *c, uint32_t corner, abut_d3 point) {
    c->point[corner] = point;
    c->finite[corner] = true;
}

/* A run's start is more accurate than its end, so starts are written last. */
static corners corners_of(const abut_frustum *f) {
    corners c = {.finite = {false}};
    for (uint32_t i = 0; i < f->run_count; i++) {
        const double *run = f->run[i];
        if (run[6] < INFINITY) {
            set_corner(&c, abut_cull_run_corner(f, i) ^ 1u << 2,
                       abut_d3_along(start_of(run), run[6], direction_of(run)));
        }
    }
    for (uint32_t i = 0; i < f->run_count; i++) {
        set_corner(&c, abut_cull_run_corner(f, i), start_of(f->run[i]));
    }
    return c;
}

/* The mean direction of the infinite runs, or of the finite ones: a unit vector, or zero. */
static abut_d3 mean_direction(const abut_frustum *f, bool infinite) {
    abut_d3 sum = {{0, 0, 0}};
    for (uint32_t i = 0; i < f->run_count; i++) {
        if ((f->run[i][6] == INFINITY) == infinite) {
            sum = abut_d3_along(sum, 1, direction_of(f->run[i]));
        }
    }
    double length = sqrt(abut_d3_dot(sum, sum));
    return length > 0 ? abut_d3_along((abut_d3){{0, 0, 0}}, 1 / length, sum) : sum;
}

double abut_cull_depth(const abut_frustum *f) {
    const abut_d3 mean = mean_direction(f, false);
    double depth = 0;
    for (uint32_t i = 0; i < f->run_count; i++) {
        double l = f->run[i][6];
        depth = abut_max_d(depth, l < INFINITY ? l * abut_d3_dot(direction_of(f->run[i]), mean) : INFINITY);
    }
    return depth;
}

static uint32_t add(abut_cull_edge *edge, uint32_t n, abut_d3 from, abut_d3 to) {
    edge[n] = (abut_cull_edge){from, to};
    return n + 1;
}

/* Rays end at a plane across their mean direction, `depth` beyond the farthest of their starts. */
static uint32_t add_rays(const abut_frustum *f, double depth, abut_cull_edge *edge, uint32_t n) {
    const abut_d3 mean = mean_direction(f, true);
    double farthest = -INFINITY;
    for (uint32_t i = 0; i < f->run_count; i++) {
        double along = abut_d3_dot(start_of(f->run[i]), mean);
        farthest = f->run[i][6] == INFINITY && along > farthest ? along : farthest;
    }
    for (uint32_t i = 0; i < f->run_count; i++) {
        if (f->run[i][6] == INFINITY) {
            abut_d3 from = start_of(f->run[i]), r = direction_of(f->run[i]);
            double cosine = abut_max_d(abut_d3_dot(r, mean), 1 / LONGEST);
            double t = (farthest + depth - abut_d3_dot(from, mean)) / cosine;
            n = add(edge, n, from, abut_d3_along(from, t, r));
        }
    }
    return n;
}

uint32_t abut_cull_edges(const abut_frustum *frustum, double depth, abut_cull_edge edge[ABUT_CULL_EDGES]) {
    const corners c = corners_of(frustum);
    uint32_t n = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t j = i | 1u << axis;
            if (i != j && c.finite[i] && c.finite[j]) {
                n = add(edge, n, c.point[i], c.point[j]);
            }
        }
    }
    return add_rays(frustum, depth, edge, n);
}
