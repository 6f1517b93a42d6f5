/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: a ray and the planes of a hull's facets, as many at once as there
 * are lanes. A round of fewer is filled with facets that another round has, too, or with copies of the first. */
#include "narrowphase/ray/lanes.inc"

typedef struct round_of_facets {
    vd plane[4];
    size_t first; /* the facet in the first lane */
} round_of_facets;

static ABUT_INLINE void load_facets(const abut_hull_plane *plane, size_t count, size_t at, round_of_facets *r) {
    abut_hull_plane few[LANES];
    r->first = at + LANES <= count ? at : count < LANES ? 0 : count - LANES;
    for (size_t l = 0; count < LANES && l < LANES; l++) {
        few[l] = plane[l < count ? l : 0];
    }
    abut_vd_load4_doubles(count < LANES ? few[0].n : plane[r->first].n, r->plane);
}

void ABUT_KERNEL(abut_np_ray_clip)(const abut_np_ray *ray, const abut_hull_plane *plane, size_t count, double grow,
                                   abut_np_ray_clipped *out) {
    static const double counting[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const vd o[3] = {constant(ray->origin[0]), constant(ray->origin[1]), constant(ray->origin[2])};
    const vd d[3] = {constant(ray->translation[0]), constant(ray->translation[1]), constant(ray->translation[2])};
    const vd zero = constant(0), lane = abut_vd_load(counting);
    vd start = zero, end = constant(1), facet = constant((double)count);
    for (size_t at = 0; at < count; at += LANES) {
        round_of_facets r;
        load_facets(plane, count, at, &r);
        vd above = minus(dot(r.plane, o), sum(r.plane[3], constant(grow))), rise = dot(r.plane, d);
        vd t = negated(quotient(above, rise));
        md enters = both(less(rise, zero), less(start, t));
        start = choose(enters, t, start);
        facet = choose(enters, sum(lane, constant((double)r.first)), facet);
        end = choose(less(zero, rise), smaller(t, end), end);
        end = choose(both(equal(rise, zero), less(zero, above)), constant(-1), end);
    }
    out->start = -abut_vd_least(negated(start)) + 0.0;
    out->end = abut_vd_least(end);
    out->facet = (uint32_t)abut_vd_least(choose(equal(start, constant(out->start)), facet, constant((double)count)));
    abut_lanes_done();
}
