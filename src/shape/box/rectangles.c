/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: which facets of a hull face along a direction, and the rectangles
 * around its outline, one along each edge of it. */
#include "base/lanes/vector_double.h"
#include "shape/kernels.h"
#include <math.h>
#include <string.h>

enum { LANES = ABUT_VD_LANES };
_Static_assert((int)ABUT_OUTLINE_MAX % (int)LANES == 0, "rectangles are stored in whole registers");

void ABUT_KERNEL(abut_shape_facing)(const abut_hull_plane *plane, uint32_t n, abut_d3 direction, uint8_t *facing) {
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
        for (int l = 0; l < LANES; l++) {
            facing[f + (uint32_t)l] = bits >> l & 1;
        }
    }
    abut_lanes_done();
}

/* The first n numbers; lanes beyond have the last one. */
static ABUT_INLINE vd load_some(const double *from, uint32_t n) {
    double last[LANES];
    for (uint32_t l = 0; l < LANES && n < LANES; l++) {
        last[l] = from[l < n ? l : n - 1];
    }
    return abut_vd_load(n < LANES ? last : from);
}

/* Lanes are rectangles. */
void ABUT_KERNEL(abut_shape_rectangles)(const abut_outline *o, abut_rectangles *out) {
    for (uint32_t i = 0; i < o->count; i += LANES) {
        /* Not 0: the facets beside an edge along the view both face across it, so it is on no outline. */
        vd dx = load_some(o->dx + i, o->count - i), dy = load_some(o->dy + i, o->count - i);
        vd length = root(sum(times(dx, dx), times(dy, dy))), c = quotient(dx, length), s = quotient(dy, length);
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
