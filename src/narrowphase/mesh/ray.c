/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/narrowphase.h"

void abut_np_mesh_ray(const abut_np_ray *ray, const abut_collider *mesh, double limit, abut_np_measure_visit *visit,
                      void *context) {
    (void)ray, (void)mesh, (void)limit, (void)visit, (void)context;
}

abut_vec3 abut_np_mesh_ray_normal(const abut_np_ray *ray, const abut_collider *mesh, uint32_t part) {
    (void)ray, (void)mesh, (void)part;
    return (abut_vec3){0, 0, 0};
}
