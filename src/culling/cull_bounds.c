/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. Boxes along the world's axes against the planes of a frustum, in
 * float: only what is certain is said. docs/numerics.md, "Culling", derives the constant. */
#include "base/lanes.h"
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

/* One register full. */
static ABUT_INLINE void decide(const abut_cull_view *view, const abut_cull_bounds *of, size_t at, uint8_t *side) {
    lanes c[3], half[3], in = abut_vf_set(INFINITY), out = in; /* the least depths: of the farthest corner each way */
    lanes size = load(view, of, at, c, half), slack = scaled(SLACK, size);
    for (uint32_t p = 0; p < view->plane_count; p++) {
        const float *n = view->normal[p];
        lanes along = sum3(scaled(n[0], c[0]), scaled(n[1], c[1]), scaled(n[2], c[2]));
        lanes radius = sum3(scaled(fabsf(n[0]), half[0]), scaled(fabsf(n[1]), half[1]), scaled(fabsf(n[2]), half[2]));
        out = abut_vf_min(out, abut_vf_sub(abut_vf_add(along, abut_vf_set(view->low[p])), radius));
        in = abut_vf_min(in, abut_vf_add(abut_vf_add(along, abut_vf_set(view->high[p])), radius));
    }
    abut_mf inside = abut_vf_lt(slack, out), outside = abut_vf_lt(in, abut_vf_neg(slack));
    abut_mf sure = abut_mf_and(abut_vf_lt(abut_vf_set(SMALLEST), size), abut_vf_lt(size, abut_vf_set(LARGEST)));
    lanes seen = abut_vf_select(inside, abut_vf_set(ABUT_INSIDE), abut_vf_set(ABUT_CULL_UNDECIDED));
    seen = abut_vf_select(outside, abut_vf_set(ABUT_OUTSIDE), seen);
    abut_vf_store_bytes(side, abut_vf_select(sure, seen, abut_vf_set(ABUT_CULL_UNDECIDED)));
}

void ABUT_CULL_BOUNDS(const abut_cull_view *view, const abut_cull_bounds *bounds, size_t first, size_t n,
                      uint8_t *side) {
    for (size_t k = 0; k < n; k += ABUT_VF_LANES) {
        decide(view, bounds, first + k, side + k);
    }
    abut_lanes_done();
}
