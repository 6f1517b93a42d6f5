/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Point clouds of many kinds that are the same on every machine: made with + - * / and sqrt, one number after the
 * other. For answers that are pinned. */
#ifndef ABUT_TESTS_HULL_FAMILIES_H
#define ABUT_TESTS_HULL_FAMILIES_H

#include "support/rng.h"

enum { FAMILIES = 16, FAMILY_FLAT = 14, FAMILY_POINTS = 80 };

/* Cloud `index`; its family is index % FAMILIES. FAMILY_FLAT and those after it are flat, on a line, one point, or at
 * the limit of coordinates and beyond. Returns the number of points, at least 4. */
uint32_t family_cloud(uint64_t index, abut_vec3 *points);

#endif
