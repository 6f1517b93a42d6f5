/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The parts of this room.
 *
 * - cast.c: many colliders, sorted by type.
 * - boxes.c, spheres.c, rounds.c: kernels.
 * - hulls.c: hulls, with and without a radius.
 * - normal.c: where the answer is one body, its normal.
 * - place.c: a ray in the frame of one collider. */
#ifndef ABUT_NARROWPHASE_RAY_RAY_H
#define ABUT_NARROWPHASE_RAY_RAY_H

#include "narrowphase/ray/kernels.h"

/* A ray in the frame of a collider. */
typedef struct abut_np_placed_ray {
    double m[3][3];        /* column j: axis j of the collider in the world */
    abut_d3 origin, along; /* the point at t is origin + t along */
    double size;  /* |o - c|_1 plus half extents; of a hull counted from its middle, plus twice those of its box;
                     plus the radius */
    double slack; /* bounds what rounding does to a distance */
} abut_np_placed_ray;

/* As the kernels do it. */
void abut_np_place_ray(const abut_np_ray *ray, const abut_collider *collider, abut_np_placed_ray *out);

static inline abut_d3 abut_np_point_of_ray(const abut_np_placed_ray *ray, double t) {
    return abut_d3_along(ray->origin, t, ray->along);
}

/* The fraction at which the ray meets a hull with or without a radius; INFINITY: never, or certainly after `limit`. The
 * slack of the growth is a length here, beside that of rays. */
double abut_np_cast_hull(const abut_np_ray *ray, const abut_np_ray_growth *growth, const abut_collider *collider,
                         double limit);

/* abut_np_cast_ray_many for one collider. */
double abut_np_cast_ray(const abut_np_ray *ray, const abut_collider *collider, double limit);

/* From the closest point of a hull to a point in its frame; of any length. */
abut_d3 abut_np_direction_from_hull(const abut_hull *hull, abut_d3 point, double *distance);

#endif
