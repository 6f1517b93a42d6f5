/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* What the functions of this room share. */
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

/* What is near a box in the mesh's frame, a few triangles at a time. */
enum { ABUT_NP_NEAR_MAX = 64 };
typedef struct abut_np_mesh_nearby {
    abut_mesh_walk walk;
    uint32_t place[ABUT_NP_NEAR_MAX];
} abut_np_mesh_nearby;

/* `reach` (>= 0, may be infinite) is added on all sides. */
void abut_np_mesh_nearby_begin(const abut_collider *mesh, const abut_collider *convex, double reach,
                               abut_np_mesh_nearby *nearby);
/* Writes places of triangles; returns how many, 0 at the end. */
uint32_t abut_np_mesh_nearby_next(const abut_collider *mesh, abut_np_mesh_nearby *nearby);

/* The unit normal of a triangle, in the mesh's frame. */
abut_d3 abut_np_mesh_normal(const abut_mesh *mesh, uint32_t part);

/* Keeps a normal (unit, in the mesh's frame, from the mesh) within the range that inner edges allow: where `point` is
 * inside the triangle that is its normal; on an inner edge or at an inner corner it lies between those of the faces
 * around. `back`: the triangle is touched from its back (two_sided). Points within `near` of an edge are on it. */
abut_d3 abut_np_mesh_in_range(const abut_mesh *mesh, uint32_t part, bool back, abut_d3 point, double near,
                              abut_d3 normal);

/* Whether the middle of a convex shape, in the mesh's frame, is behind a triangle. */
bool abut_np_mesh_behind(const abut_mesh *mesh, uint32_t part, abut_d3 middle);

#endif
