/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "scene_rng.h"
#include <math.h>

uint64_t scene_rng_u64(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

uint32_t scene_rng_below(uint64_t *state, uint32_t n) {
    return (uint32_t)((scene_rng_u64(state) >> 32) * n >> 32);
}

float scene_rng_unit(uint64_t *state) {
    return (float)(scene_rng_u64(state) >> 40) * 0x1p-24f;
}

float scene_rng_range(uint64_t *state, float low, float high) {
    return low + (high - low) * scene_rng_unit(state);
}

/* The sum of twelve uniform numbers has variance 1. */
float scene_rng_bell(uint64_t *state) {
    float sum = -6.0f;
    for (int i = 0; i < 12; ++i) {
        sum += scene_rng_unit(state);
    }
    return sum;
}

abut_vec3 scene_rng_vec3(uint64_t *state, abut_vec3 low, abut_vec3 high) {
    abut_vec3 v;
    v.x = scene_rng_range(state, low.x, high.x);
    v.y = scene_rng_range(state, low.y, high.y);
    v.z = scene_rng_range(state, low.z, high.z);
    return v;
}

/* A uniform point of the four-dimensional ball, projected onto its surface; points near the centre are rejected so that
 * the division is safe. */
abut_quat scene_rng_rotation(uint64_t *state) {
    for (;;) {
        abut_quat q;
        q.x = scene_rng_range(state, -1.0f, 1.0f);
        q.y = scene_rng_range(state, -1.0f, 1.0f);
        q.z = scene_rng_range(state, -1.0f, 1.0f);
        q.w = scene_rng_range(state, -1.0f, 1.0f);
        float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
        if (square <= 1.0f && square >= 0.01f) {
            float scale = 1.0f / sqrtf(square);
            return (abut_quat){q.x * scale, q.y * scale, q.z * scale, q.w * scale};
        }
    }
}
