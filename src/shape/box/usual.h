/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The bounds of one box, as fast as one alone can be bounded. */
#ifndef ABUT_SHAPE_BOX_USUAL_H
#define ABUT_SHAPE_BOX_USUAL_H

#include <abut/obb.h>

/* The bits of the kernel in bounds.c. False, and nothing is known, for a box that is not valid or takes the kernel's
 * slower paths: quarter turns, quaternions far from unit length, ends that no double has. */
bool abut_box_usual_bounds(const abut_obb *box, abut_aabb *bounds);

#endif
