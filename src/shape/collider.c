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

/* For rotations of unusual length; false where they are not finite. */
static ABUT_NOINLINE bool place_unusual(abut_quat q, abut_collider *collider) {
    if (!abut_quat_finite(q)) {
        return false;
    }
    collider->rotation = abut_accurate_quat_in_range(abut_quat_or_identity(q));
    return true;
}

/* Writes a pose; false where it is not finite. A rotation of usual length is. */
static inline bool place(const abut_vec3 *position, const abut_quat *rotation, abut_collider *collider) {
    collider->center = abut_vec3_positive_zeros(*position);
    collider->rotation = *rotation;
    return abut_vec3_finite(*position) && (abut_collider_keeps(*rotation) || place_unusual(*rotation, collider));
}

/* Writes a core that is a box; false where it is not valid. */
static inline bool set_box(const abut_vec3 *half, float radius, abut_collider *collider) {
    static const uint8_t by_extents[] = {ABUT_SHAPE_SPHERE, ABUT_SHAPE_CAPSULE, ABUT_SHAPE_ROUND_BOX,
                                         ABUT_SHAPE_ROUND_BOX};
    const abut_vec3 h = abut_vec3_positive_zeros(*half);
    const uint32_t x = abut_bits_of_float(h.x), y = abut_bits_of_float(h.y), z = abut_bits_of_float(h.z);
    const uint32_t r = abut_bits_of_float(radius + 0.0f), largest = UINT32_C(0x7f7fffff);
    collider->half = h;
    collider->radius = radius + 0.0f;
    collider->type = r ? by_extents[(x != 0) + (y != 0) + (z != 0)] : ABUT_SHAPE_BOX;
    collider->hull = NULL;
    collider->mesh = NULL;
    return x <= largest && y <= largest && z <= largest && r <= largest; /* also not where they are negative */
}

static ABUT_NOINLINE bool set_mesh_or_hull(const abut_shape *shape, abut_collider *collider) {
    *collider = abut_collider_unplaced(shape->mesh, shape->hull, (abut_vec3){0, 0, 0}, shape->radius);
    return abut_shape_of(collider)->valid(collider);
}

bool abut_collider_from_shape_or_mesh(const abut_shape *shape, const abut_pose *pose, abut_collider *collider) {
    return shape && pose &&
           (shape->mesh || shape->hull ? set_mesh_or_hull(shape, collider)
                                       : set_box(&shape->half, shape->radius, collider)) &&
           place(&pose->position, &pose->rotation, collider);
}

bool abut_collider_from_shape(const abut_shape *shape, const abut_pose *pose, abut_collider *collider) {
    return shape && !shape->mesh && abut_collider_from_shape_or_mesh(shape, pose, collider);
}

bool abut_collider_from_obb(const abut_obb *box, abut_collider *collider) {
    if (!box) {
        return false;
    }
    const abut_shape shape = {.half = box->half};
    return abut_collider_from_shape(&shape, &(abut_pose){box->center, box->rotation}, collider);
}

bool abut_collider_from_hull(const abut_hull *hull, const abut_pose *pose, abut_collider *collider) {
    const abut_shape shape = {.hull = hull};
    return hull && abut_collider_from_shape(&shape, pose, collider);
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
