/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel, compiled once for each instruction set: the double stage of separation.h. */
#include "base/lanes/vector_double.h"
#include "narrowphase/box/axes.inc"
#include "narrowphase/tolerance.h"
#include <math.h>

/* Edges whose angle has a sine below this show no gap over 1e-12 S beyond the gaps of the faces: their cross product is
 * not tested.
 */
static const double PARALLEL = 0x1p-44;

/* Adds this axis to the set `axes` where it is not decided. */
static inline vd with_axis(vd axes, int axis, md decided) {
    return sum(axes, choose(decided, constant(0), constant(1 << axis)));
}

/* One register full of pairs. */
static ABUT_INLINE void find_undecided(const abut_np_box_pairs *of, const uint32_t *index_a, const uint32_t *index_b,
                                       float margin, double *axes) {
    box_pairs p;
    load_pairs(of, index_a, index_b, &p);
    vd m = constant(margin), slack = times(constant(ABUT_NP_SLACK_DOUBLE), sum(p.size, m)), negative = negated(slack);
    vd by_face[2][3], by_edges[3][3], undecided = constant(0);
    faces(&p, by_face);
    edges(&p, margin > 0, m, by_edges);
    vd face = larger(largest3(by_face[0]), largest3(by_face[1]));
    vd most = larger(larger(largest3(by_edges[0]), largest3(by_edges[1])), largest3(by_edges[2]));
    for (int i = 0; i < 6; i++) {
        undecided = with_axis(undecided, i, less(minus(by_face[i / 3][i % 3], m), negative));
    }
    /* As in the float stage: faces that overlap by more than the sine times S decide nearly parallel edges. */
    vd room = minus(negated(face), sum(slack, slack));
    for (int e = 0; e < 9; e++) {
        vd s = sine(&p, e / 3, e % 3);
        md no_axis = less(s, constant(PARALLEL));
        md covered = less(times(times(constant(1.5), s), p.size), room);
        md overlap = less(by_edges[e / 3][e % 3], negative);
        undecided = with_axis(undecided, 6 + e, either(either(no_axis, covered), overlap));
    }
    md apart = either(less(slack, minus(face, m)), less(slack, most));
    abut_vd_store(axes, choose(apart, constant(ABUT_NP_AXES_APART), undecided));
}

void ABUT_KERNEL(abut_np_box_double_axes)(const abut_np_box_pairs *of, float margin, uint16_t *axes) {
    for (size_t k = 0; k < of->n; k += ABUT_VD_LANES) {
        uint32_t last_a[ABUT_VD_LANES], last_b[ABUT_VD_LANES];
        double out[ABUT_VD_LANES];
        size_t left = of->n - k;
        const uint32_t *index_a = padded(of->index_a + k, left, ABUT_VD_LANES, last_a);
        const uint32_t *index_b = padded(of->index_b + k, left, ABUT_VD_LANES, last_b);
        find_undecided(of, index_a, index_b, margin, out);
        for (size_t l = 0; l < ABUT_VD_LANES && l < left; l++) {
            axes[k + l] = (uint16_t)out[l];
        }
    }
    abut_lanes_done();
}
