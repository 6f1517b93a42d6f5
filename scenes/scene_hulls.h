/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Convex shapes of three kinds for scenes. */
#ifndef ABUT_SCENES_SCENE_HULLS_H
#define ABUT_SCENES_SCENE_HULLS_H

#include <abut/hull.h>

/* Shape `index`: in turn a rounded box (32 vertices), a prism over 3 to 12 points (up to 24) and a cloud on an
 * ellipsoid (8 to 64). Half extents up to 0.25..0.75, slightly off the origin of its frame. NULL: out of memory. */
abut_hull *scene_hull_create(uint64_t *rng, size_t index);

#endif
