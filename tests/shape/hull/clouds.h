/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random point clouds of many kinds, most of them difficult. */
#ifndef ABUT_TESTS_HULL_CLOUDS_H
#define ABUT_TESTS_HULL_CLOUDS_H

#include "support/rng.h"

enum { CLOUD_FAMILIES = 14, CLOUD_MAX = 400 };

/* Cloud `index` of a seed; its family is index % CLOUD_FAMILIES. Returns the number of points, at most CLOUD_MAX. The
 * cloud may turn out to be flat. */
uint32_t cloud_make(uint64_t seed, uint64_t index, abut_vec3 *points);

const char *cloud_family(uint64_t index);

/* p + R(q) v in double, rounded. */
abut_vec3 cloud_place(abut_vec3 p, abut_quat q, abut_vec3 v);

#endif
