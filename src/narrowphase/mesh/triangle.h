/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One triangle of a mesh, written as a hull. */
#ifndef ABUT_NARROWPHASE_MESH_TRIANGLE_H
#define ABUT_NARROWPHASE_MESH_TRIANGLE_H

#include "narrowphase/narrowphase.h"

/* A triangle written as a hull, on the stack: a prism without height, so that all that is known of pairs of hulls holds
 * for it. As box_as_hull.h. */
typedef struct abut_np_triangle {
    abut_collider collider; /* where the mesh is */
    abut_hull hull;
    float coordinate[3][ABUT_HULL_PAD], plane_floats[4][ABUT_HULL_PAD];
    abut_hull_plane plane[5];
    abut_hull_polygon faces[5];
    abut_hull_edge edges[9];
    uint16_t loop[18], sides[18], face_of[5], facet_edges_first[6], facet_edges[18], vertex_edges_first[7],
        vertex_edges[18];
} abut_np_triangle;

/* A triangle with area. The collider points into *out. */
void abut_np_triangle_make(const abut_collider *mesh, uint32_t part, abut_np_triangle *out);

/* abut_np_overlap of the triangle and a convex shape. */
bool abut_np_triangle_overlap(const abut_np_triangle *triangle, const abut_collider *convex);

#endif
