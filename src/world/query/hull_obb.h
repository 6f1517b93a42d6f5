/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The OBB that a hull was made with, carried along by its body: hulls are culled as these. */
#ifndef ABUT_WORLD_QUERY_HULL_OBB_H
#define ABUT_WORLD_QUERY_HULL_OBB_H

#include "shape/shape.h"

/* The OBB of a hull in the world, composed in double. It contains the exact one, and is the exact one where floats can
 * hold that. */
abut_obb abut_w_hull_obb(const abut_collider *collider);

/* A box whose circumscribed sphere contains that OBB: centre and half extents alone say where the hull may be. Cheaper
 * than the OBB. */
abut_obb abut_w_hull_sphere(const abut_collider *collider);

#endif
