/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/patch/touch.h"
#include "base/compiler.h"
#include "narrowphase/mesh/sift.h"
#include "narrowphase/mesh/triangle.h"
#include "narrowphase/tolerance.h"

/* A point's height over the triangle's plane. */
static double height_of(const abut_np_facing *f, abut_d3 at) {
    return abut_d3_dot(f->normal, at) - f->height;
}

/* Whether a point certainly lies over the triangle, by more than `by` inside all sides. */
static bool is_over(const abut_np_facing *f, abut_d3 at, double by) {
    bool over = !abut_np_facing_is_thin(f);
    for (int k = 0; k < 3; k++) {
        over = over && abut_d3_dot(f->out[k], at) - f->outline[k] <= -by * f->length[k];
    }
    return over;
}

/* Whether a point certainly lies in the core, by more than `by`. */
static bool is_within(const abut_np_seat *seat, abut_d3 at, double by) {
    bool within = true;
    by += seat->hollow;
    for (int k = 0; k < 3 && !seat->hull; k++) {
        within = within && fabs(at.x[k]) < seat->half[k] - by;
    }
    for (uint32_t i = 0; seat->hull && within && i < seat->hull->face_count; i++) {
        const abut_hull_plane *plane = &abut_hull_faces(seat->hull)[i].plane;
        within = plane->n[0] * at.x[0] + plane->n[1] * at.x[1] + plane->n[2] * at.x[2] < plane->w - by;
    }
    return within;
}

/* A proof that the cores share a point: a point of the core that lies over the triangle, below its plane, and the point
 * of the triangle right above it lies in the core, too. */
static bool is_pierced(const abut_np_seat *seat, const abut_np_facing *f, abut_np_over *lazy) {
    double slack = ABUT_NP_ROUND_SLACK * f->size;
    if (lazy->height > slack) {
        return false;
    }
    const abut_np_cut_face *over = abut_np_over_face(seat, lazy);
    abut_d3 sum = {{0, 0, 0}};
    uint32_t below = 0;
    for (uint32_t i = 0; i < over->count; i++) {
        if (over->height[i] < 0) {
            sum = abut_d3_along(sum, 1, abut_np_cut_at(over, i));
            below++;
        }
    }
    if (below == 0) {
        return false;
    }
    const abut_d3 from = {{sum.x[0] / below, sum.x[1] / below, sum.x[2] / below}};
    const abut_d3 at = abut_d3_along(from, -height_of(f, from), f->normal);
    return is_over(f, at, slack) && is_within(seat, at, slack);
}

/* The same of a side of the triangle that passes through a hull, at its middle. */
static bool is_crossed(const abut_np_seat *seat, const abut_np_facing *f, const abut_np_passage *p) {
    for (uint32_t k = 0; k < 3; k++) {
        const abut_d3 from = f->corner[k], way = abut_d3_sub(f->corner[(k + 1) % 3], from);
        if (p->pierced >> k & 1 &&
            is_within(seat, abut_d3_along(from, (p->first[k] + p->last[k]) / 2, way), ABUT_NP_ROUND_SLACK * f->size)) {
            return true;
        }
    }
    return false;
}

/* A proof that the core is within reach: a point of it right above the triangle. */
static bool is_above(const abut_np_seat *seat, const abut_np_facing *f, abut_np_over *lazy) {
    const abut_np_cut_face *over = abut_np_over_face(seat, lazy);
    for (uint32_t i = 0; i < over->count; i++) {
        double height = over->height[i];
        if (height >= 0 && height + seat->hollow <= seat->reach && is_over(f, abut_np_cut_at(over, i), 0)) {
            return true;
        }
    }
    return false;
}

/* The point of the triangle that is closest to a point: on one of the sides that it lies beyond, or below it. A thin
 * triangle is no more than its sides. */
