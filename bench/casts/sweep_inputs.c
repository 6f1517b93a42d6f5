/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "sweep_inputs.h"
#include "bench.h"
#include "scene_rng.h"
#include <math.h>
#include <stdlib.h>

enum { samples = 64 };
static const float near = 0.5f;

static abut_quat unit(abut_quat q) {
    float scale = 1.0f / sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (abut_quat){scale * q.x, scale * q.y, scale * q.z, scale * q.w};
}

static abut_vec3 any(uint64_t *rng, float most) {
    return scene_rng_vec3(rng, (abut_vec3){-most, -most, -most}, (abut_vec3){most, most, most});
}

static abut_quat turned(abut_quat q, uint64_t *rng) {
    abut_vec3 by = any(rng, 0.3f);
    return unit((abut_quat){q.x + by.x, q.y + by.y, q.z + by.z, q.w});
}

static abut_shape any_shape(uint64_t *rng, const hull_set *hulls) {
    if (hulls != NULL) {
        return abut_convex(hulls->shapes[scene_rng_below(rng, (uint32_t)hulls->count)], 0.0f);
    }
    abut_vec3 half = scene_rng_vec3(rng, (abut_vec3){0.25f, 0.25f, 0.25f}, (abut_vec3){0.75f, 0.75f, 0.75f});
    return abut_box(half.x, half.y, half.z);
}

static void make_pair(uint64_t *rng, const hull_set *hulls, sweep_body *a, sweep_body *b) {
    abut_vec3 away;
    random_on_sphere(rng, &away, 1);
    float from = scene_rng_range(rng, 2.0f, 3.5f), to = scene_rng_range(rng, -3.0f, 0.0f);
    abut_vec3 aside_a = any(rng, 0.5f), aside_b = any(rng, 1.5f);
    *a = (sweep_body){.shape = any_shape(rng, hulls), .from.rotation = unit(scene_rng_rotation(rng))};
    *b = (sweep_body){.shape = any_shape(rng, hulls), .from.rotation = unit(scene_rng_rotation(rng))};
    a->to = (abut_pose){aside_a, turned(a->from.rotation, rng)};
    b->from.position = (abut_vec3){from * away.x, from * away.y, from * away.z};
    b->to = (abut_pose){{to * away.x + aside_b.x, to * away.y + aside_b.y, to * away.z + aside_b.z},
                        turned(b->from.rotation, rng)};
}

/* The least distance that is seen on the way; negative if they touch at the start. */
static float least_distance(const sweep_body *a, const sweep_body *b) {
    float least = INFINITY;
    for (int i = 0; i <= samples; ++i) {
        float t = (float)i / (float)samples;
        abut_pose at_a = abut_pose_between(&a->from, &a->to, t), at_b = abut_pose_between(&b->from, &b->to, t);
        float distance = abut_shape_distance(&a->shape, &at_a, &b->shape, &at_b, NULL, NULL);
        if (i == 0 && distance == 0.0f) {
            return -1.0f;
        }
        least = distance < least ? distance : least;
    }
    return least;
}

sweep_set sweep_set_create(uint64_t seed, size_t pairs, const hull_set *hulls, bool meet) {
    uint64_t rng = seed;
    sweep_body *a = bench_alloc(pairs, sizeof *a), *b = bench_alloc(pairs, sizeof *b);
    for (size_t i = 0; i < pairs;) {
        make_pair(&rng, hulls, &a[i], &b[i]);
        float least = least_distance(&a[i], &b[i]);
        /* Not so near that they might touch between two samples. */
        i += meet ? least == 0.0f : least > 0.2f * near && least < near;
    }
    return (sweep_set){pairs, a, b};
}

void sweep_set_destroy(sweep_set *set) {
    free((void *)set->a);
    free((void *)set->b);
    *set = (sweep_set){0};
}
