/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/collider.h"
#include "base/accurate.h"
#include "base/compiler.h"
#include "base/radix.h"
#include "shape/box/carried.h"
#include "shape/table.h"

static abut_shape_type type_of(const abut_hull *hull, abut_vec3 half, float radius) {
    if (hull) {
        return radius > 0 ? ABUT_SHAPE_ROUND_HULL : ABUT_SHAPE_HULL;
    }
    if (!(radius > 0)) {
        return ABUT_SHAPE_BOX;
    }
    int extents = (half.x != 0) + (half.y != 0) + (half.z != 0);
    return extents == 0 ? ABUT_SHAPE_SPHERE : extents == 1 ? ABUT_SHAPE_CAPSULE : ABUT_SHAPE_ROUND_BOX;
}

abut_collider abut_collider_unplaced(const abut_mesh *mesh, const abut_hull *hull, abut_vec3 half, float radius) {
    static const abut_vec3 none = {0, 0, 0};
    if (mesh) {
        return (abut_collider){.radius = radius + 0.0f, .type = ABUT_SHAPE_MESH, .mesh = mesh};
    }
    return (abut_collider){.half = hull ? none : abut_vec3_positive_zeros(half),
                           .radius = radius + 0.0f,
                           .type = type_of(hull, half, radius),
                           .hull = hull};
}

/* Writes a finite pose. */
static void place(const abut_pose *pose, abut_collider *collider) {
    const abut_quat q = pose->rotation;
    collider->center = abut_vec3_positive_zeros(pose->position);
    collider->rotation = q;
    if (!abut_collider_keeps(q)) {
        collider->rotation = abut_accurate_quat_in_range(abut_quat_or_identity(q));
    }
}

bool abut_collider_from_obb(const abut_obb *box, abut_collider *collider) {
    if (!box || !abut_box_valid(box)) {
        return false;
    }
    *collider = abut_collider_unplaced(NULL, NULL, box->half, 0);
    place(&(abut_pose){box->center, box->rotation}, collider);
    return true;
}

/* Whether n floats are finite, without a branch for each. */
static inline bool finite(const float *x, int n) {
    uint32_t beyond = 0;
    for (int i = 0; i < n; i++) { /* a difference below 0 has the top bit */
        beyond |= UINT32_C(0x7f7fffff) - (abut_bits_of_float(x[i]) & UINT32_C(0x7fffffff));
    }
    return beyond >> 31 == 0;
}

static bool pose_valid(const abut_pose *pose) {
    return pose && finite(&pose->position.x, 3) && finite(&pose->rotation.x, 4);
}

bool abut_collider_from_hull(const abut_hull *hull, const abut_pose *pose, abut_collider *collider) {
    if (!hull || !pose_valid(pose)) {
        return false;
    }
    *collider = abut_collider_unplaced(NULL, hull, (abut_vec3){0, 0, 0}, 0);
    place(pose, collider);
    return true;
}

bool abut_collider_from_shape(const abut_shape *shape, const abut_pose *pose, abut_collider *collider) {
    if (!shape || shape->mesh || !abut_radius_valid(shape->radius) || !pose_valid(pose)) {
        return false;
    }
    const abut_vec3 half = shape->half;
    if (!shape->hull && !(finite(&half.x, 3) && half.x >= 0 && half.y >= 0 && half.z >= 0)) {
        return false;
    }
    *collider = abut_collider_unplaced(NULL, shape->hull, half, shape->radius);
    if (shape->hull && !abut_shape_of(collider)->valid(collider)) {
        return false;
    }
    place(pose, collider);
    return true;
}

bool abut_collider_from_shape_or_mesh(const abut_shape *shape, const abut_pose *pose, abut_collider *collider) {
    if (!shape || !shape->mesh) {
        return abut_collider_from_shape(shape, pose, collider);
    }
    *collider = abut_collider_unplaced(shape->mesh, NULL, (abut_vec3){0, 0, 0}, shape->radius);
    if (!abut_shape_of(collider)->valid(collider) || !pose_valid(pose)) {
        return false;
    }
    place(pose, collider);
    return true;
}

abut_aabb abut_collider_bounds(const abut_collider *collider) {
    return abut_shape_of(collider)->bounds(collider);
}

/* The box with half extents that are longer by the radius, rounded up. */
static abut_obb grown(abut_obb box, float radius) {
    box.half.x = abut_bits_round_up((double)box.half.x + radius);
    box.half.y = abut_bits_round_up((double)box.half.y + radius);
    box.half.z = abut_bits_round_up((double)box.half.z + radius);
    return box;
}

abut_obb abut_collider_obb(const abut_collider *collider) {
    if (!collider->hull && !collider->mesh) {
        return grown((abut_obb){collider->center, collider->rotation, collider->half}, collider->radius);
    }
    const abut_obb local = abut_shape_of(collider)->local_obb(collider);
    return grown(abut_obb_carried(&local, collider->center, collider->rotation), collider->radius);
}

static void bounds_one_by_one(const abut_collider *collider, const uint32_t *index, size_t n, double more,
                              float (*box)[6]) {
    for (size_t k = 0; k < n; k++) {
        abut_aabb bounds = abut_collider_bounds(&collider[index[k]]);
        const float *low = &bounds.min.x, *high = &bounds.max.x;
        for (int i = 0; i < 3; i++) {
            box[index[k]][i] = abut_bits_round_down(low[i] - more);
            box[index[k]][i + 3] = abut_bits_round_up(high[i] + more);
        }
    }
}

static void bounds_of_type(uint32_t type, const abut_collider *collider, const uint32_t *index, size_t n, double more,
                           float (*box)[6]) {
    const abut_shape_class *shape = abut_shape_table[type];
    (shape->bounds_many ? shape->bounds_many : bounds_one_by_one)(collider, index, n, more, box);
}

/* Colliders are sorted by type a block at a time. */
enum { BLOCK = 256 };

/* At most BLOCK colliders of several types. */
static void bounds_of_several_types(const abut_collider *collider, const uint32_t *index, size_t n, double more,
                                    float (*box)[6]) {
    uint32_t sorted[BLOCK], end[ABUT_SHAPE_TYPES] = {0};
    for (size_t k = 0; k < n; k++) {
        end[collider[index[k]].type]++;
    }
    (void)abut_radix_starts(end, ABUT_SHAPE_TYPES);
    for (size_t k = 0; k < n; k++) { /* end[type] moves from the start of a type to its end */
        sorted[end[collider[index[k]].type]++] = index[k];
    }
    for (uint32_t type = 0, first = 0; type < ABUT_SHAPE_TYPES; first = end[type++]) {
        bounds_of_type(type, collider, sorted + first, end[type] - first, more, box);
    }
}

/* Colliders are prefetched this many elements ahead. */
enum { AHEAD = 24 };

void abut_collider_bounds_many(const abut_collider *collider, const uint32_t *index, size_t n, double more,
                               float (*box)[6]) {
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t count = n - first < BLOCK ? n - first : BLOCK;
        uint32_t type = collider[index[first]].type, differ = 0;
        for (size_t k = first; k < first + count; k++) {
            ABUT_PREFETCH(&collider[index[k + AHEAD < n ? k + AHEAD : k]]);
            differ |= collider[index[k]].type ^ type;
        }
        if (differ) {
            bounds_of_several_types(collider, index + first, count, more, box);
        } else {
            bounds_of_type(type, collider, index + first, count, more, box);
        }
    }
}
