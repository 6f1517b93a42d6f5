/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "inputs.h"
#include "bench.h"
#include "scene_rng.h"
#include <math.h>
#include <stdlib.h>

/* --- pairs of boxes --- */

static abut_obb random_box(uint64_t *rng) {
    const abut_vec3 low = {0.25f, 0.25f, 0.25f}, high = {0.75f, 0.75f, 0.75f};
    return (abut_obb){.rotation = scene_rng_rotation(rng), .half = scene_rng_vec3(rng, low, high)};
}

/* The vector part of a quaternion, used as a direction: of any length, rarely short. */
static abut_vec3 along(abut_quat direction, float distance) {
    return (abut_vec3){distance * direction.x, distance * direction.y, distance * direction.z};
}

void make_random(uint64_t *rng, abut_obb *a, abut_obb *b) {
    *a = random_box(rng);
    *b = random_box(rng);
    abut_quat direction = scene_rng_rotation(rng);
    b->center = along(direction, scene_rng_range(rng, 0.5f, 3.0f));
}

void make_separated(uint64_t *rng, abut_obb *a, abut_obb *b) {
    do {
        make_random(rng, a, b);
    } while (abut_obb_overlap(a, b));
}

void make_overlapping(uint64_t *rng, abut_obb *a, abut_obb *b) {
    do {
        make_random(rng, a, b);
    } while (!abut_obb_overlap(a, b));
}

void make_mixed(uint64_t *rng, abut_obb *a, abut_obb *b) {
    (scene_rng_below(rng, 2) == 0 ? make_separated : make_overlapping)(rng, a, b);
}

/* Moves b along a line to the last float at which it still touches; returns that distance. */
static float part(abut_obb *a, abut_obb *b, abut_quat direction) {
    float near = 0.0f, far = 64.0f;
    for (;;) {
        float middle = 0.5f * (near + far);
        if (middle <= near || middle >= far) {
            break;
        }
        b->center = along(direction, middle);
        *(abut_obb_overlap(a, b) ? &near : &far) = middle;
    }
    b->center = along(direction, near);
    return near;
}

void make_touching(uint64_t *rng, abut_obb *a, abut_obb *b) {
    *a = random_box(rng);
    *b = random_box(rng);
    part(a, b, scene_rng_rotation(rng));
}

void make_near(uint64_t *rng, abut_obb *a, abut_obb *b) {
    *a = random_box(rng);
    *b = random_box(rng);
    abut_quat direction = scene_rng_rotation(rng);
    float distance = part(a, b, direction);
    b->center = along(direction, distance * scene_rng_range(rng, 0.999f, 1.001f));
}

void make_aligned(uint64_t *rng, abut_obb *a, abut_obb *b) {
    *a = *b = (abut_obb){.half = {0.5f, 0.5f, 0.5f}};
    b->center.x = 1.0f;
    b->center.y = (float)scene_rng_below(rng, 3) - 1.0f;
    b->center.z = (float)scene_rng_below(rng, 3) - 1.0f;
}

pair_set pair_set_create(size_t pairs) {
    pair_set set = {.body_count = 2 * pairs, .pair_count = pairs};
    set.poses = bench_alloc(set.body_count, sizeof *set.poses);
    set.pairs = bench_alloc(pairs, sizeof *set.pairs);
    for (size_t i = 0; i < pairs; ++i) {
        set.pairs[i] = (body_pair){(uint32_t)(2 * i), (uint32_t)(2 * i + 1)};
    }
    return set;
}

pair_set pair_set_of_boxes(uint64_t seed, size_t pairs, box_maker make) {
    pair_set set = pair_set_create(pairs);
    set.halves = bench_alloc(set.body_count, sizeof *set.halves);
    uint64_t rng = seed;
    for (size_t i = 0; i < set.body_count; i += 2) {
        abut_obb box[2];
        make(&rng, &box[0], &box[1]);
        for (size_t k = 0; k < 2; ++k) {
            set.poses[i + k] = (abut_pose){box[k].center, box[k].rotation};
            set.halves[i + k] = box[k].half;
        }
    }
    return set;
}

abut_obb pair_set_box(const pair_set *set, uint32_t body) {
    return (abut_obb){set->poses[body].position, set->poses[body].rotation, set->halves[body]};
}

void pair_set_destroy(pair_set *set) {
    free(set->poses);
    free(set->halves);
    free(set->radii);
    free(set->shapes);
    free(set->pairs);
    *set = (pair_set){0};
}
