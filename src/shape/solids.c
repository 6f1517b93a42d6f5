/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Hulls of solids that people ask for by name. */
#include "base/bits.h"
#include "base/memory.h"
#include "base/workers/fpmode.h"
#include "shape/angle.h"
#include <abut/hull.h>

static bool is_extent(float value) {
    return value >= 0 && abut_bits_finite(value);
}

/* The corners of a regular polygon across y. */
static void write_ring(abut_vec3 *points, uint32_t sides, float radius, float y) {
    for (uint32_t k = 0; k < sides; k++) {
        const abut_angle angle = abut_angle_of_part(k, sides);
        points[k] = (abut_vec3){(float)(radius * angle.cosine), y, (float)(radius * angle.sine)};
    }
}

/* A ring at the bottom, and at the top as many of its points as `top` says, drawn in to a radius. */
static abut_result make_round(float half_length, float radius, uint32_t sides, uint32_t top, float top_radius,
                              const abut_hull_def *def, abut_hull **hull) {
    static const abut_hull_def none = {0};
    abut_allocator allocator;
    if (!hull) {
        return ABUT_ERROR_ARGUMENT;
    }
    *hull = NULL;
    if (!is_extent(half_length) || !is_extent(radius) || sides < 3 || (uint64_t)sides + top > ABUT_HULL_MAX_VERTICES ||
        !abut_memory_init(&allocator, def ? &def->allocator : &none.allocator)) {
        return ABUT_ERROR_ARGUMENT;
    }
    const size_t count = (size_t)sides + top, bytes = count * sizeof(abut_vec3);
    abut_vec3 *points = abut_memory_alloc(&allocator, bytes);
    if (!points) {
        return ABUT_ERROR_MEMORY;
    }
    write_ring(points, sides, radius, -half_length);
    write_ring(points + sides, top, top_radius, half_length);
    abut_result result = abut_hull_create(points, count, def, hull);
    abut_memory_release(&allocator, points, bytes);
    return result;
}

static abut_result create_round(float half_length, float radius, uint32_t sides, uint32_t top, float top_radius,
                                const abut_hull_def *def, abut_hull **hull) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = make_round(half_length, radius, sides, top, top_radius, def, hull);
    abut_fpmode_leave(mode);
    return result;
}

abut_result abut_hull_create_cylinder(float half_length, float radius, uint32_t sides, const abut_hull_def *def,
                                      abut_hull **hull) {
    return create_round(half_length, radius, sides, sides, radius, def, hull);
}

abut_result abut_hull_create_cone(float half_length, float radius, uint32_t sides, const abut_hull_def *def,
                                  abut_hull **hull) {
    return create_round(half_length, radius, sides, 1, 0, def, hull);
}

abut_result abut_hull_create_wedge(abut_vec3 half, const abut_hull_def *def, abut_hull **hull) {
    if (hull) {
        *hull = NULL;
    }
    if (!is_extent(half.x) || !is_extent(half.y) || !is_extent(half.z)) {
        return ABUT_ERROR_ARGUMENT;
    }
    const abut_vec3 points[6] = {{-half.x, -half.y, -half.z}, {-half.x, -half.y, half.z}, {half.x, -half.y, -half.z},
                                 {half.x, -half.y, half.z},   {half.x, half.y, -half.z},  {half.x, half.y, half.z}};
    return abut_hull_create(points, 6, def, hull);
}
