/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Polygons: faces of a core, and what a triangle cuts out of them. */
#ifndef ABUT_NARROWPHASE_PATCH_OUTLINE_H
#define ABUT_NARROWPHASE_PATCH_OUTLINE_H

#include "narrowphase/mesh/seat.h"

/* Of a face with more corners only this many are used, evenly chosen. Three more come from cutting by a triangle. */
enum { ABUT_NP_CUT_SIDES = 32, ABUT_NP_CUT_MAX = 2 * ABUT_NP_CUT_SIDES };

/* Features of a core are numbered through: vertices, edges, faces. Those of a triangle: corners 0 to 2, sides 3 to 5,
 * its face 6. */
enum { ABUT_NP_TRIANGLE_SIDE = 3, ABUT_NP_TRIANGLE_FACE = 6 };

typedef struct abut_np_cut_corner {
    abut_d3 at;
    uint32_t feature;  /* of the core */
    uint32_t meets;    /* of the triangle */
    uint32_t edge;     /* on which feature the way to the next corner runs: of the core, or, */
    bool edge_is_side; /* if this is set, a side of the triangle */
} abut_np_cut_corner;

typedef struct abut_np_cut_face {
    abut_np_cut_corner corner[ABUT_NP_CUT_MAX];
    uint32_t count;
    uint32_t face; /* feature number of the core's face */
} abut_np_cut_face;

/* The face of a core that looks most against a direction; a rod or a point has one, too. */
void abut_np_cut_face_against(const abut_np_seat *seat, abut_d3 direction, abut_np_cut_face *out);

/* What of outline[0] lies over the triangle, between the planes through its sides along its normal. Corners up to
 * `near` beyond them stay. Returns one of the two outlines, of which both are used. */
const abut_np_cut_face *abut_np_cut_by_triangle(const abut_np_facing *facing, double near, abut_np_cut_face outline[2]);

/* A face of a core with its outward normal: 0 to 5 of a box (2 k + 1: the positive end of axis k), or that of a hull.
 */
uint32_t abut_np_face_count(const abut_np_seat *seat);
abut_d3 abut_np_face_normal(const abut_np_seat *seat, uint32_t face, double *offset);

/* The part of the triangle that lies over a face of the core: `feature` is then always the face or one of its edges. */
const abut_np_cut_face *abut_np_cut_triangle(const abut_np_seat *seat, const abut_np_facing *facing, uint32_t face,
                                             abut_np_cut_face outline[2]);

#endif
