/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* For kernels: the vertex of a polytope that lies lowest along a direction, on wide lanes. */
#ifndef ABUT_NARROWPHASE_CONVEX_SUPPORT_H
#define ABUT_NARROWPHASE_CONVEX_SUPPORT_H

#include "base/lanes/lanes.h"
#include "narrowphase/convex/pair.h"

_Static_assert((int)ABUT_HULL_PAD % (int)ABUT_VF_LANES == 0, "arrays are padded to whole loads");

typedef struct abut_np_lowest {
    double value;    /* the least d.v over all vertices v; never -0 */
    uint32_t vertex; /* the first that has it */
} abut_np_lowest;

static inline abut_vd abut_np_dot_vd(abut_vd ax, abut_vd ay, abut_vd az, abut_vd bx, abut_vd by, abut_vd bz) {
    return abut_vd_add(abut_vd_add(abut_vd_mul(ax, bx), abut_vd_mul(ay, by)), abut_vd_mul(az, bz));
}

static inline abut_np_lowest abut_np_lowest_along(const abut_hull *p, const abut_d3 *d) {
    static const double counting[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const abut_vd x = abut_vd_set(d->x[0]), y = abut_vd_set(d->x[1]), z = abut_vd_set(d->x[2]);
    const abut_vd step = abut_vd_set(ABUT_VD_LANES);
    abut_vd best = abut_vd_set(INFINITY), at = abut_vd_set(0), index = abut_vd_load(counting);
    for (uint32_t v = 0; v < p->vertex_count; v += ABUT_VD_LANES) {
        abut_vd dot = abut_np_dot_vd(x, y, z, abut_vd_load_floats(abut_hull_coordinate(p, 0) + v),
                                     abut_vd_load_floats(abut_hull_coordinate(p, 1) + v),
                                     abut_vd_load_floats(abut_hull_coordinate(p, 2) + v));
        abut_md lower = abut_vd_lt(dot, best);
        best = abut_vd_select(lower, dot, best);
        at = abut_vd_select(lower, index, at);
        index = abut_vd_add(index, step);
    }
    double value = abut_vd_least(best), first[ABUT_VD_LANES];
    uint32_t lanes = abut_md_bits(abut_vd_eq(best, abut_vd_set(value)));
    abut_vd_store(first, at);
    uint32_t vertex = (uint32_t)first[ABUT_LOWEST_BIT(lanes)];
    for (lanes &= lanes - 1; lanes; lanes &= lanes - 1) {
        uint32_t other = (uint32_t)first[ABUT_LOWEST_BIT(lanes)];
        vertex = other < vertex ? other : vertex;
    }
    return (abut_np_lowest){value + 0.0, vertex};
}

#endif
