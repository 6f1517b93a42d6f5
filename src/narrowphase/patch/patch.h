/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A patch: where one triangle touches a convex shape, before patches are compared with each other. */
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
    float firm;     /* a point of the triangle and one of the core show that whatever parts the shape and the triangle
                       across the normal goes so far, at least; -INFINITY: that is not known */
    abut_d3 normal; /* from the triangle, in the convex shape's frame */
    abut_d3 in_mesh;   /* the same in the mesh's frame */
    double separation; /* the least of its points */
    double distance;   /* of the cores, as far as rounding leaves no doubt; only where it leans */
    double out;        /* so far along the normal a plane across it lies between the shape and the triangle; INFINITY:
                          that is not known */
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
