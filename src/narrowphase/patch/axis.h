/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Along which normal a core that overlaps a triangle is pushed out of it: the one of least depth among those that the
 * triangle's edges and corners allow. */
#ifndef ABUT_NARROWPHASE_PATCH_AXIS_H
#define ABUT_NARROWPHASE_PATCH_AXIS_H

#include "narrowphase/mesh/seat.h"

typedef enum abut_np_mesh_axis_kind {
    ABUT_NP_OF_TRIANGLE, /* the triangle's normal */
    ABUT_NP_OF_FACE,     /* against that of a face of the core, or nearly */
    ABUT_NP_OF_EDGES     /* across an edge of the core and a side of the triangle */
} abut_np_mesh_axis_kind;

typedef struct abut_np_mesh_axis {
    abut_np_mesh_axis_kind kind;
    abut_d3 normal;   /* from the triangle to the core */
    double depth;     /* >= 0 where they overlap */
    uint32_t face;    /* of the core; OF_FACE */
    uint32_t side;    /* of the triangle; this and the others: OF_EDGES */
    uint32_t edge;    /* feature of the core */
    abut_d3 from, to; /* the ends of that edge */
} abut_np_mesh_axis;

/* Of a core that is no point. `lowest`: the height of the core's lowest corner over the triangle's plane; `passage`:
 * NULL if it is not known. */
void abut_np_mesh_find_axis(const abut_np_seat *seat, const abut_np_facing *facing, double lowest,
                            const abut_np_passage *passage, abut_np_mesh_axis *axis);

#endif
