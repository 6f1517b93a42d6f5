/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The oracle of casts, in arithmetic of 113 bits. The distance of two convex cores, one of which moves in a straight
 * line, is a convex function of the fraction, and a plane that proves it at one fraction bounds it at all others. So
 * steps from plane to plane (Newton's, on a convex function) come to the first touch from below and never pass it, or
 * prove that there is none. Distances are those of support/distance_oracle.h; no code is shared with the library. */
#ifndef ABUT_TESTS_SUPPORT_CAST_ORACLE_H
#define ABUT_TESTS_SUPPORT_CAST_ORACLE_H

#include "support/distance_oracle.h"

/* A core, grown by a radius, at a pose. */
typedef struct grown_core {
    const core *core;
    float radius;
    abut_pose pose;
} grown_core;

typedef struct cast_truth {
    bool sure; /* the distance oracle proved each of its answers, and the search ended */
    bool touched, meets, near_touched, near_meets; /* near: with one of them grown by e */
    quad first, near_first;                        /* fractions of the first touch, from below */
    quad apart, cores;                             /* at the start: distance of the cores, less both radii or not */
    quad approach;                                 /* at the start: how fast the distance shrinks, per way */
    double size, length, e;                        /* S, L, 1e-9 (S + L) */
} cast_truth;

/* `a` moves by `translation` past `b`. */
cast_truth cast_oracle(const grown_core *a, abut_vec3 translation, const grown_core *b);

quad_pose cast_pose(const grown_core *a, abut_vec3 translation, quad fraction);

/* The least of n . x over core a less the largest over core b, less the radii: how far they are apart along n, which
 * leads from b to a. */
quad separation_along(const grown_core *a, const quad_pose *pose_a, const grown_core *b, const quad_pose *pose_b,
                      const double n[3]);

/* How far a point of the world lies outside of the grown core; negative or 0 inside. */
quad outside_of(const grown_core *a, const quad_pose *pose, abut_vec3 point);

/* The diagonal of its box, radius included. */
double grown_diagonal(const grown_core *a);

/* NULL, or what is wrong with a fraction: INFINITY for none, negative for touched at the start. */
const char *cast_fraction_fault(const cast_truth *truth, double fraction);

/* NULL, or what is wrong with where they meet at a fraction >= 0. */
const char *cast_place_fault(const cast_truth *truth, const grown_core *a, abut_vec3 translation, const grown_core *b,
                             double fraction, abut_vec3 position, abut_vec3 normal);

/* Both casts and sweeps: whether the normal is unit, separates the two up to `slack`, and is that of the closest points
 * where these are unique, to what they change while one moves by `shift`; whether the position lies in both up to
 * `slack`. */
const char *touch_fault(const grown_core *a, const quad_pose *pose_a, const grown_core *b, const quad_pose *pose_b,
                        double slack, double shift, abut_vec3 position, abut_vec3 normal);

void grown_core_print(const char *name, const grown_core *a);

#endif
