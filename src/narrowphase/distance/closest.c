/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set.
 *
 * Gilbert, Johnson and Keerthi, "A fast procedure for computing the distance between complex objects in
 * three-dimensional space" (1988), in double: the closest point of a few corners of the difference b - a gives a
 * direction, the lowest corner along it joins them. */
#include "narrowphase/distance/simplex.inc"
#include "narrowphase/distance/support.inc"
#include "narrowphase/tolerance.h"

enum { TURNS_MAX = 40 };

static bool has_corner(const abut_np_nearest *s, const abut_np_corner *w) {
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->corner[i].of_a == w->of_a && s->corner[i].of_b == w->of_b) {
            return true;
        }
    }
    return false;
}

static bool nearest(const abut_np_cores *cores, double limit, abut_np_nearest *s) {
    const double slack = ABUT_NP_SLACK_DOUBLE * cores->size, noise = 0x1p-51 * cores->size;
    const double sure = limit + slack;
    abut_np_corner w;
    abut_d3 along = cores->between;
    if (abut_d3_norm1(along) == 0) {
        along.x[0] = 1;
    }
    lowest_corner(cores, along, &w);
    on_corner(s, &w);
    s->overlap = false;
    s->lower = 0;
    for (int turn = 0; turn < TURNS_MAX; turn++) {
        if (abut_d3_dot(s->point, s->point) <= slack * slack) {
            s->overlap = true;
            s->lower = 0;
            break;
        }
        double length2 = abut_d3_dot(s->along, s->along);
        lowest_corner(cores, s->along, &w);
        double level = abut_d3_dot(s->along, w.p), excess = abut_d3_dot(s->along, s->corner[0].p) - level;
        bool over = level > 0 && level * level > sure * sure * length2;
        bool done = excess <= 0 || excess * excess <= noise * noise * length2 || has_corner(s, &w);
        s->lower = level / sqrt(length2) - slack;
        if (over || done) {
            abut_lanes_done();
            return over;
        }
        add_corner(s, &w, noise);
    }
    abut_lanes_done();
    return false;
}

const abut_np_distance_kernels ABUT_KERNEL(abut_np_distance_kernels) = {.nearest = nearest};
