/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The tight box of a hull: abut_hull_obb, and the middle part of abut_obb_fit. */
#ifndef ABUT_SHAPE_BOX_FIT_H
#define ABUT_SHAPE_BOX_FIT_H

#include "shape/hull/faces.h"

/* Contains every vertex, exactly. It writes the scratch of `faces`, and reads everything else. */
abut_obb abut_fit_hull(const abut_polyhedron *polyhedron, const abut_faces *faces);

#endif
