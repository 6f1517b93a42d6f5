/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random numbers with the same bits everywhere: splitmix64, of Steele, Lea and Flood, "Fast splittable pseudorandom
 * number generators" (OOPSLA 2014). The state is one number; any value is a good seed. */
#ifndef ABUT_SCENES_SCENE_RNG_H
#define ABUT_SCENES_SCENE_RNG_H

#include <abut/types.h>

uint64_t scene_rng_u64(uint64_t *state);
uint32_t scene_rng_below(uint64_t *state, uint32_t n); /* 0 .. n - 1; n > 0 */
float scene_rng_unit(uint64_t *state);                 /* [0, 1), a multiple of 2^-24 */
float scene_rng_range(uint64_t *state, float low, float high);
float scene_rng_bell(uint64_t *state); /* mean 0, deviation 1, within -6..6: nearly gaussian */
abut_vec3 scene_rng_vec3(uint64_t *state, abut_vec3 low, abut_vec3 high);
abut_quat scene_rng_rotation(uint64_t *state); /* uniform */

#endif
