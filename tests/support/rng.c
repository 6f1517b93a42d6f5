/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/rng.h"
#include <math.h>

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

rng rng_make(uint64_t seed, uint64_t stream) {
    return (rng){mix(seed + UINT64_C(0x9e3779b97f4a7c15)) ^ mix(~stream * UINT64_C(0xd1342543de82ef95))};
}

uint64_t rng_u64(rng *r) {
    r->state += UINT64_C(0x9e3779b97f4a7c15);
    return mix(r->state);
}

uint32_t rng_below(rng *r, uint32_t n) {
    return (uint32_t)(((rng_u64(r) >> 32) * n) >> 32);
}

double rng_unit(rng *r) {
    return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

bool rng_chance(rng *r, double probability) {
    return rng_unit(r) < probability;
}

double rng_range(rng *r, double low, double high) {
    return low + (high - low) * rng_unit(r);
}

double rng_log_range(rng *r, double low, double high) {
    return low * exp(log(high / low) * rng_unit(r));
}

float rng_sign(rng *r) {
    return rng_u64(r) >> 63 ? 1.0f : -1.0f;
}

abut_vec3 rng_vec3(rng *r, double low, double high) {
    double x = rng_range(r, low, high), y = rng_range(r, low, high), z = rng_range(r, low, high);
    return (abut_vec3){(float)x, (float)y, (float)z};
}

/* Points of the cube that lie in the unit ball, projected onto its surface. */
static double ball(rng *r, double *x, int n) {
    for (;;) {
        double square = 0;
        for (int i = 0; i < n; i++) {
            x[i] = rng_range(r, -1, 1);
            square += x[i] * x[i];
        }
        if (square <= 1 && square > 1e-4) {
            return 1 / sqrt(square);
        }
    }
}

abut_vec3 rng_direction(rng *r) {
    double x[3], scale = ball(r, x, 3);
    return (abut_vec3){(float)(x[0] * scale), (float)(x[1] * scale), (float)(x[2] * scale)};
}

abut_quat rng_rotation(rng *r) {
    double x[4], scale = ball(r, x, 4);
    return (abut_quat){(float)(x[0] * scale), (float)(x[1] * scale), (float)(x[2] * scale), (float)(x[3] * scale)};
}
