/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: a ray and boxes, by slabs (Kay and Kajiya, "Ray tracing complex
 * scenes", 1986) in the frame of each box. */
#include "narrowphase/ray/lanes.inc"

/* The boxes are longer by the slack. Where the ray is parallel to a slab the quotients are infinite with the signs that
 * they need; 0 / 0, on the face of the longer box, is NaN, which the last comparisons let pass or reject: either is
 * right, as the box itself is not there. */
void ABUT_KERNEL(abut_np_ray_boxes)(const abut_np_ray *ray, const abut_collider *collider, const uint32_t *index,
                                    size_t n, double *fraction) {
    uint32_t last[LANES];
    for (size_t first = 0; first < n; first += LANES) {
        lane_ray r;
        vd record[10], start = constant(0), end = constant(1);
        abut_vd_load10(collider, sizeof *collider, padded(index + first, n - first, LANES, last), record);
        place_ray(ray, record, &r);
        vd slack = times(sum(r.apart, norm1(record + 7)), constant(ABUT_NP_RAY_SLACK));
        for (int i = 0; i < 3; i++) {
            vd half = sum(record[7 + i], slack), over = quotient(constant(1), r.d[i]);
            vd x = times(minus(negated(half), r.o[i]), over), y = times(minus(half, r.o[i]), over);
            start = larger(smaller(x, y), start);
            end = smaller(larger(x, y), end);
        }
        store_fractions(choose(at_most(start, end), start, constant(INFINITY)), n - first, fraction + first);
    }
    abut_lanes_done();
}
