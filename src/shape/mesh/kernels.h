/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The kernels of meshes. */
#ifndef ABUT_SHAPE_MESH_KERNELS_H
#define ABUT_SHAPE_MESH_KERNELS_H

#include "base/isa.h"
#include "shape/mesh/mesh.h"

typedef struct abut_mesh_kernels {
    /* abut_mesh_walk_next. */
    uint32_t (*walk)(const abut_mesh *mesh, abut_mesh_walk *walk, uint32_t *place, uint32_t capacity);
    /* abut_mesh_walk_open. */
    void (*open)(const abut_mesh *mesh, abut_mesh_walk *walk);
} abut_mesh_kernels;

ABUT_KERNEL_TABLES(abut_mesh_kernels)

#endif
