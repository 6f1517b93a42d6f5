/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/narrowphase.h"

void abut_np_mesh_cast(const abut_np_cast *cast, const abut_collider *mesh, double limit, abut_np_measure_visit *visit,
                       void *context) {
    (void)cast, (void)mesh, (void)limit, (void)visit, (void)context;
}

void abut_np_mesh_cast_place(const abut_np_cast *cast, const abut_collider *mesh, uint32_t part, double fraction,
                             abut_vec3 *position, abut_vec3 *normal) {
    (void)cast, (void)mesh, (void)part, (void)fraction, (void)position, (void)normal;
}

bool abut_np_mesh_cast_closes(const abut_np_cast *cast, const abut_collider *mesh, uint32_t part, abut_vec3 *position,
                              abut_vec3 *normal) {
    (void)cast, (void)mesh, (void)part, (void)position, (void)normal;
    return false;
}
