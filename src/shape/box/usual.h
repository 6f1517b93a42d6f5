/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The bounds of one box, as fast as one alone can be bounded. */
#ifndef ABUT_SHAPE_BOX_USUAL_H
#define ABUT_SHAPE_BOX_USUAL_H

#include <abut/obb.h>

/* The bits of the kernel in bounds.c, or NaN in min.x for a box that is not valid or takes the kernel's slower paths:
 * quarter turns, quaternions far from unit length, ends that no double has. `box` is an abut_obb or an
 * abut_collider, which begins like one; it is grown by a radius >= 0. */
abut_aabb abut_box_usual_bounds(const void *box, float radius);

#endif
