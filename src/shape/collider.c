/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/collider.h"
#include "base/accurate.h"
#include "base/compiler.h"
#include "base/radix.h"
#include "shape/box/carried.h"
#include "shape/table.h"

bool abut_collider_from_obb(const abut_obb *box, abut_collider *collider) {
    if (!box || !abut_box_valid(box)) {
        return false;
    }
    *collider = (abut_collider){.center = abut_vec3_positive_zeros(box->center),
                                .half = abut_vec3_positive_zeros(box->half),
                                .rotation = abut_accurate_quat_in_range(abut_quat_or_identity(box->rotation)),
                                .type = ABUT_SHAPE_BOX};
    return true;
}

bool abut_collider_from_hull(const abut_hull *hull, const abut_pose *pose, abut_collider *collider) {
    if (!hull || !pose || !abut_vec3_finite(pose->position) || !abut_quat_finite(pose->rotation)) {
        return false;
    }
    *collider = abut_collider_unplaced(hull, (abut_vec3){0, 0, 0});
    collider->center = abut_vec3_positive_zeros(pose->position);
    collider->rotation = abut_accurate_quat_in_range(abut_quat_or_identity(pose->rotation));
    return true;
}

abut_aabb abut_collider_bounds(const abut_collider *collider) {
    return abut_shape_of(collider)->bounds(collider);
}

abut_obb abut_collider_obb(const abut_collider *collider) {
    const abut_shape_class *shape = abut_shape_of(collider);
    if (shape->is_obb) {
        return (abut_obb){collider->center, collider->rotation, collider->half};
    }
    const abut_obb local = shape->local_obb(collider);
    return abut_obb_carried(&local, collider->center, collider->rotation);
}

abut_obb abut_collider_sphere(const abut_collider *collider) {
    const abut_shape_class *shape = abut_shape_of(collider);
    if (shape->is_obb) {
        return (abut_obb){collider->center, collider->rotation, collider->half};
    }
    const abut_obb local = shape->local_obb(collider);
    return abut_obb_carried_sphere(&local, collider->center, collider->rotation);
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
