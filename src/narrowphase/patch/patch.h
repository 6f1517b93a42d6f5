/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A patch: where one triangle touches a convex shape, before patches are compared with each other.
 *
 * The way of a contact with a mesh through this folder: search.c (which triangles) -> touch.c (near enough? closest
 * points) -> axis.c (along which normal) -> cut.c, over_kernel.c (polygons) -> spread.c (8 points of many) -> patch.c
 * (the contact of one triangle) -> exits.c (shorter ways out, by neighbours and ghosts) -> notes.c (what is remembered
 * of more patches than are kept) -> collide.c (what repeats is left out, the rest written) -> summary.c (4 points for
 * all). Beside them parting.c (a point as deep as it takes to part the two) and faces_kernel.c (faces of hulls). */
#ifndef ABUT_NARROWPHASE_PATCH_PATCH_H
#define ABUT_NARROWPHASE_PATCH_PATCH_H

#include "narrowphase/mesh/seat.h"

enum { ABUT_NP_PATCH_POINTS = 8 };

typedef struct abut_np_patch_point {
    abut_d3 on; /* the point of the triangle, in the convex shape's frame; what leans may show one beyond a seam */
    double separation; /* of both surfaces, along the normal */
    uint32_t feature;
    uint8_t meets; /* corner 0 to 2 of the mesh's triangle, 3 + k: side k, or 6: its face */
} abut_np_patch_point;

typedef struct abut_np_patch {
    uint32_t part;
    bool back;
    bool leans;     /* its normal was corrected: the shape touches a neighbour better */
    bool deepened;  /* by a point that is only looked for where the cores are known to overlap, as sift.h may say */
    bool shortest;  /* no other normal parts the two by less: they are apart but for the radius, and it is not corrected
                     */
    uint32_t count; /* 1 .. ABUT_NP_PATCH_POINTS */
    float firm;     /* how far a motion along the normal must go, at least, to part the shape and the triangle: a point
                       of each shows it; -INFINITY: that is not known */
    abut_d3 normal; /* from the triangle, in the convex shape's frame */
    abut_d3 in_mesh;   /* the same in the mesh's frame */
    double separation; /* the least of its points */
    double distance;   /* of the cores, as far as rounding leaves no doubt; only where it leans */
    double out;        /* after moving this far along the normal the shape is parted from the triangle by a plane across
                          it; INFINITY: that is not known */
    abut_np_patch_point point[ABUT_NP_PATCH_POINTS];
} abut_np_patch;

/* A way out of a triangle: along a normal, in both frames. */
typedef struct abut_np_exit {
    uint32_t part;
    abut_d3 normal, in_mesh;
    double out;   /* as above */
    double plane; /* where it ends: normal . x of that plane */
} abut_np_exit;

/* Whether a triangle is touched, by the laws of abut/mesh.h; the patch is written if `patch` is not NULL. `known` is
 * what sift.h says of the triangle and the core, as bits. */
bool abut_np_patch_of(const abut_np_seat *seat, const abut_np_facing *facing, uint8_t known, abut_np_patch *patch);

/* The same of any triangle that is no hole. `facing` has room for ABUT_NP_FACINGS. */
bool abut_np_patch_of_part(const abut_np_seat *seat, uint32_t part, abut_np_facing *facing, abut_np_normals *known,
                           abut_np_patch *patch);

/* Makes a patch anew along another normal, along which the shape leaves the triangle within `out`. */
void abut_np_patch_turn(const abut_np_seat *seat, const abut_np_facing *facing, const abut_np_exit *exit,
                        abut_np_patch *patch);

#endif
