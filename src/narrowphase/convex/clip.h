/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The part of one polytope's face that lies over another's: the incident face is clipped by the planes that stand on
 * the sides of the reference face (Sutherland and Hodgman 1974), in the plane of the reference face. */
#ifndef ABUT_NARROWPHASE_CONVEX_CLIP_H
#define ABUT_NARROWPHASE_CONVEX_CLIP_H

#include "narrowphase/convex/pair.h"

/* Of faces with more vertices than this, evenly chosen ones are used: a contact has four points anyway. A convex
 * polygon gains at most one point for each plane. */
enum { ABUT_NP_SIDES_MAX = 32, ABUT_NP_POLYGON_MAX = 2 * ABUT_NP_SIDES_MAX };

typedef struct abut_np_overlay {
    abut_d3 point[ABUT_NP_POLYGON_MAX]; /* across the reference face (two), and before it (the third) */
    uint32_t on_reference[ABUT_NP_POLYGON_MAX], on_incident[ABUT_NP_POLYGON_MAX]; /* features of the two polytopes */
    uint32_t count;
} abut_np_overlay;

/* The plane of a reference face: an origin on it, two directions across it, and its normal. */
typedef struct abut_np_plane_frame {
    abut_d3 origin, axis[3];
} abut_np_plane_frame;

/* Features of a polytope: vertices, then edges, then faces. */
static inline uint32_t abut_np_edge_feature(const abut_hull *p, uint32_t edge) {
    return p->vertex_count + edge;
}

static inline uint32_t abut_np_face_feature(const abut_hull *p, uint32_t face) {
    return p->vertex_count + p->edge_count + face;
}

abut_np_plane_frame abut_np_face_frame(const abut_hull *p, uint32_t face);

/* Face `reference` of side->own, face `incident` of side->other; `deepest` is a vertex of the incident face that is to
 * be used whatever is left out. Points up to on_plane beyond a side count as on it. */
void abut_np_convex_clip(const abut_np_side *side, uint32_t reference, uint32_t incident, uint32_t deepest,
                         double on_plane, const abut_np_plane_frame *frame, abut_np_overlay *out);

#endif
