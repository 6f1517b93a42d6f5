/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The ray kernels: one ray against many boxes, spheres, or boxes with a radius. */
#ifndef ABUT_NARROWPHASE_RAY_KERNELS_H
#define ABUT_NARROWPHASE_RAY_KERNELS_H

#include "base/isa.h"
#include "narrowphase/narrowphase.h"

/* This times the size of the pair, |o - c|_1 plus half extents or the hull's radius, plus the radius, bounds what
 * rounding does to the distance of a point of the ray from a collider: see docs/numerics.md, "Rays". */
static const double ABUT_NP_RAY_SLACK = 0x1p-46;

/* By how much colliders grow: `radius`, and `slack` times their size. A ray of a sphere's centre at colliders that are
 * larger by its radius is a cast of the sphere. */
typedef struct abut_np_ray_growth {
    double radius, slack;
} abut_np_ray_growth;

/* As abut_np_cast_ray_many without a limit, for colliders of one kind; n > 0. */
typedef void abut_np_ray_kernel(const abut_np_ray *ray, const abut_collider *collider, const uint32_t *index, size_t n,
                                double *fraction);
typedef void abut_np_ray_grown_kernel(const abut_np_ray *ray, const abut_np_ray_growth *growth,
                                      const abut_collider *collider, const uint32_t *index, size_t n, double *fraction);

/* Where a ray, in the frame of a hull, is behind planes. */
typedef struct abut_np_ray_clipped {
    double start, end; /* within 0 .. 1; start > end: nowhere */
    uint32_t facet;    /* the first of those that it passes at `start`; their number if `start` is 0 */
} abut_np_ray_clipped;

typedef struct abut_np_ray_kernels {
    uint32_t lanes;
    abut_np_ray_kernel *boxes;         /* without a radius */
    abut_np_ray_grown_kernel *spheres; /* points with one, when they are grown */
    abut_np_ray_grown_kernel *rounds;  /* boxes with one, when they are grown: capsules, too */
    /* All planes are moved out by `grow`. */
    void (*clip)(const abut_np_ray *ray, const abut_hull_plane *plane, size_t count, double grow,
                 abut_np_ray_clipped *out);
} abut_np_ray_kernels;

ABUT_KERNEL_TABLES(abut_np_ray_kernels)
abut_np_ray_kernel ABUT_KERNEL(abut_np_ray_boxes);
abut_np_ray_grown_kernel ABUT_KERNEL(abut_np_ray_spheres), ABUT_KERNEL(abut_np_ray_rounds);
void ABUT_KERNEL(abut_np_ray_clip)(const abut_np_ray *ray, const abut_hull_plane *plane, size_t count, double grow,
                                   abut_np_ray_clipped *out);

#endif
