/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The public functions for two shapes. */
#include "narrowphase/convex/ordered.h"
#include "narrowphase/distance/distance.h"
#include "narrowphase/narrowphase.h"
#include <float.h>

bool abut_shape_overlap(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b, const abut_pose *pose_b) {
    abut_collider x, y;
    return abut_collider_from_shape(a, pose_a, &x) && abut_collider_from_shape(b, pose_b, &y) &&
           abut_np_overlap(&x, &y);
}

bool abut_shape_collide(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b, const abut_pose *pose_b,
                        float margin, abut_manifold *manifold) {
    abut_collider x, y;
    return manifold && margin >= 0 && abut_bits_finite(margin) && abut_collider_from_shape(a, pose_a, &x) &&
           abut_collider_from_shape(b, pose_b, &y) && abut_np_collide(&x, &y, margin, manifold);
}

/* A point at `along` on the way from the closest point of the first core to that of the second, in the world. */
static abut_d3 point_on_way(const abut_collider *first, const abut_np_closest *c, double along) {
    return abut_d3_along(abut_d3_from(first->center), 1, abut_d3_along(c->on_a, along, c->normal));
}

/* Two touching shapes share this point: midway between the grown surfaces, but not beyond the cores. */
static abut_d3 shared_point(const abut_collider *first, const abut_collider *second, const abut_np_closest *c) {
    double along = ((double)first->radius + c->distance - second->radius) / 2;
    return point_on_way(first, c, abut_max_d(0, abut_min_d(along, c->distance)));
}

/* The surfaces' closest points, of shapes that do not touch. Returns their distance, which is not 0. */
static double surface_points(const abut_collider *first, const abut_collider *second, const abut_np_closest *c,
                             abut_d3 on[2]) {
    on[0] = point_on_way(first, c, first->radius);
    on[1] = abut_d3_along(abut_d3_from(first->center), 1, abut_d3_along(c->on_b, -(double)second->radius, c->normal));
    return abut_max_d(c->distance - first->radius - second->radius, 0x1p-60 * c->size);
}

float abut_shape_distance(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b, const abut_pose *pose_b,
                          abut_vec3 *on_a, abut_vec3 *on_b) {
    abut_collider x, y;
    abut_np_closest closest;
    abut_d3 on[2];
    double distance = 0;
    if (!abut_collider_from_shape(a, pose_a, &x) || !abut_collider_from_shape(b, pose_b, &y)) {
        return NAN;
    }
    bool swap = !abut_np_comes_first(&x, &y);
    const abut_collider *first = swap ? &y : &x, *second = swap ? &x : &y;
    abut_np_closest_points(first, second, &closest);
    /* Across such a gap the predicate needs no asking: some separating axis shows it, too. */
    bool apart = closest.lower > (double)x.radius + y.radius + 0x1p-16 * closest.size;
    if (!apart && abut_np_overlap(&x, &y)) {
        on[0] = on[1] = shared_point(first, second, &closest);
    } else {
        distance = surface_points(first, second, &closest, on);
    }
    if (on_a) {
        *on_a = abut_vec3_round(on[swap]);
    }
    if (on_b) {
        *on_b = abut_vec3_round(on[!swap]);
    }
    return distance > 0 ? abut_max_f((float)distance, FLT_TRUE_MIN) : 0;
}

abut_aabb abut_shape_bounds(const abut_shape *shape, const abut_pose *pose) {
    abut_collider collider;
    if (!abut_collider_from_shape(shape, pose, &collider)) {
        return (abut_aabb){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    }
    return abut_collider_bounds(&collider);
}
