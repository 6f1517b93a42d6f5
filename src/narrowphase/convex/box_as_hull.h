/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A box written as a hull, on the stack, so that a pair of a box and a hull is a pair of hulls. */
#ifndef ABUT_NARROWPHASE_CONVEX_BOX_AS_HULL_H
#define ABUT_NARROWPHASE_CONVEX_BOX_AS_HULL_H

#include "base/spatial.h"
#include "shape/shape.h"
#include <stddef.h>

/* The block that hull.h describes, of fixed size, with the members that the narrow phase reads: it has no `vertices`,
 * and its digest is 0. */
typedef struct abut_np_box_as_hull {
    abut_hull hull;
    float coordinate[3][ABUT_HULL_PAD], plane_floats[4][ABUT_HULL_PAD];
    abut_hull_plane plane[6];
    abut_hull_polygon faces[6];
    abut_hull_edge edges[12];
    uint16_t loop[24], sides[24], face_of[6], facet_edges_first[7], facet_edges[24], vertex_edges_first[9],
        vertex_edges[24];
} abut_np_box_as_hull;

/* Half extents >= 0. Where some are 0 the box is a plate, a rod or a point, which no hull from abut_hull_create is. */
void abut_np_box_as_hull_make(abut_vec3 half, abut_np_box_as_hull *out);

/* Whether the hull is a plate, a rod or a point: many of its features coincide. */
bool abut_np_box_as_hull_is_flat(const abut_hull *hull);

/* Whether this face of a box has an area. */
bool abut_np_box_as_hull_has_area(const abut_hull *box, uint32_t face);

/* Which of these features is at a point of such a hull, in its frame: by whether the point is at an end of each axis
 * that has an extent, to within `near`. Numbered as in clip.h; of features that coincide the first. */
uint32_t abut_np_box_as_hull_feature_at(const abut_hull *hull, abut_d3 point, double near);

#endif
