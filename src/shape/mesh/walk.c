/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/mesh/mesh.h"

void abut_mesh_walk_begin(const abut_mesh *mesh, const float min[3], const float max[3], abut_mesh_walk *walk) {
    (void)min, (void)max;
    walk->level = mesh->levels;
}

uint32_t abut_mesh_walk_next(const abut_mesh *mesh, abut_mesh_walk *walk, uint32_t *place, uint32_t capacity) {
    (void)mesh, (void)walk, (void)place, (void)capacity;
    return 0;
}
