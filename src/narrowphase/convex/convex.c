/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/convex/convex.h"
#include "narrowphase/convex/box_hull.h"
#include "narrowphase/convex/manifold.h"
#include "narrowphase/kernels.h"
#include "shape/shape.h"

/* An order of any two bodies by their own data, as for two boxes: what never changes first, then the place along the
 * axis along which they lie farthest apart, then the rotation. */
static bool stands_before(const abut_collider *a, const abut_collider *b) {
    if (a->type != b->type) {
        return a->type < b->type;
    }
    int order = abut_shape_of(a)->compare(a, b);
    if (order == 0) {
        const double d[3] = {(double)b->center.x - a->center.x, (double)b->center.y - a->center.y,
                             (double)b->center.z - a->center.z};
        int widest = fabs(d[1]) > fabs(d[0]) ? 1 : 0;
        widest = fabs(d[2]) > fabs(d[widest]) ? 2 : widest;
        order = d[widest] > 0 ? -1 : d[widest] < 0;
    }
    order = order ? order : abut_bits_compare_floats(&a->rotation.x, &b->rotation.x, 4);
    return order <= 0;
}

/* A collider as a hull; `made` is room for one that must be made. */
typedef const abut_hull *as_hull(const abut_collider *collider, abut_np_box_hull *made);

static const abut_hull *box_as_hull(const abut_collider *collider, abut_np_box_hull *made) {
    abut_np_box_hull_make(collider->half, made);
    return &made->hull;
}

static const abut_hull *hull_itself(const abut_collider *collider, abut_np_box_hull *made) {
    (void)made;
    return collider->hull;
}

static as_hull *const shape_as_hull[] = {[ABUT_SHAPE_BOX] = box_as_hull, [ABUT_SHAPE_HULL] = hull_itself};
_Static_assert(sizeof shape_as_hull / sizeof shape_as_hull[0] == ABUT_SHAPE_TYPES, "one entry per shape");

/* Two bodies as polytopes, in their own order. */
typedef struct ordered_pair {
    const abut_collider *collider[2];
    abut_np_box_hull box[2]; /* of rows that are boxes */
    abut_np_convex_pair pair;
} ordered_pair;

/* Returns whether b comes first. */
static bool order(const abut_collider *a, const abut_collider *b, ordered_pair *o) {
    bool swap = !stands_before(a, b);
    o->collider[0] = swap ? b : a;
    o->collider[1] = swap ? a : b;
    const abut_hull *hull[2];
    for (int i = 0; i < 2; i++) {
        hull[i] = shape_as_hull[o->collider[i]->type](o->collider[i], &o->box[i]);
    }
    abut_np_convex_pair_build(o->collider[0], hull[0], o->collider[1], hull[1], &o->pair);
    return swap;
}

bool abut_np_convex_overlap(const abut_collider *a, const abut_collider *b, abut_np_hint *hint) {
    ordered_pair o;
    order(a, b, &o);
    return abut_np_convex_kernels_active()->touch(&o.pair, hint);
}

bool abut_np_convex_collide(const abut_collider *a, const abut_collider *b, float margin, abut_np_hint *hint,
                            abut_manifold *manifold) {
    ordered_pair o;
    abut_np_axis axis;
    bool swap = order(a, b, &o);
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

bool abut_hull_overlap(const abut_hull *hull_a, const abut_pose *pose_a, const abut_hull *hull_b,
                       const abut_pose *pose_b) {
    abut_collider a, b;
    return abut_collider_from_hull(hull_a, pose_a, &a) && abut_collider_from_hull(hull_b, pose_b, &b) &&
           abut_np_overlap(&a, &b);
}

bool abut_obb_hull_overlap(const abut_obb *box, const abut_hull *hull, const abut_pose *pose) {
    abut_collider a, b;
    return abut_collider_from_obb(box, &a) && abut_collider_from_hull(hull, pose, &b) && abut_np_overlap(&a, &b);
}

static bool valid_margin(float margin) {
    return margin >= 0 && abut_bits_finite(margin);
}

bool abut_hull_collide(const abut_hull *hull_a, const abut_pose *pose_a, const abut_hull *hull_b,
                       const abut_pose *pose_b, float margin, abut_manifold *manifold) {
    abut_collider a, b;
    return manifold && valid_margin(margin) && abut_collider_from_hull(hull_a, pose_a, &a) &&
           abut_collider_from_hull(hull_b, pose_b, &b) && abut_np_collide(&a, &b, margin, manifold);
}

bool abut_obb_hull_collide(const abut_obb *box, const abut_hull *hull, const abut_pose *pose, float margin,
                           abut_manifold *manifold) {
    abut_collider a, b;
    return manifold && valid_margin(margin) && abut_collider_from_obb(box, &a) &&
           abut_collider_from_hull(hull, pose, &b) && abut_np_collide(&a, &b, margin, manifold);
}
