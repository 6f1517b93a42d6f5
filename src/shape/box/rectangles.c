/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: which facets of a hull face along a direction, its shadow along
 * that direction, and the rectangles around its outline, one along each edge of it. */
#include "base/lanes/vector_double.h"
#include "shape/kernels.h"
#include <math.h>

enum { LANES = ABUT_VD_LANES };
_Static_assert((int)ABUT_OUTLINE_MAX % (int)LANES == 0 && (int)ABUT_OUTLINE_PAD % (int)LANES == 0,
               "rectangles are stored in whole registers");
_Static_assert((int)ABUT_OUTLINE_TOGETHER % (int)LANES == 0, "directions are loaded in whole registers");

/* Lanes are directions. */
void ABUT_KERNEL(abut_shape_facing)(const abut_hull_plane *plane, uint32_t n,
                                    double direction[3][ABUT_OUTLINE_TOGETHER], uint8_t *facing) {
    for (uint32_t d = 0; d < ABUT_OUTLINE_TOGETHER; d += LANES) {
        const vd x = abut_vd_load(direction[0] + d), y = abut_vd_load(direction[1] + d);
        const vd z = abut_vd_load(direction[2] + d), least = constant(0x1p-20);
        for (uint32_t f = 0; f < n; f++) {
            const double *normal = plane[f].n;
            vd along = dot3(constant(normal[0]), x, constant(normal[1]), y, constant(normal[2]), z);
            uint32_t bits = bits_of(less(least, along)) << d;
            facing[f] = (uint8_t)(d == 0 ? bits : facing[f] | bits);
        }
    }
    abut_lanes_done();
}

double ABUT_KERNEL(abut_shape_shadow)(double *const point[3], uint32_t n, const abut_hull_plane *plane,
                                      const abut_d3 axis[2], double *const shadow[2]) {
    const vd nx = constant(plane->n[0]), ny = constant(plane->n[1]), nz = constant(plane->n[2]), w = constant(plane->w);
    const vd ux = constant(axis[0].x[0]), uy = constant(axis[0].x[1]), uz = constant(axis[0].x[2]);
    const vd vx = constant(axis[1].x[0]), vy = constant(axis[1].x[1]), vz = constant(axis[1].x[2]);
    const vd first[3] = {constant(point[0][0]), constant(point[1][0]), constant(point[2][0])};
    vd deepest = constant(0);
    for (uint32_t i = 0; i < n; i += LANES) {
        vd x = abut_vd_load(point[0] + i), y = abut_vd_load(point[1] + i), z = abut_vd_load(point[2] + i);
        deepest = larger(deepest, minus(w, dot3(nx, x, ny, y, nz, z)));
        x = minus(x, first[0]), y = minus(y, first[1]), z = minus(z, first[2]);
        abut_vd_store(shadow[0] + i, dot3(ux, x, uy, y, uz, z));
        abut_vd_store(shadow[1] + i, dot3(vx, x, vy, y, vz, z));
    }
    double each[LANES], depth = 0;
    abut_vd_store(each, deepest);
    for (int l = 0; l < LANES; l++) {
        depth = each[l] > depth ? each[l] : depth;
    }
    abut_lanes_done();
    return depth;
}

/* Lanes are rectangles. */
double ABUT_KERNEL(abut_shape_rectangles)(const abut_outline *o, double depth, abut_rectangles *out) {
    vd least = constant(INFINITY);
    for (uint32_t i = 0; i < o->count; i += LANES) {
        vd dx = abut_vd_load(o->dx + i), dy = abut_vd_load(o->dy + i);
        /* The facets beside an edge along the view both face across it, so an outline has none of length 0. */
        vd length = root(sum(times(dx, dx), times(dy, dy)));
        vd c = quotient(dx, length), s = quotient(dy, length);
        vd low[2] = {constant(INFINITY), constant(INFINITY)}, high[2] = {constant(-INFINITY), constant(-INFINITY)};
        for (uint32_t k = 0; k < o->count; k++) {
            const vd x = constant(o->x[k]), y = constant(o->y[k]);
            const vd at[2] = {sum(times(c, x), times(s, y)), minus(times(c, y), times(s, x))};
            for (int j = 0; j < 2; j++) {
                low[j] = smaller(at[j], low[j]);
                high[j] = larger(at[j], high[j]);
            }
        }
        abut_vd_store(out->cosine + i, c);
        abut_vd_store(out->sine + i, s);
        const vd side[2] = {minus(high[0], low[0]), minus(high[1], low[1])};
        abut_vd_store(out->side[0] + i, side[0]);
        abut_vd_store(out->side[1] + i, side[1]);
        least = smaller(times(times(constant(depth), side[0]), side[1]), least);
    }
    double result = abut_vd_least(least);
    abut_lanes_done();
    return result;
}
