/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Boxes that are fixed in a frame, in the world. */
#ifndef ABUT_SHAPE_BOX_CARRIED_H
#define ABUT_SHAPE_BOX_CARRIED_H

#include <abut/obb.h>

/* The box `local` of a frame at a finite pose, in the world, composed in double. It contains the exact one, and is that
 * where floats can express it. */
abut_obb abut_obb_carried(const abut_obb *local, abut_vec3 position, abut_quat rotation);

/* A box whose circumscribed sphere contains that one. */
abut_obb abut_obb_carried_sphere(const abut_obb *local, abut_vec3 position, abut_quat rotation);

#endif
