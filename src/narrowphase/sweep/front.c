/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A point y from the origin of its frame, which turns about w, is after the time s as far along a fixed direction m as
 *
 *     m.y + s y.(m x w) - (s^2 / 2) y.p,   p = w x (m x w),
 *
 * or without the last term, if y.p > 0: whichever is more, plus s^3 |m x w| |w|^2 |y| / 6 at most. The first two of
 * these are linear in y, so a support gives the farthest point of a shape for each; their maximum is convex in s. So
 * what this leaves of the gap is concave: where it is at least the level at s, it is so all the way to s.
 * docs/numerics.md, "Sweeps", has the proof. */
#include "narrowphase/sweep/sweep.h"

static double length(abut_d3 v) {
    return sqrt(abut_d3_dot(v, v));
}

/* The point of core i that lies farthest along a direction of the world, from its frame's origin. */
static abut_d3 farthest(const abut_np_front *front, int i, abut_d3 along) {
    const abut_collider *shape = &front->couple->way[i]->shape;
    double(*axes)[3] = (double(*)[3])front->instant->axes[i];
    const abut_d3 point = abut_shape_of(shape)->support(shape, abut_d3_unrotate(axes, along));
    return abut_d3_along(front->instant->arm[i], 1, abut_d3_rotate(axes, point));
}

static void begin(const abut_np_couple *couple, const abut_np_instant *instant, abut_d3 direction,
                  abut_np_front *front) {
    const abut_d3 origins = abut_d3_along(couple->apart, instant->time, couple->velocity);
    *front = (abut_np_front){.couple = couple, .instant = instant};
    front->along[0] = direction;
    front->along[1] = abut_d3_negate(direction);
    front->apart = abut_d3_dot(direction, origins) - couple->radii;
    front->rate = abut_d3_dot(direction, couple->velocity);
    for (int i = 0; i < 2; i++) {
        front->first[i] = farthest(front, i, front->along[i]);
    }
}

abut_np_front abut_np_front_fixed(const abut_np_couple *couple, const abut_np_instant *instant, abut_d3 direction) {
    abut_np_front front;
    begin(couple, instant, direction, &front);
    for (int i = 0; i < 2; i++) {
        const abut_np_way *way = couple->way[i];
        front.tilt[i] = abut_d3_cross(front.along[i], couple->spin[i]);
        front.bend[i] = abut_d3_cross(couple->spin[i], front.tilt[i]);
        front.twist += length(front.tilt[i]) * way->turn.angle * way->turn.angle * way->reach / 6;
    }
    return front;
}

/* In the frame that turns with the direction, at w, a shape that turns at v moves by e^-sw e^sv, where the products of
 * vectors are meant. Its second derivative is e^-sw ((v - w)^2 - (w v - v w)) e^sv, which is at most |v - w|^2 + |w x
 * v| times the distance from the origin. */
abut_np_front abut_np_front_turning(const abut_np_couple *couple, const abut_np_instant *instant, abut_d3 direction,
                                    abut_d3 turning) {
    const abut_d3 origins = abut_d3_along(couple->apart, instant->time, couple->velocity);
    const abut_d3 spin = abut_d3_cross(direction, turning);
    double speed = length(turning), linear = length(couple->velocity);
    abut_np_front front;
    begin(couple, instant, direction, &front);
    front.rate += abut_d3_dot(turning, origins);
    front.square = speed * (speed * (length(origins) + linear) / 2 + linear);
    for (int i = 0; i < 2; i++) {
        const abut_np_way *way = couple->way[i];
        const abut_d3 other = abut_d3_sub(couple->spin[i], spin), across = abut_d3_cross(spin, couple->spin[i]);
        front.tilt[i] = abut_d3_cross(front.along[i], other);
        front.square += (abut_d3_dot(other, other) + length(across)) * way->reach / 2;
    }
    return front;
}

double abut_np_front_gap(const abut_np_front *front) {
    return front->apart - abut_d3_dot(front->along[0], front->first[0]) - abut_d3_dot(front->along[1], front->first[1]);
}

/* One point of each shape: the gap between them is at + slope s - bend s^2 - twist s^3, or more. */
typedef struct line {
    double at, slope, bend, twist;
} line;

/* That of the points which are nearest to each other after the span, as far as the bound tells. */
static line line_after(const abut_np_front *front, double span) {
    line l = {front->apart, front->rate, front->square, front->twist};
    for (int i = 0; i < 2; i++) {
        abut_d3 y = front->first[i];
        if (span > 0 && abut_d3_norm1(front->tilt[i]) > 0) {
            const abut_d3 straight = abut_d3_along(front->along[i], span, front->tilt[i]);
            const abut_d3 bent = abut_d3_along(straight, -span * span / 2, front->bend[i]);
            const abut_d3 other = farthest(front, i, bent);
            y = farthest(front, i, straight);
            y = abut_d3_dot(bent, other) > abut_d3_dot(straight, y) ? other : y;
        }
        l.at -= abut_d3_dot(front->along[i], y);
        l.slope -= abut_d3_dot(front->tilt[i], y);
        l.bend += abut_max_d(-abut_d3_dot(front->bend[i], y), 0) / 2;
    }
    return l;
}

static double value(line l, double s) {
    return l.at + s * (l.slope - s * (l.bend + s * l.twist));
}

enum { ROOTS_MAX = 16 };

/* About the first s, at most `most`, at which a line falls to the level: where the parabola does, then by Newton's
 * method from there. All that is concave, so nothing falls short of it by more than the noise. */
static double fall(line l, double level, double most, double noise) {
    double above = l.at - level, root = sqrt(l.slope * l.slope + 4 * l.bend * above);
    double s = l.slope > 0 ? (l.slope + root) / (2 * l.bend) : 2 * above / (root - l.slope);
    s = s < most ? s : most; /* also where it is not a number: nothing moves */
    for (int k = 0; k < ROOTS_MAX; k++) {
        double below = level - value(l, s);
        if (below <= noise) {
            break;
        }
        s -= below / (s * (2 * l.bend + 3 * s * l.twist) - l.slope);
    }
    return s;
}

/* After so many lines the chord of the bound is taken: it lies below what is concave. */
enum { LINES_MAX = 4 };

double abut_np_front_span(const abut_np_front *front, double level, double most) {
    const double noise = 0x1p-16 * front->couple->tolerance; /* rounding is far less */
    const line first = line_after(front, 0);
    if (!(first.at > level)) {
        return 0;
    }
    double span = fall(first, level, most, noise), least = first.at;
    for (int k = 0; k < LINES_MAX; k++) {
        const line other = line_after(front, span);
        least = value(other, span);
        if (least >= level - 2 * noise) {
            return span;
        }
        if (k + 1 < LINES_MAX) {
            span = fall(other, level, span, noise);
        }
    }
    return span * (first.at - level) / (first.at - least);
}
