/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The second stage of a hull. In: a cloud. Out: triangles of its convex hull, linked by their edges; coplanar triangles
 * are not merged yet, and vertices inside a facet or an edge are still present. Method: quickhull (Barber, Dobkin,
 * Huhdanpaa, "The quickhull algorithm for convex hulls", 1996) with exact signs.
 *
 * A triangle is visible only from strictly in front of it. The part that is visible from an added point is then a union
 * of whole facets, the same part that is visible from the point moved slightly inward, where no facet is edge-on. So it
 * is one patch whose horizon is one simple cycle, and the point is never on the line of a horizon edge. No triangle is
 * ever degenerate, and coplanar triangles only need to be merged at the end. */
#ifndef ABUT_SHAPE_HULL_SURFACE_H
#define ABUT_SHAPE_HULL_SURFACE_H

#include "base/memory.h"
#include "shape/hull/cloud.h"
#include "shape/hull/orient.h"

#define ABUT_SURFACE_NONE UINT32_MAX

typedef struct abut_triangle {
    abut_orient_plane plane; /* of its corners: outward */
    double farthest;         /* height of the first point in its list of points */
    uint32_t v[3];           /* counter-clockwise seen from outside; v[0] is NONE in an unused triangle */
    uint32_t link[3];        /* the twin of the half edge from v[k] to the next corner */
    uint32_t points;         /* list of points in front, the farthest first */
    uint32_t next;           /* in the one list it is in: of unused, visible or new triangles */
    uint32_t pending;        /* next in the list of triangles that may have points in front */
    uint32_t mark;           /* twice the step in which it was last tested, plus 1 if it was visible */
    bool is_pending;
} abut_triangle;

/* The horizon edge that starts at a point: the point where it ends, and the half edge on its far side. */
typedef struct abut_horizon {
    uint32_t end, beyond;
} abut_horizon;

typedef struct abut_surface {
    const abut_vec3 *point;
    uint32_t point_count;
    abut_triangle *triangle;
    uint32_t used, capacity;       /* of triangle[]; `used` counts the unused ones among them, too */
    uint32_t unused, unused_count; /* list of unused triangles */
    uint32_t pending;              /* list of triangles that may have points in front */
    uint32_t step;                 /* how many points were added */
    uint32_t *next_point;          /* by point: the next in the list it is in */
    abut_horizon *horizon;         /* by point */
    const abut_allocator *allocator;
    void *memory; /* of the two arrays by point */
    size_t bytes;
} abut_surface;

/* ABUT_ERROR_DEGENERATE when all points lie in one plane, ABUT_ERROR_MEMORY. The cloud must outlive the surface. */
abut_result abut_surface_make(abut_surface *surface, const abut_cloud *cloud, const abut_allocator *allocator);

void abut_surface_release(abut_surface *surface);

/* A half edge is 4 * triangle + side; side k runs from corner k to the next one. Its twin runs the other way, in the
 * neighbouring triangle. This is the half edge after h around its triangle. */
static inline uint32_t abut_surface_next(uint32_t h) {
    return (h & 3) == 2 ? h - 2 : h + 1;
}

static inline uint32_t abut_surface_start(const abut_surface *surface, uint32_t h) {
    return surface->triangle[h >> 2].v[h & 3];
}

static inline uint32_t abut_surface_twin(const abut_surface *surface, uint32_t h) {
    return surface->triangle[h >> 2].link[h & 3];
}

#endif
