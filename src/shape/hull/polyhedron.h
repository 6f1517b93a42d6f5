/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The exact surface in its one order: strictly extreme points and maximal coplanar polygons.
 *
 * Vertices ascend by x, y, z; a loop begins with its least vertex; facets ascend by the first two of their loops (two
 * facets cannot share both), edges by their vertices. So the same points give the same arrays. */
#ifndef ABUT_SHAPE_HULL_POLYHEDRON_H
#define ABUT_SHAPE_HULL_POLYHEDRON_H

#include "shape/hull/hull.h"
#include "shape/hull/surface.h"

/* As abut_hull_edge; h[i] is the place in the loops where the edge runs from v[i] to the other, along facet f[i]. */
typedef struct abut_polyhedron_edge {
    uint32_t v[2], f[2], h[2];
} abut_polyhedron_edge;

typedef struct abut_polyhedron {
    uint32_t vertex_count, facet_count, edge_count, loop_count; /* loop_count == 2 edge_count */
    abut_vec3 *vertex;
    uint32_t *first;   /* by facet and one more: where its loop begins */
    uint32_t *loop;    /* vertices, counter-clockwise seen from outside */
    uint32_t *edge_of; /* by place in the loops: the edge from there to the next */
    abut_polyhedron_edge *edge;
    void *memory;
    size_t bytes;
    const abut_allocator *allocator;
} abut_polyhedron;

/* ABUT_ERROR_ARGUMENT, LIMIT (coordinates), DEGENERATE, MEMORY; *polyhedron is then empty. */
abut_result abut_polyhedron_make(abut_polyhedron *polyhedron, const abut_vec3 *points, size_t n,
                                 const abut_allocator *allocator);

/* The outward plane of a facet, its normal good to a few units in the last place. */
abut_hull_plane abut_polyhedron_plane(const abut_polyhedron *polyhedron, uint32_t facet);

void abut_polyhedron_release(abut_polyhedron *polyhedron);

#endif
