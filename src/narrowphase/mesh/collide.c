/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/narrowphase.h"

bool abut_np_mesh_touches(const abut_collider *mesh, const abut_collider *convex, float margin) {
    (void)mesh, (void)convex, (void)margin;
    return false;
}

bool abut_np_mesh_collide(const abut_collider *mesh, const abut_collider *convex, float margin,
                          abut_np_part_visit *visit, void *context, abut_manifold *manifold) {
    (void)mesh, (void)convex, (void)margin, (void)visit, (void)context, (void)manifold;
    return false;
}

void abut_np_manifold_turn(abut_manifold *manifold) {
    manifold->normal = (abut_vec3){-manifold->normal.x, -manifold->normal.y, -manifold->normal.z};
}
