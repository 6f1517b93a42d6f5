/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The shorter turn from one rotation to another, at constant speed (Shoemake, "Animating rotation with quaternion
 * curves", 1985). */
#ifndef ABUT_SHAPE_TURN_H
#define ABUT_SHAPE_TURN_H

#include "base/spatial.h"

typedef struct abut_turn {
    abut_dquat from; /* a unit quaternion */
    abut_d3 axis;    /* a unit vector in the world, about which it turns; any where the angle is 0 */
    double angle;    /* 0 .. pi */
} abut_turn;

/* Finite quaternions of any length; zero stands for the identity. Where their dot product is 0 the turn is as given,
 * not to the opposite quaternion, which is the same rotation. */
abut_turn abut_turn_between(abut_quat from, abut_quat to);

/* The rotation at a fraction 0 .. 1 of the turn: a unit quaternion, but for rounding. */
abut_dquat abut_turn_at(const abut_turn *turn, double fraction);

#endif
