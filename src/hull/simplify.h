/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Hulls round hulls, of fewer vertices. */
#ifndef ABUT_HULL_SIMPLIFY_H
#define ABUT_HULL_SIMPLIFY_H

#include "hull/polyhedron.h"

/* Replaces *polyhedron by one of at most max_vertices (>= 4) that contains it exactly. ABUT_ERROR_MEMORY, or
 * ABUT_ERROR_LIMIT when that would leave ABUT_MAX_COORDINATE; *polyhedron is then as it was. */
abut_result abut_simplify(abut_polyhedron *polyhedron, uint32_t max_vertices);

#endif
