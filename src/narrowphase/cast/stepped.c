/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Any two shapes, from one supporting plane to the next: van den Bergen, "Ray casting against general convex objects
 * with application to continuous collision detection" (2004). The distance of two convex bodies is a convex function of
 * the fraction, so no step leads past the touch. */
#include "narrowphase/cast/cast.h"
#include "narrowphase/kernels.h"
#include "shape/shape.h"

/* This times the size of the pair, beyond the slack, counts as met. It is a small part of the tolerance of casts, and
 * so far above rounding that the direction of the closest points is good. */
static const double NEAR = 0x1p-34;

/* The extents about the middle that `between` counts from, which is in the shape; without the radius. */
static double extent_of(const abut_collider *collider) {
    return collider->hull ? 2 * abut_d3_norm1(abut_d3_from(collider->hull->obb.half))
                          : abut_d3_norm1(abut_d3_from(collider->half));
}

/* All but the cores and the way. */
static void bound(const abut_collider *collider, const abut_collider *moving, abut_np_moving *out) {
    out->radii = (double)collider->radius + moving->radius;
    double size = abut_d3_norm1(out->cores.between) + extent_of(collider) + extent_of(moving) + out->radii;
    out->slack = ABUT_NP_CAST_SLACK * (out->cores.size + out->radii);
    out->near = out->radii + (5 * out->slack + NEAR * size);
    out->end = abut_min_d(2 * size / abut_d3_norm1(out->along), 1);
}

void abut_np_moving_place(const abut_np_cast *cast, const abut_collider *collider, abut_np_moving *out) {
    abut_np_cores_place(collider, &cast->start, &out->cores);
    out->along = abut_d3_unrotate(out->cores.axes_a, abut_d3_load(cast->translation));
    bound(collider, &cast->start, out);
}

void abut_np_moving_place_at_end(const abut_collider *moving, abut_d3 along, const abut_collider *collider,
                                 abut_np_moving *out) {
    abut_np_cores_place(collider, moving, &out->cores);
    out->along = along;
    out->cores.offset = abut_d3_along(out->cores.offset, -1, along);
    out->cores.between = abut_d3_along(out->cores.between, -1, along);
    out->cores.size += abut_d3_norm1(along);
    bound(collider, moving, out);
}

/* With `again` the search goes on from the corners that *out has. */
static void nearest_at(const abut_np_moving *m, double fraction, bool again, abut_np_nearest *out) {
    const abut_np_distance_kernels *kernels = abut_np_distance_kernels_active();
    abut_np_cores cores = m->cores;
    cores.offset = abut_d3_along(cores.offset, fraction, m->along);
    cores.between = abut_d3_along(cores.between, fraction, m->along);
    (void)(again ? kernels->nearest_again : kernels->nearest)(&cores, INFINITY, out);
}

void abut_np_moving_nearest(const abut_np_moving *m, double fraction, abut_np_nearest *out) {
    nearest_at(m, fraction, false, out);
}

/* The product of the distance from the touch and its slope falls by a factor of 4 with every step, and 35 steps take it
 * below what a shape that still may touch can have: see docs/numerics.md. Should there ever be more, the answer is the
 * last fraction, which is not late. */
enum { STEPS_MAX = 64 };

double abut_np_cast_stepped(const abut_np_moving *m, double from, double limit, abut_d3 *plane) {
    double t = from;
    abut_np_nearest s;
    for (int step = 1; t <= limit; step++) {
        nearest_at(m, t, step > 1, &s);
        double above = s.lower - m->radii - m->slack;
        if (s.overlap || !(above > 0)) {
            return t;
        }
        abut_d3 n = s.along;
        (void)abut_d3_normalise_scaled(&n);
        double fall = -abut_d3_dot(n, m->along), next = fall > 0 ? t + above / fall : INFINITY;
        if (!(next <= m->end)) {
            return INFINITY;
        }
        if (plane) {
            *plane = n;
        }
        if (abut_d3_dot(s.point, s.point) <= m->near * m->near || step == STEPS_MAX) {
            return t;
        }
        t = next;
    }
    return INFINITY;
}
