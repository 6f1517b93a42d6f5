/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Frusta straight from their definition, in double, and boxes that nearly touch them: for tests of what is done with
 * frusta, not of how they are made. */
#ifndef ABUT_TESTS_SUPPORT_MADE_FRUSTA_H
#define ABUT_TESTS_SUPPORT_MADE_FRUSTA_H

#include "support/rng.h"
#include <abut/frustum.h>

/* An eye at the pose that looks along its -z; far may be INFINITY. */
abut_frustum made_frustum_perspective(const abut_pose *pose, double half_width, double half_height, double near,
                                      double far);

/* The inside of a box with volume. */
abut_frustum made_frustum_box(const abut_obb *box);

/* One of both: narrow and wide, long and short, near to the origin and far from it; now and then all of space. */
abut_frustum made_frustum_random(rng *r);

/* A box of any size and turn, of which a random corner is near a corner or an edge of the frustum: seen along a random
 * normal of a plane, normal of the box or product of edges there is a gap or an overlap of 0 to 1e-2 of the size. Some
 * are anywhere round about. */
abut_obb made_frustum_near(const abut_frustum *frustum, rng *r);

#endif
