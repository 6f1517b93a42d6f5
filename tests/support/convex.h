/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Convex hulls from their definition, for oracles: a plane through three points is a facet when no point lies in front
 * of it; two facets that share two points meet in an edge. It shares no code with the library. */
#ifndef ABUT_TESTS_SUPPORT_CONVEX_H
#define ABUT_TESTS_SUPPORT_CONVEX_H

#include "support/quad.h"
#include <abut/types.h>

enum { CONVEX_POINTS = 64, CONVEX_FACETS = 2 * CONVEX_POINTS, CONVEX_EDGES = 3 * CONVEX_POINTS };

typedef struct convex {
    uint32_t count, facet_count, edge_count;
    abut_vec3 point[CONVEX_POINTS];
    uint64_t corners[CONVEX_FACETS]; /* bit i: the facet has point i */
    double normal[CONVEX_FACETS][3]; /* unit, outward */
    uint32_t from[CONVEX_EDGES];     /* a point on the edge */
    quad along[CONVEX_EDGES][3];
} convex;

/* Facets and edges of c->point[0 .. count - 1]. False when the points are flat. */
bool convex_build(convex *c);

/* The 8 corners of a box; extents may be 0. */
void convex_box(abut_vec3 half, convex *c);

#endif
