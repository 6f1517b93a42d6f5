/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Casts of spheres, and casts at spheres: rays of their centres against the other shape, grown by their radius. */
#include "narrowphase/cast/cast.h"
#include "narrowphase/kernels.h"
#include "narrowphase/ray/ray.h"
#include "narrowphase/round/round.h"

static abut_np_ray way_of_center(const abut_np_cast *cast) {
    const abut_vec3 c = cast->start.center;
    const double *v = cast->translation;
    return (abut_np_ray){{c.x, c.y, c.z}, {v[0], v[1], v[2]}};
}

void abut_np_cast_point_at_spheres(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index,
                                   size_t n, double limit, double *fraction) {
    const abut_np_ray ray = way_of_center(cast);
    const abut_np_ray_growth growth = {cast->start.radius, ABUT_NP_CAST_ROUND_SLACK};
    (void)limit;
    abut_np_ray_kernels_for(n)->spheres(&ray, &growth, collider, index, n, fraction);
}

void abut_np_cast_point_at_boxes(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index,
                                 size_t n, double limit, double *fraction) {
    const abut_np_ray ray = way_of_center(cast);
    const abut_np_ray_growth growth = {cast->start.radius, ABUT_NP_CAST_ROUND_SLACK};
    (void)limit;
    abut_np_ray_kernels_for(n)->rounds(&ray, &growth, collider, index, n, fraction);
}

void abut_np_cast_point_at_hulls(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index,
                                 size_t n, double limit, double *fraction) {
    const abut_np_ray ray = way_of_center(cast);
    for (size_t k = 0; k < n; k++) {
        const abut_collider *body = &collider[index[k]];
        const abut_np_ray_growth growth = {cast->start.radius,
                                           ABUT_NP_CAST_ROUND_SLACK * abut_np_size_of(&cast->start, body)};
        fraction[k] = abut_np_cast_hull(&ray, &growth, body, limit);
    }
}

/* The way of a body as the moving shape sees it. */
static abut_np_ray way_of_body(const abut_np_cast *cast, const abut_collider *body) {
    const abut_vec3 c = body->center;
    const double *v = cast->translation;
    return (abut_np_ray){{c.x, c.y, c.z}, {-v[0], -v[1], -v[2]}};
}

void abut_np_cast_box_at_points(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index,
                                size_t n, double limit, double *fraction) {
    static const uint32_t first = 0;
    const abut_np_ray_kernels *kernels = abut_np_ray_kernels_for(1);
    (void)limit;
    for (size_t k = 0; k < n; k++) {
        const abut_collider *body = &collider[index[k]];
        const abut_np_ray ray = way_of_body(cast, body);
        const abut_np_ray_growth growth = {body->radius, ABUT_NP_CAST_ROUND_SLACK};
        kernels->rounds(&ray, &growth, &cast->start, &first, 1, &fraction[k]);
    }
}

void abut_np_cast_hull_at_points(const abut_np_cast *cast, const abut_collider *collider, const uint32_t *index,
                                 size_t n, double limit, double *fraction) {
    for (size_t k = 0; k < n; k++) {
        const abut_collider *body = &collider[index[k]];
        const abut_np_ray ray = way_of_body(cast, body);
        const abut_np_ray_growth growth = {body->radius,
                                           ABUT_NP_CAST_ROUND_SLACK * abut_np_size_of(&cast->start, body)};
        fraction[k] = abut_np_cast_hull(&ray, &growth, &cast->start, limit);
    }
}
