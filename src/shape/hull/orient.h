/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* On which side of a plane a point lies, exactly, for points with float coordinates. Arithmetic in double with an error
 * bound answers nearly always, double-double most of the rest, and sums of any length (expansions) whatever is left;
 * after Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates" (1997). Nothing
 * overflows or underflows: products of three floats are below 2^384 and multiples of 2^-447. */
#ifndef ABUT_SHAPE_HULL_ORIENT_H
#define ABUT_SHAPE_HULL_ORIENT_H

#include "base/spatial.h"

/* The plane through three points, prepared for many points: its direction (b - a) x (c - a), and a bound of the error
 * of each component, which also covers the rounding of the product with a point. */
typedef struct abut_orient_plane {
    abut_vec3 a, b, c;
    double n[3], slack[3];
} abut_orient_plane;

static inline abut_orient_plane abut_orient_plane_of(abut_vec3 a, abut_vec3 b, abut_vec3 c) {
    abut_orient_plane plane = {.a = a, .b = b, .c = c};
    const double u[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
    const double v[3] = {(double)c.x - a.x, (double)c.y - a.y, (double)c.z - a.z};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double plus = u[j] * v[k], minus = u[k] * v[j];
        plane.n[i] = plus - minus;
        /* Shewchuk's bound is (7 + 56 e) e of the sum of all products, e = 2^-53; here with room. */
        plane.slack[i] = (fabs(plus) + fabs(minus)) * 0x1p-49;
    }
    return plane;
}

/* The sign of (b - a) x (c - a) . (p - a): 1 in front of the plane, where a, b, c run counter-clockwise; -1 behind it;
 * 0 exactly in it. */
int abut_orient_exact(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 p);

/* Whether three points lie on one line, exactly. */
bool abut_orient_collinear(abut_vec3 a, abut_vec3 b, abut_vec3 c);

/* The same sign as abut_orient_exact for the plane and p; *height is the product itself, up to rounding. */
static inline int abut_orient_side(const abut_orient_plane *plane, abut_vec3 p, double *height) {
    double x = (double)p.x - plane->a.x, y = (double)p.y - plane->a.y, z = (double)p.z - plane->a.z;
    double value = plane->n[0] * x + plane->n[1] * y + plane->n[2] * z;
    double error = plane->slack[0] * fabs(x) + plane->slack[1] * fabs(y) + plane->slack[2] * fabs(z);
    *height = value;
    if (fabs(value) > error) {
        return value > 0 ? 1 : -1;
    }
    return error == 0 ? 0 : abut_orient_exact(plane->a, plane->b, plane->c, p);
}

#endif
