/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: which facets of a hull face along a direction, its shadow along
 * that direction, and the rectangles around its outline, one along each edge of it. */
#include "base/lanes/vector_double.h"
#include "shape/kernels.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { LANES = ABUT_VD_LANES };
_Static_assert((int)ABUT_OUTLINE_MAX % (int)LANES == 0 && (int)ABUT_OUTLINE_PAD % (int)LANES == 0,
               "rectangles are stored in whole registers");

void ABUT_KERNEL(abut_shape_facing)(const abut_hull_plane *plane, uint32_t n, abut_d3 direction, uint8_t *facing) {
    static const uint8_t bytes[16][4] = {
        {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 1, 0}, {0, 1, 1, 0}, {1, 1, 1, 0},
        {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1}, {0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}};
    const vd x = constant(direction.x[0]), y = constant(direction.x[1]), z = constant(direction.x[2]);
    for (uint32_t f = 0; f < n; f += LANES) {
        abut_hull_plane last[LANES];
        const abut_hull_plane *from = plane + f;
        vd v[4];
        if (n - f < LANES) { /* the others face nowhere */
            memset(last, 0, sizeof last);
            from = memcpy(last, from, (n - f) * sizeof *from);
        }
        abut_vd_load4_doubles(from->n, v);
        uint32_t bits = bits_of(less(constant(0x1p-20), dot3(v[0], x, v[1], y, v[2], z)));
        for (int l = 0; l < LANES; l += 4) {
            memcpy(facing + f + l, bytes[bits >> l & 15], LANES < 4 ? LANES : 4);
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
void ABUT_KERNEL(abut_shape_rectangles)(const abut_outline *o, abut_rectangles *out) {
    for (uint32_t i = 0; i < o->count; i += LANES) {
        vd dx = abut_vd_load(o->dx + i), dy = abut_vd_load(o->dy + i);
        /* Beyond the outline they may be 0, and no quotient may trap. On it they are not: the facets beside an edge
         * along the view both face across it. */
        vd length = larger(root(sum(times(dx, dx), times(dy, dy))), constant(DBL_MIN));
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
        abut_vd_store(out->side[0] + i, minus(high[0], low[0]));
        abut_vd_store(out->side[1] + i, minus(high[1], low[1]));
    }
    abut_lanes_done();
}
