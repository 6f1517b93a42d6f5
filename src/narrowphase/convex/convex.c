/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/convex/convex.h"
#include "narrowphase/convex/box_as_hull.h"
#include "narrowphase/convex/manifold.h"
#include "narrowphase/kernels.h"
#include "shape/shape.h"

/* An order of any two colliders by their own data, as for two boxes, so that swapping them swaps nothing else: first
 * what never changes, then the position along the axis along which they are farthest apart, then the rotation. */
static bool comes_first(const abut_collider *a, const abut_collider *b) {
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

/* Two colliders as hulls, in the order of comes_first. */
typedef struct ordered_pair {
    const abut_collider *collider[2];
    abut_np_box_as_hull box[2]; /* of the colliders that are boxes */
    abut_np_convex_pair pair;
} ordered_pair;

/* Returns whether b comes first. */
static bool order_pair(const abut_collider *a, const abut_collider *b, ordered_pair *o) {
    bool swap = !comes_first(a, b);
    o->collider[0] = swap ? b : a;
    o->collider[1] = swap ? a : b;
    const abut_hull *hull[2];
    for (int i = 0; i < 2; i++) {
        hull[i] = core_as_hull(o->collider[i], &o->box[i]);
    }
    abut_np_convex_pair_build(o->collider[0], hull[0], o->collider[1], hull[1], &o->pair);
    return swap;
}

bool abut_np_convex_overlap(const abut_collider *a, const abut_collider *b, abut_np_hint *hint) {
    ordered_pair o;
    order_pair(a, b, &o);
    return abut_np_convex_kernels_active()->touch(&o.pair, hint);
}

bool abut_np_convex_collide(const abut_collider *a, const abut_collider *b, float margin, abut_np_hint *hint,
                            abut_manifold *manifold) {
    ordered_pair o;
    abut_np_axis axis;
    bool swap = order_pair(a, b, &o);
    if (!abut_np_convex_kernels_active()->find_axis(&o.pair, margin, hint, &axis)) {
        return false;
    }
    abut_np_convex_manifold(&o.pair, o.collider[0], o.collider[1], margin, &axis, manifold);
    if (swap) {
        abut_vec3 n = manifold->normal;
        manifold->normal = (abut_vec3){0.0f - n.x, 0.0f - n.y, 0.0f - n.z};
    }
    return true;
}
