/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The kernels of the shape room. */
#ifndef ABUT_SHAPE_KERNELS_H
#define ABUT_SHAPE_KERNELS_H

#include "base/isa.h"
#include "shape/box/outline.h"
#include "shape/collider.h"
#include "shape/hull/hull.h"

typedef void abut_shape_bounds_kernel(const abut_collider *collider, const uint32_t *index, size_t n, double more,
                                      float (*box)[6]);
typedef void abut_shape_extents_kernel(const abut_hull *hull, const double matrix[9], double least[3],
                                       double greatest[3]);

typedef void abut_shape_facing_kernel(const abut_hull_plane *plane, uint32_t n,
                                      double direction[3][ABUT_OUTLINE_TOGETHER], uint8_t *facing);
typedef double abut_shape_shadow_kernel(double *const point[3], uint32_t n, const abut_hull_plane *plane,
                                        const abut_d3 axis[2], double *const shadow[2]);
typedef double abut_shape_rectangles_kernel(const abut_outline *outline, double depth, abut_rectangles *out);

typedef struct abut_shape_kernels {
    /* abut_collider_bounds_many where all colliders are boxes, or all hulls. */
    abut_shape_bounds_kernel *box_bounds, *hull_bounds;
    /* The same for the boxes of an array with these indices: valid ones, of rotations that a collider keeps. */
    void (*obb_bounds)(const abut_obb *boxes, const uint32_t *index, size_t n, float (*box)[6]);
    /* The least and greatest of each row of a matrix times a vertex, over all vertices of a hull; never -0. */
    abut_shape_extents_kernel *hull_extents;
    /* facing[f]: bit d is set if facet f of n faces along direction d, more than just about. */
    abut_shape_facing_kernel *facing;
    /* Coordinates of n points along two axes, relative to the first point; returns how deep the deepest is behind a
     * plane. Points are an array per axis. All arrays have room for a multiple of ABUT_OUTLINE_PAD; points beyond n are
     * copies. */
    abut_shape_shadow_kernel *shadow;
    /* The rectangles around an outline: number i along the edge that begins at vertex i. Returns the least product of
     * `depth`, one side and the other, in this order. */
    abut_shape_rectangles_kernel *rectangles;
} abut_shape_kernels;

ABUT_KERNEL_TABLES(abut_shape_kernels)
abut_shape_bounds_kernel ABUT_KERNEL(abut_shape_hull_bounds);
abut_shape_extents_kernel ABUT_KERNEL(abut_shape_hull_extents);
abut_shape_facing_kernel ABUT_KERNEL(abut_shape_facing);
abut_shape_shadow_kernel ABUT_KERNEL(abut_shape_shadow);
abut_shape_rectangles_kernel ABUT_KERNEL(abut_shape_rectangles);

/* The table of the instruction set in use. */
const abut_shape_kernels *abut_shape_kernels_active(void);

#endif
