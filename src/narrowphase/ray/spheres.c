/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: a ray and spheres. The chord is found from the middle of the ray's
 * line, as the product of a sum and a difference, which loses nothing from far away. */
#include "narrowphase/ray/lanes.inc"

void ABUT_KERNEL(abut_np_ray_spheres)(const abut_np_ray *ray, const abut_np_ray_growth *growth,
                                      const abut_collider *collider, const uint32_t *index, size_t n,
                                      double *fraction) {
    uint32_t last[LANES];
    const vd d[3] = {constant(ray->translation[0]), constant(ray->translation[1]), constant(ray->translation[2])};
    vd dd = dot(d, d), zero = constant(0);
    md point = equal(dd, zero);
    vd over = quotient(constant(1), choose(point, constant(1), dd));
    for (size_t first = 0; first < n; first += LANES) {
        const uint32_t *at = padded(index + first, n - first, LANES, last);
        vd c[4], h[4], off[3];
        abut_vd_load4(collider, sizeof *collider, at, c);
        abut_vd_load4(&collider->half, sizeof *collider, at, h);
        const vd o[3] = {minus(constant(ray->origin[0]), c[0]), minus(constant(ray->origin[1]), c[1]),
                         minus(constant(ray->origin[2]), c[2])};
        vd grown = sum(h[3], constant(growth->radius));
        vd radius = sum(grown, times(sum(norm1(o), grown), constant(growth->slack)));
        vd middle = negated(times(dot(o, d), over));
        for (int i = 0; i < 3; i++) {
            off[i] = sum(o[i], times(middle, d[i]));
        }
        vd distance = root(dot(off, off));
        vd chord2 = times(minus(radius, distance), sum(radius, distance));
        vd chord = root(times(larger(chord2, zero), over));
        vd start = choose(point, zero, larger(minus(middle, chord), zero));
        vd end = choose(point, zero, smaller(sum(middle, chord), constant(1)));
        md met = both(at_most(distance, radius), at_most(start, end));
        store_fractions(choose(met, start, constant(INFINITY)), n - first, fraction + first);
    }
    abut_lanes_done();
}
