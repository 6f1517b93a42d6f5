/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. Rectangles on the ground against the shadows of boxes in float:
 * what is plainly free of each other, and what plainly overlaps. docs/numerics.md, "Footprints". */
#include "base/lanes/lanes.h"
#include "narrowphase/box/separation.h"
#include "narrowphase/footprint/kernels.h"

typedef abut_vf lanes;

/* SLACK times S bounds twice over what rounding does to a gap over any axis. */
static const float SLACK = 256 * 0x1p-24f;

/* Outside these sizes, and these squared lengths of axes and quaternions, bits could be lost to the denormal range, or
 * numbers overflow. */
static const float SMALLEST = 0x1p-60f, LARGEST = 0x1p+60f;
static const float SHORTEST = 0x1p-40f, LONGEST = 0x1p+40f;

/* Shadows of local axes that are shorter add nothing to what overlaps for certain: their direction is not known well.
 */
static const float STUMP = 0x1p-4f;

static inline lanes sum(lanes a, lanes b) {
    return abut_vf_add(a, b);
}

static inline lanes minus(lanes a, lanes b) {
    return abut_vf_sub(a, b);
}

static inline lanes times(lanes a, lanes b) {
    return abut_vf_mul(a, b);
}

static inline lanes absolute(lanes a) {
    return abut_vf_abs(a);
}

static inline lanes cross(lanes ax, lanes ay, lanes bx, lanes by) {
    return minus(times(ax, by), times(ay, bx));
}

static inline abut_mf between(lanes x, float low, float high) {
    return abut_mf_and(abut_vf_lt(abut_vf_set(low), x), abut_vf_lt(x, abut_vf_set(high)));
}

/* In the frame of the rectangle, whose half extents are half[]; of the box the centre, and the shadows (x[k], y[k]) of
 * its local axes, along which it reaches reach[k] either way. */
typedef struct scene {
    lanes half[2], base[2], x[3], y[3], reach[3];
    lanes size; /* S: all that is added up in any gap is at most this */
    abut_mf known;
} scene;

/* Row `axis` of R(q) / |q|^2; `twice` is 2 / |q|^2. */
static ABUT_INLINE void matrix_row(const lanes q[4], lanes twice, int axis, lanes m[3]) {
    int i = axis, j = (axis + 1) % 3, k = (axis + 2) % 3;
    lanes w = q[3];
    m[i] = minus(abut_vf_set(1), times(twice, sum(times(q[j], q[j]), times(q[k], q[k]))));
    m[j] = times(twice, minus(times(q[i], q[j]), times(w, q[k])));
    m[k] = times(twice, sum(times(q[i], q[k]), times(w, q[j])));
}

static ABUT_INLINE void load(const abut_np_footprint_kernel_pairs *of, const uint32_t *index_rectangle,
                             const uint32_t *index_collider, scene *s) {
    lanes r[8], collider[10], mx[3], my[3];
    abut_vf_load4(of->rectangle, of->rectangle_stride, index_rectangle, r); /* center, axis */
    abut_vf_load4((const float *)of->rectangle + 3, of->rectangle_stride, index_rectangle,
                  r + 4); /* axis.y, half, clearance */
    abut_vf_load10(of->collider, of->collider_stride, index_collider, collider);
    lanes long2 = sum(times(r[2], r[2]), times(r[3], r[3])), length = abut_vf_sqrt(long2);
    lanes ux = abut_vf_div(r[2], length), uy = abut_vf_div(r[3], length);
    lanes dx = minus(collider[of->ground[0]], r[0]), dy = minus(collider[of->ground[1]], r[1]);
    const lanes *q = collider + 3;
    lanes norm = sum(sum(times(q[0], q[0]), times(q[1], q[1])), sum(times(q[2], q[2]), times(q[3], q[3])));
    lanes twice = abut_vf_div(abut_vf_set(2), norm);
    matrix_row(q, twice, of->ground[0], mx);
    matrix_row(q, twice, of->ground[1], my);
    s->half[0] = sum(r[5], r[7]);
    s->half[1] = sum(r[6], r[7]);
    s->base[0] = sum(times(ux, dx), times(uy, dy));
    s->base[1] = minus(times(ux, dy), times(uy, dx));
    s->size = sum(sum(absolute(dx), absolute(dy)), sum(s->half[0], s->half[1]));
    for (int k = 0; k < 3; k++) {
        s->x[k] = sum(times(ux, mx[k]), times(uy, my[k]));
        s->y[k] = minus(times(ux, my[k]), times(uy, mx[k]));
        s->reach[k] = collider[7 + k];
        s->size = sum(s->size, s->reach[k]);
    }
    s->known = abut_mf_and(between(s->size, SMALLEST, LARGEST),
                           abut_mf_and(between(long2, SHORTEST, LONGEST), between(norm, SHORTEST, LONGEST)));
}

