/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/footprint/footprint.h"
#include <float.h>

/* The minimum translation of mtv.c, rounded outward and then lengthened until the exact test reports no overlap. */

/* The float nearest to `value` that is not nearer to 0 than it is. */
static float outward(double value) {
    if (!(fabs(value) < (double)FLT_MAX)) {
        return value < 0 ? -FLT_MAX : FLT_MAX;
    }
    return value < 0 ? abut_bits_round_down(value) : abut_bits_round_up(value);
}

/* The float nearest to `value` that is not farther from 0 than it is. */
static float inward(double value) {
    return value < 0 ? abut_bits_round_up(value) : abut_bits_round_down(value);
}

/* The number to add to `from` so that the float sum is at least as far from it as from + by. Rounding is monotonic:
 * the exact difference to the float beyond, rounded outward, leads at least to that float. Where that would lead beyond
 * the largest float, it is rounded inward: the sum is always finite. */
static float addend_to(float from, double by) {
    if (by == 0) {
        return 0;
    }
    double to = (double)from + by;
    if (!(fabs(to) < (double)FLT_MAX)) {
        to = by < 0 ? -(double)FLT_MAX : (double)FLT_MAX;
    }
    float end = by < 0 ? abut_bits_round_down(to) : abut_bits_round_up(to), out = outward((double)end - from);
    return abut_bits_finite(from + out) ? out : inward((double)end - from);
}

static abut_np_footprint_mtv mtv_of(const abut_np_footprint *footprint, const abut_collider *collider,
                                    const abut_np_shadow *s) {
    const abut_np_footprint_shape *shape = abut_np_footprint_shapes[collider->type];
    return abut_np_grow(footprint, collider) > 0 ? abut_np_footprint_mtv_grown(footprint, collider, s, shape)
                                                 : shape->mtv(footprint, collider, s, NULL);
}

/* True only where the two certainly overlap by about that depth; of hulls short sides may not have been tried. */
static bool is_deep(const abut_np_footprint *footprint, const abut_collider *collider, const abut_np_shadow *s,
                    double depth) {
    const abut_vec3 half = collider->half;
    return !collider->hull &&
           depth > 0x1p-36 * abut_np_footprint_size(footprint, collider, s, (double)half.x + half.y + half.z);
}

abut_vec2 abut_np_footprint_translation(const abut_np_footprint *footprint, const abut_collider *collider) {
    abut_np_shadow s;
    abut_np_shadow_of(footprint, collider, &s);
    const abut_np_footprint_mtv out = mtv_of(footprint, collider, &s);
    if (!is_deep(footprint, collider, &s, out.depth) && !abut_np_footprint_meets(footprint, collider)) {
        return (abut_vec2){0, 0};
    }
    const double nx = footprint->axis[0] * out.direction[0] - footprint->axis[1] * out.direction[1];
    const double ny = footprint->axis[1] * out.direction[0] + footprint->axis[0] * out.direction[1];
    const abut_vec2 center = footprint->rectangle.center;
    double depth = abut_max_d(out.depth, 0);
    double more = 0x1p-46 * (fabs(s.base[0]) + fabs(s.base[1]) + depth) + 0x1p-149;
    abut_np_footprint moved = *footprint;
    abut_vec2 translation = {0, 0};
    double extra = 0;
    while (extra < 0x1p+132) {
        abut_vec2 next = {addend_to(center.x, (depth + extra) * nx), addend_to(center.y, (depth + extra) * ny)};
        moved.rectangle.center = (abut_vec2){center.x + next.x, center.y + next.y};
        translation = next;
        if (!abut_np_footprint_meets(&moved, collider)) {
            return translation;
        }
        extra = extra > 0 ? 2 * extra : more;
    }
    return translation;
}