static abut_d3 closest_to(const abut_np_facing *f, abut_d3 at) {
    bool thin = abut_np_facing_is_thin(f);
    abut_d3 best = abut_d3_along(at, -height_of(f, at), f->normal);
    double least = INFINITY;
    for (uint32_t k = 0; k < 3; k++) {
        if (!thin && !(abut_d3_dot(f->out[k], at) - f->outline[k] > 0)) {
            continue;
        }
        const abut_d3 a = f->corner[k], along = abut_d3_sub(f->corner[(k + 1) % 3], a);
        double t = abut_d3_dot(along, abut_d3_sub(at, a)) / abut_d3_dot(along, along);
        const abut_d3 on = t <= 0 ? a : t >= 1 ? f->corner[(k + 1) % 3] : abut_d3_along(a, t, along);
        const abut_d3 apart = abut_d3_sub(on, at);
        double distance2 = abut_d3_dot(apart, apart);
        best = distance2 < least ? on : best;
        least = distance2 < least ? distance2 : least;
    }
    return best;
}

/* By the general functions, which are certain. */
static void ask(const abut_np_seat *seat, const abut_np_facing *f, abut_np_touch *out) {
    abut_np_triangle triangle;
    abut_np_closest closest;
    abut_np_triangle_make(seat->ground, f->part, &triangle);
    abut_np_closest_points(&triangle.collider, seat->convex, &closest);
    out->overlap = closest.overlap;
    out->touches = seat->reach > 0 ? closest.overlap || closest.distance <= seat->reach + ABUT_NP_ROUND_SLACK * f->size
                                   : abut_np_triangle_overlap(&triangle, seat->convex);
    const abut_d3 apart = abut_d3_sub(abut_d3_from(triangle.collider.center), abut_d3_from(seat->convex->center));
    double axes[3][3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            axes[i][k] = seat->world_axes[i][k];
        }
    }
    out->on = abut_d3_unrotate(axes, abut_d3_along(apart, 1, closest.on_a));
    out->from = abut_d3_unrotate(axes, abut_d3_along(apart, 1, closest.on_b));
    out->closest = true;
}

static void ask_point(const abut_np_seat *seat, const abut_np_facing *f, abut_np_touch *out) {
    const abut_d3 at = {{0, 0, 0}};
    out->on = closest_to(f, at);
    out->from = at;
    double distance = abut_d3_length(out->on);
    out->overlap = distance <= ABUT_NP_SLACK_DOUBLE * f->size;
    out->touches = distance <= seat->reach + ABUT_NP_ROUND_SLACK * f->size;
    out->closest = true;
}

/* Keeps a pair of points if it is the closest so far. */
static void consider(abut_d3 on, abut_d3 from, double *least, abut_np_touch *out) {
    const abut_d3 apart = abut_d3_sub(on, from);
    double distance2 = abut_d3_dot(apart, apart);
    if (distance2 < *least) {
        *least = distance2;
        out->on = on, out->from = from;
    }
}

/* The closest points of a rod and a side of the triangle; both have a length. */
static void consider_side(abut_d3 p, abut_d3 u, abut_d3 a, abut_d3 v, double *least, abut_np_touch *out) {
    const abut_d3 w = abut_d3_sub(p, a);
    double uu = abut_d3_dot(u, u), uv = abut_d3_dot(u, v), vv = abut_d3_dot(v, v);
    double uw = abut_d3_dot(u, w), vw = abut_d3_dot(v, w), across = uu * vv - uv * uv;
    double s = across > 0 ? (uv * vw - vv * uw) / across : 0;
    s = s > 0 ? (s < 1 ? s : 1) : 0;
    double t = (vw + s * uv) / vv;
    if (!(t >= 0 && t <= 1)) {
        t = t > 0 ? 1 : 0;
        s = (t * uv - uw) / uu;
        s = s > 0 ? (s < 1 ? s : 1) : 0;
    }
    consider(abut_d3_along(a, t, v), abut_d3_along(p, s, u), least, out);
}

