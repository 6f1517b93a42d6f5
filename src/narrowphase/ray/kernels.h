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

/* As abut_np_cast_ray_many without a limit, for colliders of one kind; n > 0. */
typedef void abut_np_ray_kernel(const abut_np_ray *ray, const abut_collider *collider, const uint32_t *index, size_t n,
                                double *fraction);

typedef struct abut_np_ray_kernels {
    abut_np_ray_kernel *boxes;   /* without a radius */
    abut_np_ray_kernel *spheres; /* points with one */
    abut_np_ray_kernel *rounds;  /* boxes with one: capsules, too */
} abut_np_ray_kernels;

ABUT_KERNEL_TABLES(abut_np_ray_kernels)
abut_np_ray_kernel ABUT_KERNEL(abut_np_ray_boxes), ABUT_KERNEL(abut_np_ray_spheres), ABUT_KERNEL(abut_np_ray_rounds);

#endif
