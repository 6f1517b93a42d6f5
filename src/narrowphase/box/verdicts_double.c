/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A kernel: compiled once for each instruction set. The double stage of obb_separation.h. */
#include "narrowphase/box/axes_double.h"
#include <math.h>

/* SLACK times S bounds the rounding error of every separation. */
static const double SLACK = 64 * 0x1p-53;

/* Edges closer to parallel than this (the sine) show no gap over 1e-12 S beyond what the faces show: they are no axis.
 */
static const double PARALLEL = 0x1p-44;

/* `axes`, and the bit of this axis unless it is settled. */
static inline lanes with_axis(lanes axes, int axis, abut_md settled) {
    return sum(axes, abut_vd_select(settled, constant(0), constant(1 << axis)));
}

/* One register full of pairs. */
static ABUT_INLINE void settle(const abut_np_obb_pairs *of, const uint32_t *index_a, const uint32_t *index_b,
                               float margin, double *axes) {
    box_pairs p;
    load_pairs(of, index_a, index_b, &p);
    lanes m = constant(margin), slack = times(constant(SLACK), sum(p.size, m)), negative = abut_vd_neg(slack);
    lanes by_face[2][3], by_edges[3][3], open = constant(0);
    faces(&p, by_face);
    edges(&p, margin > 0, m, by_edges);
    lanes face = largest(largest3(by_face[0]), largest3(by_face[1]));
    lanes most = largest(largest(largest3(by_edges[0]), largest3(by_edges[1])), largest3(by_edges[2]));
    for (int i = 0; i < 6; i++) {
        open = with_axis(open, i, abut_vd_lt(minus(by_face[i / 3][i % 3], m), negative));
    }
    /* As in the float stage: faces that overlap by more than the sine times S settle nearly parallel edges. */
    lanes room = minus(abut_vd_neg(face), sum(slack, slack));
    for (int e = 0; e < 9; e++) {
        lanes s = sine(&p, e / 3, e % 3);
        abut_md no_axis = abut_vd_lt(s, constant(PARALLEL));
        abut_md covered = abut_vd_lt(times(times(constant(1.5), s), p.size), room);
        abut_md overlap = abut_vd_lt(by_edges[e / 3][e % 3], negative);
        open = with_axis(open, 6 + e, abut_md_or(abut_md_or(no_axis, covered), overlap));
    }
    abut_md apart = abut_md_or(abut_vd_lt(slack, minus(face, m)), abut_vd_lt(slack, most));
    abut_vd_store(axes, abut_vd_select(apart, constant(ABUT_NP_AXES_APART), open));
}

void ABUT_KERNEL(abut_np_obb_axes)(const abut_np_obb_pairs *of, float margin, uint16_t *axes) {
    for (size_t k = 0; k < of->n; k += ABUT_VD_LANES) {
        uint32_t index_a[ABUT_VD_LANES], index_b[ABUT_VD_LANES];
        double out[ABUT_VD_LANES];
        size_t left = of->n - k;
        pad(of->index_a + k, left, index_a, ABUT_VD_LANES);
        pad(of->index_b + k, left, index_b, ABUT_VD_LANES);
        settle(of, index_a, index_b, margin, out);
        for (size_t l = 0; l < ABUT_VD_LANES && l < left; l++) {
            axes[k + l] = (uint16_t)out[l];
        }
    }
    abut_lanes_done();
}
