/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* A ray and a hull, with or without a radius: clipped by the planes of its facets (Cyrus and Beck, "Generalized two-
 * and three-dimensional clipping", 1978), then, where the planes' corners may stick out, stepped from one supporting
 * plane to the next: the distance from the core is convex along the ray, so no step leads into the body. */
#include "narrowphase/kernels.h"
#include "narrowphase/ray/ray.h"

/* A distance up to this counts as met: the radius, the slack, and enough beyond both that a step from farther off leads
 * on, although the lower bound of its distance has an error, too. */
static double reach_of(const abut_np_placed_ray *ray, double radius) {
    return radius + (ray->slack + 5 * ABUT_NP_RAY_SLACK * ray->size);
}

/* Whether a point above facet f's plane is certainly as far from the hull as from the plane, and met: its foot is
 * behind the planes beyond all sides of the facet by more than rounding, so it is on the facet. */
static bool is_over(const abut_np_placed_ray *ray, const abut_hull *hull, uint32_t f, abut_d3 point, double reach) {
    const abut_hull_plane *plane = abut_hull_planes(hull);
    const uint16_t *first = abut_hull_indices(hull, hull->facet_edges_first);
    const uint16_t *edge = abut_hull_indices(hull, hull->facet_edges);
    const abut_d3 n = abut_d3_load(plane[f].n);
    double height = abut_d3_dot(n, point) - plane[f].w;
    const abut_d3 foot = abut_d3_along(point, -height, n);
    bool yes = height <= reach;
    for (uint32_t e = first[f]; e < first[f + 1] && yes; e++) {
        const abut_hull_edge *side = &abut_hull_edges(hull)[edge[e]];
        const abut_hull_plane *beyond = &plane[side->f[0] == f ? side->f[1] : side->f[0]];
        yes = abut_d3_dot(abut_d3_load(beyond->n), foot) - beyond->w < -ray->slack;
    }
    return yes;
}

/* A hull and a point in its frame. */
static void place_point(const abut_hull *hull, abut_d3 point, abut_np_cores *cores) {
    *cores = (abut_np_cores){.offset = point, .between = abut_d3_sub(point, abut_d3_from(hull->centroid))};
    cores->core[0].vertex_count = hull->vertex_count;
    cores->size = abut_d3_norm1(cores->between) + 2 * abut_d3_norm1(abut_d3_from(hull->obb.half));
    for (int k = 0; k < 3; k++) {
        cores->core[0].vertex[k] = abut_hull_coordinate(hull, k);
        cores->turn[k][k] = 1;
    }
}

/* The product of the distance from the body and its slope falls by a factor of 4 with every step, and 44 steps take it
 * below what a ray that still may meet the body can have: see docs/numerics.md. Should there ever be more, the answer
 * is the last fraction, which is not late. */
enum { STEPS_MAX = 64 };

/* From `t`, before which the ray does not meet the body, to `end`, after which it does not. */
static double step_to(const abut_np_placed_ray *ray, const abut_hull *hull, double radius, double t, double end) {
    double reach = reach_of(ray, radius);
    end = abut_min_d(2 * ray->size / abut_d3_norm1(ray->along), end); /* the way to the body is not longer */
    for (int step = 1; t <= end; step++) {
        abut_np_cores cores;
        abut_np_nearest nearest;
        place_point(hull, abut_np_point_of_ray(ray, t), &cores);
        abut_np_distance_kernels_active()->nearest(&cores, INFINITY, &nearest);
        double above = nearest.lower - radius - ray->slack;
        if (!(above > 0) || abut_d3_dot(nearest.point, nearest.point) <= reach * reach || step == STEPS_MAX) {
            return t;
        }
        abut_d3 n = nearest.along;
        (void)abut_d3_normalise_scaled(&n);
        double fall = -abut_d3_dot(n, ray->along);
        t = fall > 0 ? t + above / fall : INFINITY;
    }
    return INFINITY;
}

double abut_np_cast_hull(const abut_np_ray *ray, const abut_np_ray_growth *growth, const abut_collider *collider,
                         double limit) {
    const abut_hull *hull = collider->hull;
    abut_np_placed_ray placed;
    abut_np_ray_clipped clipped;
    abut_np_place_ray(ray, collider, &placed);
    double radius = (double)collider->radius + growth->radius;
    placed.slack += growth->slack;
    placed.size += growth->radius;
    const abut_d3 o = placed.origin, d = placed.along;
    const abut_np_ray local = {{o.x[0], o.x[1], o.x[2]}, {d.x[0], d.x[1], d.x[2]}};
    abut_np_ray_kernels_for(hull->facet_count)
        ->clip(&local, abut_hull_planes(hull), hull->facet_count, radius + placed.slack, &clipped);
    if (!(clipped.start <= clipped.end) || clipped.start > limit) {
        return INFINITY;
    }
    const abut_d3 point = abut_np_point_of_ray(&placed, clipped.start);
    if (clipped.facet < hull->facet_count && is_over(&placed, hull, clipped.facet, point, reach_of(&placed, radius))) {
        return clipped.start;
    }
    return step_to(&placed, collider->hull, radius, clipped.start, clipped.end);
}

abut_d3 abut_np_direction_from_hull(const abut_hull *hull, abut_d3 point, double *distance) {
    abut_np_cores cores;
    abut_np_nearest nearest;
    place_point(hull, point, &cores);
    abut_np_distance_kernels_active()->nearest(&cores, INFINITY, &nearest);
    *distance = sqrt(abut_d3_dot(nearest.point, nearest.point));
    return nearest.along;
}
