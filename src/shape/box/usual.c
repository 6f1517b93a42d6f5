/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/box/usual.h"
#include "shape/box/rounding.h"
#include <math.h>

/* R(q)|q|^2 as in bounds.c: the entries off the diagonal are halved. */
typedef struct numerators {
    double diagonal[3], upper[3], lower[3], n;
} numerators;

static inline double larger(double a, double b) {
    return a > b ? a : b;
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
    const double *d = m->diagonal;
    double near_zero = m->n * ABUT_BOX_NEAR_ZERO;
    bool cancels = (d[0] < near_zero) | (d[1] < near_zero) | (d[2] < near_zero);
    return !(cancels | ((d[0] == m->n) & (d[1] == m->n) & (d[2] == m->n)));
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

/* Of a box that is not rotated: the floats next to the exact ends, if those are doubles. */
static bool unrotated_bounds(const double c[3], const double half[3], abut_aabb *bounds) {
    float *low = &bounds->min.x, *high = &bounds->max.x;
    bool exact = true;
    for (int i = 0; i < 3; i++) {
        double least = c[i] - half[i], most = -c[i] - half[i];
        exact = exact && is_exact(c[i], half[i], least) && is_exact(-c[i], half[i], most);
        low[i] = below(least) + 0.0f;
        high[i] = 0.0f - below(most);
    }
    return exact;
}

bool abut_box_usual_bounds(const abut_obb *box, abut_aabb *bounds) {
    const double c[3] = {box->center.x, box->center.y, box->center.z};
    const double q[4] = {box->rotation.x, box->rotation.y, box->rotation.z, box->rotation.w};
    const double half[3] = {box->half.x, box->half.y, box->half.z};
    double sum = ((fabs(c[0]) + fabs(c[1])) + fabs(c[2])) + ((half[0] + half[1]) + half[2]);
    numerators m;
    set_numerators(q, &m);
    bool valid = (half[0] >= 0) & (half[1] >= 0) & (half[2] >= 0) & (sum < 0x1p127);
    if (!(valid & (m.n > 0x1p-17) & (m.n < 0x1p17))) {
        return false;
    }
    if (!is_usual(&m)) {
        return (q[0] == 0) & (q[1] == 0) & (q[2] == 0) && unrotated_bounds(c, half, bounds);
    }
    double over = ABUT_BOX_GROWN / m.n, h[3], twice[3];
    for (int i = 0; i < 3; i++) {
        h[i] = half[i] * over;
        twice[i] = h[i] + h[i];
    }
    float *low = &bounds->min.x, *high = &bounds->max.x;
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        double size = m.diagonal[i] * h[i] + (m.upper[i] * twice[k] + m.lower[l] * twice[l]);
        double rounded = larger(fabs(c[i]) * ABUT_BOX_ROUNDED, 0x1p-149);
        double extent = size + (size > 0 ? rounded : 0);
        low[i] = (float)(c[i] - extent) + 0.0f;
        high[i] = (float)(c[i] + extent) + 0.0f;
    }
    return true;
}
