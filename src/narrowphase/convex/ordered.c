/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/convex/ordered.h"

/* Of a point, a rod or a plate, all or most faces have no area. */
static bool is_flat(const abut_collider *collider) {
    return !collider->hull && !(collider->half.x > 0 && collider->half.y > 0 && collider->half.z > 0);
}

/* An order of any two colliders by their own data, as for two boxes, so that swapping them swaps nothing else: first
 * what never changes, then the position along the axis along which they are farthest apart, then the rotation. The
 * faces of the first are preferred, so a hull comes before a core whose faces have no area. */
bool abut_np_comes_first(const abut_collider *a, const abut_collider *b) {
    if ((a->hull && is_flat(b)) || (b->hull && is_flat(a))) {
        return a->hull;
    }
    if (a->type != b->type) {
        return a->type < b->type;
    }
    int order = abut_shape_of(a)->compare(a, b);
    if (order == 0) {
        abut_d3 d = abut_d3_sub(abut_d3_from(b->center), abut_d3_from(a->center));
        double widest = d.x[abut_d3_greatest_axis(d)];
        order = widest > 0 ? -1 : widest < 0;
    }
    order = order ? order : abut_bits_compare_floats(&a->rotation.x, &b->rotation.x, 4);
    return order <= 0;
}

/* The collider's core as a hull; `made` is room for a hull that must be made. */
static const abut_hull *core_as_hull(const abut_collider *collider, abut_np_box_as_hull *made) {
    if (collider->hull) {
        return collider->hull;
    }
    abut_np_box_as_hull_make(collider->half, made);
    return &made->hull;
}

void abut_np_order(const abut_collider *a, const abut_collider *b, abut_np_ordered_pair *out) {
    const abut_hull *hull[2];
    out->swapped = !abut_np_comes_first(a, b);
    out->collider[0] = out->swapped ? b : a;
    out->collider[1] = out->swapped ? a : b;
    for (int i = 0; i < 2; i++) {
        hull[i] = core_as_hull(out->collider[i], &out->box[i]);
    }
    abut_np_convex_pair_build(out->collider[0], hull[0], out->collider[1], hull[1], &out->pair);
}
