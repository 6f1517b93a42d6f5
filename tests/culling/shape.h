/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Properties of every frustum, whatever it was made from. */
#ifndef ABUT_TESTS_CULLING_SHAPE_H
#define ABUT_TESTS_CULLING_SHAPE_H

#include "support/rng.h"
#include <abut/frustum.h>

/* All bytes zero. */
bool shape_is_empty(const abut_frustum *frustum);

/* n . x + d; x is relative to the origin. */
double shape_height(const double plane[4], const double x[3]);

/* b + t r of a run, and |b|_1 + t. */
double shape_point(const double run[7], double t, double x[3]);

/* Unit vectors, no run behind a plane, an edge in two planes at least, extent and spread as promised. Asserts it. */
void shape_check(const abut_frustum *frustum, rng *r);

/* Every facet of the runs' convex hull is one of the planes; so the hull is all that the planes leave. Asserts it. For
 * frusta whose corners differ by more than 1e-6 of its size. Nothing where there is no arithmetic of 113
 * bits. */
void shape_check_hull(const abut_frustum *frustum);

/* Asserts that both have the same planes, runs and edges, as sets; counted from the same origin, to within `error` of
 * the size. */
void shape_check_same(const abut_frustum *a, const abut_frustum *b, double error);

#endif
