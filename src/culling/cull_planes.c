/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. Boxes, and the spheres round them, against the planes of frusta, in
 * float: only what is certain is said. docs/numerics.md, "Culling", derives the constants. */
#include "base/lanes.h"
#include "culling/kernels.h"
#include <math.h>

typedef abut_vf lanes;

static inline lanes sum(lanes a, lanes b) {
    return abut_vf_add(a, b);
}

static inline lanes minus(lanes a, lanes b) {
    return abut_vf_sub(a, b);
}

static inline lanes times(lanes a, lanes b) {
    return abut_vf_mul(a, b);
}

static inline lanes quotient(lanes a, lanes b) {
    return abut_vf_div(a, b);
}

static inline lanes absolute(lanes a) {
    return abut_vf_abs(a);
}

static inline lanes constant(float x) {
    return abut_vf_set(x);
}

#include "culling/box.h"

enum { LANES = ABUT_VF_LANES };

/* SLACK times |c'|_1 + |h|_1 bounds the rounding of distances from planes, but for that of d, which the view has. */
static const float SLACK = 32 * 0x1p-24f;

/* Outside these sizes, and these squared lengths of quaternions, products of both could lose bits to the denormal
 * range, or overflow. */
static const float SMALLEST = 0x1p-60f, LARGEST = 0x1p+60f;
static const float SHORTEST = 0x1p-40f, LONGEST = 0x1p+40f;

static inline lanes least(lanes a, lanes b) {
    return abut_vf_min(a, b);
}

static inline abut_mf between(lanes x, float low, float high) {
    return abut_mf_and(abut_vf_lt(constant(low), x), abut_vf_lt(x, constant(high)));
}

/* --- spheres --- */

/* Which of so many boxes the spheres round them do not put outside. */
static ABUT_INLINE abut_mf spheres_seen(const abut_cull_view *view, const void *box, const uint32_t *index) {
    lanes head[4], tail[4], d = constant(INFINITY);
    abut_vf_load4(box, sizeof(abut_obb), index, head);
    abut_vf_load4((const float *)box + 6, sizeof(abut_obb), index, tail);
    const lanes c[3] = {minus(head[0], constant(view->origin[0])), minus(head[1], constant(view->origin[1])),
                        minus(head[2], constant(view->origin[2]))};
    for (uint32_t p = 0; p < view->plane_count; p++) {
        const lanes n[3] = {constant(view->normal[p][0]), constant(view->normal[p][1]), constant(view->normal[p][2])};
        d = least(sum(dot(n, c), constant(view->high[p])), d);
    }
    /* Squares, instead of a root. What they lose to the denormal range is less than 2^-126. */
    lanes away = minus(abut_vf_neg(d), times(constant(SLACK), span(c)));
    lanes radius2 = sum3(times(tail[1], tail[1]), times(tail[2], tail[2]), times(tail[3], tail[3]));
    radius2 = sum(times(radius2, constant(1 + 0x1p-20f)), constant(0x1p-126f));
    abut_mf outside = abut_mf_and(abut_vf_lt(constant(0), away), abut_vf_lt(radius2, times(away, away)));
    return abut_mf_and_not(abut_mf_first(LANES), outside);
}

static size_t spheres(const abut_cull_view *view, const abut_obb *boxes, size_t n, uint32_t *index) {
    uint32_t each[LANES], last[LANES];
    size_t found = 0;
    for (uint32_t l = 0; l < LANES; l++) {
        each[l] = l;
    }
    for (size_t k = 0; k < n; k += LANES) {
        size_t left = n - k < LANES ? n - k : LANES;
        abut_mf seen = spheres_seen(view, boxes + k, padded(each, left, LANES, last));
        found += abut_lanes_pack((uint32_t)k, abut_mf_and(seen, abut_mf_first((uint32_t)left)), index + found);
    }
    abut_lanes_done();
    return found;
}

/* --- planes --- */

/* A box as planes see it. */
typedef struct arms {
    lanes center[3], arm[3][3]; /* arm[j]: from the centre to the middle of a face */
    lanes half;                 /* |h|_1 */
    abut_mf valid;              /* the quaternion is in range, and no half extent is negative */
} arms;

