/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Judges the library's answers about hulls by brute force over all axes. */
#ifndef ABUT_DEMO_JUDGE_H
#define ABUT_DEMO_JUDGE_H

#include "specimen.h"
#include "surface.h"

/* Whether the hull is the convex hull of the specimen's points: NULL, or what is wrong. `s` becomes its surface. */
const char *judge_hull(const specimen *of, surface *s);

/* A hull at its pose. */
typedef struct judge_body {
    const surface *surface;
    abut_vec3 position;
    double turn[3][3];
    double center[3], radius; /* of a sphere round it, in the world */
} judge_body;

judge_body judge_body_at(const surface *s, const abut_pose *pose);

/* JUDGE_FAR: spheres round them are apart. */
typedef enum judge_verdict { JUDGE_FAR, JUDGE_APART, JUDGE_TOUCHING, JUDGE_EITHER, JUDGE_TOO_LARGE } judge_verdict;

/* `contact` NULL: the library reports no contact. */
typedef struct judge_finding {
    judge_verdict verdict;
    bool wrong;
    double depth; /* of touching hulls: the least over all axes */
} judge_finding;

/* All facet normals of both and all cross products of their edges, each with all corners projected, in double. Cases
 * within 1e-10 of the pair's size may be decided either way. A contact's normal and depth must belong to an axis that
 * is at most 5 % deeper than the least. */
judge_finding judge_pair(const judge_body *a, const judge_body *b, const abut_contact *contact);

#endif
