/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The part of one face that lies over another: the incident face, a parallelogram, is clipped by the four side planes
 * of the reference face (Sutherland and Hodgman 1974) in the reference box's own frame, where those planes are
 * axis-aligned. */
#ifndef ABUT_NARROWPHASE_OBB_CLIP_H
#define ABUT_NARROWPHASE_OBB_CLIP_H

#include "narrowphase/narrowphase.h"

enum { ABUT_NP_CLIP_MAX = 8 }; /* 4 corners and at most 1 more for each of 4 planes */

typedef struct abut_np_clip_point {
    double x[3];     /* in the reference frame */
    uint32_t leaves; /* the line that the polygon follows after this point: incident edge 0..3, or 4 + side plane */
    uint32_t feature;
} abut_np_clip_point;

typedef struct abut_np_polygon {
    abut_np_clip_point point[ABUT_NP_CLIP_MAX];
    int count;
} abut_np_polygon;

/* One box as the other's frame sees it, and which of their faces meet. */
typedef struct abut_np_faces {
    double r[3][3], t[3]; /* incident box in the reference frame; column j of r: its axis j */
    double reference_half[3], incident_half[3];
    int reference_axis, incident_axis;
    uint32_t reference_sign, incident_sign; /* 1: the positive face */
    bool reference_second;                  /* of the two boxes the reference box is the second: for feature ids */
    double on_plane;                        /* a point this little beyond a side plane is kept */
} abut_np_faces;

/* The clipped incident face with a feature id per point; count 0 when nothing is left. */
void abut_np_obb_clip(const abut_np_faces *faces, abut_np_polygon *polygon);

/* For an incident face that lies wholly beside the reference face: the point halfway between the reference face and the
 * incident corner nearest to it. */
abut_np_clip_point abut_np_obb_stand_in(const abut_np_faces *faces);

#endif