static ABUT_INLINE void load_arms(const abut_cull_boxes *of, const uint32_t *index, arms *x) {
    lanes v[10], axis[3][3];
    abut_vf_load10(of->boxes, of->stride, index, v);
    lanes n = norm2(v + 3);
    turn(v + 3, n, axis);
    for (int j = 0; j < 3; j++) {
        x->center[j] = v[j];
        for (int i = 0; i < 3; i++) {
            x->arm[j][i] = times(axis[j][i], v[7 + j]);
        }
    }
    x->half = sum3(v[7], v[8], v[9]);
    x->valid = abut_mf_and(between(n, SHORTEST, LONGEST), abut_vf_le(constant(0), least(least(v[7], v[8]), v[9])));
}

/* The least over all planes of how far boxes reach. */
typedef struct depths {
    lanes nearest, second; /* of the corner that is farthest out; the second least of this */
    lanes center;
    lanes farthest; /* of the corner that is farthest in */
    lanes at_most;  /* the same, at most; the others are at least so much, but for SLACK */
} depths;

static ABUT_INLINE void measure(const abut_cull_view *view, const lanes c[3], const arms *x, depths *least_of) {
    lanes all = constant(INFINITY);
    depths m = {all, all, all, all, all};
    for (uint32_t p = 0; p < view->plane_count; p++) {
        const lanes n[3] = {constant(view->normal[p][0]), constant(view->normal[p][1]), constant(view->normal[p][2])};
        lanes along = dot(n, c), low = sum(along, constant(view->low[p])), high = sum(along, constant(view->high[p]));
        lanes radius = sum3(absolute(dot(n, x->arm[0])), absolute(dot(n, x->arm[1])), absolute(dot(n, x->arm[2])));
        lanes out = minus(low, radius);
        m.second = least(m.second, abut_vf_max(m.nearest, out));
        m.nearest = least(m.nearest, out);
        m.center = least(m.center, low);
        m.farthest = least(m.farthest, sum(low, radius));
        m.at_most = least(m.at_most, sum(high, radius));
    }
    *least_of = m;
}

/* A box that is certainly cut by one plane meets the frustum where its centre is inside, and where it is inside all
 * other planes. */
static ABUT_INLINE void decide(const abut_cull_view *view, const arms *x, uint8_t *side) {
    const lanes c[3] = {minus(x->center[0], constant(view->origin[0])), minus(x->center[1], constant(view->origin[1])),
                        minus(x->center[2], constant(view->origin[2]))};
    lanes size = sum(span(c), x->half), slack = times(constant(SLACK), size), negative = abut_vf_neg(slack);
    abut_mf valid = abut_mf_and(x->valid, between(size, SMALLEST, LARGEST));
    depths m;
    measure(view, c, x, &m);
    abut_mf outside = abut_vf_lt(m.at_most, negative), inside = abut_vf_lt(slack, m.nearest);
    abut_mf across = abut_mf_and(abut_vf_lt(slack, m.second), abut_vf_lt(slack, m.farthest));
    /* Depths are too small by up to a slack for what d is off by; of a plane whose d is above `size` they are above 0.
     */
    abut_mf cut = abut_vf_lt(m.nearest, times(constant(3), negative));
    cut = abut_mf_and(cut, abut_mf_or(across, abut_vf_lt(slack, m.center)));
    lanes out = abut_vf_select(cut, constant(ABUT_INTERSECTS), constant(ABUT_CULL_UNDECIDED));
    out = abut_vf_select(inside, constant(ABUT_INSIDE), out);
    out = abut_vf_select(outside, constant(ABUT_OUTSIDE), out);
    abut_vf_store_bytes(side, abut_vf_select(valid, out, constant(ABUT_CULL_UNDECIDED)));
}

static void planes(const abut_cull_view *view, uint32_t views, const abut_cull_boxes *of, uint8_t *side, size_t pitch) {
    for (size_t k = 0; k < of->n; k += LANES) {
        uint32_t last[LANES];
        uint8_t bytes[LANES];
        size_t left = of->n - k;
        arms x;
        load_arms(of, padded(of->index + k, left, LANES, last), &x);
        for (uint32_t bits = views; bits; bits &= bits - 1) {
            uint32_t v = ABUT_LOWEST_BIT(bits);
            uint8_t *to = side + v * pitch + k;
            decide(view + v, &x, left < LANES ? bytes : to);
            if (left < LANES) {
                memcpy(to, bytes, left);
            }
        }
    }
    abut_lanes_done();
}

const abut_cull_kernels ABUT_CULL_KERNELS = {
    .bounds = ABUT_CULL_BOUNDS, .spheres = spheres, .planes = planes, .axes = ABUT_CULL_AXES};
