/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "culling/build.h"
#include "culling/kernels.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* The errors of d as a float and of sums with it are at most this times |d|: docs/numerics.md, "Culling". */
static const double SLACK = 32 * 0x1p-24;

/* Eight times what the last stage does not trust (cull_axes.c, distance.c): axes show less than all of a gap. */
static const double ROUNDED = 8 * 64 * 0x1p-53, SPREAD = 8 * 64 * 0x1p-53;

/* What a gap along the world's axes parts the last stage must part along others, if it does not trust more than this.
 */
static const float TRUSTED = 64 * 0x1p-24f;

abut_cull_solid abut_cull_solid_of(const abut_frustum *frustum) {
    abut_cull_solid s = {.edge_count = frustum->edge_count};
    for (uint32_t k = 0; k < 8; k++) {
        const double *run = frustum->run[k / 2];
        for (int i = 0; i < 3; i++) {
            s.corner[k][i] = (float)(k % 2 ? run[i] + run[6] * run[3 + i] : run[i]);
        }
    }
    for (uint32_t e = 0; e < s.edge_count; e++) {
        for (int i = 0; i < 3; i++) {
            s.edge[e][i] = (float)frustum->edge[e][i];
        }
    }
    return s;
}

/* The box around the corners, if there are eight. */
static void set_box(const abut_frustum *frustum, abut_cull_view *view) {
    float low[3], high[3], reach = 0;
    bool finite = frustum->run_count == 4;
    for (uint32_t k = 0; k < frustum->run_count; k++) {
        finite = finite && frustum->extent < 0x1p+50 && frustum->run[k][6] < 0x1p+50;
    }
    view->reach = INFINITY;
    for (int i = 0; i < 3; i++) {
        view->half[i] = INFINITY;
    }
    if (!finite) {
        return;
    }
    const abut_cull_solid s = abut_cull_solid_of(frustum);
    memcpy(low, s.corner[0], sizeof low);
    memcpy(high, s.corner[0], sizeof high);
    for (uint32_t k = 0; k < 8; k++) {
        const float *p = s.corner[k];
        reach = abut_max_f(reach, fabsf(p[0]) + fabsf(p[1]) + fabsf(p[2]));
        for (int i = 0; i < 3; i++) {
            low[i] = abut_min_f(low[i], p[i]);
            high[i] = abut_max_f(high[i], p[i]);
        }
    }
    view->reach = reach * (1 + 0x1p-20f);
    for (int i = 0; i < 3 && view->vague < TRUSTED; i++) {
        view->middle[i] = 0.5f * (low[i] + high[i]);
        view->half[i] = 0.5f * (high[i] - low[i]);
    }
}

abut_cull_view abut_cull_view_of(const abut_frustum *frustum) {
    bool complete = !(frustum->run_corners & ABUT_CULL_INCOMPLETE);
    double vague = complete ? ROUNDED + SPREAD * frustum->spread : FLT_MAX;
    abut_cull_view view = {.exact = frustum, .plane_count = frustum->plane_count};
    view.vague = (float)vague;
    view.vague_extent = (float)abut_min_d(vague * frustum->extent, FLT_MAX);
    for (int i = 0; i < 3; i++) {
        view.origin[i] = frustum->origin[i];
    }
    for (uint32_t p = 0; p < frustum->plane_count; p++) {
        double d = frustum->plane[p][3], slack = SLACK * fabs(d);
        for (int i = 0; i < 3; i++) {
            view.normal[p][i] = (float)frustum->plane[p][i];
            view.size[p][i] = fabsf(view.normal[p][i]);
        }
        view.low[p] = (float)(d - slack);
        view.high[p] = (float)(d + slack);
        view.unsure = abut_max_f(view.unsure, (float)(2.25 * slack)); /* 2, and the rounding of the three */
    }
    set_box(frustum, &view);
    return view;
}
