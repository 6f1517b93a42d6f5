/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Meshes of the stage: triangles of the cube, of hulls, of rounded shapes and of surfaces. */
#ifndef ABUT_WEB_MESH_H
#define ABUT_WEB_MESH_H

#include "stage.h"

abut_result mesh_add_cube(stage *s); /* mesh 0, first of all */
abut_result mesh_add_hull(stage *s, const abut_hull *hull);
/* A shape with a radius: a polyhedron whose corners lie on it, with the shape's own normals. *drawn is that polyhedron,
 * the caller's to destroy. */
abut_result mesh_add_round(stage *s, const abut_shape *shape, abut_hull **drawn);
/* The triangles of a surface, but for those that a hole has removed. */
abut_result mesh_add_surface(stage *s, const abut_mesh *surface);

#endif
