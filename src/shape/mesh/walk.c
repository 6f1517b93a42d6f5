/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "shape/mesh/kernels.h"

static const abut_mesh_kernels *const kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_mesh_kernels)};

void abut_mesh_walk_begin(const abut_mesh *mesh, const float min[3], const float max[3], abut_mesh_walk *walk) {
    memcpy(walk->min, min, sizeof walk->min);
    memcpy(walk->max, max, sizeof walk->max);
    walk->level = mesh->levels;
    walk->child[walk->level] = 0;
    walk->pending[walk->level] = 1;
}

uint32_t abut_mesh_walk_next(const abut_mesh *mesh, abut_mesh_walk *walk, uint32_t *place, uint32_t capacity) {
    return kernels[abut_isa_active()]->walk(mesh, walk, place, capacity);
}
