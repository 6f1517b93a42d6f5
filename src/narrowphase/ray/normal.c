/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Normals, for the one body of an answer. */
#include "base/spatial.h"
#include "narrowphase/ray/ray.h"

/* The axis of the face of a box by which the ray enters: of the faces that look against it, that which the point is
 * highest above. */
static int entered_face(const abut_np_placed_ray *ray, const abut_collider *collider, abut_d3 point) {
    const abut_d3 half = abut_d3_from(collider->half);
    double highest = -INFINITY;
    int face = 0;
    for (int i = 0; i < 3; i++) {
        bool against = ray->along.x[i] * point.x[i] < 0;
        double height = against ? fabs(point.x[i]) - half.x[i] : -INFINITY;
        face = height > highest ? i : face;
        highest = abut_max_d(height, highest);
    }
    return face;
}

/* A column of the matrix, which is a unit vector already. */
static abut_vec3 normal_of_box(const abut_np_placed_ray *ray, const abut_collider *collider, abut_d3 point) {
    int face = entered_face(ray, collider, point);
    double sign = ray->along.x[face] > 0 ? -1 : 1;
    return abut_vec3_round((abut_d3){{sign * ray->m[0][face], sign * ray->m[1][face], sign * ray->m[2][face]}});
}

/* Of the facets that the ray may enter by, that which the point is highest above. */
static abut_d3 normal_of_hull(const abut_np_placed_ray *ray, const abut_collider *collider, abut_d3 point) {
    const abut_hull *hull = collider->hull;
    const abut_hull_plane *plane = abut_hull_planes(hull);
    double highest = -INFINITY;
    abut_d3 best = {{0, 0, 0}};
    for (uint32_t f = 0; f < hull->facet_count; f++) {
        const abut_d3 n = abut_d3_load(plane[f].n);
        double height = abut_d3_dot(n, point) - plane[f].w;
        if (abut_d3_dot(n, ray->along) < 0 && height > highest) {
            highest = height;
            best = n;
        }
    }
    return best;
}

/* `n` points from the closest point of the core, at this distance; where rounding decides that, the normal is against
 * the ray. A ray that grazes the body may lead a little away from it where it comes near enough to meet it. */
static abut_d3 unless_rounding(const abut_np_placed_ray *ray, abut_d3 n, double distance) {
    return abut_d3_dot(n, ray->along) < 0 || distance > 4 * ray->slack ? n : abut_d3_negate(ray->along);
}

static abut_d3 normal_of_round(const abut_np_placed_ray *ray, const abut_collider *collider, abut_d3 point) {
    const abut_d3 half = abut_d3_from(collider->half);
    abut_d3 n;
    for (int i = 0; i < 3; i++) {
        n.x[i] = point.x[i] - abut_max_d(-half.x[i], abut_min_d(point.x[i], half.x[i]));
    }
    return unless_rounding(ray, n, sqrt(abut_d3_dot(n, n)));
}

static abut_d3 normal_of_round_hull(const abut_np_placed_ray *ray, const abut_collider *collider, abut_d3 point) {
    double distance;
    abut_d3 n = abut_np_direction_from_hull(collider->hull, point, &distance);
    return unless_rounding(ray, n, distance);
}

/* In the collider's frame, of any length. Boxes have their own way. */
typedef abut_d3 normal_of(const abut_np_placed_ray *ray, const abut_collider *collider, abut_d3 point);

static normal_of *const normal_table[ABUT_SHAPE_CONVEX_TYPES] = {
    [ABUT_SHAPE_BOX] = NULL,
    [ABUT_SHAPE_HULL] = normal_of_hull,
    [ABUT_SHAPE_SPHERE] = normal_of_round,
    [ABUT_SHAPE_CAPSULE] = normal_of_round,
    [ABUT_SHAPE_ROUND_BOX] = normal_of_round,
    [ABUT_SHAPE_ROUND_HULL] = normal_of_round_hull,
};

abut_vec3 abut_np_ray_normal(const abut_np_ray *ray, const abut_collider *collider, double fraction) {
    abut_np_placed_ray placed;
    if (!(fraction > 0)) {
        return (abut_vec3){0, 0, 0};
    }
    abut_np_place_ray(ray, collider, &placed);
    const abut_d3 point = abut_np_point_of_ray(&placed, fraction);
    if (collider->type == ABUT_SHAPE_BOX) {
        return normal_of_box(&placed, collider, point);
    }
    abut_d3 n = normal_table[collider->type](&placed, collider, point);
    n = abut_d3_rotate(placed.m, n);
    (void)abut_d3_normalise_scaled(&n);
    return abut_vec3_round(n);
}
