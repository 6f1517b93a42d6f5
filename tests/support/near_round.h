/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Random pairs of shapes with and without a radius that nearly touch, exactly touch, or lie apart by a known gap.
 *
 * Spheres, capsules, boxes (plates, rods and points, too), rounded boxes, hulls and rounded hulls, in all pairs; sizes
 * 1e-4 to 1e5, aspect ratios to 1e3, radii of 1e-6 to 1e6 of the core, positions to 1e6, rotations identical, quarter
 * turns, 1e-8 to 1 apart, or unrelated. The cores meet along a chosen direction: face to whatever, edge to edge, edge
 * to corner, corner to corner; parallel rods are as likely as skew ones. Their distance is the sum of the radii plus 0
 * or +-(1e-16 to 1e-2) of the size; half of the pairs absorb the rounding of the position in their radii, so that gaps
 * are as fine as floats allow. A seventh is built from whole numbers (corners along the diagonals of blocks with whole
 * diagonals) and touches exactly. */
#ifndef ABUT_TESTS_SUPPORT_NEAR_ROUND_H
#define ABUT_TESTS_SUPPORT_NEAR_ROUND_H

#include "support/distance_oracle.h"
#include <abut/shape.h>

typedef enum round_kind {
    ROUND_SPHERE,
    ROUND_CAPSULE,
    ROUND_BOX, /* without a radius, as ROUND_HULL */
    ROUND_ROUNDED_BOX,
    ROUND_HULL,
    ROUND_ROUNDED_HULL,
    ROUND_KINDS
} round_kind;

typedef enum round_meeting {
    ROUND_FACE_A,
    ROUND_FACE_B,
    ROUND_EDGES,
    ROUND_EDGE_A, /* of a, against a corner of b */
    ROUND_EDGE_B,
    ROUND_CORNERS,
    ROUND_MEETINGS
} round_meeting;

typedef struct round_body {
    abut_shape shape;
    abut_pose pose;
    round_kind kind;
    uint32_t hull;    /* index, where the kind is one of hulls */
    const core *core; /* of the hull, or `own` */
    core own;
} round_body;

typedef struct round_pair {
    round_body a, b;
    round_meeting meeting;
    bool exact; /* the bodies share a point of the surface of each, exactly */
} round_pair;

/* Hulls to choose from, made once: the first few have small whole coordinates. */
enum { ROUND_HULLS = 48, ROUND_LATTICE_HULLS = 8, ROUND_SCALE = 7 };
typedef struct round_hulls {
    abut_hull *hull[ROUND_HULLS], *scaled[ROUND_HULLS]; /* the same, 2^ROUND_SCALE times as large */
    core core[ROUND_HULLS];
} round_hulls;

round_hulls *round_hulls_make(uint64_t seed);
void round_hulls_release(round_hulls *hulls);

typedef enum round_spread { ROUND_NEAR, ROUND_APART } round_spread; /* apart: gaps of 1e-9 to 1e3 of the size */

/* Depends on its arguments alone, but for the rounding of libm. The pair points into itself: do not copy it. */
void near_round_pair(const round_hulls *hulls, uint64_t seed, uint64_t index, round_spread spread, round_pair *out);

/* A body of a kind, of about the given size, turned anyhow, at the origin. */
void near_round_body(const round_hulls *hulls, uint64_t seed, uint64_t index, round_kind kind, double size,
                     round_body *out);

#endif
