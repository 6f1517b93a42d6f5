/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A box as a hull, made on the stack: where a box meets a hull it is one of eight vertices. */
#ifndef ABUT_NARROWPHASE_CONVEX_BOX_HULL_H
#define ABUT_NARROWPHASE_CONVEX_BOX_HULL_H

#include "base/spatial.h"
#include "shape/shape.h"
#include <stddef.h>

/* The block that hull.h describes, of fixed size. Vertices are there by axis only. */
typedef struct abut_np_box_hull {
    abut_hull hull;
    float coordinate[3][ABUT_HULL_PAD], plane_floats[4][ABUT_HULL_PAD];
    abut_hull_plane plane[6];
    abut_hull_polygon faces[6];
    abut_hull_edge edges[12];
    uint16_t loop[24], sides[24], face_of[6], facet_edges_first[7], facet_edges[24], vertex_edges_first[9],
        vertex_edges[24];
} abut_np_box_hull;

/* Half extents >= 0; zero ones make a plate, a rod or a point, which no other hull is. */
void abut_np_box_hull_make(abut_vec3 half, abut_np_box_hull *out);

#endif
