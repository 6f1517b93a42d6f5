/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/footprint/footprint.h"
#include "narrowphase/box/separation.h"
#include "narrowphase/kernels.h"
#include <float.h>

bool abut_np_footprint_of(const abut_obb2 *rectangle, float clearance, abut_touch touch, const int ground[2],
                          abut_np_footprint *out) {
    if (!abut_np_rectangle_valid(rectangle) || !abut_bits_finite(clearance) || !(clearance >= 0) ||
        (touch != ABUT_TOUCH_IS_OVERLAP && touch != ABUT_TOUCH_IS_FREE)) {
        return false;
    }
    *out = (abut_np_footprint){
        .rectangle = *rectangle,
        .clearance = clearance,
        .touch = touch,
        .ground = {ground[0], ground[1]},
        .half = {rectangle->half.x, rectangle->half.y},
    };
    if (rectangle->axis.x == 0 && rectangle->axis.y == 0) {
        out->rectangle.axis.x = 1;
    }
    abut_np_footprint_axis(out->rectangle.axis, out->axis);
    return true;
}

void abut_np_footprint_bounds(const abut_np_footprint *footprint, float min[2], float max[2]) {
    const double center[2] = {footprint->rectangle.center.x, footprint->rectangle.center.y}, most = FLT_MAX;
    double x = fabs(footprint->axis[0]), y = fabs(footprint->axis[1]);
    const double extent[2] = {x * footprint->half[0] + y * footprint->half[1] + footprint->clearance,
                              y * footprint->half[0] + x * footprint->half[1] + footprint->clearance};
    for (int i = 0; i < 2; i++) { /* widened by twice the rounding to float */
        double wide = extent[i] + ((fabs(center[i]) + extent[i]) * 0x1p-23 + 0x1p-148);
        double low = center[i] - wide, high = center[i] + wide;
        min[i] = (float)(low > -most ? low : -most);
        max[i] = (float)(high < most ? high : most);
    }
}

static const abut_np_footprint_shape box_core = {abut_np_footprint_meets_box, abut_np_footprint_verdict_box,
                                                 abut_np_footprint_mtv_box, true};
static const abut_np_footprint_shape hull_core = {abut_np_footprint_meets_hull, abut_np_footprint_verdict_hull,
                                                  abut_np_footprint_mtv_hull, false};

const abut_np_footprint_shape *const abut_np_footprint_shapes[] = {
    [ABUT_SHAPE_BOX] = &box_core,     [ABUT_SHAPE_HULL] = &hull_core,     [ABUT_SHAPE_SPHERE] = &box_core,
    [ABUT_SHAPE_CAPSULE] = &box_core, [ABUT_SHAPE_ROUND_BOX] = &box_core, [ABUT_SHAPE_ROUND_HULL] = &hull_core,
};
_Static_assert(sizeof abut_np_footprint_shapes / sizeof abut_np_footprint_shapes[0] == ABUT_SHAPE_CONVEX_TYPES,
               "one entry per shape");

bool abut_np_footprint_meets(const abut_np_footprint *footprint, const abut_collider *collider) {
    const abut_np_footprint_shape *shape = abut_np_footprint_shapes[collider->type];
    return abut_np_grow(footprint, collider) > 0 ? abut_np_footprint_meets_grown(footprint, collider, shape)
                                                 : shape->meets(footprint, collider);
}

_Static_assert(offsetof(abut_np_footprint, rectangle) == 0 && sizeof(abut_obb2) == sizeof(float[6]) &&
                   offsetof(abut_np_footprint, clearance) == sizeof(float[6]),
               "kernels read seven floats");

_Static_assert((ABUT_SHAPE_BOX | ABUT_SHAPE_HULL) == ABUT_SHAPE_HULL && ABUT_SHAPE_SPHERE > ABUT_SHAPE_HULL,
               "sharp types come first, and have no bit of the others");

void abut_np_footprint_meets_many(const abut_np_footprint_pairs *of, uint8_t *hit) {
    if (of->n == 0) {
        return;
    }
    const abut_np_footprint *first = &of->footprint[of->index_footprint[0]];
    const abut_np_footprint_kernel_pairs pairs = {.rectangle = of->footprint,
                                                  .collider = of->collider,
                                                  .rectangle_stride = sizeof *of->footprint,
                                                  .collider_stride = sizeof *of->collider,
                                                  .index_rectangle = of->index_footprint,
                                                  .index_collider = of->index_collider,
                                                  .ground = {first->ground[0], first->ground[1]},
                                                  .n = of->n};
    uint32_t types = 0;
    for (size_t k = 0; k < of->n; k++) {
        types |= of->collider[of->index_collider[k]].type;
    }
    const abut_np_footprint_kernels *kernels = abut_np_footprint_kernels_active();
    bool sharp = first->clearance == 0 && types <= (uint32_t)ABUT_SHAPE_HULL;
    (sharp ? kernels->verdicts : kernels->grown_verdicts)(&pairs, hit);
    for (size_t k = 0; k < of->n; k++) {
        const abut_collider *collider = &of->collider[of->index_collider[k]];
        if (hit[k] == ABUT_NP_UNDECIDED || !abut_np_footprint_shapes[collider->type]->in_kernel) {
            hit[k] = abut_np_footprint_meets(&of->footprint[of->index_footprint[k]], collider);
        }
    }
}
