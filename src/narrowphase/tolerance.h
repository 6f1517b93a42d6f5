/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The tolerances that all pairs of shapes share. S is the size of a pair: the L1 distance of the centres plus all half
 * extents or radii. docs/numerics.md derives each number. */
#ifndef ABUT_NARROWPHASE_TOLERANCE_H
#define ABUT_NARROWPHASE_TOLERANCE_H

/* This times S bounds the rounding error of every separation: in float, in double, and in double-double. A stage of the
 * separation test answers only what its error cannot overturn; in the last stage a gap below its bound counts as
 * touching. */
static const float ABUT_NP_SLACK_FLOAT = 64 * 0x1p-24f;
static const double ABUT_NP_SLACK_DOUBLE = 64 * 0x1p-53;
static const double ABUT_NP_SLACK_DD = 0x1p-93;

/* Cores at most this times S beyond the sum of the radii count as touching: it covers the rounding of a distance in
 * double. Cores at most NEAREST times S apart count as overlapping, because rounding decides the direction between
 * them; sharp shapes at most GAP_NEAREST times S apart have the contact points of an overlap, by definition. */
static const double ABUT_NP_ROUND_SLACK = 0x1p-46;
static const double ABUT_NP_ROUND_NEAREST = 0x1p-40;
static const double ABUT_NP_GAP_NEAREST = 1e-6;

/* Cores whose distance is farther than this times S from the sum of the radii need no predicate: it would answer the
 * same, even across the gap of two sharp shapes, which some separating axis shows, too. */
static const double ABUT_NP_MEASURE_UNCLEAR = 0x1p-16;

/* This times the size of the smaller shape covers the jitter of float poses. Points that close to touching count as
 * touching, corners that close to a side plane are on it, and a face that is deeper by no more than that is no better:
 * otherwise the contacts of resting bodies would flicker. */
static const double ABUT_NP_RESTING = 32 * 0x1p-24;

/* No less than this times S: the rounding, in double, of a separation. A point has no size at all. */
static const double ABUT_NP_RESTING_NOISE = 1e-12;

/* Points that are deepest to within this times the size of the smaller shape are as deep: which of the corners of a
 * prism at rest is the deepest changes with every tilt, and which four are kept should not. */
static const double ABUT_NP_AS_DEEP = 0x1p-16;

/* So are those that are deepest to within this share of the depth, but to within no more than the second times the size
 * of the smaller shape: the more a solver lets bodies sink into each other, the more they tilt. docs/numerics.md says
 * why a third would not do. Those that are deeper than the third times that size do not rest. */
static const double ABUT_NP_AS_DEEP_OF_DEPTH = 0.5;
static const double ABUT_NP_AS_DEEP_MOST = 0x1p-10;
static const double ABUT_NP_AS_DEEP_RESTING = 0x1p-7;

/* Faces are preferred to edges that are up to 5 % less deep, again so that contacts do not flicker. Boxes measure the
 * 5 % by the depth of the face, hulls by the depth of the edges; both numbers are shares of the depth of the face. */
static const double ABUT_NP_FACE_PREFERENCE = 0.05;
static const double ABUT_NP_FACE_PREFERENCE_OF_HULLS = 1 - 1 / 1.05;

/* They are also preferred to edges that are less deep by up to this times the least positive half extent of the two
 * shapes: a solver leaves tilts of a thousandth, at depths of which 5 % is nothing. */
static const double ABUT_NP_FACE_PREFERENCE_OF_EXTENT = 0x1p-10;

#endif
