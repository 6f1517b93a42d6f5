/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/cloud.h"
#include "shape/hull/orient.h"

static bool precedes(abut_vec3 a, abut_vec3 b) {
    if (a.x != b.x) {
        return a.x < b.x;
    }
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

static bool equals(abut_vec3 a, abut_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Merges from[0 .. middle) and from[middle .. end), each sorted, into `to`. */
static void merge(const abut_vec3 *from, size_t middle, size_t end, abut_vec3 *to) {
    size_t i = 0, j = middle;
    for (size_t k = 0; k < end; k++) {
        bool left = i < middle && (j == end || !precedes(from[j], from[i]));
        to[k] = left ? from[i++] : from[j++];
    }
}

/* Bottom-up merge sort; returns the array that holds the result. */
static abut_vec3 *sort(abut_vec3 *points, abut_vec3 *spare, size_t n) {
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t start = 0; start < n; start += 2 * width) {
            size_t end = n - start < 2 * width ? n - start : 2 * width;
            merge(points + start, end < width ? end : width, end, spare + start);
        }
        abut_vec3 *swap = points;
        points = spare;
        spare = swap;
    }
    return points;
}

enum { FEW = 64, TOGETHER = 8 };

/* Sorts up to FEW points of which no two have the same x: each goes where as many are before it as have a lesser x. No
 * branch depends on the order of the points, which a merge sort has to guess. False if some x are equal; `to` is then
 * scratch. */
static bool sort_few(const abut_vec3 *points, abut_vec3 *to, size_t n) {
    float x[FEW];
    size_t all = 0, padded = (n + TOGETHER - 1) / TOGETHER * TOGETHER;
    for (size_t i = 0; i < padded; i++) {
        x[i] = i < n ? points[i].x : INFINITY;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t place = 0;
        for (size_t j = 0; j < padded; j++) {
            place += x[j] < x[i];
        }
        to[place] = points[i];
        all += place;
    }
    return all == n * (n - 1) / 2; /* every pair was counted once */
}

/* ABUT_OK when all coordinates are finite and in range. */
static abut_result check(const abut_vec3 *points, size_t n) {
    bool within = true;
    for (size_t i = 0; i < n; i++) {
        if (!abut_vec3_finite(points[i])) {
            return ABUT_ERROR_ARGUMENT;
        }
        within = within && fabsf(points[i].x) <= ABUT_MAX_COORDINATE && fabsf(points[i].y) <= ABUT_MAX_COORDINATE &&
                 fabsf(points[i].z) <= ABUT_MAX_COORDINATE;
    }
    return within ? ABUT_OK : ABUT_ERROR_LIMIT;
}

abut_result abut_cloud_make(abut_cloud *cloud, const abut_vec3 *points, size_t n, const abut_allocator *allocator) {
    *cloud = (abut_cloud){0};
    if (!points || n == 0) {
        return ABUT_ERROR_ARGUMENT;
    }
    abut_result result = check(points, n);
    if (result != ABUT_OK) {
        return result;
    }
    if (n > UINT32_MAX / 16 || n > SIZE_MAX / (2 * sizeof *points)) {
        return ABUT_ERROR_MEMORY;
    }
    cloud->bytes = 2 * n * sizeof *points;
    cloud->memory = abut_memory_alloc(allocator, cloud->bytes);
    if (!cloud->memory) {
        return ABUT_ERROR_MEMORY;
    }
    abut_vec3 *copy = cloud->memory;
    for (size_t i = 0; i < n; i++) {
        copy[i] = (abut_vec3){points[i].x + 0.0f, points[i].y + 0.0f, points[i].z + 0.0f};
    }
    if (n <= FEW && sort_few(copy, copy + n, n)) {
        cloud->point = copy + n;
        cloud->count = (uint32_t)n;
        return ABUT_OK;
    }
    cloud->point = sort(copy, copy + n, n);
    cloud->count = 1;
    for (size_t i = 1; i < n; i++) {
        if (!equals(cloud->point[i], cloud->point[cloud->count - 1])) {
            cloud->point[cloud->count++] = cloud->point[i];
        }
    }
    return ABUT_OK;
}

uint32_t abut_cloud_third(const abut_cloud *cloud) {
    const abut_vec3 *point = cloud->point, a = point[0], b = point[cloud->count - 1];
    abut_d3 origin = abut_d3_from(a), u = abut_d3_sub(abut_d3_from(b), origin);
    uint32_t best = 0;
    double farthest = -1;
    for (uint32_t i = 0; i < cloud->count; i++) {
        abut_d3 v = abut_d3_sub(abut_d3_from(point[i]), origin);
        abut_d3 n = abut_d3_cross(u, v);
        double distance = abut_d3_dot(n, n);
        if (distance > farthest) {
            farthest = distance;
            best = i;
        }
    }
    /* The point that is farthest up to rounding may lie on the line; then any point off the line will do. */
    for (uint32_t i = 0; i < cloud->count; i++) {
        if (!abut_orient_collinear(a, b, point[best])) {
            return best;
        }
        best = i;
    }
    return cloud->count; /* the last one, which ends the line, was not tried */
}

void abut_cloud_release(abut_cloud *cloud, const abut_allocator *allocator) {
    abut_memory_release(allocator, cloud->memory, cloud->bytes);
    *cloud = (abut_cloud){0};
}
