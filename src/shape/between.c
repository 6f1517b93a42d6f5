/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Interpolation of poses (Shoemake, "Animating rotation with quaternion curves", 1985). The trigonometric functions are
 * series of our own, because those of a C runtime do not have the same bits everywhere. */
#include "base/spatial.h"
#include <abut/shape.h>

/* sin x for |x| <= pi / 2, good to 2^-52. */
static double sine(double x) {
    double xx = x * x, sum = 1;
    for (int n = 22; n > 1; n -= 2) {
        sum = 1 - xx / (double)(n * (n + 1)) * sum;
    }
    return x * sum;
}

/* The angle in 0..pi / 2 whose tangent is s / c. It is halved three times, so that the series for the arc tangent
 * converges: tan(x / 2) = s / (1 + c) on the unit circle. */
static double angle_of(double s, double c) {
    double tangent = s / (1 + c), sum = 0;
    for (int i = 0; i < 2; i++) {
        tangent = tangent / (1 + sqrt(1 + tangent * tangent));
    }
    double tt = tangent * tangent;
    for (int n = 29; n > 0; n -= 2) {
        sum = 1 / (double)n - tt * sum;
    }
    return 8 * tangent * sum;
}

static abut_dquat unit(abut_quat given) {
    given = abut_quat_or_identity(given);
    abut_dquat q = abut_dquat_from(given);
    double length = sqrt(abut_dquat_norm2(q));
    return (abut_dquat){q.x / length, q.y / length, q.z / length, q.w / length};
}

/* Unit quaternions. The angle between them comes from the lengths of their sum and difference, which are good however
 * small it is. */
static abut_quat rotation_between(abut_dquat p, abut_dquat q, double t) {
    double dot = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w, sign = dot < 0 ? -1 : 1;
    abut_dquat r = {sign * q.x, sign * q.y, sign * q.z, sign * q.w};
    abut_dquat less = {r.x - p.x, r.y - p.y, r.z - p.z, r.w - p.w}, more = {r.x + p.x, r.y + p.y, r.z + p.z, r.w + p.w};
    double s = sqrt(abut_dquat_norm2(less)), c = sqrt(abut_dquat_norm2(more)), both = sqrt(s * s + c * c);
    double angle = 2 * angle_of(s / both, c / both), whole = sine(angle);
    double a = angle > 0 ? sine((1 - t) * angle) / whole : 1 - t, b = angle > 0 ? sine(t * angle) / whole : t;
    return abut_quat_normalise(
        (abut_dquat){a * p.x + b * r.x, a * p.y + b * r.y, a * p.z + b * r.z, a * p.w + b * r.w});
}

static float coordinate(float from, float to, double t) {
    return (float)(from + t * ((double)to - from)) + 0.0f;
}

static bool pose_finite(const abut_pose *pose) {
    return pose && abut_vec3_finite(pose->position) && abut_quat_finite(pose->rotation);
}

abut_pose abut_pose_between(const abut_pose *from, const abut_pose *to, float fraction) {
    if (!pose_finite(from) || !pose_finite(to) || fraction != fraction) {
        return (abut_pose){{NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}};
    }
    if (fraction <= 0 || fraction >= 1) {
        return fraction <= 0 ? *from : *to;
    }
    double t = fraction;
    return (abut_pose){{coordinate(from->position.x, to->position.x, t),
                        coordinate(from->position.y, to->position.y, t),
                        coordinate(from->position.z, to->position.z, t)},
                       rotation_between(unit(from->rotation), unit(to->rotation), t)};
}
