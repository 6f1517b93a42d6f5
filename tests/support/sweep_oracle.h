/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The oracle of sweeps: two convex shapes that move and turn, their distance measured in arithmetic of 113 bits.
 *
 * A direction that proves a distance at one fraction bounds it beyond: along it every vertex keeps its velocity but for
 * an acceleration of at most angle^2 x its distance from the origin that it turns about. The search goes from one such
 * proof to the next, so it never passes what lies within 1e-13 (S + L). It shares no code with the library. */
#ifndef ABUT_TESTS_SUPPORT_SWEEP_ORACLE_H
#define ABUT_TESTS_SUPPORT_SWEEP_ORACLE_H

#include "support/cast_oracle.h"

/* A grown core on its way by the definition of abut_pose_between. */
typedef struct quad_way {
    grown_core body; /* at the start */
    quad_pose start;
    quad along[3], axis[3], angle;
    double reach; /* of the core about the origin that it turns about */
} quad_way;

quad_way quad_way_of(const grown_core *body, const abut_pose *to);
quad_pose quad_way_at(const quad_way *way, quad fraction);

typedef struct sweep_truth {
    bool sure;
    bool touched, meets, near_touched, near_meets; /* near: with one of them grown by e */
    double first, near_first;                      /* fractions of the first touch, from below */
    double apart;                                  /* at the start: distance of the cores less both radii */
    double size, length, e, hair;                  /* S, L, 1e-6 (S + L), 1e-13 (S + L) */
    double notice; /* a pair that parts for less than this share of the way may count as touching */
    unsigned steps;
} sweep_truth;

sweep_truth sweep_oracle(const quad_way *a, const quad_way *b);

/* NULL, or what is wrong with an answer where they do not touch at the start; INFINITY for none. */
const char *sweep_fraction_fault(const sweep_truth *truth, double fraction);

/* The same for ABUT_INITIAL_CLOSING where they are within e at the start; `normal` of b, towards a. `deeper`: becomes
 * whether it is a hit because the depth has grown, not because they touch again. */
const char *sweep_closing_fault(const sweep_truth *truth, const quad_way *a, const quad_way *b, const double normal[3],
                                double allowance, double fraction, bool *deeper);

/* NULL, or what is wrong with where they meet. */
const char *sweep_place_fault(const sweep_truth *truth, const quad_way *a, const quad_way *b, double fraction,
                              abut_vec3 position, abut_vec3 normal);

#endif
