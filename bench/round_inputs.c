/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "bench.h"
#include "inputs.h"
#include "scene_rng.h"
#include <math.h>

static void shape_of_kind(pair_set *set, size_t body, uint64_t *rng, round_kind kind) {
    abut_vec3 half = scene_rng_vec3(rng, (abut_vec3){0.25f, 0.25f, 0.25f}, (abut_vec3){0.75f, 0.75f, 0.75f});
    if (kind == ROUND_BOX) {
        set->halves[body] = half;
    } else if (kind == ROUND_SPHERE) {
        set->radii[body] = half.x;
    } else {
        set->halves[body].z = half.z;
        set->radii[body] = 0.5f * half.x;
    }
}

static bool bounds_touch(const abut_aabb *a, const abut_aabb *b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

/* Until the bounds touch, and the shapes if that is wanted. */
static void place(pair_set *set, size_t a, uint64_t *rng, bool wanted) {
    const abut_vec3 low = {-2.5f, -2.5f, -2.5f}, high = {2.5f, 2.5f, 2.5f};
    abut_shape shape_a = pair_set_shape(set, (uint32_t)a), shape_b = pair_set_shape(set, (uint32_t)a + 1);
    abut_pose *pose_a = &set->poses[a], *pose_b = &set->poses[a + 1];
    abut_aabb bounds_a, bounds_b;
    do {
        pose_a->rotation = scene_rng_rotation(rng);
        pose_b->rotation = scene_rng_rotation(rng);
        pose_b->position = scene_rng_vec3(rng, low, high);
        bounds_a = abut_shape_bounds(&shape_a, pose_a);
        bounds_b = abut_shape_bounds(&shape_b, pose_b);
    } while (!bounds_touch(&bounds_a, &bounds_b) || abut_shape_overlap(&shape_a, pose_a, &shape_b, pose_b) != wanted);
}

pair_set pair_set_of_round(uint64_t seed, size_t pairs, round_kind a, round_kind b) {
    pair_set set = pair_set_create(pairs);
    uint64_t rng = seed;
    set.halves = bench_alloc(set.body_count, sizeof *set.halves);
    set.radii = bench_alloc(set.body_count, sizeof *set.radii);
    for (size_t i = 0; i < set.body_count; i += 2) {
        shape_of_kind(&set, i, &rng, a);
        shape_of_kind(&set, i + 1, &rng, b);
        place(&set, i, &rng, scene_rng_below(&rng, 2) == 0);
    }
    return set;
}

void pair_set_part(pair_set *set, uint64_t seed) {
    uint64_t rng = seed;
    for (size_t i = 0; i < set->pair_count; ++i) {
        abut_vec3 *p = &set->poses[set->pairs[i].b].position;
        float length = sqrtf(p->x * p->x + p->y * p->y + p->z * p->z);
        float scale = 1.0f + scene_rng_range(&rng, 0.1f, 3.0f) / length;
        *p = (abut_vec3){scale * p->x, scale * p->y, scale * p->z};
    }
}

abut_shape pair_set_shape(const pair_set *set, uint32_t body) {
    if (set->hulls != NULL) {
        return abut_convex(set->hulls->shapes[set->shapes[body]], 0.0f);
    }
    return (abut_shape){.half = set->halves[body], .radius = set->radii != NULL ? set->radii[body] : 0.0f};
}
