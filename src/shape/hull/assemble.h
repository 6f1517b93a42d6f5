/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The last stage of a hull. In: a polyhedron and a tolerance. Out: the block that hull.h describes. The polyhedron and
 * the tolerance determine every byte of it. */
#ifndef ABUT_SHAPE_HULL_ASSEMBLE_H
#define ABUT_SHAPE_HULL_ASSEMBLE_H

#include "shape/hull/faces.h"

/* The allocation holds this in front of the block, to free it. It is not part of abut_hull_data. */
typedef union abut_hull_prefix {
    struct {
        abut_allocator allocator;
        size_t bytes; /* of the allocation */
    } of;
    unsigned char pad[64]; /* keeps the block aligned to 64 */
} abut_hull_prefix;

/* Computes loop_count, all offsets and the size from the counts of vertices, facets, edges, faces and edges of faces.
 * False when the counts do not fit a hull. */
bool abut_hull_lay_out(abut_hull *header);

/* The digest of a hull's little-endian bytes; the digest that they hold counts as 0. */
uint64_t abut_hull_compute_digest(const void *bytes, uint32_t size);

/* Between little-endian and the other order of bytes, both ways. */
void abut_hull_reverse_header(abut_hull *header);

/* The block, hull->size bytes, little-endian on every machine. */
const void *abut_hull_bytes(const abut_hull *hull);

/* ABUT_ERROR_LIMIT for more than ABUT_HULL_MAX_VERTICES vertices, ABUT_ERROR_MEMORY. The block is one of
 * `allocator`, of which it keeps a copy; scratch memory is of the polyhedron's. */
abut_result abut_hull_assemble(const abut_polyhedron *polyhedron, float tolerance, const abut_allocator *allocator,
                               abut_hull **hull);

#endif
