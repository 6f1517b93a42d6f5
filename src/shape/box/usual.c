/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/box/usual.h"
#include "base/compiler.h"
#include "shape/box/rounding.h"
#include <math.h>
#include <stdbool.h>

/* R(q)|q|^2 as in bounds.c: the entries off the diagonal are halved. */
typedef struct numerators {
    double diagonal[3], upper[3], lower[3], n;
} numerators;

static inline double larger(double a, double b) {
    return a > b ? a : b;
}

static inline double least3(double a, double b, double c) {
    double least = a < b ? a : b;
    return least < c ? least : c;
}

static inline void set_numerators(const double q[4], numerators *m) {
    double xx = q[0] * q[0], yy = q[1] * q[1], zz = q[2] * q[2], ww = q[3] * q[3];
    double with_x = ww + xx, across_x = yy + zz;
    m->n = with_x + across_x;
    m->diagonal[0] = fabs(with_x - across_x);
    m->diagonal[1] = fabs((ww + yy) - (zz + xx));
    m->diagonal[2] = fabs((ww + zz) - (xx + yy));
    for (int i = 0; i < 3; i++) {
        double across = q[i] * q[(i + 1) % 3], about = q[3] * q[(i + 2) % 3];
        m->upper[i] = fabs(across - about);
        m->lower[i] = fabs(across + about);
    }
}

/* Not so where a sum cancels, nor for quarter turns: those have diagonal entries of exactly 0 or |q|^2. */
static inline bool is_usual(const numerators *m) {
    double least = least3(m->diagonal[0], m->diagonal[1], m->diagonal[2]);
    return least >= m->n * ABUT_BOX_NEAR_ZERO && least != m->n;
}

/* The largest float that is at most x, where |x| < 2^127: abut_vd_to_float_below of one number. */
static inline float below(double x) {
    double nearest = (float)x, step = larger(fabs(nearest) * (1.25 * 0x1p-24), 0x1p-149);
    return (float)(nearest - (nearest > x ? step : 0));
}

/* Whether a - b is a double: Knuth's error of a sum is 0. */
static inline bool is_exact(double a, double b, double difference) {
    double part = a - difference;
    return (a - (difference + part)) + (part - b) == 0;
}

static const abut_aabb unusual = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};

/* Of a box that is not rotated: the floats next to the exact ends, if those are doubles. */
static ABUT_NOINLINE abut_aabb unrotated_bounds(const double c[3], const double half[3], double radius) {
    float low[3], high[3];
    bool exact = true;
    for (int i = 0; i < 3; i++) {
        double grown = half[i] + radius, least = c[i] - grown, most = -c[i] - grown;
        exact =
            exact && is_exact(half[i], -radius, grown) && is_exact(c[i], grown, least) && is_exact(-c[i], grown, most);
        low[i] = below(least) + 0.0f;
        high[i] = 0.0f - below(most);
    }
    return exact ? (abut_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}} : unusual;
}

abut_aabb abut_box_usual_bounds(const void *box, float radius) {
    const float *x = box; /* ten in a row: centre, rotation, half extents */
    const double c[3] = {x[0], x[1], x[2]}, q[4] = {x[3], x[4], x[5], x[6]}, half[3] = {x[7], x[8], x[9]};
    double sum = ((fabs(c[0]) + fabs(c[1])) + fabs(c[2])) + ((half[0] + half[1]) + half[2]) + radius;
    numerators m;
    set_numerators(q, &m);
    if (!(least3(half[0], half[1], half[2]) >= 0 && sum < 0x1p127 && m.n > 0x1p-17 && m.n < 0x1p17)) {
        return unusual;
    }
    if (!is_usual(&m)) {
        return q[0] == 0 && q[1] == 0 && q[2] == 0 ? unrotated_bounds(c, half, radius) : unusual;
    }
    double over = ABUT_BOX_GROWN / m.n, more = radius * ABUT_BOX_GROWN, h[3], twice[3];
    float low[3], high[3];
    for (int i = 0; i < 3; i++) {
        h[i] = half[i] * over;
        twice[i] = h[i] + h[i];
    }
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        double size = (m.diagonal[i] * h[i] + (m.upper[i] * twice[k] + m.lower[l] * twice[l])) + more;
        double rounded = larger(fabs(c[i]) * ABUT_BOX_ROUNDED, 0x1p-149);
        double extent = size + (size > 0 ? rounded : 0);
        low[i] = (float)(c[i] - extent) + 0.0f;
        high[i] = (float)(c[i] + extent) + 0.0f;
    }
    return (abut_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}
