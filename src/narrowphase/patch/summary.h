/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The four points that are shown of many: of a patch, and of all parts of a contact. */
#ifndef ABUT_NARROWPHASE_PATCH_SUMMARY_H
#define ABUT_NARROWPHASE_PATCH_SUMMARY_H

#include "narrowphase/patch/patch.h"
#include "narrowphase/points.h"

/* At most four of those points of a patch that are bits of `shown`, in the world. */
void abut_np_patch_points(const abut_np_seat *seat, const abut_np_patch *patch, uint32_t shown, abut_np_points *out);

/* Of the parts of which the normal is nearly that of the deepest: the points that lie farthest out in eight directions.
 * They are kept as they come; when there is no room, only those farthest out so far and the deepest stay. */
enum { ABUT_NP_OUTERMOST = 8, ABUT_NP_SUMMED = 24 };
typedef struct abut_np_summary {
    abut_d3 normal;      /* of the deepest part, in the world */
    abut_d3 across[2];   /* two directions along its plane */
    double near;         /* points that are no farther apart are the same */
    double extent;       /* of the core */
    uint32_t count;      /* parts that agree */
    abut_np_points only; /* the first of them */
    uint32_t point_count;
    abut_np_point point[ABUT_NP_SUMMED];
} abut_np_summary;

void abut_np_summary_begin(abut_d3 normal, double near, double extent, abut_np_summary *summary);
void abut_np_summary_add(abut_np_summary *summary, const abut_np_points *part);
void abut_np_summary_end(const abut_np_summary *summary, abut_manifold *manifold);

#endif
