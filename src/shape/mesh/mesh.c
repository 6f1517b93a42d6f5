/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/arithmetic.h"
#include "base/workers/fpmode.h"
#include "shape/mesh/assemble.h"

static size_t stride_of(const abut_mesh_def *def) {
    return def->vertex_stride ? def->vertex_stride : sizeof(abut_vec3);
}

static bool is_valid_def(const abut_mesh_def *def) {
    const size_t stride = stride_of(def), own = sizeof(abut_vec3);
    return def->vertices && def->indices && def->ghost_count <= def->triangle_count && stride >= own &&
           (def->vertex_count == 0 || (def->vertex_count - 1) <= (SIZE_MAX - own) / stride);
}

/* Copies the vertices, with +0 for -0. */
static abut_result fill_vertices(const abut_mesh_def *def, abut_vec3 *vertex) {
    const unsigned char *from = (const unsigned char *)def->vertices;
    bool finite = true, within = true;
    for (size_t v = 0; v < def->vertex_count; v++, from += stride_of(def)) {
        abut_vec3 given;
        memcpy(&given, from, sizeof given);
        abut_result result = abut_soup_check(given);
        finite = finite && result != ABUT_ERROR_ARGUMENT;
        within = within && result == ABUT_OK;
        vertex[v] = (abut_vec3){given.x + 0.0f, given.y + 0.0f, given.z + 0.0f};
    }
    return !finite ? ABUT_ERROR_ARGUMENT : within ? ABUT_OK : ABUT_ERROR_LIMIT;
}

static abut_result fill_triangles(const abut_mesh_def *def, abut_soup *soup) {
    bool within = true;
    for (size_t i = 0; i < 3 * def->triangle_count; i++) {
        within = within && def->indices[i] < def->vertex_count;
        soup->corner[i] = def->indices[i];
    }
    for (size_t t = def->triangle_count - def->ghost_count; t < def->triangle_count; t++) {
        abut_soup_set_bit(soup->ghost, t);
    }
    return within ? ABUT_OK : ABUT_ERROR_ARGUMENT;
}

static abut_result create_mesh(const abut_mesh_def *def, abut_mesh **mesh) {
    abut_allocator allocator;
    if (!mesh) {
        return ABUT_ERROR_ARGUMENT;
    }
    *mesh = NULL;
    if (!abut_arithmetic_is_exact()) {
        return ABUT_ERROR_ARITHMETIC;
    }
    if (!def || !is_valid_def(def) || !abut_memory_init(&allocator, &def->allocator)) {
        return ABUT_ERROR_ARGUMENT;
    }
    if (def->triangle_count > ABUT_MESH_MAX_TRIANGLES || def->vertex_count > UINT32_MAX) {
        return ABUT_ERROR_LIMIT;
    }
    if (def->triangle_count == 0) {
        return ABUT_ERROR_DEGENERATE;
    }
    abut_soup soup;
    uint32_t triangles = (uint32_t)def->triangle_count;
    abut_result result = abut_soup_make_room(&soup, def->vertex_count, triangles, &allocator);
    if (result == ABUT_OK) {
        abut_result of_triangles = fill_triangles(def, &soup);
        result = fill_vertices(def, soup.vertex);
        result = of_triangles == ABUT_OK ? result : of_triangles;
    }
    if (result == ABUT_OK) {
        soup.two_sided = def->two_sided;
        result = abut_mesh_assemble(&soup, mesh);
    }
    abut_soup_release(&soup);
    return result;
}

abut_result abut_mesh_create(const abut_mesh_def *def, abut_mesh **mesh) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = create_mesh(def, mesh);
    abut_fpmode_leave(mode);
    return result;
}

const void *abut_mesh_data(const abut_mesh *mesh, size_t *size) {
    if (size) {
        *size = mesh ? (size_t)mesh->size : 0;
    }
    return mesh ? abut_mesh_bytes(mesh) : NULL;
}

uint64_t abut_mesh_digest(const abut_mesh *mesh) {
    return mesh ? mesh->digest : 0;
}

void abut_mesh_destroy(abut_mesh **mesh) {
    if (mesh && *mesh) {
        abut_mesh_release(*mesh);
        *mesh = NULL;
    }
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
