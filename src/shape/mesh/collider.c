/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The mesh's entry in the shape table. Its bounds are those of its box, placed: O(1). */
#include "base/hash.h"
#include "shape/box/carried.h"
#include "shape/mesh/mesh.h"
#include "shape/table.h"

static bool valid(const abut_collider *collider) {
    return collider->mesh && abut_mesh_plausible(collider->mesh) && collider->radius == 0;
}

/* A box around abut_mesh::bounds, with half extents rounded up. */
static abut_obb local_obb(const abut_collider *collider) {
    const abut_aabb bounds = collider->mesh->bounds;
    const float *min = &bounds.min.x, *max = &bounds.max.x;
    abut_obb box = {.rotation = {0, 0, 0, 1}};
    float *center = &box.center.x, *half = &box.half.x;
    for (int k = 0; k < 3; k++) {
        center[k] = (float)(((double)min[k] + max[k]) / 2);
        half[k] = abut_bits_round_up(abut_max_d((double)max[k] - center[k], (double)center[k] - min[k]));
    }
    return box;
}

static abut_aabb bounds(const abut_collider *collider) {
    const abut_obb local = local_obb(collider);
    abut_collider box;
    const abut_obb placed = abut_obb_carried(&local, collider->center, collider->rotation);
    (void)abut_collider_from_obb(&placed, &box);
    return abut_collider_bounds(&box);
}

static double extent(const abut_collider *collider) {
    return collider->mesh->radius;
}

static abut_d3 corner(const abut_collider *collider, uint32_t i) {
    const abut_vec3 min = collider->mesh->bounds.min, max = collider->mesh->bounds.max;
    return (abut_d3){{i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z}};
}

static uint32_t corner_count(const abut_collider *collider) {
    (void)collider;
    return 8;
}

static abut_d3 support(const abut_collider *collider, abut_d3 direction) {
    return corner(collider, (uint32_t)(direction.x[0] > 0) | (uint32_t)(direction.x[1] > 0) << 1 |
                                (uint32_t)(direction.x[2] > 0) << 2);
}

static bool is_solid(const abut_mesh *mesh, uint32_t triangle) {
    return triangle < mesh->triangle_count - mesh->ghost_count &&
           abut_mesh_indices(mesh)[3 * (size_t)triangle] != ABUT_MESH_NONE;
}

/* The sides of all triangles that can be touched; of an inner edge that of the lower triangle. */
static void edges(const abut_collider *collider, abut_shape_edge *visit, void *context) {
    const abut_mesh *mesh = collider->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        for (uint32_t k = 0; k < 3 && is_solid(mesh, t); k++) {
            uint32_t side = abut_mesh_sides(mesh)[3 * (size_t)t + k], other = abut_mesh_neighbour(side);
            if (abut_mesh_edge_of(side) == ABUT_MESH_OUTER || other > t || !is_solid(mesh, other)) {
                visit(abut_mesh_corner(mesh, t, k), abut_mesh_corner(mesh, t, (k + 1) % 3), context);
            }
        }
    }
}

static uint64_t hash(const abut_collider *collider, uint64_t hash) {
    return abut_hash_mix(hash, collider->mesh->digest);
}

/* Two meshes never make a pair. */
static int compare(const abut_collider *a, const abut_collider *b) {
    (void)a, (void)b;
    return 0;
}

const abut_shape_class abut_shape_mesh = {.valid = valid,
                                          .bounds = bounds,
                                          .bounds_many = NULL,
                                          .extent = extent,
                                          .support = support,
                                          .corner_count = corner_count,
                                          .corner = corner,
                                          .edges = edges,
                                          .hash = hash,
                                          .compare = compare,
                                          .local_obb = local_obb};
