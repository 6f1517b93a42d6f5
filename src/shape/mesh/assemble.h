/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The last stage of a mesh: the block that mesh.h describes. Vertices, triangles, ghosts and two_sided determine every
 * byte of it. */
#ifndef ABUT_SHAPE_MESH_ASSEMBLE_H
#define ABUT_SHAPE_MESH_ASSEMBLE_H

#include "shape/mesh/soup.h"

/* The allocation holds this in front of the block, to free it. It is not part of abut_mesh_data. */
typedef union abut_mesh_prefix {
    struct {
        abut_allocator allocator;
        size_t bytes; /* of the allocation */
    } of;
    unsigned char pad[64]; /* keeps the block aligned to 64 */
} abut_mesh_prefix;

/* Computes the shape of the tree, all offsets and the size from the counts of vertices, triangles and solid triangles,
 * which are within their limits. */
void abut_mesh_lay_out(abut_mesh *header);

/* The digest of a mesh's little-endian bytes; the digest that they hold counts as 0. */
uint64_t abut_mesh_compute_digest(const void *bytes, uint64_t size);

/* Between little-endian and the other order of bytes, both ways. */
void abut_mesh_reverse_header(abut_mesh *header);

/* The block, mesh->size bytes, little-endian on every machine. */
const void *abut_mesh_bytes(const abut_mesh *mesh);

/* Welds the soup and makes the mesh. ABUT_ERROR_DEGENERATE for no solid triangle, ABUT_ERROR_MEMORY. The block belongs
 * to the soup's allocator, of which it keeps a copy. On an error *mesh is NULL. */
abut_result abut_mesh_assemble(abut_soup *soup, abut_mesh **mesh);

/* Frees a mesh. */
void abut_mesh_release(abut_mesh *mesh);

#endif
