/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The ends of a hull's edges, one array per axis: what kernels read. */
#ifndef ABUT_NARROWPHASE_MESH_EDGES_H
#define ABUT_NARROWPHASE_MESH_EDGES_H

#include "shape/shape.h"

enum { ABUT_NP_EDGE_GROUP = 64, ABUT_NP_EDGES_PAD = 8 };

/* Of that many edges in a row, or those that are left: copies of the first follow, up to a whole wide load. */
typedef struct abut_np_edges {
    uint32_t count; /* 0: nothing has been read */
    float from[3][ABUT_NP_EDGE_GROUP], to[3][ABUT_NP_EDGE_GROUP];
} abut_np_edges;

static inline void abut_np_edges_read(const abut_hull *hull, uint32_t first, abut_np_edges *out) {
    const abut_hull_edge *edge = abut_hull_edges(hull) + first;
    const float *x = abut_hull_coordinate(hull, 0), *y = abut_hull_coordinate(hull, 1);
    const float *z = abut_hull_coordinate(hull, 2);
    const uint32_t left = hull->edge_count - first, n = left < ABUT_NP_EDGE_GROUP ? left : ABUT_NP_EDGE_GROUP;
    for (uint32_t i = 0; i < n || i % ABUT_NP_EDGES_PAD != 0; i++) {
        const uint32_t from = edge[i < n ? i : 0].v[0], to = edge[i < n ? i : 0].v[1];
        out->from[0][i] = x[from], out->from[1][i] = y[from], out->from[2][i] = z[from];
        out->to[0][i] = x[to], out->to[1][i] = y[to], out->to[2][i] = z[to];
    }
    out->count = n;
}

/* Those from edge `first` on, a multiple of ABUT_NP_EDGE_GROUP. `kept` has room for this many times as many from edge 0
 * on, which are read once; `room` for all others. */
enum { ABUT_NP_EDGES_KEPT = 2 };
static inline const abut_np_edges *abut_np_edges_from(const abut_hull *hull, uint32_t first, abut_np_edges *kept,
                                                      abut_np_edges *room) {
    const uint32_t at = first / ABUT_NP_EDGE_GROUP;
    abut_np_edges *edges = at < ABUT_NP_EDGES_KEPT ? &kept[at] : room;
    if (edges == room || edges->count == 0) {
        abut_np_edges_read(hull, first, edges);
    }
    return edges;
}

#endif