/* A rod: the closest of its ends to the triangle, and of it to the sides, unless it passes through the triangle. */
static void ask_rod(const abut_np_seat *seat, const abut_np_facing *f, abut_np_touch *out) {
    const abut_d3 end[2] = {{{-seat->half[0], -seat->half[1], -seat->half[2]}},
                            {{seat->half[0], seat->half[1], seat->half[2]}}};
    const abut_d3 along = abut_d3_sub(end[1], end[0]);
    const double height[2] = {height_of(f, end[0]), height_of(f, end[1])};
    double least = INFINITY;
    out->closest = true;
    if (height[0] * height[1] < 0) {
        const abut_d3 at = abut_d3_along(end[0], height[0] / (height[0] - height[1]), along);
        if (is_over(f, at, 0)) {
            out->on = out->from = at;
            out->touches = out->overlap = true;
            return;
        }
    }
    consider(closest_to(f, end[0]), end[0], &least, out);
    consider(closest_to(f, end[1]), end[1], &least, out);
    for (uint32_t k = 0; k < 3; k++) {
        consider_side(end[0], along, f->corner[k], abut_d3_sub(f->corner[(k + 1) % 3], f->corner[k]), &least, out);
    }
    double distance = sqrt(least);
    out->overlap = distance <= ABUT_NP_SLACK_DOUBLE * f->size;
    out->touches = distance <= seat->reach + ABUT_NP_ROUND_SLACK * f->size;
}

static void find_closest(const abut_np_seat *seat, const abut_np_facing *f, abut_np_touch *out) {
    (seat->size == 0 ? ask_point : seat->is_rod ? ask_rod : ask)(seat, f, out);
}

/* Apart from the search for closest points, so that its triangle leaves the stack before. */
static ABUT_NOINLINE bool prism_overlaps(const abut_np_seat *seat, const abut_np_facing *f) {
    abut_np_triangle triangle;
    abut_np_triangle_make(seat->ground, f->part, &triangle);
    return abut_np_triangle_overlap(&triangle, seat->convex);
}

/* Sharp shapes that do not touch need no closest points: a predicate, which costs less, shows it. */
static void find_touch(const abut_np_seat *seat, const abut_np_facing *f, abut_np_touch *out) {
    if (seat->reach > 0 || prism_overlaps(seat, f)) {
        find_closest(seat, f, out);
    }
}

static void touch_begin(abut_np_touch *out) {
    out->touches = out->overlap = out->closest = out->passed = false;
}

void abut_np_touch_closest(const abut_np_seat *seat, const abut_np_facing *f, abut_np_touch *out) {
    touch_begin(out);
    find_closest(seat, f, out);
}

/* A hull: what its planes show, or else the closest points. */
static void touch_hull(const abut_np_seat *seat, const abut_np_facing *f, abut_np_touch *out) {
    seat->kernels->pass(seat, f, &out->passage);
    out->passed = true;
    if (out->passage.beyond) {
        out->touches = false;
    } else if (is_crossed(seat, f, &out->passage)) {
        out->touches = out->overlap = true;
    } else {
        find_touch(seat, f, out);
    }
}

void abut_np_touch_of(const abut_np_seat *seat, const abut_np_facing *f, abut_np_over *over, bool shared, bool closest,
                      abut_np_touch *out) {
    const abut_d3 lowest = over->lowest;
    double height = over->height;
    touch_begin(out);
    if (height >= 0 && is_over(f, lowest, 0)) { /* no point of the core is closer */
        out->touches = height <= seat->reach;
        out->overlap = height == 0;
        out->closest = true;
        out->from = lowest;
        out->on = abut_d3_along(lowest, -height, f->normal);
        if (out->touches) {
            return;
        }
    }
    if (shared || is_pierced(seat, f, over)) {
        out->touches = out->overlap = true;
    } else if (!closest && is_above(seat, f, over)) {
        out->touches = true;
    } else {
        (seat->hull ? touch_hull : find_touch)(seat, f, out);
    }
}
