/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. The float stage of obb_separation.h. */
#include "base/lanes/lanes.h"
#include "narrowphase/box/kernels.h"
#include "narrowphase/box/separation.h"
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

static inline lanes root(lanes a) {
    return abut_vf_sqrt(a);
}

static inline lanes absolute(lanes a) {
    return abut_vf_abs(a);
}

static inline lanes largest(lanes a, lanes b) {
    return abut_vf_max(a, b);
}

static inline lanes constant(float x) {
    return abut_vf_set(x);
}

static ABUT_INLINE void load10(const void *at, size_t stride, const uint32_t *index, lanes v[10]) {
    abut_vf_load10(at, stride, index, v);
}

#include "narrowphase/box/axes.h"

/* SLACK times S bounds the rounding error of every separation. */
static const float SLACK = 64 * 0x1p-24f;

/* Outside these sizes, and these squared lengths of quaternions, products of both could lose bits to the denormal
 * range, or overflow. */
static const float SMALLEST = 0x1p-60f, LARGEST = 0x1p+60f;
static const float SHORTEST = 0x1p-40f, LONGEST = 0x1p+40f;

static inline abut_mf between(lanes x, float low, float high) {
    return abut_mf_and(abut_vf_lt(constant(low), x), abut_vf_lt(x, constant(high)));
}

/* Whether the boxes are valid, and nothing can leave the range of normal floats. NaN is never in a range. */
static inline abut_mf in_range(const box_pairs *p) {
    abut_mf turns = abut_mf_and(between(p->n, SHORTEST, LONGEST), between(p->n_a, SHORTEST, LONGEST));
    lanes least = abut_vf_min(abut_vf_min(abut_vf_min(p->a[0], p->a[1]), abut_vf_min(p->a[2], p->b[0])),
                              abut_vf_min(p->b[1], p->b[2]));
    return abut_mf_and(abut_mf_and(turns, between(p->size, SMALLEST, LARGEST)), abut_vf_le(constant(0), least));
}

/* Nearly parallel edges never show more than their sine times S beyond what the faces show, so faces that overlap by
 * more than that settle them: resting stacks end here. The largest gap over all other edges: */
static lanes largest_unsettled(const box_pairs *p, lanes gap[3][3], lanes face, lanes slack) {
    lanes room = minus(abut_vf_neg(face), sum(slack, slack)), most = constant(-INFINITY);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            abut_mf settled = abut_vf_lt(times(times(constant(1.5f), sine(p, i, j)), p->size), room);
            most = largest(most, abut_vf_select(settled, constant(-INFINITY), gap[i][j]));
        }
    }
    return most;
}

/* Where no pair of edges can win over the faces, neither by what this stage is off by nor by what the preference for
 * faces leaves: docs/numerics.md, "Manifolds". `most`: of all gaps over edges. */
static ABUT_INLINE abut_mf faces_win(const box_pairs *p, lanes gap[3][3], lanes most, lanes face, lanes slack) {
    lanes twice = sum(slack, slack), least = times(constant(0.951f), minus(slack, face));
    lanes square = times(least, least), worst = constant(-INFINITY);
    for (int e = 0; e < 9; e++) {
        int i = e / 3, j = e % 3;
        lanes u = p->r[(i + 1) % 3][j], v = p->r[(i + 2) % 3][j], x = sum(gap[i][j], twice);
        worst = largest(worst, minus(times(square, sum(times(u, u), times(v, v))), times(x, x)));
    }
    return abut_mf_and(abut_vf_lt(sum(most, twice), constant(0)), abut_vf_lt(worst, constant(-0x1p-120f)));
}

