/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/patch/summary.h"
#include "base/compiler.h"
#include "narrowphase/patch/cut.h"
#include "narrowphase/tolerance.h"

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

/* Of the deepest the first that is preferred. `equal`: separations that differ by less are the same. */
static uint32_t deepest_of(const choice *from, uint32_t n, double equal) {
    double least = INFINITY;
    uint32_t best = n;
    for (uint32_t i = 0; i < n; i++) {
        least = abut_min_d(least, from[i].point->separation);
    }
    for (uint32_t i = 0; i < n; i++) {
        bool deep = from[i].point->separation <= least + equal;
        best = deep && (best == n || from[i].weight > from[best].weight) ? i : best;
    }
    return best;
}

/* The deepest, then one by one the point farthest from those that have been chosen. What is no more than `near` from
 * one of those is the same point. */
static void choose_four(const choice *from, uint32_t n, double equal, double near, abut_np_points *out) {
    double apart[ABUT_NP_OUTERMOST + 1];
    uint32_t next = deepest_of(from, n, equal);
    for (uint32_t i = 0; i < n; i++) {
        apart[i] = INFINITY;
    }
    for (out->count = 0; out->count < 4;) {
        out->point[out->count++] = *from[next].point;
        double most = 0;
        uint32_t far = n;
        for (uint32_t i = 0; i < n; i++) {
            apart[i] = abut_min_d(apart[i], distance2(from[i].point->position, from[next].point->position));
            const double along = apart[i] > near * near ? apart[i] * from[i].weight : 0;
            far = (uint32_t)if_so(along > most, i, far);
            most = abut_max_d(along, most);
        }
        if (far == n) {
            return;
        }
        next = far;
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
        choose_four(from, n, ABUT_NP_AS_DEEP * seat->smallest, 0, out);
    } else if (to == point) {
        memcpy(out->point, point, n * sizeof *point);
    }
}

void abut_np_summary_begin(abut_d3 normal, double near, abut_np_summary *s) {
    int least = fabs(normal.x[0]) < fabs(normal.x[1]) ? 0 : 1;
    least = fabs(normal.x[2]) < fabs(normal.x[least]) ? 2 : least;
    abut_d3 axis = {{0, 0, 0}};
    axis.x[least] = 1;
    s->normal = normal;
    s->near = near;
    s->across[0] = abut_d3_cross(normal, axis);
    s->across[1] = abut_d3_cross(normal, s->across[0]);
    s->count = s->point_count = 0;
}

/* The deepest point, and those that lie farthest out, by their places; of several the first. One may be among them more
 * than once. */
static void find_outermost(const abut_np_summary *s, uint32_t at[ABUT_NP_OUTERMOST + 1]) {
    enum { WAYS = ABUT_NP_OUTERMOST / 2 };
    double most[WAYS], least[WAYS], deepest = INFINITY;
    uint64_t high[WAYS] = {0}, low[WAYS] = {0}, lowest = 0;
    for (int i = 0; i < WAYS; i++) {
        most[i] = -INFINITY;
        least[i] = INFINITY;
    }
    for (uint32_t k = 0; k < s->point_count; k++) {
        const abut_np_point *p = &s->point[k];
        const double u = abut_d3_dot(s->across[0], p->position), v = abut_d3_dot(s->across[1], p->position);
        const double along[WAYS] = {u, u + v, v, v - u};
        lowest = if_so(p->separation < deepest, k, lowest);
        deepest = abut_min_d(p->separation, deepest);
        for (int i = 0; i < WAYS; i++) {
            high[i] = if_so(along[i] > most[i], k, high[i]);
            low[i] = if_so(along[i] < least[i], k, low[i]);
            most[i] = abut_max_d(along[i], most[i]);
            least[i] = abut_min_d(along[i], least[i]);
        }
    }
    at[0] = (uint32_t)lowest;
    for (int i = 0; i < WAYS; i++) {
        at[1 + i] = (uint32_t)high[i];
        at[1 + WAYS + i] = (uint32_t)low[i];
    }
}

static void make_room(abut_np_summary *s) {
    uint32_t at[ABUT_NP_OUTERMOST + 1], n = 0;
    uint64_t stay = 0;
    find_outermost(s, at);
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
    find_outermost(s, at);
    for (int i = 0; i <= ABUT_NP_OUTERMOST; i++) {
        from[n] = (choice){&s->point[at[i]], 1};
        n += !(seen >> at[i] & 1);
        seen |= UINT64_C(1) << at[i];
    }
    points.normal = s->normal;
    choose_four(from, n, 0, s->near, &points);
    for (uint32_t i = 0; i < points.count; i++) {
        points.point[i].feature = i; /* features of several triangles may be the same */
    }
    abut_np_points_round(&points, manifold);
}
