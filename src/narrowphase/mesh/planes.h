/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The planes of a hull's faces, one array per component: what kernels read. */
#ifndef ABUT_NARROWPHASE_MESH_PLANES_H
#define ABUT_NARROWPHASE_MESH_PLANES_H

#include "shape/shape.h"

enum { ABUT_NP_PLANE_GROUP = 64, ABUT_NP_PLANES_PAD = 8 };

/* Of that many faces in a row, or those that are left: copies of the first follow, up to a whole wide load. */
typedef struct abut_np_planes {
    uint32_t count; /* 0: nothing has been read */
    double n[3][ABUT_NP_PLANE_GROUP], w[ABUT_NP_PLANE_GROUP];
} abut_np_planes;

static inline void abut_np_planes_read(const abut_hull *hull, uint32_t first, abut_np_planes *out) {
    const abut_hull_polygon *face = abut_hull_faces(hull) + first;
    const uint32_t left = hull->face_count - first, n = left < ABUT_NP_PLANE_GROUP ? left : ABUT_NP_PLANE_GROUP;
    for (uint32_t i = 0; i < n || i % ABUT_NP_PLANES_PAD != 0; i++) {
        const abut_hull_plane *plane = &face[i < n ? i : 0].plane;
        out->n[0][i] = plane->n[0];
        out->n[1][i] = plane->n[1];
        out->n[2][i] = plane->n[2];
        out->w[i] = plane->w;
    }
    out->count = n;
}

/* Those from face `first` on. `kept` has room for those from face 0 on, which are read once; `room` for all others. */
static inline const abut_np_planes *abut_np_planes_from(const abut_hull *hull, uint32_t first, abut_np_planes *kept,
                                                        abut_np_planes *room) {
    abut_np_planes *planes = first == 0 ? kept : room;
    if (first > 0 || planes->count == 0) {
        abut_np_planes_read(hull, first, planes);
    }
    return planes;
}

#endif
