/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: the float stage of separation.h. */
#include "base/lanes/vector_float.h"
#include "narrowphase/box/axes.inc"
#include "narrowphase/box/kernels.h"
#include "narrowphase/box/separation.h"
#include "narrowphase/tolerance.h"
#include <math.h>

/* Whether the boxes are valid, and no result can leave the range of normal floats. NaN is in no range. */
static inline mf all_in_range(const box_pairs *p) {
    mf turns = both(square_in_range(p->n), square_in_range(p->n_a));
    vf least = smaller(smaller(smaller(p->a[0], p->a[1]), smaller(p->a[2], p->b[0])), smaller(p->b[1], p->b[2]));
    return both(both(turns, size_in_range(p->size)), at_most(constant(0), least));
}

/* The largest gap over all edge pairs but those that the faces decide: nearly parallel edges never show more than their
 * sine times S beyond the gaps of the faces, so faces that overlap by more than that decide them. Resting stacks are
 * decided here. */
static vf largest_undecided(const box_pairs *p, vf gap[3][3], vf face, vf slack) {
    vf room = minus(negated(face), sum(slack, slack)), most = constant(-INFINITY);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            mf decided = less(times(times(constant(1.5f), sine(p, i, j)), p->size), room);
            most = larger(most, choose(decided, constant(-INFINITY), gap[i][j]));
        }
    }
    return most;
}

/* The lanes in which no pair of edges can be preferred to the faces, whatever the rounding errors of this stage: 0.951
 * is 1 - ABUT_NP_FACE_PREFERENCE with some room. docs/numerics.md, "Manifolds". `most`: the largest gap over edges. */
static ABUT_INLINE mf faces_win(const box_pairs *p, vf gap[3][3], vf most, vf face, vf slack) {
    vf twice = sum(slack, slack), least = times(constant(0.951f), minus(slack, face));
    vf square = times(least, least), worst = constant(-INFINITY);
    for (int e = 0; e < 9; e++) {
        int i = e / 3, j = e % 3;
        vf u = p->r[(i + 1) % 3][j], v = p->r[(i + 2) % 3][j], x = sum(gap[i][j], twice);
        worst = larger(worst, minus(times(square, sum(times(u, u), times(v, v))), times(x, x)));
    }
    return both(less(sum(most, twice), constant(0)), less(worst, constant(-0x1p-120f)));
}

/* One register full of pairs. */
static ABUT_INLINE void decide(const abut_np_box_pairs *of, const uint32_t *index_a, const uint32_t *index_b,
                               float margin, bool kinds, uint8_t *verdict) {
    box_pairs p;
    load_pairs(of, index_a, index_b, &p);
    vf m = constant(margin), slack = times(constant(ABUT_NP_SLACK_FLOAT), sum(p.size, m)), negative = negated(slack);
    mf valid = all_in_range(&p);
    vf by_face[2][3], by_edges[3][3];
    faces(&p, by_face);
    vf face = larger(largest3(by_face[0]), largest3(by_face[1]));
    mf apart = both(valid, less(slack, minus(face, m)));
    if (bits_of(apart) == (UINT32_C(1) << ABUT_VF_LANES) - 1) {
        memset(verdict, ABUT_NP_APART, ABUT_VF_LANES);
        return;
    }
    edges(&p, margin > 0, m, by_edges);
    vf most = larger(larger(largest3(by_edges[0]), largest3(by_edges[1])), largest3(by_edges[2]));
    apart = either(apart, both(valid, less(slack, most)));
    mf faces_meet = but_not(both(valid, less(minus(face, m), negative)), apart);
    mf touching = both(faces_meet, less(most, negative));
    vf touch = constant(ABUT_NP_TOUCHING);
    if (kinds && bits_of(touching)) {
        mf sure = both(touching, faces_win(&p, by_edges, most, face, slack));
        touch = choose(sure, constant(ABUT_NP_TOUCHING_BY_FACE), touch);
    }
    if (bits_of(touching) != bits_of(faces_meet)) {
        most = largest_undecided(&p, by_edges, face, slack);
        touching = both(faces_meet, less(most, negative));
    }
    vf otherwise = choose(touching, touch, constant(ABUT_NP_UNDECIDED));
    abut_vf_store_bytes(verdict, choose(apart, constant(ABUT_NP_APART), otherwise));
}

static ABUT_INLINE void decide_all(const abut_np_box_pairs *of, float margin, bool with_kinds, uint8_t *verdict) {
    for (size_t k = 0; k < of->n; k += ABUT_VF_LANES) {
        const uint32_t *index_a = of->index_a + k, *index_b = of->index_b + k;
        uint32_t last_a[ABUT_VF_LANES], last_b[ABUT_VF_LANES];
        uint8_t last[ABUT_VF_LANES], *out = verdict + k;
        size_t left = of->n - k;
        if (left < ABUT_VF_LANES) {
            index_a = padded(index_a, left, ABUT_VF_LANES, last_a);
            index_b = padded(index_b, left, ABUT_VF_LANES, last_b);
            out = last;
        }
        decide(of, index_a, index_b, margin, with_kinds, out);
        if (left < ABUT_VF_LANES) {
            memcpy(verdict + k, last, left);
        }
    }
    abut_lanes_done();
}

void ABUT_KERNEL(abut_np_box_float_verdicts)(const abut_np_box_pairs *pairs, float margin, uint8_t *verdict) {
    decide_all(pairs, margin, false, verdict);
}

void ABUT_KERNEL(abut_np_box_float_kinds)(const abut_np_box_pairs *pairs, float margin, uint8_t *verdict) {
    if (margin > 0) { /* no kind is certain: across a gap, a manifold of faces depends on the edges, too */
        ABUT_KERNEL(abut_np_box_float_verdicts)(pairs, margin, verdict);
    } else {
        decide_all(pairs, 0, true, verdict);
    }
}
