/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Rays as the public interface has them. */
#include "narrowphase/narrowphase.h"
#include "narrowphase/ray/ray.h"

float abut_np_ray_fraction(double fraction) {
    return abut_bits_round_down_positive(fraction);
}

abut_vec3 abut_np_ray_position(const abut_np_ray *ray, float fraction) {
    return abut_vec3_round(abut_d3_along(abut_d3_load(ray->origin), fraction, abut_d3_load(ray->translation)));
}

static bool within_limits(abut_vec3 v) {
    return fabsf(v.x) <= ABUT_MAX_COORDINATE && fabsf(v.y) <= ABUT_MAX_COORDINATE && fabsf(v.z) <= ABUT_MAX_COORDINATE;
}

/* The first fraction at which the ray meets the shape, INFINITY if it does not; the normal there, if it is wanted, and
 * the triangle. */
static double first_of(const abut_np_ray *ray, const abut_collider *collider, bool wanted, abut_hit *hit) {
    if (collider->type == ABUT_SHAPE_MESH) {
        return abut_np_mesh_ray_first(ray, collider, 1, &hit->part, &hit->normal);
    }
    double fraction = abut_np_cast_ray(ray, collider, 1);
    if (fraction <= 1 && wanted) {
        hit->normal = abut_np_ray_normal(ray, collider, fraction);
    }
    return fraction;
}

bool abut_shape_cast_ray(const abut_shape *shape, const abut_pose *pose, const abut_ray *ray, abut_hit *hit) {
    abut_collider collider;
    if (!ray || !abut_np_ray_valid(ray) || !within_limits(ray->origin) ||
        !abut_collider_from_shape_or_mesh(shape, pose, &collider)) {
        return false;
    }
    const abut_np_ray given = abut_np_ray_of(ray);
    abut_hit first = {.part = 0};
    double fraction = first_of(&given, &collider, hit != NULL, &first);
    if (fraction <= 1 && hit) {
        first.fraction = abut_np_ray_fraction(fraction);
        first.position = abut_np_ray_position(&given, first.fraction);
        *hit = first;
    }
    return fraction <= 1;
}
