/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: the float stage for rectangles on the ground against the shadows of
 * boxes, sharp and grown. It decides the pairs that are clearly apart or clearly overlap. docs/numerics.md,
 * "Footprints". */
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
    vf grow;  /* g: clearance + radius; read only of grown shadows */
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

/* `grown`, here and below, is known to the compiler: without it, nothing is spent on g. */
static ABUT_INLINE void load(const abut_np_footprint_kernel_pairs *of, const uint32_t *index_rectangle,
                             const uint32_t *index_collider, bool grown, lane_pair *s) {
    vf rectangle[8], collider[11], mx[3], my[3];
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
    s->half[0] = rectangle[5];
    s->half[1] = rectangle[6];
    s->base[0] = sum(times(ux, dx), times(uy, dy));
    s->base[1] = minus(times(ux, dy), times(uy, dx));
    s->size = sum(sum(absolute(dx), absolute(dy)), sum(s->half[0], s->half[1]));
    for (int k = 0; k < 3; k++) {
        s->x[k] = sum(times(ux, mx[k]), times(uy, my[k]));
        s->y[k] = minus(times(ux, my[k]), times(uy, mx[k]));
        s->extent[k] = collider[7 + k];
        s->size = sum(s->size, s->extent[k]);
    }
    if (grown) {
        abut_vf_load4((const float *)of->collider + 7, of->collider_stride, index_collider, collider + 7);
        s->grow = sum(rectangle[7], collider[10]);
        s->size = sum(s->size, s->grow);
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

static ABUT_INLINE vf length_of(vf x, vf y) {
    return root(sum(times(x, x), times(y, y)));
}

/* From the point to the nearest one of the rectangle. */
static ABUT_INLINE void to_rectangle(const lane_pair *s, const vf point[2], vf out[2]) {
    for (int i = 0; i < 2; i++) {
        out[i] = minus(smaller(larger(point[i], negated(s->half[i])), s->half[i]), point[i]);
    }
}

/* From the centre of the shadow to a point of the shadow of a box with these half extents: where `towards`, counted
 * from that centre, lands when it is brought into the box as if all axes were horizontal or upright. */
static ABUT_INLINE void into_box(const lane_pair *s, const vf extent[3], const vf towards[2], vf out[2]) {
    out[0] = out[1] = constant(0);
    for (int k = 0; k < 3; k++) {
        vf along = sum(times(s->x[k], towards[0]), times(s->y[k], towards[1]));
        along = smaller(larger(along, negated(extent[k])), extent[k]);
        out[0] = sum(out[0], times(along, s->x[k]));
        out[1] = sum(out[1], times(along, s->y[k]));
    }
}

/* A pair of points that are close to each other, by projecting to either set in turn: the vector from that of the
 * shadow to that of the rectangle. It is never shorter than the distance of the two. */
static ABUT_INLINE void near_points(const lane_pair *s, const vf extent[3], vf between[2]) {
    vf point[2] = {s->base[0], s->base[1]}, from_center[2] = {constant(0), constant(0)};
    to_rectangle(s, point, between);
    for (int round = 0; round < 2; round++) {
        const vf towards[2] = {sum(from_center[0], between[0]), sum(from_center[1], between[1])};
        into_box(s, extent, towards, from_center);
        point[0] = sum(s->base[0], from_center[0]);
        point[1] = sum(s->base[1], from_center[1]);
        to_rectangle(s, point, between);
    }
}

/* The length of a vector, and its direction: NaN for {0, 0}. No square leaves the range of floats. */
static ABUT_INLINE vf direction_of(const vf v[2], vf out[2]) {
    vf most = larger(absolute(v[0]), absolute(v[1]));
    vf x = quotient(v[0], most), y = quotient(v[1], most), length = length_of(x, y);
    out[0] = quotient(x, length);
    out[1] = quotient(y, length);
    return choose(equal(most, constant(0)), most, times(most, length));
}

/* The gap along a direction, of the whole shadow. */
static ABUT_INLINE vf gap_along(const lane_pair *s, const vf n[2]) {
    vf radius = sum(times(s->half[0], absolute(n[0])), times(s->half[1], absolute(n[1])));
    for (int k = 0; k < 3; k++) {
        vf along = sum(times(s->x[k], n[0]), times(s->y[k], n[1]));
        radius = sum(radius, times(s->extent[k], absolute(along)));
    }
    return minus(absolute(sum(times(s->base[0], n[0]), times(s->base[1], n[1]))), radius);
}

/* Decides one register full of pairs. */
static ABUT_INLINE void decide(const abut_np_footprint_kernel_pairs *of, const uint32_t *index_rectangle,
                               const uint32_t *index_collider, bool grown, uint8_t *verdict) {
    lane_pair s;
    load(of, index_rectangle, index_collider, grown, &s);
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
    most = grown ? minus(most, s.grow) : most;
    for (int k = 0; k < 3; k++) {
        vf gap = gap_over(&s, extent, k);
        meet = both(meet, either(is_short[k], less(gap, deep)));
        most = larger(most, grown ? minus(gap, times(s.grow, length_of(s.x[k], s.y[k]))) : gap);
    }
    if (grown) {
        vf between[2], direction[2];
        near_points(&s, extent, between);
        meet = either(meet, less(sum(direction_of(between, direction), slack), s.grow));
        most = larger(minus(gap_along(&s, direction), s.grow), most); /* `most` where the direction is NaN */
    }
    mf apart = both(s.known, less(sum(slack, left_out), most));
    vf otherwise = choose(both(s.known, meet), constant(ABUT_NP_TOUCHING), constant(ABUT_NP_UNDECIDED));
    abut_vf_store_bytes(verdict, choose(apart, constant(ABUT_NP_APART), otherwise));
}

static ABUT_INLINE void decide_all(const abut_np_footprint_kernel_pairs *of, bool grown, uint8_t *verdict) {
    for (size_t k = 0; k < of->n; k += ABUT_VF_LANES) {
        uint32_t last_rectangle[ABUT_VF_LANES], last_collider[ABUT_VF_LANES];
        uint8_t last[ABUT_VF_LANES];
        size_t left = of->n - k;
        const uint32_t *rectangle = padded(of->index_rectangle + k, left, ABUT_VF_LANES, last_rectangle);
        const uint32_t *collider = padded(of->index_collider + k, left, ABUT_VF_LANES, last_collider);
        decide(of, rectangle, collider, grown, left < ABUT_VF_LANES ? last : verdict + k);
        if (left < ABUT_VF_LANES) {
            memcpy(verdict + k, last, left);
        }
    }
    abut_lanes_done();
}

static void verdicts(const abut_np_footprint_kernel_pairs *of, uint8_t *verdict) {
    decide_all(of, false, verdict);
}

static void grown_verdicts(const abut_np_footprint_kernel_pairs *of, uint8_t *verdict) {
    decide_all(of, true, verdict);
}

const abut_np_footprint_kernels ABUT_KERNEL(abut_np_footprint_kernels) = {.verdicts = verdicts,
                                                                          .grown_verdicts = grown_verdicts};
