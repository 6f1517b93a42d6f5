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
#include <string.h>

/* Of boxes made to be difficult 2e7 pairs took 12 turns at most, of hulls of up to 4,000 vertices 1e6 pairs 27. Should
 * a search ever end here, its points and its bound still hold, but do not meet. */
enum { TURNS_MAX = 256 };

/* Turns that gain no more than some roundings of S, after which the search ends: there corners tie. */
enum { STALLS_MAX = 2 };

static bool has_corner(const abut_np_nearest *s, const abut_np_corner *w) {
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->corner[i].of_a == w->of_a && s->corner[i].of_b == w->of_b) {
            return true;
        }
    }
    return false;
}

/* Starts with the lowest corner along the line of the middles. */
static void begin(const abut_np_cores *cores, abut_np_nearest *s) {
    abut_np_corner w;
    abut_d3 along = cores->between;
    if (abut_d3_norm1(along) == 0) {
        along.x[0] = 1;
    }
    lowest_corner(cores, along, &w);
    on_corner(s, &w);
}

/* Starts with corners that were the answer a little before: with all three, if the nearest point is still between them.
 */
static void begin_again(const abut_np_cores *cores, double noise, abut_np_nearest *s) {
    abut_np_corner given[3];
    const uint32_t count = s->count;
    memcpy(given, s->corner, sizeof given);
    for (uint32_t i = 0; i < count; i++) {
        given_corner(cores, &given[i]);
    }
    if (count == 3 && on_triangle(s, &given[0], &given[1], &given[2], noise)) {
        return;
    }
    on_corner(s, &given[0]);
    for (uint32_t i = 1; i < count; i++) {
        add_corner(s, &given[i], noise);
    }
}

static ABUT_INLINE bool search(const abut_np_cores *cores, double limit, bool again, abut_np_nearest *s) {
    const double slack = ABUT_NP_SLACK_DOUBLE * cores->size, noise = 0x1p-53 * cores->size;
    int stalls = 0;
    if (again) {
        begin_again(cores, noise, s);
    } else {
        begin(cores, s);
    }
    s->overlap = false;
    s->lower = -INFINITY;
    for (int turn = 1;; turn++) {
        if (abut_d3_dot(s->point, s->point) <= slack * slack) {
            s->overlap = true;
            s->lower = 0;
            break;
        }
        abut_np_corner w;
        lowest_corner(cores, s->along, &w);
        double length2 = abut_d3_dot(s->along, s->along), level = abut_d3_dot(s->along, w.p);
        double gain = abut_d3_dot(s->along, s->corner[0].p) - level, gain2 = gain > 0 ? gain * gain : 0;
        stalls += gain2 <= 64 * noise * noise * length2;
        bool over = level > 0 && level * level > limit * limit * length2;
        bool last = gain2 <= noise * noise * length2 || stalls > STALLS_MAX || has_corner(s, &w) || turn == TURNS_MAX;
        if (over || last) {
            s->lower = level / sqrt(length2) - slack;
        }
        if (last || (over && s->lower > limit)) {
            break;
        }
        add_corner(s, &w, noise);
    }
    abut_lanes_done();
    return s->lower > limit;
}

static bool nearest(const abut_np_cores *cores, double limit, abut_np_nearest *s) {
    return search(cores, limit, false, s);
}

static bool nearest_again(const abut_np_cores *cores, double limit, abut_np_nearest *s) {
    return search(cores, limit, true, s);
}

static uint32_t lowest(const abut_np_core *hull, abut_d3 direction) {
    uint32_t vertex = lowest_vertex(hull, direction);
    abut_lanes_done();
    return vertex;
}

const abut_np_distance_kernels ABUT_KERNEL(abut_np_distance_kernels) = {nearest, nearest_again, lowest};
