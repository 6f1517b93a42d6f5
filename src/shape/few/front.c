/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: which points are in front of a triangle. Lanes are points. */
#include "base/lanes/vector_double.h"
#include "shape/few/few.h"
#include "shape/kernels.h"

bool ABUT_KERNEL(abut_few_front)(const abut_few_points *points, abut_few_triangle *triangle) {
    const uint32_t *v = triangle->v, all = UINT32_MAX >> (ABUT_FEW - points->count);
    const abut_orient_plane plane = abut_orient_plane_of(points->point[v[0]], points->point[v[1]], points->point[v[2]]);
    const vd a[3] = {constant(plane.a.x), constant(plane.a.y), constant(plane.a.z)};
    const vd n[3] = {constant(plane.n[0]), constant(plane.n[1]), constant(plane.n[2])};
    const vd slack[3] = {constant(plane.slack[0]), constant(plane.slack[1]), constant(plane.slack[2])};
    uint32_t front = 0, known = 1u << v[0] | 1u << v[1] | 1u << v[2];
    for (uint32_t i = 0; i < points->count; i += ABUT_VD_LANES) {
        const vd x = minus(abut_vd_load(points->x[0] + i), a[0]), y = minus(abut_vd_load(points->x[1] + i), a[1]);
        const vd z = minus(abut_vd_load(points->x[2] + i), a[2]), value = dot3(n[0], x, n[1], y, n[2], z);
        const vd error = dot3(slack[0], absolute(x), slack[1], absolute(y), slack[2], absolute(z));
        front |= bits_of(less(error, value)) << i;
        known |= bits_of(less(error, absolute(value))) << i;
    }
    triangle->front = front & all;
    abut_lanes_done();
    return (~known & all) == 0;
}
