/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Checks a hull for everything that the headers promise, with exact signs where they promise exactness. */
#ifndef ABUT_TESTS_HULL_CHECK_H
#define ABUT_TESTS_HULL_CHECK_H

#include "shape/hull/hull.h"

/* Prints what is wrong. `points` are what the hull was made from; with `reduced` its vertices need not be among them.
 */
bool check_hull(const abut_hull *hull, const abut_vec3 *points, size_t n, bool reduced);

/* Whether the exact box contains every point (113 bits; true without them). */
bool check_box_contains(const abut_obb *box, const abut_vec3 *points, size_t n);

/* How far in front of a facet the farthest point lies, exactly: 1, 0 or -1 (all points are behind all facets). */
bool check_contains(const abut_hull *hull, const abut_vec3 *points, size_t n);

#endif
