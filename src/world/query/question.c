/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include <abut/query.h>
#include <abut/world.h>

abut_result abut_world_cast_rays(const abut_world *world, const abut_ray *rays, size_t n, const abut_query *query,
                                 abut_hit *hits) {
    (void)world, (void)rays, (void)n, (void)query, (void)hits;
    return ABUT_ERROR_ARGUMENT;
}

abut_result abut_world_test_rays(const abut_world *world, const abut_ray *rays, size_t n, const abut_query *query,
                                 uint8_t *blocked) {
    (void)world, (void)rays, (void)n, (void)query, (void)blocked;
    return ABUT_ERROR_ARGUMENT;
}

size_t abut_world_ray_hits(const abut_world *world, const abut_ray *ray, const abut_query *query, abut_hit *out,
                           size_t capacity) {
    (void)world, (void)ray, (void)query, (void)out, (void)capacity;
    return 0;
}

size_t abut_world_nearest(const abut_world *world, const abut_shape *shape, const abut_pose *pose, float max_distance,
                          const abut_query *query, abut_near *out, size_t k) {
    (void)world, (void)shape, (void)pose, (void)max_distance, (void)query, (void)out, (void)k;
    return 0;
}

abut_result abut_world_nearest_many(const abut_world *world, const abut_vec3 *points, size_t n, float max_distance,
                                    const abut_query *query, abut_near *out, size_t k, uint32_t *counts) {
    (void)world, (void)points, (void)n, (void)max_distance, (void)query, (void)out, (void)k, (void)counts;
    return ABUT_ERROR_ARGUMENT;
}

abut_result abut_world_refresh(abut_world *world) {
    (void)world;
    return ABUT_ERROR_ARGUMENT;
}
