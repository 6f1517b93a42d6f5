/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/bits.h"
#include "base/spatial.h"
#include "narrowphase/footprint/closest.h"
#include "shape/shape.h"

/* A rectangle against a shadow that is grown by g > 0, the sum of a body's radius and of the clearance. */

/* Twice the error bound of any distance in double, times S: docs/numerics.md, "Footprints". */
static const double SLACK = 0x1p-43;

static double size_of(const abut_np_footprint *footprint, const abut_collider *collider, const abut_np_shadow *s) {
    const abut_vec3 half = collider->half;
    double extent = collider->hull ? (double)collider->hull->radius : (double)half.x + half.y + half.z;
    return abut_np_footprint_size(footprint, collider, s, extent);
}

/* Both are parallel to the ground's axes: the closest points are seen from the gaps along these. */
static bool aligned_clear(const abut_np_footprint *footprint, const abut_collider *collider, const abut_dd gap[2]) {
    abut_dd grow = abut_dd_two_sum(footprint->clearance, collider->radius);
    if (gap[0].hi > 0 && gap[1].hi > 0) {
        abut_dd square = abut_dd_mul(grow, grow);
        abut_dd sum = abut_dd_add(abut_dd_mul(gap[0], gap[0]), abut_dd_mul(gap[1], gap[1]));
        return abut_np_clear(abut_dd_sub(sum, square).hi, ABUT_NP_FOOTPRINT_BAND * square.hi, footprint->touch);
    }
    abut_dd far = gap[0].hi > gap[1].hi ? gap[0] : gap[1];
    return far.hi > 0 && abut_np_clear(abut_dd_sub(far, grow).hi, 0, footprint->touch);
}

/* In double-double. The core's shadow is less than `far` from the rectangle. */
static bool clear_exactly(const abut_np_footprint *footprint, const abut_collider *collider, const abut_np_shadow *s,
                          const abut_np_outline *outline, double far) {
    abut_np_shadow_dd accurate;
    abut_np_shadow_dd_of(footprint, collider, &accurate);
    double extent = collider->hull ? (double)collider->hull->radius : 0;
    double size = fabs(accurate.base[0].hi) + fabs(accurate.base[1].hi) + accurate.half[0].hi + accurate.half[1].hi;
    for (int k = 0; k < 3; k++) {
        double own = collider->hull ? extent : (double)*(&collider->half.x + k);
        size += (fabs(accurate.x[k].hi) + fabs(accurate.y[k].hi)) * own;
    }
    double band = ABUT_NP_FOOTPRINT_BAND * (size + accurate.grow.hi);
    return abut_np_closest_clear(outline, s, footprint->half, far, &accurate, band, footprint->touch);
}

bool abut_np_footprint_meets_grown(const abut_np_footprint *footprint, const abut_collider *collider,
                                   const abut_np_footprint_shape *shape) {
    abut_np_shadow s;
    abut_np_outline outline;
    abut_dd gap[2];
    abut_np_shadow_of(footprint, collider, &s);
    double grow = abut_np_grow(footprint, collider), slack = SLACK * size_of(footprint, collider, &s);
    abut_np_verdict quick = shape->verdict(footprint, collider, &s, grow);
    if (quick != ABUT_NP_UNDECIDED) {
        return quick == ABUT_NP_TOUCHING;
    }
    abut_np_outline_of(collider, &outline);
    abut_np_closest_feature closest = abut_np_closest_of(&outline, &s, footprint->half, grow - slack, grow + slack);
    if (closest.is_separated || closest.distance < grow - slack) {
        return !closest.is_separated;
    }
    abut_np_verdict core = shape->verdict(footprint, collider, &s, 0);
    if (core == ABUT_NP_TOUCHING || (core == ABUT_NP_APART && closest.distance > grow + slack)) {
        return core == ABUT_NP_TOUCHING;
    }
    if (!collider->hull && abut_np_footprint_aligned_gaps(footprint, collider, gap)) {
        return !aligned_clear(footprint, collider, gap);
    }
    if (core == ABUT_NP_UNDECIDED) {
        abut_np_footprint open = *footprint;
        open.touch = ABUT_TOUCH_IS_FREE;
        if (shape->meets(&open, collider)) {
            return true;
        }
    }
    return !clear_exactly(footprint, collider, &s, &outline, grow + slack);
}

abut_np_footprint_mtv abut_np_footprint_mtv_grown(const abut_np_footprint *footprint, const abut_collider *collider,
                                                  const abut_np_shadow *s, const abut_np_footprint_shape *shape) {
    abut_np_footprint_mtv best = shape->mtv(footprint, collider, s, NULL);
    if (best.depth < 0) { /* the cores are apart: the direction of their closest points may be shorter */
        abut_np_outline outline;
        double direction[2];
        abut_np_outline_of(collider, &outline);
        abut_np_closest_feature closest = abut_np_closest_of(&outline, s, footprint->half, -1, INFINITY);
        abut_np_closest_direction(&outline, s, footprint->half, closest.feature, direction);
        best = shape->mtv(footprint, collider, s, direction);
    }
    best.depth += abut_np_grow(footprint, collider);
    return best;
}
