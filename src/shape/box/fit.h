/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Tight boxes around hulls. */
#ifndef ABUT_SHAPE_BOX_FIT_H
#define ABUT_SHAPE_BOX_FIT_H

#include "shape/hull/faces.h"

abut_obb abut_fit_solid(const abut_polyhedron *polyhedron, const abut_faces *faces);

#endif
