/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes that are fixed in a collider's frame, expressed in the world. */
#ifndef ABUT_SHAPE_BOX_CARRIED_H
#define ABUT_SHAPE_BOX_CARRIED_H

#include <abut/obb.h>

/* Expresses `local`, a box in a frame at a finite pose, in the world, composed in double. The result contains the exact
 * box, and equals it where floats can express that. */
abut_obb abut_obb_carried(const abut_obb *local, abut_vec3 position, abut_quat rotation);

#endif
