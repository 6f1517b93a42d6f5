/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Point clouds: checked, sorted, without duplicates. */
#ifndef ABUT_SHAPE_HULL_CLOUD_H
#define ABUT_SHAPE_HULL_CLOUD_H

#include "base/memory.h"

typedef struct abut_cloud {
    abut_vec3 *point; /* ascending by x, y, z; no two alike, no -0 */
    uint32_t count;
    void *memory;
    size_t bytes;
} abut_cloud;

/* ABUT_ERROR_ARGUMENT for no points, NaN and infinity, ABUT_ERROR_LIMIT, ABUT_ERROR_MEMORY; *cloud is then empty. */
abut_result abut_cloud_make(abut_cloud *cloud, const abut_vec3 *points, size_t n, const abut_allocator *allocator);

/* The point farthest from the line through points a and b; `count` when all lie on it, exactly. */
uint32_t abut_cloud_third(const abut_cloud *cloud, uint32_t a, uint32_t b);

void abut_cloud_release(abut_cloud *cloud, const abut_allocator *allocator);

#endif
