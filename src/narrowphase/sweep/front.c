/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* In the frame that turns at w with the direction, a point y of a shape that turns at v is after the time s as far
 * along the direction m as
 *
 *     m.y + s y.(m x (v - w)) + (s^2 / 2) y.p,
 *
 * up to a bound of the third order; p is a fixed vector. Where the last term is negative it is left out. What is then
 * left is, for all points of a shape, the larger of two functions that are linear in y, so two supports give the
 * farthest point after any time, and it is convex in s. So the gap that this leaves is concave: where it is at least
 * the level after s, it is so all the way to s. docs/numerics.md, "Sweeps". */
#include "narrowphase/kernels.h"
#include "narrowphase/sweep/sweep.h"

static abut_d3 farthest_vertex(const abut_hull *hull, abut_d3 along) {
    abut_np_core core = {.vertex_count = hull->vertex_count};
    for (int k = 0; k < 3; k++) {
        core.vertex[k] = abut_hull_coordinate(hull, k);
    }
    uint32_t v = abut_np_distance_kernels_active()->lowest(&core, abut_d3_negate(along));
    return (abut_d3){{core.vertex[0][v], core.vertex[1][v], core.vertex[2][v]}};
}

/* The point of core i that lies farthest along a direction of the world, from its frame's origin. */
static abut_d3 farthest(const abut_np_front *front, int i, abut_d3 along) {
    const abut_collider *shape = &front->couple->way[i]->shape;
    double(*axes)[3] = (double(*)[3])front->instant->axes[i];
    const abut_d3 half = abut_d3_from(shape->half);
    abut_d3 point = front->instant->arm[i];
    if (shape->hull) {
        return abut_d3_along(point, 1,
                             abut_d3_rotate(axes, farthest_vertex(shape->hull, abut_d3_unrotate(axes, along))));
    }
    for (int k = 0; k < 3; k++) {
        const abut_d3 axis = {{axes[0][k], axes[1][k], axes[2][k]}};
        point = abut_d3_along(point, abut_d3_dot(axis, along) < 0 ? -half.x[k] : half.x[k], axis);
    }
    return point;
}

/* A shape that turns with the direction, but for rounding: what is left moves no point by as much as the noise below.
 */
static const double STILL = 0x1p-90;

/* In the frame that turns at w with the direction, the shapes turn by the product of two turns, -w and their own v, and
 * the origins go round. */
abut_np_front abut_np_front_of(const abut_np_couple *couple, const abut_np_instant *instant, abut_d3 direction,
                               abut_d3 w) {
    const abut_d3 origins = abut_d3_along(couple->apart, instant->time, couple->velocity), zero = {{0, 0, 0}};
    const abut_d3 turning = abut_d3_cross(w, direction), turning2 = abut_d3_cross(w, turning);
    double speed = abut_d3_length(w), linear = abut_d3_length(couple->velocity);
    abut_np_front front = {.couple = couple, .instant = instant};
    front.apart = abut_d3_dot(direction, origins) - couple->radii;
    front.rate = abut_d3_dot(direction, couple->velocity) + abut_d3_dot(turning, origins);
    double growth = abut_d3_dot(turning2, origins) + 2 * abut_d3_dot(turning, couple->velocity);
    front.twist = speed * speed * (speed * (abut_d3_length(origins) + linear) + 3 * linear) / 6;
    for (int i = 0; i < 2; i++) {
        const abut_np_way *way = couple->way[i];
        const abut_d3 v = couple->spin[i], other = abut_d3_sub(v, w);
        const abut_d3 m = i ? abut_d3_negate(direction) : direction;
        double second = abut_d3_dot(other, other) + abut_d3_length(abut_d3_cross(w, v));
        front.along[i] = m;
        front.first[i] = farthest(&front, i, m);
        front.still[i] = abut_d3_dot(other, other) <= STILL * abut_d3_dot(v, v); /* also if neither turns */
        if (!front.still[i]) {
            const abut_d3 once = abut_d3_cross(w, m);
            const abut_d3 mixed = abut_d3_along(abut_d3_cross(v, abut_d3_cross(v, m)), -2, abut_d3_cross(v, once));
            front.tilt[i] = abut_d3_cross(m, other);
            front.bend[i] = abut_d3_along(mixed, 1, abut_d3_cross(w, once));
            front.twist += (speed + way->turn.angle) * second * way->reach / 6;
            growth -= abut_d3_dot(front.bend[i], front.first[i]);
        } else {
            front.tilt[i] = front.bend[i] = zero;
        }
    }
    front.square = abut_max_d(-growth, 0) / 2;
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
        const abut_d3 first = front->first[i];
        abut_d3 y = first;
        if (span > 0 && !front->still[i]) {
            const abut_d3 straight = abut_d3_along(front->along[i], span, front->tilt[i]);
            const abut_d3 more = {{span * span / 2 * front->bend[i].x[0], span * span / 2 * front->bend[i].x[1],
                                   span * span / 2 * front->bend[i].x[2]}};
            const abut_d3 bent = abut_d3_along(straight, 1, more), other = farthest(front, i, bent);
            y = farthest(front, i, straight);
            y = abut_d3_dot(bent, other) - abut_d3_dot(more, first) > abut_d3_dot(straight, y) ? other : y;
        }
        l.at -= abut_d3_dot(front->along[i], y);
        l.slope -= abut_d3_dot(front->tilt[i], y);
        l.bend += abut_max_d(abut_d3_dot(front->bend[i], abut_d3_sub(y, first)), 0) / 2;
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
