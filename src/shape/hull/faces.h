/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Planes of the facets, and facets merged into faces.
 *
 * Merging removes edges one at a time, flattest first. An edge may go if both its ends keep three faces (so every
 * vertex stays and Euler's formula holds), the two faces meet in nothing else (so the union is a simple polygon), all
 * of the union lies within the tolerance of its plane, and the two corners stay convex to within the tolerance. */
#ifndef ABUT_SHAPE_HULL_FACES_H
#define ABUT_SHAPE_HULL_FACES_H

#include "shape/hull/polyhedron.h"

typedef struct abut_faces {
    abut_hull_plane *facet_plane; /* by facet */
    double (*area)[3];            /* by facet, then of whole faces: the sum of cross products, along the normal */
    double *face_area;            /* by face: twice its area */
    uint32_t count, edge_count, loop_count;
    abut_hull_polygon *face;
    uint32_t *loop, *side; /* as in the hull */
    uint32_t *face_of;     /* by facet */
    bool *faces_along;     /* by facet: room for the fit of a box */
    double tolerance;
    void *memory;
    size_t bytes;
} abut_faces;

/* tolerance >= 0; 0: the default. ABUT_ERROR_MEMORY. */
abut_result abut_faces_make(abut_faces *faces, const abut_polyhedron *polyhedron, float tolerance);

void abut_faces_release(abut_faces *faces, const abut_allocator *allocator);

#endif
