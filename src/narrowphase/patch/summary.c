/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/patch/summary.h"
#include "base/compiler.h"
#include "narrowphase/deep.h"
#include "narrowphase/kernels.h"
#include "narrowphase/patch/cut.h"

/* A point that four may be chosen from. */
typedef struct choice {
    const abut_np_point *point;
    double weight; /* points are preferred by their distance from those chosen so far, times this */
} choice;

/* One of two numbers, without a branch, where nobody predicts which. */
static uint64_t if_so(bool is_so, uint64_t yes, uint64_t no) {
    const uint64_t all = 0 - (uint64_t)is_so;
    return (yes & all) | (no & ~all);
}

static double distance2(abut_d3 a, abut_d3 b) {
    const abut_d3 d = abut_d3_sub(b, a);
    return abut_d3_dot(d, d);
}

/* How four points are chosen: by positions alone, not by depths, which tilts of resting bodies change. */
typedef struct chooser {
    abut_d3 along;  /* the first is the outermost along this */
    abut_d3 across; /* of two that are as far from those chosen the one that lies farther along this is next */
    double near;    /* what is no more than this from a point is the same */
    double extent;  /* of the core */
} chooser;

/* Those points with the largest weight are preferred. */
static uint32_t outermost(const choice *from, uint32_t n, abut_d3 along) {
    double most = -INFINITY, weight = 0;
    uint32_t best = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double far = abut_d3_dot(along, from[i].point->position);
        bool better = (from[i].weight > weight) | ((from[i].weight == weight) & (far > most));
        best = (uint32_t)if_so(better, i, best);
        most = better ? far : most;
        weight = abut_max_d(weight, from[i].weight);
    }
    return best;
}

/* Weights with up to an eighth more or less by position, so that points of a regular polygon differ. */
static void skew(const choice *from, uint32_t n, uint32_t first, abut_d3 across, double weight[]) {
    double side[ABUT_NP_OUTERMOST + 1], most = 0;
    for (uint32_t i = 0; i < n; i++) {
        side[i] = abut_d3_dot(across, abut_d3_sub(from[i].point->position, from[first].point->position));
        most = abut_max_d(most, fabs(side[i]));
    }
    for (uint32_t i = 0; i < n; i++) {
        weight[i] = from[i].weight * (most > 0 ? 1 + side[i] / (8 * most) : 1);
    }
}

/* One point, then one by one the point farthest from those that have been chosen. Returns how many. */
static uint32_t spread(const choice *from, uint32_t n, const chooser *by, uint32_t chosen[4]) {
    double apart[ABUT_NP_OUTERMOST + 1], weight[ABUT_NP_OUTERMOST + 1];
    uint32_t next = outermost(from, n, by->along), count = 0;
    skew(from, n, next, by->across, weight);
    for (uint32_t i = 0; i < n; i++) {
        apart[i] = INFINITY;
    }
    while (next < n) {
        chosen[count++] = next;
        if (count == 4) {
            break;
        }
        double most = 0;
        uint32_t far = n;
        for (uint32_t i = 0; i < n; i++) {
            apart[i] = abut_min_d(apart[i], distance2(from[i].point->position, from[next].point->position));
            const int is_apart = apart[i] > by->near * by->near; /* nobody predicts it */
            const double along = is_apart * (apart[i] * weight[i]);
            far = (uint32_t)if_so(along > most, i, far);
            most = abut_max_d(along, most);
        }
        next = far;
    }
    return count;
}

/* The nearest of those chosen makes room for the deepest of all. */
static void exchange_nearest(const choice *from, uint32_t deepest, uint32_t chosen[4], uint32_t count) {
    double away = INFINITY;
    uint32_t nearest = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double d = distance2(from[chosen[i]].point->position, from[deepest].point->position);
        nearest = d < away ? i : nearest;
        away = abut_min_d(d, away);
    }
    chosen[nearest] = deepest;
}

/* Four that are spread, with one that is as deep as any, nearly: see deep.h. */
static void choose_four(const choice *from, uint32_t n, const chooser *by, abut_np_points *out) {
    uint32_t chosen[4], deepest = 0;
    double least = INFINITY;
    out->count = spread(from, n, by, chosen);
    for (uint32_t i = 0; i < n; i++) {
        deepest = (uint32_t)if_so(from[i].point->separation < from[deepest].point->separation, i, deepest);
    }
    const double depth = -from[deepest].point->separation;
    for (uint32_t i = 0; i < out->count; i++) {
        least = abut_min_d(least, from[chosen[i]].point->separation);
    }
    if (least + depth > abut_np_as_deep(depth, by->extent)) {
        exchange_nearest(from, deepest, chosen, out->count);
        least = -depth;
    }
    for (uint32_t i = 0; i < out->count; i++) {
        out->point[i] = *from[chosen[i]].point;
        out->point[i].separation -= least + depth;
    }
}

