/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The first stage of a hull. In: points as the caller gave them. Out: the distinct points, sorted, all of them finite
 * and within ABUT_MAX_COORDINATE. */
#ifndef ABUT_SHAPE_HULL_CLOUD_H
#define ABUT_SHAPE_HULL_CLOUD_H

#include "base/memory.h"

typedef struct abut_cloud {
    abut_vec3 *point; /* ascending by x, y, z; no two equal, no -0 */
    uint32_t count;
    void *memory;
    size_t bytes;
} abut_cloud;

/* ABUT_ERROR_ARGUMENT for no points, NaN or infinity; ABUT_ERROR_LIMIT for a coordinate beyond ABUT_MAX_COORDINATE;
 * ABUT_ERROR_MEMORY. On an error *cloud is empty. O(n log n). */
abut_result abut_cloud_make(abut_cloud *cloud, const abut_vec3 *points, size_t n, const abut_allocator *allocator);

/* The point farthest from the line through the first and the last one, but for rounding: never one that lies on the
 * line. `count` when all points lie on it, exactly. */
uint32_t abut_cloud_third(const abut_cloud *cloud);

void abut_cloud_release(abut_cloud *cloud, const abut_allocator *allocator);

#endif