/* The gap over the normal of axis k's shadow, which is as long as that shadow. */
static ABUT_INLINE lanes gap_over(const scene *s, const lanes reach[3], int k) {
    int l = (k + 1) % 3, m = (k + 2) % 3;
    lanes radius = sum(times(s->half[0], absolute(s->y[k])), times(s->half[1], absolute(s->x[k])));
    radius = sum(radius, times(reach[l], absolute(cross(s->x[l], s->y[l], s->x[k], s->y[k]))));
    radius = sum(radius, times(reach[m], absolute(cross(s->x[m], s->y[m], s->x[k], s->y[k]))));
    return minus(absolute(cross(s->base[0], s->base[1], s->x[k], s->y[k])), radius);
}

/* One register full. */
static ABUT_INLINE void decide(const abut_np_footprint_kernel_pairs *of, const uint32_t *index_rectangle,
                               const uint32_t *index_collider, uint8_t *verdict) {
    scene s;
    load(of, index_rectangle, index_collider, &s);
    lanes slack = times(abut_vf_set(SLACK), s.size), deep = abut_vf_neg(slack), left_out = abut_vf_set(0);
    lanes reach[3], radius[2] = {s.half[0], s.half[1]};
    abut_mf stump[3];
    for (int k = 0; k < 3; k++) {
        lanes length = sum(absolute(s.x[k]), absolute(s.y[k]));
        stump[k] = abut_vf_lt(length, abut_vf_set(STUMP));
        reach[k] = abut_vf_select(stump[k], abut_vf_set(0), s.reach[k]);
        left_out = sum(left_out, times(minus(s.reach[k], reach[k]), length));
        radius[0] = sum(radius[0], times(reach[k], absolute(s.x[k])));
        radius[1] = sum(radius[1], times(reach[k], absolute(s.y[k])));
    }
    lanes along = minus(absolute(s.base[0]), radius[0]), across = minus(absolute(s.base[1]), radius[1]);
    lanes most = abut_vf_max(along, across);
    abut_mf meet = abut_vf_lt(most, deep);
    for (int k = 0; k < 3; k++) {
        lanes gap = gap_over(&s, reach, k);
        meet = abut_mf_and(meet, abut_mf_or(stump[k], abut_vf_lt(gap, deep)));
        most = abut_vf_max(most, gap);
    }
    abut_mf apart = abut_mf_and(s.known, abut_vf_lt(sum(slack, left_out), most));
    lanes otherwise =
        abut_vf_select(abut_mf_and(s.known, meet), abut_vf_set(ABUT_NP_TOUCHING), abut_vf_set(ABUT_NP_UNDECIDED));
    abut_vf_store_bytes(verdict, abut_vf_select(apart, abut_vf_set(ABUT_NP_APART), otherwise));
}

static void verdicts(const abut_np_footprint_kernel_pairs *of, uint8_t *verdict) {
    for (size_t k = 0; k < of->n; k += ABUT_VF_LANES) {
        const uint32_t *index_rectangle = of->index_rectangle + k, *index_collider = of->index_collider + k;
        uint32_t last_rectangle[ABUT_VF_LANES], last_collider[ABUT_VF_LANES];
        uint8_t last[ABUT_VF_LANES], *out = verdict + k;
        size_t left = of->n - k;
        if (left < ABUT_VF_LANES) { /* filled up with copies */
            for (size_t l = 0; l < ABUT_VF_LANES; l++) {
                last_rectangle[l] = index_rectangle[l < left ? l : 0];
                last_collider[l] = index_collider[l < left ? l : 0];
            }
            index_rectangle = last_rectangle, index_collider = last_collider, out = last;
        }
        decide(of, index_rectangle, index_collider, out);
        if (left < ABUT_VF_LANES) {
            memcpy(verdict + k, last, left);
        }
    }
    abut_lanes_done();
}

const abut_np_footprint_kernels ABUT_KERNEL(abut_np_footprint_kernels) = {.verdicts = verdicts};
