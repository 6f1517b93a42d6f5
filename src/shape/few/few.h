/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Hulls of few points, no four of which are in one plane as far as arithmetic in double can tell: it then knows on
 * which side of each triangle all points are, and these are the bits of one number. What is wanted needs no lists of
 * points, nothing is tested twice, and hardly anything is branched on that cannot be predicted. */
#ifndef ABUT_SHAPE_FEW_FEW_H
#define ABUT_SHAPE_FEW_FEW_H

#include "shape/hull/polyhedron.h"

/* The work grows with their square, divided by the lanes. As many on every machine: what is asked of an allocator
 * depends on it. */
enum { ABUT_FEW = 32 };

/* Not in WebAssembly, where two lanes gain little and the module would be larger. */
#if defined(__wasm__)
enum { ABUT_FEW_USED = 0 };
#else
enum { ABUT_FEW_USED = 1 };
#endif

/* Coordinates, also as an array per axis, up to whole registers. */
typedef struct abut_few_points {
    const abut_vec3 *point;
    double x[3][ABUT_FEW];
    uint32_t count;
} abut_few_points;

/* A triangle of the hull so far, counter-clockwise seen from outside, and the points in front of it. */
typedef struct abut_few_triangle {
    uint32_t front;
    uint32_t v[3];
} abut_few_triangle;

/* Sets triangle->front; false if the side of any point but the corners is not certain. */
typedef bool abut_few_front_kernel(const abut_few_points *points, abut_few_triangle *triangle);

/* The polyhedron of a cloud. *made: whether it is of this kind; else nothing was made. ABUT_ERROR_MEMORY. */
abut_result abut_few_make(abut_polyhedron *polyhedron, const abut_cloud *cloud, bool *made);

#endif
