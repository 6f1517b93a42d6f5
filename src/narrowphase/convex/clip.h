/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The part of one hull's face that lies over a face of another: the incident face is clipped by the side planes of the
 * reference face, which are perpendicular to it through its sides (Sutherland and Hodgman 1974). The whole computation
 * is in the frame of the reference face. */
#ifndef ABUT_NARROWPHASE_CONVEX_CLIP_H
#define ABUT_NARROWPHASE_CONVEX_CLIP_H

#include "narrowphase/convex/pair.h"

/* Of a face with more vertices than this, only this many are used, evenly chosen and always the same ones, but for the
 * deepest: a contact has four points anyway. A convex polygon gains at most one point per plane. */
enum { ABUT_NP_SIDES_MAX = 32, ABUT_NP_POLYGON_MAX = 2 * ABUT_NP_SIDES_MAX };

/* The clipped incident face. Each point has the features that meet there, one of either hull. */
typedef struct abut_np_overlay {
    abut_d3 point[ABUT_NP_POLYGON_MAX]; /* in the plane frame: x[2] is the height over the reference face */
    uint32_t on_reference[ABUT_NP_POLYGON_MAX], on_incident[ABUT_NP_POLYGON_MAX];
    uint32_t count;
} abut_np_overlay;

/* The frame of a reference face: an origin in its plane, two directions along the plane, and its normal. */
typedef struct abut_np_plane_frame {
    abut_d3 origin, axis[3];
} abut_np_plane_frame;

/* Features of a hull are numbered through: vertices, then edges, then faces. */
static inline uint32_t abut_np_edge_feature(const abut_hull *hull, uint32_t edge) {
    return hull->vertex_count + edge;
}

static inline uint32_t abut_np_face_feature(const abut_hull *hull, uint32_t face) {
    return hull->vertex_count + hull->edge_count + face;
}

abut_np_plane_frame abut_np_face_frame(const abut_hull *hull, uint32_t face);

/* The same with another plane that touches the hull: of one of the face's facets. */
abut_np_plane_frame abut_np_face_frame_in(const abut_hull *hull, uint32_t face, const abut_hull_plane *plane);

/* Of the faces at a hull's lowest vertex along d, the one whose normal is most opposed to d. If an edge at the vertex
 * lies flush, to within `resting`, it is one of the edge's two faces: the vertex may lie beside the reference face
 * while the rest of the edge is over it. For a box all faces count: where an extent is 0, vertices coincide, and this
 * vertex need not be on the face that matters. */
uint32_t abut_np_face_against(const abut_hull *hull, abut_d3 d, uint32_t vertex, double resting);

/* Clips face `incident` of side->other by face `reference` of side->own. Where vertices of the incident face are left
 * out, its vertex `deepest` is used if it is deeper than all others by more than on_plane. Points up to on_plane beyond
 * a side plane count as on it. */
void abut_np_convex_clip(const abut_np_side *side, uint32_t reference, uint32_t incident, uint32_t deepest,
                         double on_plane, const abut_np_plane_frame *frame, abut_np_overlay *out);

#endif
