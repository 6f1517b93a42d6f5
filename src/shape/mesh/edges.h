/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The second stage of a mesh: which triangles have area, and what their sides are. */
#ifndef ABUT_SHAPE_MESH_EDGES_H
#define ABUT_SHAPE_MESH_EDGES_H

#include "shape/mesh/soup.h"

/* Whether the corners do not lie on one line, exactly. False for a hole. */
bool abut_edges_has_area(const abut_soup *soup, uint32_t triangle);

/* Writes the three sides of each triangle. `area` has a bit for each triangle. The vertices are welded.
 * ABUT_ERROR_MEMORY. O(n). */
abut_result abut_edges_make(const abut_soup *soup, const uint32_t *area, uint32_t *sides);

#endif
