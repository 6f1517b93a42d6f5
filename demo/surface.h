/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* An independent judge of convex hulls: the surface of a small point set by the simplest method, with exact signs. It
 * shares no code with the library. */
#ifndef ABUT_DEMO_SURFACE_H
#define ABUT_DEMO_SURFACE_H

#include <abut/types.h>

typedef struct surface_triangle {
    uint16_t v[3]; /* counter-clockwise seen from outside */
} surface_triangle;

typedef struct surface_edge {
    uint16_t v[2]; /* v[0] < v[1]; only where the surface bends: edges inside flat polygons are omitted */
} surface_edge;

typedef struct surface {
    const abut_vec3 *points;
    size_t point_count, triangle_count, edge_count;
    surface_triangle *triangles;
    surface_edge *edges;
} surface;

/* The convex hull of at most 4096 points, which must outlive it. Returns NULL, or the error: too many, flat, no memory.
 */
const char *surface_make(surface *s, const abut_vec3 *points, size_t n);
void surface_destroy(surface *s);

/* Returns NULL if the surface is closed, none of the `n` points lies before any triangle, and each of its own points is
 * a true corner; otherwise the fault. */
const char *surface_check(const surface *s, const abut_vec3 *points, size_t n);

double surface_volume(const surface *s);

#endif
