/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The public functions for two shapes. */
#include "narrowphase/round/measure.h"

bool abut_shape_overlap(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b, const abut_pose *pose_b) {
    abut_collider x, y;
    return abut_collider_from_shape(a, pose_a, &x) && abut_collider_from_shape(b, pose_b, &y) &&
           abut_np_overlap(&x, &y);
}

bool abut_shape_collide(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b, const abut_pose *pose_b,
                        float margin, abut_manifold *manifold) {
    abut_collider x, y;
    return manifold && margin >= 0 && abut_bits_finite(margin) && abut_collider_from_shape(a, pose_a, &x) &&
           abut_collider_from_shape(b, pose_b, &y) && abut_np_collide(&x, &y, margin, manifold);
}

float abut_shape_distance(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b, const abut_pose *pose_b,
                          abut_vec3 *on_a, abut_vec3 *on_b) {
    abut_collider x, y;
    abut_np_measured measured;
    if (!abut_collider_from_shape(a, pose_a, &x) || !abut_collider_from_shape(b, pose_b, &y)) {
        return NAN;
    }
    (void)abut_np_measure(&x, &y, INFINITY, &measured);
    if (on_a) {
        *on_a = abut_vec3_round(measured.on[0]);
    }
    if (on_b) {
        *on_b = abut_vec3_round(measured.on[1]);
    }
    return abut_np_distance_float(measured.distance);
}

abut_aabb abut_shape_bounds(const abut_shape *shape, const abut_pose *pose) {
    abut_collider collider;
    if (!abut_collider_from_shape(shape, pose, &collider)) {
        return (abut_aabb){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    }
    return abut_collider_bounds(&collider);
}
