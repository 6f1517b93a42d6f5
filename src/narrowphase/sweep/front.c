/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A point y from its frame's origin moves along the fixed direction n at the speed n.(v + w x y) = n.v + y.(n x w), and
 * this speed changes by at most |n x w| |w| |y|. So the gap along n, after the time s, is at least
 *
 *     apart + s rate + min over b of y.(n + s n x w) - max over a of y.(n + s n x w) - bend s^2,
 *
 * which two supports give for any s, and which is concave in s: where it is at least the level at s, it is so all the
 * way to s. docs/numerics.md, "Sweeps". */
#include "narrowphase/sweep/sweep.h"

static double length(abut_d3 v) {
    return sqrt(abut_d3_dot(v, v));
}

abut_np_front abut_np_front_of(const abut_np_couple *couple, const abut_np_instant *instant, abut_d3 direction) {
    abut_np_front front = {.couple = couple, .instant = instant, .direction = direction};
    const abut_d3 origins = abut_d3_along(couple->apart, instant->time, couple->velocity);
    front.apart = abut_d3_dot(direction, origins);
    front.rate = abut_d3_dot(direction, couple->velocity);
    for (int i = 0; i < 2; i++) {
        const abut_np_way *way = couple->way[i];
        front.tilt[i] = abut_d3_cross(direction, couple->spin[i]);
        front.bend += length(front.tilt[i]) * way->turn.angle * way->reach / 2;
    }
    return front;
}

/* The point of core i that lies farthest along a direction of the world, from its frame's origin. */
static abut_d3 farthest(const abut_np_front *front, int i, abut_d3 along) {
    const abut_collider *shape = &front->couple->way[i]->shape;
    double(*axes)[3] = (double(*)[3])front->instant->axes[i];
    const abut_d3 point = abut_shape_of(shape)->support(shape, abut_d3_unrotate(axes, along));
    return abut_d3_along(front->instant->arm[i], 1, abut_d3_rotate(axes, point));
}

/* One point of each shape: the gap between them along the direction is at + slope s - bend s^2, or more. */
typedef struct line {
    double at, slope;
} line;

/* That of the points which are nearest to each other after the span, as far as the first order tells. */
static line line_after(const abut_np_front *front, double span) {
    const abut_d3 n = front->direction;
    const abut_d3 a = farthest(front, 0, abut_d3_along(n, span, front->tilt[0]));
    const abut_d3 b = farthest(front, 1, abut_d3_negate(abut_d3_along(n, span, front->tilt[1])));
    return (line){front->apart + abut_d3_dot(n, abut_d3_sub(b, a)) - front->couple->radii,
                  front->rate + abut_d3_dot(front->tilt[1], b) - abut_d3_dot(front->tilt[0], a)};
}

double abut_np_front_gap(const abut_np_front *front) {
    return line_after(front, 0).at;
}

static double value(const abut_np_front *front, line l, double span) {
    return l.at + span * (l.slope - span * front->bend);
}

/* The first s at which at + slope s - bend s^2 falls to the level. */
static double fall(const abut_np_front *front, line l, double level, double most) {
    double above = l.at - level, root = sqrt(l.slope * l.slope + 4 * front->bend * above);
    double span = l.slope > 0 ? (l.slope + root) / (2 * front->bend) : 2 * above / (root - l.slope);
    return span < most ? span : most; /* also where it is not a number: nothing moves */
}

/* After so many points of support the chord of the bound is taken: it lies below what is concave. */
enum { LINES_MAX = 4 };

double abut_np_front_span(const abut_np_front *front, double level, double most) {
    const bool turns = abut_d3_norm1(front->tilt[0]) + abut_d3_norm1(front->tilt[1]) > 0;
    const line first = line_after(front, 0);
    double span = fall(front, first, level, most), least = 0;
    for (int k = 0; turns && k < LINES_MAX; k++) {
        const line other = line_after(front, span);
        least = value(front, other, span);
        if (least >= level - 0x1p-16 * front->couple->tolerance) { /* rounding is far less */
            return span;
        }
        if (k + 1 < LINES_MAX) {
            span = fall(front, other, level, span);
        }
    }
    return turns ? span * (first.at - level) / (first.at - least) : span;
}
