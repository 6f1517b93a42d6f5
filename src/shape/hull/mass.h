/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Volume and centroid of a polyhedron of uniform density. */
#ifndef ABUT_SHAPE_HULL_MASS_H
#define ABUT_SHAPE_HULL_MASS_H

#include "shape/hull/polyhedron.h"

typedef struct abut_mass {
    double volume;
    abut_d3 centroid;
} abut_mass;

abut_mass abut_mass_of(const abut_polyhedron *polyhedron);

#endif
