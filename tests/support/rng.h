/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random numbers for tests: splitmix64. The same seed and stream give the same numbers everywhere (those that need
 * libm: to within its rounding). */
#ifndef ABUT_TESTS_SUPPORT_RNG_H
#define ABUT_TESTS_SUPPORT_RNG_H

#include <abut/types.h>

typedef struct rng {
    uint64_t state;
} rng;

/* Streams of one seed are independent: give each random case its index as stream. */
rng rng_make(uint64_t seed, uint64_t stream);

uint64_t rng_u64(rng *r);
uint32_t rng_below(rng *r, uint32_t n); /* 0 .. n - 1; n > 0 */
bool rng_chance(rng *r, double probability);
double rng_unit(rng *r); /* [0, 1) */
double rng_range(rng *r, double low, double high);
double rng_log_range(rng *r, double low, double high); /* 0 < low <= high; the logarithm is uniform */
float rng_sign(rng *r);                                /* -1 or 1 */

abut_vec3 rng_vec3(rng *r, double low, double high); /* each coordinate in [low, high] */
abut_vec3 rng_direction(rng *r);                     /* unit to float rounding */
abut_quat rng_rotation(rng *r);                      /* uniform, unit to float rounding */

#endif
