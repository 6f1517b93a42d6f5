/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The oracle of rays: when a segment meets a placed core grown by a ball, in arithmetic of 113 bits and straight from
 * the definition. The grown core is the union of slabs over its facets, cylinders around its edges and balls around its
 * vertices; a line shares one stretch with each, and the union of the stretches is what it shares with the whole. It
 * shares no code with the library.
 *
 * Facets, edges and vertices are those of the exact hull of the points, which is built here; coplanar triangles are not
 * merged, because an edge inside a facet adds nothing to the union. Doubles only pass over features that cannot matter.
 * Lengths below 1e-31 S count as 0. */
#ifndef ABUT_TESTS_SUPPORT_RAY_ORACLE_H
#define ABUT_TESTS_SUPPORT_RAY_ORACLE_H

#include "support/quad.h"
#include <abut/query.h>

enum { RAY_POINTS = 512 };

typedef struct ray_edge {
    uint32_t end[2];
    quad along[3], length; /* unit */
    double middle[3], reach;
} ray_edge;

typedef struct ray_facet {
    uint32_t corner[4], corners;
    quad normal[3];    /* unit, outward */
    quad inward[4][3]; /* of the side from corner i on, in the facet's plane, of any length */
    double middle[3], reach;
} ray_facet;

/* A core in its own frame. Plates have one facet, rods and points none. */
typedef struct ray_core {
    uint32_t count, edge_count, facet_count;
    bool solid;
    double middle[3], half[3]; /* of the bounds */
    abut_vec3 point[RAY_POINTS];
    ray_edge edge[3 * RAY_POINTS];
    ray_facet facet[2 * RAY_POINTS];
} ray_core;

void ray_core_of_box(abut_vec3 half, ray_core *out);                             /* extents may be 0 */
bool ray_core_of_points(const abut_vec3 *points, uint32_t count, ray_core *out); /* false when they are flat */
void ray_core_of_triangle(const abut_vec3 corner[3], ray_core *out);             /* with area */

typedef struct ray_truth {
    double size;                 /* S of the contract */
    bool meets, holds;           /* the body meets the segment, holds its origin; so does something 1e-31 S from it */
    bool unsure;                 /* of a way hardly longer than 1e-31 S: it may end before it meets the body */
    bool near_meets, near_holds; /* the same of the body grown by e = 1e-12 S */
    quad first, latest;          /* T lies between the two; of no meaning unless `meets` */
    quad near_first, near_last;  /* the part of the segment that is in the body grown by e: t, and its end */
    double stretch;              /* how far the point of the first meeting may lie from that of `normal`: a length */
    double normal[3];            /* of a body with a radius at `first`, or near_first where it does not meet it */
} ray_truth;

ray_truth ray_oracle(const ray_core *core, float radius, const abut_pose *pose, const abut_ray *ray);

/* NULL, or what is wrong with an answer: the laws of rays in <abut/query.h>. */
const char *ray_fault(const ray_core *core, float radius, const abut_pose *pose, const abut_ray *ray,
                      const ray_truth *truth, bool reported, const abut_hit *hit);

/* To stderr, as C initialisers. */
void ray_print(const ray_core *core, float radius, const abut_pose *pose, const abut_ray *ray, const ray_truth *truth,
               bool reported, const abut_hit *hit);

#endif
