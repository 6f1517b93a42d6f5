/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The page's hand in the scene of cannons. */
#ifndef ABUT_WEB_CANNON_H
#define ABUT_WEB_CANNON_H

#include "stage.h"

/* Shots to come are that fast, plates at once that thick; out of range becomes the nearest value, NaN changes nothing.
 */
void cannon_aim(stage *s, float speed, float thickness);
testbed_cannon cannon_aimed(void);

#endif
