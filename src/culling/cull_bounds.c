/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. Boxes along the world's axes, and spheres about their middles,
 * against the planes of a frustum, in float. It answers only where the answer is certain; docs/numerics.md, "Culling",
 * derives the constant. */
#include "base/lanes/eight.h"
#include "culling/arms.h"
#include "culling/kernels.h"
#include <math.h>

static inline vf scaled(float n, vf x) {
    return times(constant(n), x);
}

/* Centres relative to the view's origin, and half sizes. Returns the sizes |c|_1 + |half|_1. */
static ABUT_INLINE vf load_from(const abut_cull_view *view, const float *at, size_t apart, vf more, vf c[3],
                                vf half[3]) {
    vf size[3];
    for (int i = 0; i < 3; i++) {
        vf origin = constant(view->origin[i]);
        vf min = minus(abut_vf_load_eights(at + 8 * i, apart), origin);
        vf max = minus(abut_vf_load_eights(at + 8 * (i + 3), apart), origin);
        c[i] = scaled(0.5f, sum(min, max));
        half[i] = sum(scaled(0.5f, minus(max, min)), more);
        size[i] = sum(absolute(c[i]), half[i]);
    }
    return sum3(size[0], size[1], size[2]);
}

static ABUT_INLINE vf load(const abut_cull_view *view, const abut_cull_bounds *of, size_t at, vf c[3], vf half[3]) {
    const float *first = of->eights + at / 8 * ABUT_CULL_EIGHT + at % 8;
    return load_from(view, first, ABUT_CULL_EIGHT, abut_vf_load_eights(first + 48, ABUT_CULL_EIGHT), c, half);
}

/* Depths behind a plane, for a register full of boxes, or of what is within these distances of their centres, too: of
 * the point farthest out a lower bound, of the point farthest in an upper bound. */
static ABUT_INLINE void measure(const abut_cull_view *view, uint32_t p, const vf c[3], const vf half[3],
                                const vf *sphere, vf *out, vf *in) {
    const float *n = view->normal[p], *s = view->size[p];
    vf along = sum3(scaled(n[0], c[0]), scaled(n[1], c[1]), scaled(n[2], c[2]));
    vf radius = sum3(scaled(s[0], half[0]), scaled(s[1], half[1]), scaled(s[2], half[2]));
    radius = sphere ? smaller(*sphere, radius) : radius;
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
        measure(view, p, c, half, NULL, &out, &in);
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

/* --- boxes and spheres of bodies --- */

/* LANES boxes: the first eight, or fewer, of them are in node a, the others in node b. */
typedef struct couple {
    const float *at; /* the first min of x */
    size_t apart;    /* floats from a to b */
    uint32_t planes_a, planes_b;
    vf more, sphere;
} couple;

/* 0 for the boxes that a plane may cross, infinity for others. */
static ABUT_INLINE vf unless_crossed(const couple *of, uint32_t p) {
    vf a = constant(of->planes_a >> p & 1 ? 0 : INFINITY), b = constant(of->planes_b >> p & 1 ? 0 : INFINITY);
    return choose(abut_mf_first(ABUT_VF_LANES < 8 ? ABUT_VF_LANES : 8), a, b);
}

/* Bit l of the least: lane l. */
typedef struct verdicts {
    uint32_t outside, inside;
} verdicts;

/* A body is within its box and its sphere, so a plane is at most as near as the nearer one's end. */
static ABUT_INLINE verdicts sift(const abut_cull_view *view, const couple *of) {
    vf c[3], half[3], least = constant(INFINITY), most = least;
    vf size = load_from(view, of->at, of->apart, of->more, c, half), slack = scaled(ABUT_CULL_SLACK, size);
    for (uint32_t planes = of->planes_a | of->planes_b; planes; planes &= planes - 1) {
        uint32_t p = ABUT_LOWEST_BIT(planes);
        vf out, in;
        measure(view, p, c, half, &of->sphere, &out, &in);
        if (ABUT_VF_LANES > 8) { /* a plane of the other node says nothing */
            vf more = unless_crossed(of, p);
            in = sum(in, more);
            out = sum(out, more);
        }
        least = smaller(least, in);
        most = smaller(most, out);
    }
    mf fit = size_in_range(size);
    return (verdicts){bits_of(both(fit, less(least, negated(slack)))), bits_of(both(fit, less(slack, most)))};
}

/* The couple of nodes k and l of a list: their boxes from `lane` on. */
static ABUT_INLINE couple couple_of(const abut_cull_nodes *of, size_t k, size_t l, uint32_t lane) {
    uint32_t a = of->node[k], b = of->node[l];
    couple x = {.at = of->eights + (size_t)a * ABUT_CULL_EIGHT + lane,
                .apart = ((size_t)b - a) * ABUT_CULL_EIGHT,
                .planes_a = of->planes[k],
                .planes_b = of->planes[l]};
    mf first = abut_mf_first(ABUT_VF_LANES < 8 ? ABUT_VF_LANES : 8);
    x.more = choose(first, constant(of->surplus[a]), constant(of->surplus[b]));
    vf radius = abut_vf_load_eights(x.at + 56, x.apart);
    x.sphere = choose(equal(x.more, constant(0)), radius, constant(INFINITY));
    return x;
}

void ABUT_KERNEL(abut_cull_bodies)(const abut_cull_view *view, const abut_cull_nodes *nodes, uint8_t *inside,
                                   uint8_t *open) {
    enum { AT_ONCE = ABUT_VF_LANES < 8 ? 1 : ABUT_VF_LANES / 8 };
    const abut_cull_nodes of = *nodes; /* so that writing bytes does not change it */
    for (size_t k = 0; k < of.n; k += AT_ONCE) {
        size_t l = k + AT_ONCE - 1 < of.n ? k + AT_ONCE - 1 : k;
        uint32_t in = 0, out = 0;
        for (uint32_t lane = 0; lane < 8; lane += ABUT_VF_LANES) {
            const couple x = couple_of(&of, k, l, lane);
            verdicts found = sift(view, &x);
            in |= found.inside << lane;
            out |= found.outside << lane;
        }
        inside[l] = (uint8_t)(in >> 8);
        open[l] = (uint8_t)(~(in | out) >> 8);
        inside[k] = (uint8_t)in;
        open[k] = (uint8_t) ~(in | out);
    }
    abut_lanes_done();
}
