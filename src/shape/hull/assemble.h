/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* From points to the block. */
#ifndef ABUT_SHAPE_HULL_ASSEMBLE_H
#define ABUT_SHAPE_HULL_ASSEMBLE_H

#include "shape/hull/faces.h"

/* Stands before the block; the block itself is aligned to 64. */
typedef union abut_hull_prefix {
    struct {
        abut_allocator allocator;
        size_t bytes; /* of the allocation */
    } of;
    unsigned char pad[64];
} abut_hull_prefix;

/* Every count and offset from the counts of vertices, facets, edges, faces and loops. False when they do not fit. */
bool abut_hull_lay_out(abut_hull *header);

uint64_t abut_hull_compute_digest(const abut_hull *hull);

/* A hull of at most ABUT_HULL_MAX_VERTICES vertices. ABUT_ERROR_LIMIT beyond. */
abut_result abut_hull_assemble(const abut_polyhedron *polyhedron, float tolerance, abut_hull **hull);

#endif
