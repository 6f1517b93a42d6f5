/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The search for the closest points of two cores. */
#ifndef ABUT_NARROWPHASE_DISTANCE_KERNELS_H
#define ABUT_NARROWPHASE_DISTANCE_KERNELS_H

#include "base/isa.h"
#include "narrowphase/distance/cores.h"

/* A corner of the difference b - a. */
typedef struct abut_np_corner {
    abut_d3 p;           /* in the frame of a */
    double distance2;    /* of p from the origin, squared */
    uint32_t of_a, of_b; /* corners of the cores: see abut_np_closest */
} abut_np_corner;

/* The point of the difference that is closest to the origin, as far as it is known. */
typedef struct abut_np_nearest {
    abut_np_corner corner[4]; /* the point is a combination of these */
    double weight[4];         /* > 0, and 1 in sum */
    uint32_t count;
    abut_d3 point; /* from a to b */
    abut_d3 along; /* its direction, of any length; exactly across the feature that the corners span */
    double lower;  /* certified: the distance is no less */
    bool overlap;  /* the origin is in the difference, or within rounding of it */
} abut_np_nearest;

typedef struct abut_np_distance_kernels {
    /* True as soon as the distance is certain to be over `limit`; only `lower` is then meant. */
    bool (*nearest)(const abut_np_cores *cores, double limit, abut_np_nearest *out);
    /* The same; the search begins with corners of *out, `count` of them (1 to 3), of which only of_a and of_b are read.
     * It is shorter if they are near the answer, which may have other last bits. */
    bool (*nearest_again)(const abut_np_cores *cores, double limit, abut_np_nearest *out);
    /* The vertex of a hull that lies lowest along a direction of its frame. */
    uint32_t (*lowest)(const abut_np_core *hull, abut_d3 direction);
} abut_np_distance_kernels;

ABUT_KERNEL_TABLES(abut_np_distance_kernels)

/* The points of both cores, in the world's axes. */
void abut_np_nearest_report(const abut_np_cores *cores, const abut_np_nearest *nearest, abut_np_closest *out);

#endif
