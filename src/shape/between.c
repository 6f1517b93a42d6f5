/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/turn.h"
#include <abut/shape.h>

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
    const abut_turn turn = abut_turn_between(from->rotation, to->rotation);
    double t = fraction;
    return (abut_pose){{coordinate(from->position.x, to->position.x, t),
                        coordinate(from->position.y, to->position.y, t),
                        coordinate(from->position.z, to->position.z, t)},
                       abut_quat_normalise(abut_turn_at(&turn, t))};
}
