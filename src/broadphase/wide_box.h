/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* One box against a vector of others: one per lane. */
#ifndef ABUT_BROADPHASE_WIDE_BOX_H
#define ABUT_BROADPHASE_WIDE_BOX_H

#include "base/lanes/lanes.h"
#include "broadphase/layout.h"

/* One box, the same in all lanes. */
typedef struct abut_bp_wide_box {
    abut_vf min[3], max[3];
} abut_bp_wide_box;

/* Loads the copy with index `at`. */
static ABUT_INLINE abut_bp_wide_box abut_bp_wide_copy(const abut_bp_copies *c, uint32_t at) {
    abut_bp_wide_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = abut_vf_set(c->min[axis][at]);
        box.max[axis] = abut_vf_set(c->max[axis][at]);
    }
    return box;
}

/* Which of the boxes at, at + 1, ... overlap the box along an axis, by lane. */
static ABUT_INLINE abut_mf abut_bp_overlapping(float *const min[3], float *const max[3], uint32_t at,
                                               const abut_bp_wide_box *box, int axis) {
    return abut_mf_and(abut_vf_le(abut_vf_load(min[axis] + at), box->max[axis]),
                       abut_vf_le(box->min[axis], abut_vf_load(max[axis] + at)));
}

/* The same along all axes. */
static ABUT_INLINE abut_mf abut_bp_touching(float *const min[3], float *const max[3], uint32_t at,
                                            const abut_bp_wide_box *box) {
    return abut_mf_and(
        abut_mf_and(abut_bp_overlapping(min, max, at, box, 0), abut_bp_overlapping(min, max, at, box, 1)),
        abut_bp_overlapping(min, max, at, box, 2));
}

/* For which of the copies at, at + 1, ... the column with this lower corner owns their pair with the box, by lane: the
 * column that holds the lower corner of their intersection does. */
static ABUT_INLINE abut_mf abut_bp_owned(const abut_bp_copies *c, uint32_t at, const abut_bp_wide_box *box,
                                         const abut_vf low[2]) {
    return abut_mf_and(abut_vf_le(low[0], abut_vf_max(abut_vf_load(c->min[1] + at), box->min[1])),
                       abut_vf_le(low[1], abut_vf_max(abut_vf_load(c->min[2] + at), box->min[2])));
}

#endif
