/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The third stage of a hull. In: points; it runs the first two stages, cloud.h and surface.h, itself. Out: the exact
 * surface, in which only extreme points are vertices and coplanar triangles are one facet.
 *
 * Its order depends on the set of points alone. Vertices ascend by x, y, z. A facet's loop begins with its least
 * vertex; facets ascend by the first two vertices of their loops (no two facets share both), edges by their two
 * vertices. */
#ifndef ABUT_SHAPE_HULL_POLYHEDRON_H
#define ABUT_SHAPE_HULL_POLYHEDRON_H

#include "shape/hull/hull.h"
#include "shape/hull/surface.h"

/* v and f as in abut_hull_edge; h[i] is the half edge, a position in `loop`, that runs from v[i] to the other vertex
 * along facet f[i]. */
typedef struct abut_polyhedron_edge {
    uint32_t v[2], f[2], h[2];
} abut_polyhedron_edge;

typedef struct abut_polyhedron {
    uint32_t vertex_count, facet_count, edge_count, loop_count; /* loop_count == 2 edge_count */
    abut_vec3 *vertex;
    uint32_t *first;   /* by facet, facet_count + 1 of them: where its loop begins */
    uint32_t *loop;    /* vertices, facet by facet, counter-clockwise seen from outside */
    uint32_t *edge_of; /* by position in `loop`: the edge from there to the next vertex */
    abut_polyhedron_edge *edge;
    void *memory;
    size_t bytes;
    const abut_allocator *allocator;
} abut_polyhedron;

/* Scratch memory that all stages of a hull of n points fit into, in an arena; of many points most are seldom on the
 * hull. */
static inline size_t abut_polyhedron_scratch(size_t n) {
    enum { PER_POINT = 1280, SOME = 4096, MOST = 4096 };
    return SOME + PER_POINT * (n < MOST ? n : MOST);
}

/* The hull of n points. ABUT_ERROR_DEGENERATE when they lie in one plane, exactly; ABUT_ERROR_ARGUMENT,
 * ABUT_ERROR_LIMIT and ABUT_ERROR_MEMORY as from abut_cloud_make. On an error *polyhedron is empty. The allocator must
 * outlive the polyhedron. */
abut_result abut_polyhedron_make(abut_polyhedron *polyhedron, const abut_vec3 *points, size_t n,
                                 const abut_allocator *allocator);

/* Its memory, for as many vertices and facets as it says. ABUT_ERROR_MEMORY. */
static inline abut_result abut_polyhedron_reserve(abut_polyhedron *out, uint32_t loop_count) {
    out->loop_count = loop_count;
    out->edge_count = loop_count / 2;
    out->bytes = out->vertex_count * sizeof *out->vertex + out->edge_count * sizeof *out->edge +
                 ((size_t)out->facet_count + 1 + 2 * (size_t)out->loop_count) * sizeof *out->first;
    out->memory = abut_memory_alloc(out->allocator, out->bytes);
    if (!out->memory) {
        return ABUT_ERROR_MEMORY;
    }
    out->vertex = out->memory;
    out->edge = (abut_polyhedron_edge *)(void *)(out->vertex + out->vertex_count);
    out->first = (uint32_t *)(void *)(out->edge + out->edge_count);
    out->loop = out->first + out->facet_count + 1;
    out->edge_of = out->loop + out->loop_count;
    return ABUT_OK;
}

/* The least and the greatest coordinate of all vertices along each axis. */
void abut_polyhedron_bounds(const abut_polyhedron *polyhedron, double low[3], double high[3]);

/* The outward plane of a facet; every component of its normal is good to a few units in the last place of the largest.
 */
abut_hull_plane abut_polyhedron_plane(const abut_polyhedron *polyhedron, uint32_t facet);

/* The same, and twice the facet's area. */
double abut_polyhedron_measure(const abut_polyhedron *polyhedron, uint32_t facet, abut_hull_plane *plane);

void abut_polyhedron_release(abut_polyhedron *polyhedron);

#endif
