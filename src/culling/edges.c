/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The edges of a frustum, for those who draw it. Each of its runs remembers which corner of the cube it starts from
 * (build.c). Every corner on this side of infinity is an end of a run along axis 2, as are all runs that end before
 * infinity. So runs tell where all of them are, and the edges are the cube's: nothing has to be found out from planes
 * that may all but coincide. */
#include "culling/build.h"
#include "culling/culling.h"

/* Rays that lead away to the side from the middle of all are no longer than so many times the depth. */
static const double LONGEST = 64;

typedef struct corners {
    abut_d3 point[8];
    bool finite[8];
} corners;

static abut_d3 start_of(const double run[7]) {
    return (abut_d3){{run[0], run[1], run[2]}};
}

static abut_d3 direction_of(const double run[7]) {
    return (abut_d3){{run[3], run[4], run[5]}};
}

static void place(corners *c, uint32_t corner, abut_d3 point) {
    c->point[corner] = point;
    c->finite[corner] = true;
}

/* Where a run starts is known better than where it ends, so it is put there last. */
static corners corners_of(const abut_frustum *f) {
    corners c = {.finite = {false}};
    for (uint32_t i = 0; i < f->run_count; i++) {
        const double *run = f->run[i];
        if (run[6] < INFINITY) {
            place(&c, abut_cull_run_corner(f, i) ^ 1u << 2, abut_d3_along(start_of(run), run[6], direction_of(run)));
        }
    }
    for (uint32_t i = 0; i < f->run_count; i++) {
        place(&c, abut_cull_run_corner(f, i), start_of(f->run[i]));
    }
    return c;
}

/* The middle of the runs that reach to infinity, or of those that do not: a unit vector, or zero. */
static abut_d3 middle_of(const abut_frustum *f, bool infinite) {
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
    const abut_d3 middle = middle_of(f, false);
    double depth = 0;
    for (uint32_t i = 0; i < f->run_count; i++) {
        double l = f->run[i][6];
        depth = abut_max_d(depth, l < INFINITY ? l * abut_d3_dot(direction_of(f->run[i]), middle) : INFINITY);
    }
    return depth;
}

static uint32_t add(abut_cull_edge *edge, uint32_t n, abut_d3 from, abut_d3 to) {
    edge[n] = (abut_cull_edge){from, to};
    return n + 1;
}

/* Rays end where a plane across their middle is `depth` away from the last of their starts. */
static uint32_t add_rays(const abut_frustum *f, double depth, abut_cull_edge *edge, uint32_t n) {
    const abut_d3 middle = middle_of(f, true);
    double last = -INFINITY;
    for (uint32_t i = 0; i < f->run_count; i++) {
        double along = abut_d3_dot(start_of(f->run[i]), middle);
        last = f->run[i][6] == INFINITY && along > last ? along : last;
    }
    for (uint32_t i = 0; i < f->run_count; i++) {
        if (f->run[i][6] == INFINITY) {
            abut_d3 from = start_of(f->run[i]), r = direction_of(f->run[i]);
            double cosine = abut_max_d(abut_d3_dot(r, middle), 1 / LONGEST);
            double t = (last + depth - abut_d3_dot(from, middle)) / cosine;
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
