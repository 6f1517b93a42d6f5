/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/narrowphase.h"

void abut_np_mesh_near(const abut_collider *mesh, const abut_collider *convex, double limit,
                       abut_np_measure_visit *visit, void *context) {
    (void)mesh, (void)convex, (void)limit, (void)visit, (void)context;
}

double abut_np_mesh_nearest_point(const abut_collider *mesh, uint32_t part, const abut_collider *convex,
                                  abut_vec3 *position, abut_vec3 *normal) {
    (void)mesh, (void)part, (void)convex, (void)position, (void)normal;
    return INFINITY;
}
