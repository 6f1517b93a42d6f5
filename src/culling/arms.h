/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A register full of boxes, as the kernels in float need them. */
#ifndef ABUT_CULLING_ARMS_H
#define ABUT_CULLING_ARMS_H

#include "base/lanes/vector_float.h"
#include "culling/culling.h"

/* This times |c'|_1 + |h|_1 bounds the rounding of distances from planes, except that of d, which the view contains. */
#define ABUT_CULL_SLACK (32 * 0x1p-24f)

/* This times the sizes of boxes and frustum bounds the rounding of gaps along the world's axes, and what the last stage
 * does not trust. */
#define ABUT_CULL_BESIDE (256 * 0x1p-24f)

/* A box, as tests against planes need it. */
typedef struct abut_cull_arms {
    vf center[3], arm[3][3]; /* arm[j]: from the centre to the middle of a face */
    vf wide[3];              /* half the extent along the world's axes */
    vf half;                 /* |h|_1, and the radius */
    vf extent[3];            /* h */
    vf radius;               /* only of rounded boxes: added to the extent along every direction */
    mf valid;                /* the quaternion is in range, and no half extent is negative */
} abut_cull_arms;

static ABUT_INLINE void abut_cull_load_arms(const abut_cull_boxes *of, const uint32_t *index, bool rounded,
                                            abut_cull_arms *x) {
    vf v[10], r[3][3];
    abut_vf_load10(of->boxes, of->stride, index, v);
    vf n = squared_norm4(v + 3);
    rotation_matrix(v + 3, n, r);
    for (int j = 0; j < 3; j++) {
        x->center[j] = v[j];
        x->extent[j] = v[7 + j];
        for (int i = 0; i < 3; i++) {
            x->arm[j][i] = times(r[i][j], v[7 + j]);
        }
    }
    for (int i = 0; i < 3; i++) {
        x->wide[i] = sum3(absolute(x->arm[0][i]), absolute(x->arm[1][i]), absolute(x->arm[2][i]));
    }
    x->half = sum3(v[7], v[8], v[9]);
    x->radius = constant(0);
    if (rounded) {
        vf end[4]; /* the half extents again */
        abut_vf_load4(&((const abut_obb *)of->boxes)->half, of->stride, index, end);
        x->radius = end[3];
        x->half = sum(x->half, x->radius);
        for (int i = 0; i < 3; i++) {
            x->wide[i] = sum(x->wide[i], x->radius);
        }
    }
    x->valid = both(square_in_range(n), at_most(constant(0), smaller(smaller(v[7], v[8]), v[9])));
}

/* The largest gap along the world's axes between the frustum and boxes with these middles and half sizes. */
static ABUT_INLINE vf abut_cull_gap_beside(const abut_cull_view *view, const vf middle[3], const vf half[3]) {
    vf gap[3];
    for (int i = 0; i < 3; i++) {
        gap[i] = minus(absolute(minus(middle[i], constant(view->middle[i]))), sum(half[i], constant(view->half[i])));
    }
    return larger(larger(gap[0], gap[1]), gap[2]);
}

#endif
