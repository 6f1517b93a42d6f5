/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/patch/touch.h"
#include "base/compiler.h"
#include "narrowphase/mesh/sift.h"
#include "narrowphase/mesh/triangle.h"
#include "narrowphase/patch/faces.h"
#include "narrowphase/tolerance.h"

/* A point's height over the triangle's plane. */
static double height_of(const abut_np_facing *f, abut_d3 at) {
    return abut_d3_dot(f->normal, at) - f->height;
}

/* Whether a point certainly lies over the triangle, by more than `by` inside all sides. */
static bool is_over(const abut_np_facing *f, abut_d3 at, double by) {
    bool over = !abut_np_facing_is_thin(f);
    for (int k = 0; k < 3; k++) {
        over &= abut_d3_dot(f->out[k], at) - f->outline[k] <= -by * f->length[k];
    }
    return over;
}

/* Whether a point certainly lies in the core, by more than `by`. */
static bool is_within(const abut_np_seat *seat, abut_d3 at, double by) {
    bool within = true;
    by += seat->hollow;
    if (seat->hull) {
        return seat->faces_kernels->within(seat, at, by);
    }
    for (int k = 0; k < 3; k++) {
        within &= fabs(at.x[k]) < seat->half[k] - by;
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

/* The middle of what a box has of a side of the triangle, or some point of the line if it has nothing of it. */
static abut_d3 middle_in_box(const abut_np_seat *seat, abut_d3 from, abut_d3 way) {
    double first = 0, last = 1;
    for (int k = 0; k < 3; k++) {
        if (way.x[k] != 0) {
            const double one = (-seat->half[k] - from.x[k]) / way.x[k], other = (seat->half[k] - from.x[k]) / way.x[k];
            first = abut_max_d(first, abut_min_d(one, other));
            last = abut_min_d(last, abut_max_d(one, other));
        }
    }
    return abut_d3_along(from, (first + last) / 2, way);
}

/* The same of a side that passes through a box. Rarely done. */
static ABUT_NOINLINE bool is_crossed_by_box(const abut_np_seat *seat, const abut_np_facing *f) {
    for (uint32_t left = f->crossed; left; left &= left - 1) {
        const uint32_t k = ABUT_LOWEST_BIT(left);
        const abut_d3 from = f->corner[k], way = abut_d3_sub(f->corner[(k + 1) % 3], from);
        if (is_within(seat, middle_in_box(seat, from, way), ABUT_NP_ROUND_SLACK * f->size)) {
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

/* Points and rods: the facing has them. */
static void read_closest(const abut_np_seat *seat, const abut_np_facing *f, abut_np_touch *out) {
    out->on = f->on;
    out->from = f->from;
    out->overlap = f->distance <= ABUT_NP_SLACK_DOUBLE * f->size;
    out->touches = abut_np_facing_is_near(seat, f);
    out->closest = true;
}

static void find_closest(const abut_np_seat *seat, const abut_np_facing *f, abut_np_touch *out) {
    if (seat->size == 0 || seat->is_rod) {
        read_closest(seat, f, out);
    } else {
        ask(seat, f, out);
    }
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

/* Beyond the reach by more than this times S, along any normal between that of a triangle and the way out across a
 * side, no predicate answers otherwise: an axis that it tries is at most 45 degrees from the shortest way across that
 * side. */
static const double CLEARLY = 0x1p-44;

/* A hull: what its planes show, before what needs the face over the triangle, or else the closest points. Of the
 * two proofs of an overlap the cheaper one comes first; what is above and has none of it does not look for the other.
 */
static void touch_hull(const abut_np_seat *seat, const abut_np_facing *f, abut_np_over *over, bool closest,
                       abut_np_touch *out) {
    seat->kernels->pass(seat, f, true, &out->passage);
    out->passed = true;
    if (out->passage.beyond) {
        return;
    }
    if ((closest && is_crossed(seat, f, &out->passage)) || is_pierced(seat, f, over)) {
        out->touches = out->overlap = true;
    } else if (!closest && is_above(seat, f, over)) {
        out->touches = true;
    } else if (!closest && is_crossed(seat, f, &out->passage)) {
        out->touches = out->overlap = true;
    } else if (!seat->faces_kernels->apart(seat, f, seat->reach + CLEARLY * f->size)) {
        find_touch(seat, f, out);
    }
}

static void touch_box(const abut_np_seat *seat, const abut_np_facing *f, abut_np_over *over, bool closest,
                      abut_np_touch *out) {
    if (is_pierced(seat, f, over)) {
        out->touches = out->overlap = true;
    } else if (!closest && is_above(seat, f, over)) {
        out->touches = true;
    } else if (f->crossed && !seat->is_rod && is_crossed_by_box(seat, f)) {
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
    if (shared) {
        out->touches = out->overlap = true;
    } else {
        (seat->hull ? touch_hull : touch_box)(seat, f, over, closest, out);
    }
}
