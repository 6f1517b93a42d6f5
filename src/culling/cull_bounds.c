/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. Boxes along the world's axes against the planes of a frustum, in
 * float: only what is certain is said. docs/numerics.md, "Culling", derives the constant. */
#include "base/lanes/lanes.h"
#include "culling/kernels.h"
#include <math.h>

typedef abut_vf lanes;

/* SLACK times the size bounds the rounding of distances from planes, but for that of d, which the view has. */
static const float SLACK = 32 * 0x1p-24f;

/* Other sizes could lose bits to the denormal range, or overflow. */
static const float SMALLEST = 0x1p-60f, LARGEST = 0x1p+60f;

static inline lanes sum3(lanes a, lanes b, lanes c) {
    return abut_vf_add(abut_vf_add(a, b), c);
}

static inline lanes scaled(float n, lanes x) {
    return abut_vf_mul(abut_vf_set(n), x);
}

/* Centres counted from the view's origin, and half sizes. Returns the sizes |c|_1 + |half|_1. */
static ABUT_INLINE lanes load(const abut_cull_view *view, const abut_cull_bounds *of, size_t at, lanes c[3],
                              lanes half[3]) {
    lanes size[3];
    for (int i = 0; i < 3; i++) {
        lanes origin = abut_vf_set(view->origin[i]);
        lanes min = abut_vf_sub(abut_vf_load(of->min[i] + at), origin);
        lanes max = abut_vf_sub(abut_vf_load(of->max[i] + at), origin);
        c[i] = scaled(0.5f, abut_vf_add(min, max));
        half[i] = scaled(0.5f, abut_vf_sub(max, min));
        size[i] = abut_vf_add(abut_vf_abs(c[i]), half[i]);
    }
    return sum3(size[0], size[1], size[2]);
}

/* A register full of boxes before a plane: the depths of the corners farthest out, at least, and farthest in, at most.
 */
static ABUT_INLINE void measure(const abut_cull_view *view, uint32_t p, const lanes c[3], const lanes half[3],
                                lanes *out, lanes *in) {
    const float *n = view->normal[p], *s = view->size[p];
    lanes along = sum3(scaled(n[0], c[0]), scaled(n[1], c[1]), scaled(n[2], c[2]));
    lanes radius = sum3(scaled(s[0], half[0]), scaled(s[1], half[1]), scaled(s[2], half[2]));
    *out = abut_vf_sub(abut_vf_add(along, abut_vf_set(view->low[p])), radius);
    *in = abut_vf_add(abut_vf_add(along, abut_vf_set(view->high[p])), radius);
}

static ABUT_INLINE abut_mf in_range(lanes size) {
    return abut_mf_and(abut_vf_lt(abut_vf_set(SMALLEST), size), abut_vf_lt(size, abut_vf_set(LARGEST)));
}

/* Crossed planes are added up, as the numbers that their bits are. */
static ABUT_INLINE void find_crossed(const abut_cull_view *view, const abut_cull_bounds *of, size_t at,
                                     uint8_t *crossed) {
    lanes c[3], half[3], least = abut_vf_set(INFINITY), sum = abut_vf_set(0);
    lanes size = load(view, of, at, c, half), slack = scaled(SLACK, size);
    for (uint32_t p = 0; p < view->plane_count; p++) {
        lanes out, in;
        measure(view, p, c, half, &out, &in);
        least = abut_vf_min(least, in);
        sum = abut_vf_add(sum, abut_vf_select(abut_vf_lt(slack, out), abut_vf_set(0), abut_vf_set((float)(1u << p))));
    }
    sum = abut_vf_select(abut_vf_lt(least, abut_vf_neg(slack)), abut_vf_set(ABUT_CULL_BEYOND), sum);
    lanes all = abut_vf_set((float)((1u << view->plane_count) - 1));
    abut_vf_store_bytes(crossed, abut_vf_select(in_range(size), sum, all));
}

void ABUT_KERNEL(abut_cull_bounds)(const abut_cull_view *view, const abut_cull_bounds *bounds, size_t first, size_t n,
                                   uint8_t *crossed) {
    for (size_t k = 0; k < n; k += ABUT_VF_LANES) {
        find_crossed(view, bounds, first + k, crossed + k);
    }
    abut_lanes_done();
}
