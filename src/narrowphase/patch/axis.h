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
    ABUT_NP_OF_EDGES,    /* across an edge of the core and a side of the triangle */
    ABUT_NP_OF_NEIGHBOUR /* that of the face beyond a ridge */
} abut_np_mesh_axis_kind;

typedef struct abut_np_mesh_axis {
    abut_np_mesh_axis_kind kind;
    abut_d3 normal;   /* from the triangle to the core */
    abut_d3 in_mesh;  /* the same in the mesh's frame; OF_NEIGHBOUR */
    double depth;     /* >= 0 where they overlap */
    uint32_t face;    /* of the core; OF_FACE */
    uint32_t side;    /* of the triangle; this and the others: OF_EDGES */
    uint32_t edge;    /* feature of the core */
    abut_d3 from, to; /* the ends of that edge */
} abut_np_mesh_axis;

/* Of a core that is no point. `lowest`: the core's lowest corner over the triangle's plane; `passage`: NULL if it is
 * not known. */
void abut_np_mesh_find_axis(const abut_np_seat *seat, const abut_np_facing *facing, abut_d3 lowest,
                            const abut_np_passage *passage, abut_np_mesh_axis *axis);

/* The sides beyond which the mesh goes on in the triangle's plane, as bits. */
static inline uint32_t abut_np_flat_sides(const abut_np_facing *facing) {
    uint32_t flat = 0;
    for (uint32_t k = 0; k < 3; k++) {
        flat |= (uint32_t)(abut_mesh_edge_of(facing->side[k]) == ABUT_MESH_FLAT) << k;
    }
    return flat;
}

/* Where a triangle is a piece of a larger face in one plane, and a corner of it lies on a ridge that ends this face:
 * the normal beyond that ridge, if that is less deep than the axis, and than what the triangle's own normal showed. */
void abut_np_mesh_find_beyond(const abut_np_seat *seat, const abut_np_facing *facing, double depth,
                              const abut_np_passage *passage, abut_np_mesh_axis *axis);

/* Only what is less deep than this is preferred to a face that is that deep. */
static inline double abut_np_mesh_preferred(const abut_np_seat *seat, double depth) {
    return depth - abut_max_d(depth * ABUT_NP_FACE_PREFERENCE, seat->smallest * ABUT_NP_FACE_PREFERENCE_OF_EXTENT);
}

#endif
