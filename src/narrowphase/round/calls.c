/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The public functions for two shapes. */
#include "narrowphase/round/measure.h"

bool abut_shape_overlap(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b, const abut_pose *pose_b) {
    abut_collider x, y;
    return abut_collider_from_shape(a, pose_a, &x) && abut_collider_from_shape_or_mesh(b, pose_b, &y) &&
           abut_np_overlap(&x, &y);
}

bool abut_shape_collide(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b, const abut_pose *pose_b,
                        float margin, abut_manifold *manifold) {
    abut_collider x, y;
    return manifold && margin >= 0 && abut_bits_finite(margin) && abut_collider_from_shape(a, pose_a, &x) &&
           abut_collider_from_shape(b, pose_b, &y) && abut_np_collide(&x, &y, margin, manifold);
}

/* The closest points go to on_a and on_b. */
static double distance_of(const abut_collider *a, const abut_collider *b, abut_vec3 *on_a, abut_vec3 *on_b) {
    abut_np_measured measured;
    if (b->mesh) {
        return abut_np_mesh_distance(b, a, on_b, on_a);
    }
    (void)abut_np_measure(a, b, INFINITY, &measured);
    *on_a = abut_vec3_round(measured.on[0]);
    *on_b = abut_vec3_round(measured.on[1]);
    return measured.distance;
}

float abut_shape_distance(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b, const abut_pose *pose_b,
                          abut_vec3 *on_a, abut_vec3 *on_b) {
    abut_collider x, y;
    abut_vec3 on[2];
    if (!abut_collider_from_shape(a, pose_a, &x) || !abut_collider_from_shape_or_mesh(b, pose_b, &y)) {
        return NAN;
    }
    double distance = distance_of(&x, &y, &on[0], &on[1]);
    if (on_a) {
        *on_a = on[0];
    }
    if (on_b) {
        *on_b = on[1];
    }
    return abut_np_distance_float(distance);
}

abut_aabb abut_shape_bounds(const abut_shape *shape, const abut_pose *pose) {
    abut_collider collider;
    if (!abut_collider_from_shape_or_mesh(shape, pose, &collider)) {
        return (abut_aabb){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    }
    return abut_collider_bounds(&collider);
}
