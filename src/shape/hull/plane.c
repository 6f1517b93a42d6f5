/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/dd.h"
#include "shape/hull/faces.h"

static double square(const double v[3]) {
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/* (b - a) x (c - a), every part good to a few units in the last place of the longest: in double-double where double
 * cancels, as it does in slivers. */
static void cross_of(abut_vec3 a, abut_vec3 b, abut_vec3 c, double n[3]) {
    abut_orient_plane plane = abut_orient_plane_of(a, b, c);
    double slack = plane.slack[0] + plane.slack[1] + plane.slack[2];
    memcpy(n, plane.n, sizeof plane.n);
    if (slack * slack <= square(n) * 0x1p-92) {
        return;
    }
    const abut_dd u[3] = {abut_dd_two_sum(b.x, -a.x), abut_dd_two_sum(b.y, -a.y), abut_dd_two_sum(b.z, -a.z)};
    const abut_dd v[3] = {abut_dd_two_sum(c.x, -a.x), abut_dd_two_sum(c.y, -a.y), abut_dd_two_sum(c.z, -a.z)};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = abut_dd_sub(abut_dd_mul(u[j], v[k]), abut_dd_mul(u[k], v[j])).hi;
    }
}

/* The plane through the largest triangle of the fan round the loop's first vertex. */
abut_hull_plane abut_faces_plane(const abut_polyhedron *p, uint32_t facet) {
    const uint32_t *loop = p->loop + p->first[facet];
    uint32_t count = p->first[facet + 1] - p->first[facet];
    abut_hull_plane plane = {.w = 0};
    double largest = -1;
    for (uint32_t i = 1; i + 1 < count; i++) {
        double n[3];
        cross_of(p->vertex[loop[0]], p->vertex[loop[i]], p->vertex[loop[i + 1]], n);
        if (square(n) > largest) {
            largest = square(n);
            memcpy(plane.n, n, sizeof n);
        }
    }
    double length = sqrt(largest);
    for (int k = 0; k < 3; k++) {
        plane.n[k] = plane.n[k] / length + 0.0;
    }
    for (uint32_t i = 0; i < count; i++) {
        abut_vec3 v = p->vertex[loop[i]];
        double height = plane.n[0] * v.x + plane.n[1] * v.y + plane.n[2] * v.z;
        plane.w = i == 0 || height > plane.w ? height : plane.w;
    }
    plane.w += 0.0;
    return plane;
}
