/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: the float stage for rectangles on the ground against the shadows of
 * boxes. It decides the pairs that are clearly apart or clearly overlap. docs/numerics.md, "Footprints". */
#include "base/lanes/vector_float.h"
#include "narrowphase/box/separation.h"
#include "narrowphase/footprint/kernels.h"

/* SLACK times S is twice a bound of the rounding error of a gap along any axis. */
static const float SLACK = 256 * 0x1p-24f;

/* Projections of local axes that are shorter than this do not count towards a certain overlap: their direction is not
 * accurate enough. */
static const float SHORT_AXIS = 0x1p-4f;

static inline vf cross(vf ax, vf ay, vf bx, vf by) {
    return minus(times(ax, by), times(ay, bx));
}

/* A rectangle and a box in each lane, in the rectangle's frame: half[] of the rectangle; of the box its centre base[],
 * the projections (x[k], y[k]) of its local axes, and its half extents extent[k] along those. */
typedef struct lane_pair {
    vf half[2], base[2], x[3], y[3], extent[3];
    vf size;  /* S: a bound of the terms of any gap */
    mf known; /* all numbers are in range */
} lane_pair;

/* Matrix row `axis` of R(q) / |q|^2; `twice` is 2 / |q|^2. */
static ABUT_INLINE void matrix_row(const vf q[4], vf twice, int axis, vf m[3]) {
    int i = axis, j = (axis + 1) % 3, k = (axis + 2) % 3;
    vf w = q[3];
    m[i] = minus(constant(1), times(twice, sum(times(q[j], q[j]), times(q[k], q[k]))));
    m[j] = times(twice, minus(times(q[i], q[j]), times(w, q[k])));
    m[k] = times(twice, sum(times(q[i], q[k]), times(w, q[j])));
}

static ABUT_INLINE void load(const abut_np_footprint_kernel_pairs *of, const uint32_t *index_rectangle,
                             const uint32_t *index_collider, lane_pair *s) {
    vf rectangle[8], collider[10], mx[3], my[3];
    abut_vf_load4(of->rectangle, of->rectangle_stride, index_rectangle, rectangle); /* center, axis */
    abut_vf_load4((const float *)of->rectangle + 3, of->rectangle_stride, index_rectangle,
                  rectangle + 4); /* axis.y, half, clearance */
    abut_vf_load10(of->collider, of->collider_stride, index_collider, collider);
    vf long2 = sum(times(rectangle[2], rectangle[2]), times(rectangle[3], rectangle[3])), length = root(long2);
    vf ux = quotient(rectangle[2], length), uy = quotient(rectangle[3], length);
    vf dx = minus(collider[of->ground[0]], rectangle[0]), dy = minus(collider[of->ground[1]], rectangle[1]);
    const vf *q = collider + 3;
    vf norm = squared_norm4(q);
    vf twice = quotient(constant(2), norm);
    matrix_row(q, twice, of->ground[0], mx);
    matrix_row(q, twice, of->ground[1], my);
    s->half[0] = sum(rectangle[5], rectangle[7]);
    s->half[1] = sum(rectangle[6], rectangle[7]);
    s->base[0] = sum(times(ux, dx), times(uy, dy));
    s->base[1] = minus(times(ux, dy), times(uy, dx));
    s->size = sum(sum(absolute(dx), absolute(dy)), sum(s->half[0], s->half[1]));
    for (int k = 0; k < 3; k++) {
        s->x[k] = sum(times(ux, mx[k]), times(uy, my[k]));
        s->y[k] = minus(times(ux, my[k]), times(uy, mx[k]));
        s->extent[k] = collider[7 + k];
        s->size = sum(s->size, s->extent[k]);
    }
    s->known = both(size_in_range(s->size), both(square_in_range(long2), square_in_range(norm)));
}

/* The gap along the normal of the projection of axis k, times the length of that projection. */
static ABUT_INLINE vf gap_over(const lane_pair *s, const vf extent[3], int k) {
    int l = (k + 1) % 3, m = (k + 2) % 3;
    vf radius = sum(times(s->half[0], absolute(s->y[k])), times(s->half[1], absolute(s->x[k])));
    radius = sum(radius, times(extent[l], absolute(cross(s->x[l], s->y[l], s->x[k], s->y[k]))));
    radius = sum(radius, times(extent[m], absolute(cross(s->x[m], s->y[m], s->x[k], s->y[k]))));
    return minus(absolute(cross(s->base[0], s->base[1], s->x[k], s->y[k])), radius);
}

/* Decides one register full of pairs. */
static ABUT_INLINE void decide(const abut_np_footprint_kernel_pairs *of, const uint32_t *index_rectangle,
                               const uint32_t *index_collider, uint8_t *verdict) {
    lane_pair s;
    load(of, index_rectangle, index_collider, &s);
    vf slack = times(constant(SLACK), s.size), deep = negated(slack), left_out = constant(0);
    vf extent[3], radius[2] = {s.half[0], s.half[1]};
    mf is_short[3];
    for (int k = 0; k < 3; k++) {
        vf length = sum(absolute(s.x[k]), absolute(s.y[k]));
        is_short[k] = less(length, constant(SHORT_AXIS));
        extent[k] = choose(is_short[k], constant(0), s.extent[k]);
        left_out = sum(left_out, times(minus(s.extent[k], extent[k]), length));
        radius[0] = sum(radius[0], times(extent[k], absolute(s.x[k])));
        radius[1] = sum(radius[1], times(extent[k], absolute(s.y[k])));
    }
    vf along = minus(absolute(s.base[0]), radius[0]), across = minus(absolute(s.base[1]), radius[1]);
    vf most = larger(along, across);
    mf meet = less(most, deep);
    for (int k = 0; k < 3; k++) {
        vf gap = gap_over(&s, extent, k);
        meet = both(meet, either(is_short[k], less(gap, deep)));
        most = larger(most, gap);
    }
    mf apart = both(s.known, less(sum(slack, left_out), most));
    vf otherwise = choose(both(s.known, meet), constant(ABUT_NP_TOUCHING), constant(ABUT_NP_UNDECIDED));
    abut_vf_store_bytes(verdict, choose(apart, constant(ABUT_NP_APART), otherwise));
}

static void verdicts(const abut_np_footprint_kernel_pairs *of, uint8_t *verdict) {
    for (size_t k = 0; k < of->n; k += ABUT_VF_LANES) {
        uint32_t last_rectangle[ABUT_VF_LANES], last_collider[ABUT_VF_LANES];
        uint8_t last[ABUT_VF_LANES];
        size_t left = of->n - k;
        const uint32_t *rectangle = padded(of->index_rectangle + k, left, ABUT_VF_LANES, last_rectangle);
        const uint32_t *collider = padded(of->index_collider + k, left, ABUT_VF_LANES, last_collider);
        decide(of, rectangle, collider, left < ABUT_VF_LANES ? last : verdict + k);
        if (left < ABUT_VF_LANES) {
            memcpy(verdict + k, last, left);
        }
    }
    abut_lanes_done();
}

const abut_np_footprint_kernels ABUT_KERNEL(abut_np_footprint_kernels) = {.verdicts = verdicts};
