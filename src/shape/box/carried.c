/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Expresses a box that is fixed in a collider's frame in the world: culling tests the OBBs of hulls. */
#include "shape/box/carried.h"
#include "base/accurate.h"

/* The relative error of a sum of a few products in double. */
static const double ROUNDED = 0x1p-48;

static bool one_part_only(abut_quat q) {
    return (q.x != 0) + (q.y != 0) + (q.z != 0) + (q.w != 0) == 1;
}

/* Rounds p + v to floats. Returns a bound of the error, summed over the axes; `exact` says whether v is exact. */
static double round_center(abut_vec3 p, abut_d3 v, bool exact, abut_vec3 *center) {
    abut_d3 at = abut_d3_from(p), sum;
    double error = 0;
    for (int i = 0; i < 3; i++) {
        abut_dd both = abut_dd_two_sum(at.x[i], v.x[i]);
        sum.x[i] = both.hi;
        error += fabs(both.lo);
        error += exact ? 0 : ROUNDED * (fabs(v.x[0]) + fabs(v.x[1]) + fabs(v.x[2]));
    }
    *center = abut_vec3_round(sum);
    abut_d3 rounded = abut_d3_from(*center);
    for (int i = 0; i < 3; i++) {
        error += fabs(sum.x[i] - rounded.x[i]);
    }
    return error;
}

/* Rounds the product a b to floats. Returns a bound of how far that moves a point at distance 1: twice the error of the
 * quaternion, relative to its length. */
static double round_rotation(abut_quat a, abut_quat b, abut_quat *rotation) {
    bool exact = one_part_only(a) || one_part_only(b);
    abut_dquat q = abut_dquat_multiply(abut_dquat_from(a), abut_dquat_from(b));
    *rotation = (abut_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
    abut_dquat r = abut_dquat_from(*rotation);
    double error = fabs(q.x - r.x) + fabs(q.y - r.y) + fabs(q.z - r.z) + fabs(q.w - r.w),
           length = sqrt(abut_dquat_norm2(q));
    return 2 * (error / length + (exact ? 0 : 4 * ROUNDED));
}

static float lengthened(float half, double more) {
    return more > 0 ? abut_bits_round_up((half + more * (1 + 0x1p-20)) * (1 + 0x1p-50)) : half;
}

abut_obb abut_obb_carried(const abut_obb *local, abut_vec3 position, abut_quat rotation) {
    abut_obb box;
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(rotation), m);
    abut_d3 arm = abut_d3_rotate(m, abut_d3_from(local->center));
    double more = round_center(position, arm, abut_quat_is_quarter_turn(rotation), &box.center);
    double size = (double)local->half.x + local->half.y + local->half.z;
    more += round_rotation(rotation, abut_quat_or_identity(local->rotation), &box.rotation) * size;
    box.half =
        (abut_vec3){lengthened(local->half.x, more), lengthened(local->half.y, more), lengthened(local->half.z, more)};
    return box;
}
