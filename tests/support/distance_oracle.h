/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The oracle of distance: the closest points of two convex cores in arithmetic of 113 bits, by looking at every vertex
 * against every facet and every edge against every edge. An answer proves itself: when the cores are apart, no point of
 * one lies beyond a plane square to the line of the closest points; when they overlap, an edge of one pierces a facet
 * of the other or one holds the other. It shares no code with the library.
 *
 * Facets come from support/convex.h, so merged faces of hulls play no part. Doubles choose which features to look at
 * first; where the proof then fails, all of them are measured in full. */
#ifndef ABUT_TESTS_SUPPORT_DISTANCE_ORACLE_H
#define ABUT_TESTS_SUPPORT_DISTANCE_ORACLE_H

#include "support/convex.h"
#include <abut/types.h>

enum { CORE_POINTS = CONVEX_POINTS, CORE_FACETS = CONVEX_FACETS, CORE_EDGES = CONVEX_EDGES };

/* A core in its own frame. A point has one edge without length; rods, plates and points have no facet but the plate's
 * one. */
typedef struct core {
    uint32_t count, edge_count, facet_count;
    abut_vec3 point[CORE_POINTS];
    uint32_t edge[CORE_EDGES][2];
    quad normal[CORE_FACETS][3];          /* outward, of any length */
    uint32_t corner[CORE_FACETS];         /* a point on the facet */
    uint32_t side_first[CORE_FACETS + 1]; /* indexes `side`: the edges around the facet */
    uint32_t side[2 * CORE_EDGES];
    bool side_flipped[2 * CORE_EDGES]; /* normal x edge leads into the facet, not out of it */
    double middle[3], half[3];         /* of the bounds */
} core;

void core_of_box(abut_vec3 half, core *out);                             /* extents may be 0 */
bool core_of_points(const abut_vec3 *points, uint32_t count, core *out); /* false when they are flat */
void core_of_triangle(const abut_vec3 corner[3], core *out);             /* with area */

typedef struct distance_truth {
    quad distance;           /* of the cores; 0 where they overlap */
    quad low;                /* proven: they are not closer than this; less than `distance` by 1e-17 S or so */
    bool overlap;            /* proven, or closer than 1e-30 S */
    bool sure;               /* one of the two is proven */
    double on_a[3], on_b[3]; /* closest points, or a shared one, relative to the position of a */
    double normal[3];        /* unit, from a to b; zero where they overlap */
    quad proof[3];           /* unit, from a to b: along it they are `low` apart; zero where they overlap */
} distance_truth;

/* Where a core is: the columns are its axes in the world. */
typedef struct quad_pose {
    quad m[3][3], at[3];
} quad_pose;

distance_truth distance_oracle(const core *a, const abut_pose *pose_a, const core *b, const abut_pose *pose_b);

/* The same of cores at poses that are no floats. */
distance_truth distance_between(const core *a, const quad_pose *pose_a, const core *b, const quad_pose *pose_b);

quad_pose quad_pose_of(const abut_pose *pose); /* R(q) / |q|^2; a zero quaternion is the identity */

/* S of the contract: diagonals of both boxes, grown by the radii, and the distance of their centres. */
double distance_size(const core *a, float radius_a, const abut_pose *pose_a, const core *b, float radius_b,
                     const abut_pose *pose_b);

/* How far a point (relative to the pose's position) is from the core; 0 inside. */
double distance_of_point(const core *c, abut_quat rotation, const double point[3]);

/* The least of n . b over the core b minus the largest of n . a over a: a lower bound of their distance. n: unit. */
double distance_along(const core *a, const abut_pose *pose_a, const core *b, const abut_pose *pose_b,
                      const double n[3]);

#endif
