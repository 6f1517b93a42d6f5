/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/patch/spread.h"
#include "narrowphase/deep.h"
#include "narrowphase/patch/patch.h"
#include "narrowphase/points.h"

/* The bound of deep.h is divided by this: eight points lie nearer to those that are left out than four do, and the four
 * that are chosen from them are lowered once more. */
static const double OF_EIGHT = 8;

_Static_assert(ABUT_NP_CUT_MAX <= 64, "a corner is a bit");

static bool has(uint64_t corners, uint32_t i) {
    return corners >> i & 1;
}

/* The corners that lie outermost in as many directions as a patch has room for. Depths, which small tilts of a body at
 * rest change, play no part: the deepest corners of a drum all lie on one side of it. */
static uint64_t outermost(const abut_np_cut_face *face, uint64_t corners, abut_d3 normal) {
    static const double way[ABUT_NP_PATCH_POINTS][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                                        {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    const abut_d3 u = abut_d3_along(ABUT_NP_CHOOSING, -abut_d3_dot(ABUT_NP_CHOOSING, normal), normal);
    const abut_d3 v = abut_d3_cross(normal, u);
    uint64_t out = 0;
    for (uint32_t k = 0; k < ABUT_NP_PATCH_POINTS; k++) {
        const abut_d3 d = {{way[k][0] * u.x[0] + way[k][1] * v.x[0], way[k][0] * u.x[1] + way[k][1] * v.x[1],
                            way[k][0] * u.x[2] + way[k][1] * v.x[2]}};
        double most = -INFINITY;
        uint32_t best = 0;
        for (uint32_t i = 0; i < face->count; i++) {
            double along = abut_d3_dot(d, abut_np_cut_at(face, i));
            bool better = has(corners, i) && along > most;
            best = better ? i : best;
            most = better ? along : most;
        }
        out |= UINT64_C(1) << best;
    }
    return out;
}

/* The deepest of some corners, which are not none. */
static uint32_t deepest_of(const abut_np_cut_face *face, const double *separation, uint64_t corners) {
    uint32_t deepest = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < face->count; i++) {
        bool deeper = has(corners, i) && separation[i] < least;
        deepest = deeper ? i : deepest;
        least = deeper ? separation[i] : least;
    }
    return deepest;
}

/* The nearest of those chosen makes room for the deepest corner, unless one of them is as deep; then they are lowered
 * to it: see deep.h. */
static uint64_t with_deepest(const abut_np_cut_face *face, double *separation, uint64_t corners, uint64_t chosen,
                             double extent) {
    const uint32_t deepest = deepest_of(face, separation, corners), lowest = deepest_of(face, separation, chosen);
    const double by = separation[lowest] - separation[deepest];
    uint32_t nearest = 0;
    double away = INFINITY;
    if (by <= abut_max_d(ABUT_NP_AS_DEEP * extent, abut_np_as_deep(-separation[deepest], extent) / OF_EIGHT)) {
        for (uint32_t i = 0; i < face->count; i++) {
            separation[i] -= has(chosen, i) ? by : 0;
        }
        return chosen;
    }
    for (uint32_t i = 0; i < face->count; i++) {
        const abut_d3 d = abut_d3_sub(abut_np_cut_at(face, i), abut_np_cut_at(face, deepest));
        bool nearer = has(chosen, i) && abut_d3_dot(d, d) < away;
        nearest = nearer ? i : nearest;
        away = nearer ? abut_d3_dot(d, d) : away;
    }
    return (chosen & ~(UINT64_C(1) << nearest)) | UINT64_C(1) << deepest;
}

uint64_t abut_np_spread_of(const abut_np_cut_face *face, double *separation, double limit, abut_d3 normal,
                           double extent) {
    uint64_t corners = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < face->count; i++) {
        bool near = separation[i] <= limit;
        corners |= (uint64_t)near << i;
        count += near;
    }
    if (count <= ABUT_NP_PATCH_POINTS) {
        return corners;
    }
    return with_deepest(face, separation, corners, outermost(face, corners, normal), extent);
}
