/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes that contain the affine image of a box. A half extent is the projection of the centre and the edges onto an
 * axis of the stored rotation, measured from the stored centre. So it makes up for the rounding of these two to floats.
 */
#include "shape/box/around.h"
#include "base/accurate.h"

/* Bounds, relative to the terms, the error of matrix entries (2^-51 of each), of a difference or a sum, and of three
 * products and their sums. */
static const double ROUNDED = 0x1p-48;

static float float_above(abut_dd x, double error) {
    return 0.0f - abut_accurate_lower_end(-x.hi, -x.lo, error);
}

/* Along axis i of the world, where only the result is rounded. */
static float half_along(const abut_parallelepiped *of, int i, float center) {
    double offset[3] = {of->center[i].hi, of->center[i].lo, -(double)center}, term[8], error, rest;
    abut_dd part = abut_dd_abs(abut_dd_distil(offset, 3, &error));
    error += of->center_error[i];
    for (int j = 0;; j++) {
        term[2 * j] = part.hi;
        term[2 * j + 1] = part.lo;
        if (j == 3) {
            break;
        }
        part = abut_dd_abs(of->edge[j][i]);
        error += of->edge_error[j][i];
    }
    part = abut_dd_distil(term, 8, &rest);
    return float_above(part, error + rest);
}

/* Along any axis; `to` leads from the stored centre to the exact one. Terms that are exactly zero have no error. */
static float half_across(const abut_parallelepiped *of, const double axis[3], const abut_dd to[3]) {
    double total = 0, size = 0, error = 0, offset = 0;
    for (int i = 0; i < 3; i++) {
        offset += axis[i] * (to[i].hi + to[i].lo);
        size += fabs(axis[i]) * (fabs(to[i].hi) + fabs(to[i].lo));
        error += fabs(axis[i]) * of->center_error[i];
    }
    total = fabs(offset);
    for (int j = 0; j < 3; j++) {
        double along = 0;
        for (int i = 0; i < 3; i++) {
            double part = axis[i] * (of->edge[j][i].hi + of->edge[j][i].lo);
            along += part;
            size += fabs(part);
            error += fabs(axis[i]) * of->edge_error[j][i];
        }
        total += fabs(along);
    }
    return float_above(abut_dd_from(total), size * ROUNDED + error * (1 + ROUNDED));
}

/* The world axis that this axis exactly is, or -1: then two entries are exactly zero. */
static int world_axis(const double axis[3]) {
    for (int i = 0; i < 3; i++) {
        if (axis[(i + 1) % 3] == 0 && axis[(i + 2) % 3] == 0) {
            return i;
        }
    }
    return -1;
}

abut_obb abut_obb_around(const abut_parallelepiped *of, abut_quat rotation) {
    abut_obb box = {.rotation = rotation};
    double m[3][3];
    abut_dd to[3];
    abut_accurate_matrix(abut_dquat_from(rotation), m);
    box.center = abut_vec3_round((abut_d3){{of->center[0].hi, of->center[1].hi, of->center[2].hi}});
    const float *center = &box.center.x;
    for (int i = 0; i < 3; i++) {
        to[i] = abut_dd_two_sum(of->center[i].hi, -(double)center[i]);
        to[i].lo += of->center[i].lo;
    }
    float half[3];
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {m[0][k], m[1][k], m[2][k]};
        int i = world_axis(axis);
        half[k] = i >= 0 ? half_along(of, i, center[i]) : half_across(of, axis, to);
    }
    box.half = (abut_vec3){half[0], half[1], half[2]};
    return box;
}
