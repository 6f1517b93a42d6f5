/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Frusta straight from their definition, in double, and boxes that nearly touch them: for tests that use frusta, not
 * for tests of their construction. */
#ifndef ABUT_TESTS_SUPPORT_MADE_FRUSTA_H
#define ABUT_TESTS_SUPPORT_MADE_FRUSTA_H

#include "support/rng.h"
#include <abut/frustum.h>

/* An eye at the pose that looks along its -z; far may be INFINITY. */
abut_frustum made_frustum_perspective(const abut_pose *pose, double half_width, double half_height, double near,
                                      double far);

/* The inside of a box with volume. */
abut_frustum made_frustum_box(const abut_obb *box);

/* A random one of both kinds: narrow and wide, long and short, near the origin and far from it; now and then all of
 * space. */
abut_frustum made_frustum_random(rng *r);

/* A box of any size and rotation, with a random corner near a corner or an edge of the frustum: along a random plane
 * normal, box normal or product of edges there is a gap or an overlap of 0 to 1e-2 of the size. Some boxes are anywhere
 * nearby. */
abut_obb made_frustum_near(const abut_frustum *frustum, rng *r);

#endif