static abut_d3 in_world(const abut_np_seat *seat, abut_d3 at) {
    abut_d3 out;
    for (int i = 0; i < 3; i++) {
        out.x[i] = (&seat->convex->center.x)[i] + (seat->world_axes[i][0] * at.x[0] + seat->world_axes[i][1] * at.x[1] +
                                                   seat->world_axes[i][2] * at.x[2]);
    }
    return out;
}

void abut_np_patch_points(const abut_np_seat *seat, const abut_np_patch *patch, uint32_t shown, abut_np_points *out) {
    /* Where the triangle goes on, its neighbours show the corners of the face; its own sides are no ends. */
    static const double weight[ABUT_NP_TRIANGLE_FACE + 1] = {1, 1, 1, 1, 1, 1, 16};
    abut_np_point point[ABUT_NP_PATCH_POINTS];
    choice from[ABUT_NP_PATCH_POINTS];
    abut_np_point *to = patch->count > 4 ? point : out->point;
    uint32_t n = 0;
    for (uint32_t left = shown & ((1u << patch->count) - 1); left; left &= left - 1) {
        const abut_np_patch_point *p = &patch->point[ABUT_LOWEST_BIT(left)];
        const abut_d3 at = in_world(seat, abut_d3_along(p->on, p->separation / 2, patch->normal));
        to[n] = (abut_np_point){at, p->separation, p->feature};
        from[n] = (choice){&to[n], weight[p->meets]};
        n++;
    }
    out->normal = abut_d3_rotate((double(*)[3])seat->ground_axes, patch->in_mesh);
    out->count = n;
    if (n > 4) {
        const abut_d3 along = abut_d3_rotate((double(*)[3])seat->world_axes, ABUT_NP_CHOOSING);
        const chooser by = {.along = along, .across = abut_d3_cross(out->normal, along), .extent = seat->extent};
        choose_four(from, n, &by, out);
    } else if (to == point) {
        memcpy(out->point, point, n * sizeof *point);
    }
}

void abut_np_summary_begin(abut_d3 normal, double near, double extent, abut_np_summary *s) {
    int least = fabs(normal.x[0]) < fabs(normal.x[1]) ? 0 : 1;
    least = fabs(normal.x[2]) < fabs(normal.x[least]) ? 2 : least;
    abut_d3 axis = {{0, 0, 0}};
    axis.x[least] = 1;
    s->normal = normal;
    s->near = near;
    s->extent = extent;
    s->across[0] = abut_d3_cross(normal, axis);
    s->across[1] = abut_d3_cross(normal, s->across[0]);
    s->count = s->point_count = 0;
}

static void make_room(abut_np_summary *s) {
    uint32_t at[ABUT_NP_OUTERMOST + 1], n = 0;
    uint64_t stay = 0;
    abut_np_patch_kernels_active()->outermost(s, at);
    for (int i = 0; i <= ABUT_NP_OUTERMOST; i++) {
        stay |= UINT64_C(1) << at[i];
    }
    for (; stay; stay &= stay - 1) {
        s->point[n++] = s->point[ABUT_LOWEST_BIT64(stay)];
    }
    s->point_count = n;
}
_Static_assert(ABUT_NP_SUMMED <= 64, "a point is a bit");

void abut_np_summary_add(abut_np_summary *s, const abut_np_points *part) {
    static const double AGREES = 0.996; /* 5 degrees */
    if (abut_d3_dot(part->normal, s->normal) < AGREES) {
        return;
    }
    if (s->count++ == 0) {
        s->only = *part;
    }
    if (s->point_count + part->count > ABUT_NP_SUMMED) {
        make_room(s);
    }
    for (uint32_t i = 0; i < part->count; i++) {
        s->point[s->point_count++] = part->point[i];
    }
}

void abut_np_summary_end(const abut_np_summary *s, abut_manifold *manifold) {
    if (s->count == 1) {
        abut_np_points_round(&s->only, manifold);
        return;
    }
    choice from[ABUT_NP_OUTERMOST + 1];
    abut_np_points points;
    uint32_t at[ABUT_NP_OUTERMOST + 1], n = 0;
    uint64_t seen = 0;
    abut_np_patch_kernels_active()->outermost(s, at);
    for (int i = 0; i <= ABUT_NP_OUTERMOST; i++) {
        from[n] = (choice){&s->point[at[i]], 1};
        n += !(seen >> at[i] & 1);
        seen |= UINT64_C(1) << at[i];
    }
    points.normal = s->normal;
    const chooser by = {.along = ABUT_NP_CHOOSING,
                        .across = abut_d3_cross(s->normal, ABUT_NP_CHOOSING),
                        .near = s->near,
                        .extent = s->extent};
    choose_four(from, n, &by, &points);
    for (uint32_t i = 0; i < points.count; i++) {
        points.point[i].feature = i; /* features of several triangles may be the same */
    }
    abut_np_points_round(&points, manifold);
}
