/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. Boxes along the world's axes against the planes of a frustum, in
 * float. It answers only where the answer is certain; docs/numerics.md, "Culling", derives the constant. */
#include "base/lanes/eight.h"
#include "culling/arms.h"
#include "culling/kernels.h"
#include <math.h>

static inline vf scaled(float n, vf x) {
    return times(constant(n), x);
}

/* Centres relative to the view's origin, and half sizes. Returns the sizes |c|_1 + |half|_1. */
static ABUT_INLINE vf load(const abut_cull_view *view, const abut_cull_bounds *of, size_t at, vf c[3], vf half[3]) {
    vf size[3], more;
    const float *first = of->eights + at / 8 * ABUT_CULL_EIGHT + at % 8;
    more = abut_vf_load_eights(first + 48, ABUT_CULL_EIGHT);
    for (int i = 0; i < 3; i++) {
        vf origin = constant(view->origin[i]);
        vf min = minus(abut_vf_load_eights(first + 8 * i, ABUT_CULL_EIGHT), origin);
        vf max = minus(abut_vf_load_eights(first + 8 * (i + 3), ABUT_CULL_EIGHT), origin);
        c[i] = scaled(0.5f, sum(min, max));
        half[i] = sum(scaled(0.5f, minus(max, min)), more);
        size[i] = sum(absolute(c[i]), half[i]);
    }
    return sum3(size[0], size[1], size[2]);
}

/* Depths behind a plane, for a register full of boxes: of the corner farthest out a lower bound, of the corner farthest
 * in an upper bound. */
static ABUT_INLINE void measure(const abut_cull_view *view, uint32_t p, const vf c[3], const vf half[3], vf *out,
                                vf *in) {
    const float *n = view->normal[p], *s = view->size[p];
    vf along = sum3(scaled(n[0], c[0]), scaled(n[1], c[1]), scaled(n[2], c[2]));
    vf radius = sum3(scaled(s[0], half[0]), scaled(s[1], half[1]), scaled(s[2], half[2]));
    *out = minus(sum(along, constant(view->low[p])), radius);
    *in = sum(sum(along, constant(view->high[p])), radius);
}

/* Adds up the bits of all crossed planes, as numbers. */
static ABUT_INLINE void find_crossed(const abut_cull_view *view, const abut_cull_bounds *of, size_t at,
                                     uint8_t *crossed) {
    vf c[3], half[3], least = constant(INFINITY), bits = constant(0);
    vf size = load(view, of, at, c, half), slack = scaled(ABUT_CULL_SLACK, size);
    for (uint32_t p = 0; p < view->plane_count; p++) {
        vf out, in;
        measure(view, p, c, half, &out, &in);
        least = smaller(least, in);
        bits = sum(bits, choose(less(slack, out), constant(0), constant((float)(1u << p))));
    }
    mf beyond = less(least, negated(slack));
    if (bits_of(beyond) != bits_of(abut_mf_first(ABUT_VF_LANES))) {
        vf margin = scaled(ABUT_CULL_BESIDE, sum(size, constant(view->reach)));
        beyond = either(beyond, less(margin, abut_cull_gap_beside(view, c, half)));
    }
    bits = choose(beyond, constant(ABUT_CULL_BEYOND), bits);
    vf all = constant((float)((1u << view->plane_count) - 1));
    abut_vf_store_bytes(crossed, choose(size_in_range(size), bits, all));
}

void ABUT_KERNEL(abut_cull_bounds)(const abut_cull_view *view, const abut_cull_bounds *bounds, size_t first, size_t n,
                                   uint8_t *crossed) {
    for (size_t k = 0; k < n; k += ABUT_VF_LANES) {
        find_crossed(view, bounds, first + k, crossed + k);
    }
    abut_lanes_done();
}