/* One register full of pairs. */
static ABUT_INLINE void decide(const abut_np_obb_pairs *of, const uint32_t *index_a, const uint32_t *index_b,
                               float margin, bool kinds, uint8_t *verdict) {
    box_pairs p;
    load_pairs(of, index_a, index_b, &p);
    lanes m = constant(margin), slack = times(constant(SLACK), sum(p.size, m)), negative = abut_vf_neg(slack);
    abut_mf valid = in_range(&p);
    lanes by_face[2][3], by_edges[3][3];
    faces(&p, by_face);
    lanes face = largest(largest3(by_face[0]), largest3(by_face[1]));
    abut_mf apart = abut_mf_and(valid, abut_vf_lt(slack, minus(face, m)));
    if (abut_mf_bits(apart) == (UINT32_C(1) << ABUT_VF_LANES) - 1) {
        memset(verdict, ABUT_NP_APART, ABUT_VF_LANES);
        return;
    }
    edges(&p, margin > 0, m, by_edges);
    lanes most = largest(largest(largest3(by_edges[0]), largest3(by_edges[1])), largest3(by_edges[2]));
    apart = abut_mf_or(apart, abut_mf_and(valid, abut_vf_lt(slack, most)));
    abut_mf faces_meet = abut_mf_and_not(abut_mf_and(valid, abut_vf_lt(minus(face, m), negative)), apart);
    abut_mf touching = abut_mf_and(faces_meet, abut_vf_lt(most, negative));
    lanes touch = constant(ABUT_NP_TOUCHING);
    if (kinds && abut_mf_bits(touching)) {
        abut_mf sure = abut_mf_and(touching, faces_win(&p, by_edges, most, face, slack));
        touch = abut_vf_select(sure, constant(ABUT_NP_TOUCHING_BY_FACE), touch);
    }
    if (abut_mf_bits(touching) != abut_mf_bits(faces_meet)) {
        most = largest_unsettled(&p, by_edges, face, slack);
        touching = abut_mf_and(faces_meet, abut_vf_lt(most, negative));
    }
    lanes otherwise = abut_vf_select(touching, touch, constant(ABUT_NP_UNDECIDED));
    abut_vf_store_bytes(verdict, abut_vf_select(apart, constant(ABUT_NP_APART), otherwise));
}

static ABUT_INLINE void decide_all(const abut_np_obb_pairs *of, float margin, bool with_kinds, uint8_t *verdict) {
    for (size_t k = 0; k < of->n; k += ABUT_VF_LANES) {
        const uint32_t *index_a = of->index_a + k, *index_b = of->index_b + k;
        uint32_t last_a[ABUT_VF_LANES], last_b[ABUT_VF_LANES];
        uint8_t last[ABUT_VF_LANES], *out = verdict + k;
        size_t left = of->n - k;
        if (left < ABUT_VF_LANES) {
            pad(index_a, left, last_a, ABUT_VF_LANES);
            pad(index_b, left, last_b, ABUT_VF_LANES);
            index_a = last_a, index_b = last_b, out = last;
        }
        decide(of, index_a, index_b, margin, with_kinds, out);
        if (left < ABUT_VF_LANES) {
            memcpy(verdict + k, last, left);
        }
    }
    abut_lanes_done();
}

static void verdicts(const abut_np_obb_pairs *of, float margin, uint8_t *verdict) {
    decide_all(of, margin, false, verdict);
}

static void kinds(const abut_np_obb_pairs *of, float margin, uint8_t *verdict) {
    if (margin > 0) { /* then edges matter to faces, too */
        verdicts(of, margin, verdict);
    } else {
        decide_all(of, 0, true, verdict);
    }
}

const abut_np_obb_kernels ABUT_KERNEL(abut_np_obb_kernels) = {.verdicts = verdicts,
                                                              .kinds = kinds,
                                                              .squares = ABUT_KERNEL(abut_np_obb_squares),
                                                              .axes = ABUT_KERNEL(abut_np_obb_axes),
                                                              .manifolds = ABUT_KERNEL(abut_np_obb_manifolds),
                                                              .bounds = ABUT_KERNEL(abut_np_obb_bounds),
                                                              .footprints = ABUT_KERNEL(abut_np_obb_footprints)};
