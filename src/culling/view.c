/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "culling/build.h"
#include "culling/culling.h"
#include <float.h>
#include <math.h>

/* The errors of d as a float and of sums with it are at most this times |d|: docs/numerics.md, "Culling". */
static const double SLACK = 32 * 0x1p-24;

/* Eight times what the last stage does not trust (cull_axes.c, distance.c): axes show less than all of a gap. */
static const double ROUNDED = 8 * 64 * 0x1p-53, SPREAD = 8 * 64 * 0x1p-53;

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
    return view;
}
