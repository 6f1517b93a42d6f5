/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Hulls brought to one size, and how they move: nothing but + - * / and sqrtf, so that every machine sees the same. */
#ifndef ABUT_DEMO_MOTION_H
#define ABUT_DEMO_MOTION_H

#include <abut/abut.h>

/* The hull scaled by a power of two, which is exact, so that its largest extent lies in [1, 2). */
abut_result motion_hull(const abut_hull *of, abut_hull **hull);

/* A rotation turned further by a small angle; half_turn is half its rotation vector. */
abut_quat motion_turned(abut_quat rotation, abut_vec3 half_turn);

/* The hull's frame, such that its centroid is at `at`. */
abut_pose motion_pose(const abut_hull *hull, abut_vec3 at, abut_quat rotation);

#endif
