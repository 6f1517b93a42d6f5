/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/sweep/sweep.h"

static abut_d3 scaled(double s, abut_d3 v) {
    return (abut_d3){{s * v.x[0], s * v.x[1], s * v.x[2]}};
}

/* The middle of a shape, in its frame's axes. */
static abut_d3 middle_of(const abut_np_way *way) {
    const abut_hull *hull = way->shape.hull;
    double m[3][3];
    if (!hull) {
        return way->local;
    }
    abut_dquat_matrix_quick(way->turned, m);
    return abut_d3_along(way->local, 1, abut_d3_rotate(m, abut_d3_from(hull->centroid)));
}

/* `middle` is that of its frame. */
static abut_d3 middle_at(const abut_np_way *way, double time, abut_d3 middle) {
    const abut_d3 origin = abut_d3_along(way->from, time, way->translation);
    double m[3][3];
    if (abut_d3_norm1(middle) == 0) {
        return origin;
    }
    abut_dquat_matrix_quick(abut_turn_at(&way->turn, time), m);
    return abut_d3_along(origin, 1, abut_d3_rotate(m, middle));
}

/* The shape's half extents, and half of its diagonal. */
static double half_diagonal(const abut_np_way *way, double *longest) {
    const abut_hull *hull = way->shape.hull;
    const abut_d3 half = abut_d3_from(hull ? hull->obb.half : way->shape.half);
    const double r = way->shape.radius;
    const abut_d3 grown = {{half.x[0] + r, half.x[1] + r, half.x[2] + r}};
    *longest = grown.x[abut_d3_greatest_axis(grown)];
    return abut_d3_length(grown);
}

/* What is left of e where every part of it is taken as small as it may be meant; and the size of the smaller shape. */
static double tolerance_of(const abut_np_way *a, const abut_np_way *b, double *smaller) {
    const abut_np_way *way[2] = {a, b};
    const abut_d3 middle[2] = {middle_of(a), middle_of(b)};
    double sum = 0;
    *smaller = INFINITY;
    for (int i = 0; i < 2; i++) {
        double longest, off = abut_d3_length(middle[i]), size = 2 * half_diagonal(way[i], &longest);
        *smaller = abut_min_d(size, *smaller);
        sum += size;
        sum += abut_d3_length(way[i]->translation) + way[i]->angle * abut_max_d(longest, off);
    }
    double first = abut_d3_length(abut_d3_sub(middle_at(b, 0, middle[1]), middle_at(a, 0, middle[0])));
    double last = abut_d3_length(abut_d3_sub(middle_at(b, 1, middle[1]), middle_at(a, 1, middle[0])));
    return 0.999e-6 * (sum + abut_max_d(first, last));
}

void abut_np_couple_of(const abut_np_way *a, const abut_np_way *b, abut_np_couple *couple) {
    *couple = (abut_np_couple){.way = {a, b}};
    couple->apart = abut_d3_sub(b->from, a->from);
    couple->velocity = abut_d3_sub(b->translation, a->translation);
    couple->spin[0] = scaled(a->turn.angle, a->turn.axis);
    couple->spin[1] = scaled(b->turn.angle, b->turn.axis);
    couple->turned = a->turn.angle * a->reach + b->turn.angle * b->reach;
    couple->travel = abut_d3_length(couple->velocity) + couple->turned;
    couple->radii = (double)a->shape.radius + b->shape.radius;
    couple->tolerance = tolerance_of(a, b, &couple->smaller);
    const double extent[2] = {a->reach - abut_d3_length(a->local), b->reach - abut_d3_length(b->local)};
    couple->small = extent[1] < extent[0];
    couple->extent = extent[couple->small];
}

double abut_np_couple_stride(const abut_np_couple *couple) {
    return abut_max_d(0x1p-11, 0x1p-9 * couple->smaller / couple->turned);
}

