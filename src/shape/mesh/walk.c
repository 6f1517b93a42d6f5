/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "shape/mesh/kernels.h"

static const abut_mesh_kernels *const kernels[] = {ABUT_KERNEL_TABLE_LIST(abut_mesh_kernels)};

/* Beyond all coordinates, but within the boxes of unused places, so that an infinite box does not meet these. */
static const float BEYOND = 0x1p+100f;

void abut_mesh_walk_begin(const abut_mesh *mesh, const float min[3], const float max[3], abut_mesh_walk *walk) {
    for (int i = 0; i < 3; i++) {
        walk->min[i] = min[i] > -BEYOND ? min[i] : -BEYOND;
        walk->max[i] = max[i] < BEYOND ? max[i] : BEYOND;
    }
    walk->level = mesh->levels;
    walk->child[walk->level] = 0;
    walk->pending[walk->level] = 1;
    walk->slant = NULL;
    walk->looked = walk->opened = false;
}

void abut_mesh_walk_open(const abut_mesh *mesh, abut_mesh_walk *walk) {
    kernels[abut_isa_active()]->open(mesh, walk);
}

uint32_t abut_mesh_walk_next(const abut_mesh *mesh, abut_mesh_walk *walk, uint32_t *place, uint32_t capacity) {
    return kernels[abut_isa_active()]->walk(mesh, walk, place, capacity);
}
