/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The oracle for pairs of convex hulls: all facet normals and the cross products of all edge pairs, from
 * support/convex.h, each measured on all points. Points are transformed in arithmetic of 113 bits and then rounded to
 * double; nearly parallel edges are multiplied in 113 bits. Its measures are good to about 1e-15 S. */
#ifndef ABUT_TESTS_SUPPORT_HULL_ORACLE_H
#define ABUT_TESTS_SUPPORT_HULL_ORACLE_H

#include "support/convex.h"

/* Both bodies rotated into the world, relative to the position of a. */
typedef struct hull_placed {
    uint32_t count[2];
    double point[2][CONVEX_POINTS][3];
    double size; /* S: |D|_1 plus the radii of both around their origins */
} hull_placed;

typedef struct hull_truth {
    double gap;       /* the largest separation over all axes, a length; negative: the least depth */
    double face;      /* the same over the facets, */
    double edge;      /* over the edge pairs, where they show more than all before */
    double own;       /* over the facets of the difference body: those of both, and the pairs of edges that are extreme
                         along their common normal. Less than `gap` only for bodies that are apart */
    double normal[3]; /* the axis of the largest, unit, from a to b */
    bool apart; /* that axis separates the bodies, in 113 bits, so it is certain; false for gaps below about 1e-15 S */
    double size;
} hull_truth;

hull_placed hull_place(const convex *a, const abut_pose *pose_a, const convex *b, const abut_pose *pose_b);

/* The gap along n (not divided by its length) from a to b. */
double hull_separation(const hull_placed *p, const double n[3]);

hull_truth hull_truth_of(const convex *a, const abut_pose *pose_a, const convex *b, const abut_pose *pose_b);

#endif
