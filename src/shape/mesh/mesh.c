/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/mesh/mesh.h"

abut_result abut_mesh_create(const abut_mesh_def *def, abut_mesh **mesh) {
    (void)def;
    if (mesh) {
        *mesh = NULL;
    }
    return ABUT_ERROR_ARGUMENT;
}

abut_result abut_mesh_create_grid(const abut_mesh_grid_def *def, abut_mesh **mesh) {
    (void)def;
    if (mesh) {
        *mesh = NULL;
    }
    return ABUT_ERROR_ARGUMENT;
}

abut_result abut_mesh_load(const void *bytes, size_t size, const abut_allocator *allocator, abut_mesh **mesh) {
    (void)bytes, (void)size, (void)allocator;
    if (mesh) {
        *mesh = NULL;
    }
    return ABUT_ERROR_ARGUMENT;
}

const void *abut_mesh_data(const abut_mesh *mesh, size_t *size) {
    if (size) {
        *size = mesh ? (size_t)mesh->size : 0;
    }
    return mesh;
}

void abut_mesh_destroy(abut_mesh **mesh) {
    (void)mesh;
}

size_t abut_mesh_triangle_count(const abut_mesh *mesh) {
    return mesh ? mesh->triangle_count : 0;
}

bool abut_mesh_triangle(const abut_mesh *mesh, uint32_t part, abut_vec3 out[3]) {
    if (!mesh || !out || part >= mesh->triangle_count) {
        return false;
    }
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t v = abut_mesh_indices(mesh)[3 * (size_t)part + k];
        out[k] = v == ABUT_MESH_NONE ? (abut_vec3){NAN, NAN, NAN} : abut_mesh_vertices(mesh)[v];
    }
    return true;
}

abut_aabb abut_mesh_bounds(const abut_mesh *mesh) {
    return mesh ? mesh->bounds : (abut_aabb){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
}
