/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The public functions for a hull and another hull or a box. */
#include "narrowphase/narrowphase.h"

bool abut_hull_overlap(const abut_hull *hull_a, const abut_pose *pose_a, const abut_hull *hull_b,
                       const abut_pose *pose_b) {
    abut_collider a, b;
    return abut_collider_from_hull(hull_a, pose_a, &a) && abut_collider_from_hull(hull_b, pose_b, &b) &&
           abut_np_overlap(&a, &b);
}

bool abut_obb_hull_overlap(const abut_obb *box, const abut_hull *hull, const abut_pose *pose) {
    abut_collider a, b;
    return abut_collider_from_obb(box, &a) && abut_collider_from_hull(hull, pose, &b) && abut_np_overlap(&a, &b);
}

static bool valid_margin(float margin) {
    return margin >= 0 && abut_bits_finite(margin);
}

bool abut_hull_collide(const abut_hull *hull_a, const abut_pose *pose_a, const abut_hull *hull_b,
                       const abut_pose *pose_b, float margin, abut_manifold *manifold) {
    abut_collider a, b;
    return manifold && valid_margin(margin) && abut_collider_from_hull(hull_a, pose_a, &a) &&
           abut_collider_from_hull(hull_b, pose_b, &b) && abut_np_collide(&a, &b, margin, manifold);
}

bool abut_obb_hull_collide(const abut_obb *box, const abut_hull *hull, const abut_pose *pose, float margin,
                           abut_manifold *manifold) {
    abut_collider a, b;
    return manifold && valid_margin(margin) && abut_collider_from_obb(box, &a) &&
           abut_collider_from_hull(hull, pose, &b) && abut_np_collide(&a, &b, margin, manifold);
}
