/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "bench.h"
#include "inputs.h"
#include "scene_rng.h"
#include <math.h>
#include <stdlib.h>

const char *const hull_input_names[HULL_INPUT_COUNT] = {"mixed", "separated", "overlapping", "near"};

void random_on_sphere(uint64_t *rng, abut_vec3 *points, size_t n) {
    const abut_vec3 low = {-1.0f, -1.0f, -1.0f}, high = {1.0f, 1.0f, 1.0f};
    for (size_t i = 0; i < n;) {
        abut_vec3 v = scene_rng_vec3(rng, low, high);
        float square = v.x * v.x + v.y * v.y + v.z * v.z;
        if (square <= 1.0f && square >= 0.01f) {
            float scale = 1.0f / sqrtf(square);
            points[i++] = (abut_vec3){v.x * scale, v.y * scale, v.z * scale};
        }
    }
}

static void shift(abut_vec3 *points, size_t n, abut_vec3 by) {
    for (size_t i = 0; i < n; ++i) {
        points[i] = (abut_vec3){points[i].x - by.x, points[i].y - by.y, points[i].z - by.z};
    }
}

/* All points on an ellipsoid are vertices of their hull, except where points are so close that rounding matters. The
 * centroid becomes the origin, as for a rigid body; some peers need the origin inside. */
static abut_hull *random_hull(uint64_t *rng, abut_vec3 *points, size_t n) {
    abut_hull *hull;
    for (;;) {
        abut_vec3 low = {0.25f, 0.25f, 0.25f}, high = {0.75f, 0.75f, 0.75f};
        abut_vec3 half = scene_rng_vec3(rng, low, high);
        random_on_sphere(rng, points, n);
        for (size_t i = 0; i < n; ++i) {
            points[i] = (abut_vec3){points[i].x * half.x, points[i].y * half.y, points[i].z * half.z};
        }
        bench_check(abut_hull_create(points, n, NULL, &hull), "abut_hull_create");
        shift(points, n, abut_hull_centroid(hull));
        abut_hull_destroy(&hull);
        bench_check(abut_hull_create(points, n, NULL, &hull), "abut_hull_create");
        if (abut_hull_vertex_count(hull) == n) {
            return hull;
        }
        abut_hull_destroy(&hull);
    }
}

hull_set hull_set_create(uint64_t *rng, size_t count, size_t vertices) {
    hull_set set = {.count = count, .vertices = vertices};
    set.points = bench_alloc(count * vertices, sizeof *set.points);
    set.shapes = bench_alloc(count, sizeof *set.shapes);
    for (size_t i = 0; i < count; ++i) {
        set.shapes[i] = random_hull(rng, set.points + i * vertices, vertices);
    }
    return set;
}

void hull_set_destroy(hull_set *set) {
    for (size_t i = 0; i < set->count; ++i) {
        abut_hull_destroy(&set->shapes[i]);
    }
    free(set->points);
    free(set->shapes);
    *set = (hull_set){0};
}

/* --- pairs --- */

static bool overlap(const pair_set *set, size_t a) {
    const abut_hull *hull_a = set->hulls->shapes[set->shapes[a]], *hull_b = set->hulls->shapes[set->shapes[a + 1]];
    return abut_hull_overlap(hull_a, &set->poses[a], hull_b, &set->poses[a + 1]);
}

static abut_vec3 along(abut_vec3 direction, float distance) {
    return (abut_vec3){distance * direction.x, distance * direction.y, distance * direction.z};
}

/* The distance of b from a at which they just touch, to about a millionth. */
static float touching_distance(const pair_set *set, size_t a, abut_vec3 direction) {
    float near = 0.0f, far = 2.0f;
    for (int i = 0; i < 22; ++i) {
        float middle = 0.5f * (near + far);
        set->poses[a + 1].position = along(direction, middle);
        *(overlap(set, a) ? &near : &far) = middle;
    }
    return near;
}

/* Places b at this distance from a in a random direction, both with random rotations; 0: within a thousandth of
 * touching. */
static void place(const pair_set *set, size_t a, uint64_t *rng, float distance) {
    abut_vec3 direction;
    set->poses[a].rotation = scene_rng_rotation(rng);
    set->poses[a + 1].rotation = scene_rng_rotation(rng);
    random_on_sphere(rng, &direction, 1);
    if (distance == 0.0f) {
        distance = touching_distance(set, a, direction) * scene_rng_range(rng, 0.999f, 1.001f);
    }
    set->poses[a + 1].position = along(direction, distance);
}

static void place_pair(const pair_set *set, size_t a, uint64_t *rng, hull_input input) {
    if (input == HULLS_NEAR) {
        place(set, a, rng, 0.0f);
        return;
    }
    bool wanted = input == HULLS_OVERLAPPING || (input == HULLS_MIXED && scene_rng_below(rng, 2) == 0);
    do {
        place(set, a, rng, scene_rng_range(rng, 0.25f, 1.75f));
    } while (overlap(set, a) != wanted);
}

pair_set pair_set_of_hulls(uint64_t seed, size_t pairs, const hull_set *hulls, hull_input input) {
    pair_set set = {.body_count = 2 * pairs, .pair_count = pairs, .hulls = hulls};
    set.poses = bench_alloc(set.body_count, sizeof *set.poses);
    set.pairs = bench_alloc(pairs, sizeof *set.pairs);
    set.shapes = bench_alloc(set.body_count, sizeof *set.shapes);
    uint64_t rng = seed;
    for (size_t i = 0; i < pairs; ++i) {
        set.pairs[i] = (body_pair){(uint32_t)(2 * i), (uint32_t)(2 * i + 1)};
        set.shapes[2 * i] = scene_rng_below(&rng, (uint32_t)hulls->count);
        set.shapes[2 * i + 1] = scene_rng_below(&rng, (uint32_t)hulls->count);
        place_pair(&set, 2 * i, &rng, input);
    }
    return set;
}