/* The speed of a point as the larger shape sees it is that of the middle, and what the difference of both turns adds;
 * the former changes no faster than both turn. */
double abut_np_couple_span(const abut_np_couple *couple, const abut_np_instant *instant, double by) {
    const int small = couple->small;
    const abut_d3 spin = couple->spin[small], frame = couple->spin[!small], arm = instant->arm[small];
    const abut_d3 apart = abut_d3_along(couple->apart, instant->time, couple->velocity);
    const abut_d3 middle = abut_d3_along(arm, small ? 1 : -1, apart); /* from the larger one's origin */
    const abut_d3 speed = abut_d3_along(abut_d3_cross(spin, arm), small ? 1 : -1, couple->velocity);
    const abut_d3 seen = abut_d3_sub(speed, abut_d3_cross(frame, middle));
    const double most = abut_d3_length(seen) + abut_d3_length(abut_d3_sub(spin, frame)) * couple->extent;
    const double growth = abut_d3_dot(spin, spin) * abut_d3_length(arm) + abut_d3_length(frame) * abut_d3_length(speed);
    return 2 * by / (most + sqrt(most * most + 2 * growth * by));
}

/* The chord of a line in a sphere; the sphere is larger by far more than rounding. */
bool abut_np_couple_times(const abut_np_couple *couple, double *begin, double *end) {
    const abut_d3 o = couple->apart, v = couple->velocity;
    double square = abut_d3_dot(v, v), radius = couple->way[0]->reach + couple->way[1]->reach + couple->tolerance;
    *begin = 0, *end = 1;
    radius += 0x1p-20 * radius + 0x1p-40 * (abut_d3_norm1(o) + abut_d3_norm1(v));
    double middle = square > 0 ? -abut_d3_dot(o, v) / square : 0;
    double distance = abut_d3_length(abut_d3_along(o, middle, v));
    if (!(distance <= radius)) {
        return false;
    }
    if (square > 0) {
        double half = sqrt((radius - distance) * (radius + distance) / square);
        *begin = abut_max_d(middle - half, 0);
        *end = abut_min_d(middle + half, 1);
    }
    return *begin <= *end;
}

static void place(const abut_np_way *way, double time, double axes[3][3], abut_d3 *arm) {
    const abut_dquat frame = abut_turn_at(&way->turn, time), turned = way->turned;
    const bool plain = abut_d3_norm1(way->local) == 0;
    abut_dquat_matrix_quick(frame, axes);
    *arm = plain ? way->local : abut_d3_rotate(axes, way->local);
    if (fabs(turned.x) + fabs(turned.y) + fabs(turned.z) > 0) {
        abut_dquat_matrix_quick(abut_dquat_multiply(frame, turned), axes);
    }
}

void abut_np_instant_begin(const abut_np_couple *couple, double time, abut_np_instant *instant) {
    instant->time = time;
    for (int i = 0; i < 2; i++) {
        place(couple->way[i], time, instant->axes[i], &instant->arm[i]);
    }
}

void abut_np_instant_move(const abut_np_couple *couple, double time, abut_np_instant *instant) {
    instant->time = time;
    for (int i = 0; i < 2; i++) {
        if (couple->way[i]->turn.angle > 0) {
            place(couple->way[i], time, instant->axes[i], &instant->arm[i]);
        }
    }
}

abut_d3 abut_np_couple_middles(const abut_np_couple *couple, const abut_np_instant *instant) {
    abut_d3 between = abut_d3_along(couple->apart, instant->time, couple->velocity);
    for (int i = 0; i < 2; i++) {
        const abut_hull *hull = couple->way[i]->shape.hull;
        const double sign = i ? 1 : -1;
        between = abut_d3_along(between, sign, instant->arm[i]);
        if (hull) {
            double(*axes)[3] = (double(*)[3])instant->axes[i];
            between = abut_d3_along(between, sign, abut_d3_rotate(axes, abut_d3_from(hull->centroid)));
        }
    }
    return between;
}
