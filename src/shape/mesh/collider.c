/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The mesh's entry in the shape table. Its bounds are those of its box, placed: O(1). */
#include "base/accurate.h"
#include "base/hash.h"
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

/* As abut_hull_bounds, of the corners of the box. */
static abut_aabb bounds(const abut_collider *collider) {
    const float *min = &collider->mesh->bounds.min.x, *max = &collider->mesh->bounds.max.x;
    const float *origin = &collider->center.x;
    double m[3][3];
    float low[3], high[3];
    abut_quat q = abut_accurate_quat_in_range(abut_quat_or_identity(collider->rotation));
    abut_accurate_matrix(abut_dquat_from(q), m);
    bool exact = abut_quat_is_quarter_turn(q);
    for (int i = 0; i < 3; i++) {
        double least = 0, greatest = 0, size = 0;
        for (int k = 0; k < 3; k++) {
            double a = m[i][k] * min[k], b = m[i][k] * max[k];
            least += abut_min_d(a, b);
            greatest += abut_max_d(a, b);
            size += abut_max_d(fabs(a), fabs(b));
        }
        low[i] = abut_accurate_lower_end(origin[i], least, exact ? 0 : 0x1p-49 * size);
        high[i] = 0.0f - abut_accurate_lower_end(-origin[i], -greatest, exact ? 0 : 0x1p-49 * size);
    }
    return (abut_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

/* Of the box, whose corners may be farther away than abut_mesh::radius. */
static double extent(const abut_collider *collider) {
    const float *min = &collider->mesh->bounds.min.x, *max = &collider->mesh->bounds.max.x;
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double most = abut_max_d(fabs((double)min[k]), fabs((double)max[k]));
        sum += most * most;
    }
    return sqrt(sum) * (1 + 0x1p-50);
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

/* The sides of all triangles that can be touched; of an inner edge that of the lower triangle. */
static void edges(const abut_collider *collider, abut_shape_edge *visit, void *context) {
    const abut_mesh *mesh = collider->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        for (uint32_t k = 0; k < 3 && abut_mesh_is_solid(mesh, t); k++) {
            uint32_t side = abut_mesh_sides(mesh)[3 * (size_t)t + k], other = abut_mesh_neighbour(side);
            if (abut_mesh_edge_of(side) == ABUT_MESH_OUTER || other > t || !abut_mesh_is_solid(mesh, other)) {
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
