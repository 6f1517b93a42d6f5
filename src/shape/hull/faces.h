/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The stage after the polyhedron. In: a polyhedron and a tolerance. Out: the planes of its facets, and faces, which are
 * facets merged within the tolerance.
 *
 * Merging removes edges one at a time, the flattest first. An edge may be removed if both its ends keep three faces (so
 * every vertex stays and Euler's formula holds), its two faces share nothing else (so their union is a simple polygon),
 * all of the union lies within the tolerance of its plane, and the two corners stay convex to within the tolerance. It
 * tests all vertices for each face that it makes, so the facets of polyhedra that are too large for a hull, which are
 * simplified or fitted with a box, remain as they are. */
#ifndef ABUT_SHAPE_HULL_FACES_H
#define ABUT_SHAPE_HULL_FACES_H

#include "shape/box/outline.h"
#include "shape/hull/polyhedron.h"

typedef struct abut_faces {
    abut_hull_plane *facet_plane; /* by facet */
    double (*area)[3]; /* by facet: a vector along the normal, twice as long as the area. While faces grow, the
                          sum over each face, at the facet that it is named after */
    double *face_area; /* by face: twice its area */
    uint32_t count, edge_count, loop_count;
    abut_hull_polygon *face;
    uint32_t *loop, *side; /* as in the hull */
    uint32_t *face_of;     /* by facet: its face */
    double tolerance;
    /* Scratch for abut_fit_hull, in which faces grew before. */
    double (*along)[4];                         /* by edge, padded: its direction; the last number is scratch */
    double (*shadow)[2][ABUT_OUTLINE_TOGETHER]; /* by vertex: its coordinates as seen along some directions */
    uint8_t *crossing;      /* by edge, and 0 up to a multiple of 8: in bit d, whether its facets differ in facing */
    uint8_t *facing;        /* by facet: in bit d, whether it faces direction d */
    double low[3], high[3]; /* the least and the greatest coordinates of all vertices */
    void *memory;
    size_t bytes;
} abut_faces;

/* tolerance >= 0; 0: the default, 2^-18 of the largest extent. ABUT_ERROR_MEMORY. */
abut_result abut_faces_make(abut_faces *faces, const abut_polyhedron *polyhedron, float tolerance);

void abut_faces_release(abut_faces *faces, const abut_allocator *allocator);

#endif
