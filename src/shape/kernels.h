/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The kernels of the shape room. */
#ifndef ABUT_SHAPE_KERNELS_H
#define ABUT_SHAPE_KERNELS_H

#include "base/isa.h"
#include "shape/box/outline.h"
#include "shape/collider.h"
#include "shape/few/few.h"
#include "shape/hull/faces.h"

typedef void abut_shape_bounds_kernel(const abut_collider *collider, const uint32_t *index, size_t n, double more,
                                      float (*box)[6]);
typedef void abut_shape_extents_kernel(const abut_hull *hull, const double matrix[9], double least[3],
                                       double greatest[3]);

typedef void abut_shape_measure_kernel(const abut_polyhedron *p, abut_hull_plane *plane, double *area);
typedef void abut_shape_along_kernel(const abut_polyhedron *p, double (*along)[4]);
typedef void abut_shape_outlines_kernel(const abut_polyhedron *p, const abut_faces *faces, abut_outlines *outlines);
typedef void abut_shape_rectangles_kernel(abut_outlines *outlines);

typedef struct abut_shape_kernels {
    /* abut_collider_bounds_many where all colliders are boxes, or all hulls. */
    abut_shape_bounds_kernel *box_bounds, *hull_bounds;
    /* The same for the boxes of an array with these indices: valid ones, of rotations that a collider keeps. */
    void (*obb_bounds)(const abut_obb *boxes, const uint32_t *index, size_t n, float (*box)[6]);
    /* The least and greatest of each row of a matrix times a vertex, over all vertices of a hull; never -0. */
    abut_shape_extents_kernel *hull_extents;
    /* The planes of all facets, which are triangles, and twice their areas, or -1 where double does not suffice: bits
     * as those of abut_polyhedron_measure. Writes whole registers. */
    abut_shape_measure_kernel *measure;
    /* The directions of all edges as unit vectors, with room for whole registers; the fourth number is scratch. */
    abut_shape_along_kernel *along;
    /* Of the directions' planes, in whole registers: the axes, depths and outlines. */
    abut_shape_outlines_kernel *outlines;
    /* The rectangles around outlines: number i along the edge that begins at vertex i. Of the outlines it leaves only
     * what abut_outlines says. */
    abut_shape_rectangles_kernel *rectangles;
    abut_few_front_kernel *few_front;
} abut_shape_kernels;

ABUT_KERNEL_TABLES(abut_shape_kernels)
abut_shape_bounds_kernel ABUT_KERNEL(abut_shape_hull_bounds);
abut_shape_extents_kernel ABUT_KERNEL(abut_shape_hull_extents);
abut_shape_measure_kernel ABUT_KERNEL(abut_shape_measure);
abut_shape_along_kernel ABUT_KERNEL(abut_shape_along);
abut_shape_outlines_kernel ABUT_KERNEL(abut_shape_outlines);
abut_shape_rectangles_kernel ABUT_KERNEL(abut_shape_rectangles);
abut_few_front_kernel ABUT_KERNEL(abut_few_front);

/* The table of the instruction set in use. */
const abut_shape_kernels *abut_shape_kernels_active(void);

#endif
