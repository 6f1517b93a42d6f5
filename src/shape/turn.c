/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/turn.h"
#include "base/dd.h"
#include "shape/angle.h"

/* The angle in 0..pi / 4 whose tangent is s / c. It is halved three times, so that few terms of the series for the arc
 * tangent are enough: tan(x / 2) = s / (1 + c) on the unit circle. What is left out is below 2^-58. */
static double angle_of(double s, double c) {
    double tangent = s / (1 + c);
    for (int i = 0; i < 2; i++) {
        tangent = tangent / (1 + sqrt(1 + tangent * tangent));
    }
    const double tt = tangent * tangent;
    double sum = 1.0 / 17;
    sum = 1.0 / 15 - tt * sum;
    sum = 1.0 / 13 - tt * sum;
    sum = 1.0 / 11 - tt * sum;
    sum = 1.0 / 9 - tt * sum;
    sum = 1.0 / 7 - tt * sum;
    sum = 1.0 / 5 - tt * sum;
    sum = 1.0 / 3 - tt * sum;
    return 8 * (tangent - tangent * tt * sum);
}

static abut_dquat unit(abut_quat given) {
    abut_dquat q = abut_dquat_from(given);
    double length = sqrt(abut_dquat_norm2(q));
    return (abut_dquat){q.x / length, q.y / length, q.z / length, q.w / length};
}

/* The angle comes from the lengths of the sum and the difference of the quaternions, which are good however small it
 * is. */
abut_turn abut_turn_between(abut_quat from, abut_quat to) {
    const abut_quat f = abut_quat_or_identity(from), t = abut_quat_or_identity(to);
    const abut_dquat p = unit(f), q = unit(t);
    /* Products of floats are exact, and so is the sign of their sum. */
    double sign =
        abut_dd_sum4((double)f.x * t.x, (double)f.y * t.y, (double)f.z * t.z, (double)f.w * t.w).hi < 0 ? -1 : 1;
    const abut_dquat r = {sign * q.x, sign * q.y, sign * q.z, sign * q.w};
    const abut_dquat less = {r.x - p.x, r.y - p.y, r.z - p.z, r.w - p.w};
    const abut_dquat more = {r.x + p.x, r.y + p.y, r.z + p.z, r.w + p.w};
    double s = sqrt(abut_dquat_norm2(less)), c = sqrt(abut_dquat_norm2(more)), both = sqrt(s * s + c * c);
    const abut_dquat turn = abut_dquat_multiply(less, abut_dquat_conjugate(p)); /* but for its scalar part */
    abut_d3 axis = {{turn.x, turn.y, turn.z}};
    if (!(abut_d3_normalise_scaled(&axis) > 0)) {
        return (abut_turn){.from = p, .axis = {{1, 0, 0}}};
    }
    return (abut_turn){p, axis, 4 * angle_of(s / both, c / both)};
}

abut_dquat abut_turn_at(const abut_turn *turn, double fraction) {
    if (turn->angle == 0) {
        return turn->from;
    }
    double s = abut_sine(fraction * turn->angle / 4), c = sqrt(1 - s * s), sin = 2 * s * c;
    const abut_dquat by = {sin * turn->axis.x[0], sin * turn->axis.x[1], sin * turn->axis.x[2], 1 - 2 * s * s};
    return abut_dquat_multiply(by, turn->from);
}
