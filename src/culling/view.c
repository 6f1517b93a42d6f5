/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "culling/build.h"
#include "culling/kernels.h"
#include <float.h>
#include <math.h>

/* The errors of d as a float and of sums with it are at most this times |d|: docs/numerics.md, "Culling". */
static const double SLACK = 32 * 0x1p-24;

/* Eight times what the last stage does not trust (cull_axes.c, distance.c): axes show less than all of a gap. */
static const double ROUNDED = 8 * 64 * 0x1p-53, SPREAD = 8 * 64 * 0x1p-53;

/* Gaps in float are beyond what the last stage does not trust, if that is at most this. */
static const float TRUSTED = 64 * 0x1p-24f;

/* So far away squares of floats are far from overflow. */
static const double FARTHEST = 0x1p+50;

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

static bool is_solid(const abut_frustum *frustum, float vague) {
    bool solid = frustum->run_count == 4 && frustum->extent < FARTHEST && vague < TRUSTED;
    for (uint32_t k = 0; k < frustum->run_count; k++) {
        solid = solid && frustum->run[k][6] < FARTHEST;
    }
    return solid;
}

static void set_box(const abut_frustum *frustum, abut_cull_view *view) {
    const abut_cull_solid s = abut_cull_solid_of(frustum);
    float reach = 0;
    for (uint32_t k = 0; k < 8; k++) {
        reach = abut_max_f(reach, fabsf(s.corner[k][0]) + fabsf(s.corner[k][1]) + fabsf(s.corner[k][2]));
    }
    view->reach = reach * (1 + 0x1p-20f);
    for (int i = 0; i < 3; i++) {
        float low = s.corner[0][i], high = low;
        for (uint32_t k = 1; k < 8; k++) {
            low = abut_min_f(low, s.corner[k][i]);
            high = abut_max_f(high, s.corner[k][i]);
        }
        view->middle[i] = 0.5f * (low + high);
        view->half[i] = 0.5f * (high - low);
    }
}

abut_cull_view abut_cull_view_of(const abut_frustum *frustum) {
    bool complete = !(frustum->run_corners & ABUT_CULL_INCOMPLETE);
    double vague = complete ? ROUNDED + SPREAD * frustum->spread : FLT_MAX;
    abut_cull_view view = {.exact = frustum,
                           .plane_count = frustum->plane_count,
                           .half = {INFINITY, INFINITY, INFINITY},
                           .reach = INFINITY};
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
    if (is_solid(frustum, view.vague)) {
        set_box(frustum, &view);
    }
    return view;
}
