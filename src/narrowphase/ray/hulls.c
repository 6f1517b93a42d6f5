/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A ray and a hull, with or without a radius: clipped by the planes of its facets (Cyrus and Beck, "Generalized two-
 * and three-dimensional clipping", 1978), then, where a planes' corner may stick out, stepped from one supporting plane
 * to the next: the distance from the core is convex along the ray, so no step leads beyond the body. */
#include "narrowphase/kernels.h"
#include "narrowphase/ray/ray.h"

/* Of a ray with the times between which it is behind planes. */
typedef struct stretch {
    double start, end;
} stretch;

/* The planes are moved out by `grow`. */
static stretch clip(const abut_np_placed_ray *ray, const abut_hull *hull, double grow) {
    const abut_hull_plane *plane = abut_hull_planes(hull);
    stretch s = {0, 1};
    for (uint32_t f = 0; f < hull->facet_count; f++) {
        const abut_d3 n = abut_d3_load(plane[f].n);
        double above = abut_d3_dot(n, ray->origin) - (plane[f].w + grow), fall = -abut_d3_dot(n, ray->along);
        if (fall > 0) {
            s.start = above > s.start * fall ? above / fall : s.start;
        } else if (fall < 0) {
            s.end = above > s.end * fall ? above / fall : s.end;
        } else if (above > 0) {
            return (stretch){INFINITY, 0};
        }
    }
    return s;
}

/* Whether a point, which is behind all planes moved out by the slack, is behind all but one by more than that: then it
 * is that close to the remaining facet. */
static bool at_a_facet(const abut_hull *hull, abut_d3 point, double slack) {
    const abut_hull_plane *plane = abut_hull_planes(hull);
    uint32_t near = 0;
    for (uint32_t f = 0; f < hull->facet_count; f++) {
        near += abut_d3_dot(abut_d3_load(plane[f].n), point) - plane[f].w > -4 * slack;
    }
    return near <= 1;
}

/* A hull and a point in its frame. */
static void place_point(const abut_hull *hull, abut_d3 point, abut_np_cores *cores) {
    *cores = (abut_np_cores){.offset = point, .between = abut_d3_sub(point, abut_d3_from(hull->centroid))};
    cores->core[0].vertex_count = hull->vertex_count;
    cores->size = abut_d3_norm1(point) + hull->radius;
    for (int k = 0; k < 3; k++) {
        cores->core[0].vertex[k] = abut_hull_coordinate(hull, k);
        cores->turn[k][k] = 1;
    }
}

/* Distances up to this many slacks beyond the radius count as met. */
static const double NEAR_ENOUGH = 8;

/* The product of the distance from the body and its slope falls by at least a factor of 4 with every step, and cannot
 * fall below the square of 2^-43: see docs/numerics.md. */
enum { STEPS_MAX = 64 };

/* From s.start, before which the ray does not meet the body. */
static double step_to(const abut_np_placed_ray *ray, const abut_collider *collider, stretch s) {
    double reach = collider->radius + NEAR_ENOUGH * ray->slack, t = s.start;
    for (int step = 0; step < STEPS_MAX && t <= s.end; step++) {
        abut_np_cores cores;
        abut_np_nearest nearest;
        place_point(collider->hull, abut_np_point_of_ray(ray, t), &cores);
        abut_np_distance_kernels_active()->nearest(&cores, INFINITY, &nearest);
        if (nearest.overlap || abut_d3_dot(nearest.point, nearest.point) <= reach * reach) {
            return t;
        }
        abut_d3 n = nearest.along;
        double above = nearest.lower - collider->radius - ray->slack;
        (void)abut_d3_normalise_scaled(&n);
        double fall = -abut_d3_dot(n, ray->along);
        if (!(fall > 0) && above > 0) {
            return INFINITY;
        }
        t = above > 0 ? t + above / fall : t;
    }
    return t <= s.end ? t : INFINITY;
}

double abut_np_cast_hull(const abut_np_ray *ray, const abut_collider *collider, double limit) {
    abut_np_placed_ray placed;
    abut_np_place_ray(ray, collider, &placed);
    stretch s = clip(&placed, collider->hull, (double)collider->radius + placed.slack);
    if (!(s.start <= s.end) || s.start > limit) {
        return INFINITY;
    }
    if (collider->radius == 0 && at_a_facet(collider->hull, abut_np_point_of_ray(&placed, s.start), placed.slack)) {
        return s.start;
    }
    return step_to(&placed, collider, s);
}

bool abut_np_direction_from_hull(const abut_hull *hull, abut_d3 point, abut_d3 *direction) {
    abut_np_cores cores;
    abut_np_nearest nearest;
    place_point(hull, point, &cores);
    abut_np_distance_kernels_active()->nearest(&cores, INFINITY, &nearest);
    *direction = nearest.along;
    return !nearest.overlap && abut_d3_normalise_scaled(direction) > 0;
}
