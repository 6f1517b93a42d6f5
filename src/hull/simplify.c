/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "hull/simplify.h"

abut_result abut_simplify(abut_polyhedron *polyhedron, uint32_t max_vertices) {
    (void)polyhedron, (void)max_vertices;
    return ABUT_ERROR_LIMIT;
}
