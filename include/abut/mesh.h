/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/** @file
 * Triangle meshes and terrains: the ground that bodies stand on.
 *
 * A mesh is a surface without an inside. A body with one may be static or moved; two meshes never collide. A convex
 * body touches a mesh when it shares a point with a triangle, but for backs: without `two_sided` a triangle is touched
 * only from its front, that is when the middle of the convex body (centre of its box, centroid of its hull) is not
 * behind the triangle's plane. That holds for steps, abut_world_collide, casts and sweeps; a ray meets a triangle only
 * against its normal. Overlaps, distances and bounds see both sides.
 *
 * Bodies slide over inner edges without a bump: there, contact normals stay between those of the faces around; where
 * the surface is flat or hollow they are the face's. docs/meshes.md explains how. In a mesh with ghosts, a
 * point of a rounded body whose normal was corrected so lies where it comes down from the core, maybe beyond its part:
 * what rolls over a seam has no point ahead of it.
 *
 * A mesh is immutable: any number of threads, worlds and bodies may read it at the same time. Its creator destroys it,
 * after the last body that uses it. Every function may run on any thread; only those that return a mesh allocate.
 * `part`, wherever it appears, is the number of a triangle in the input. */
#ifndef ABUT_MESH_H
#define ABUT_MESH_H

#include <abut/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A triangle mesh with its search tree: one block of memory without pointers, whose bytes (abut_mesh_data) may be
 * saved and copied. */
typedef struct abut_mesh abut_mesh;

/** The most triangles a mesh may have: 2^27. */
#define ABUT_MESH_MAX_TRIANGLES 134217728

/** A mesh from triangles. Zero members mean their defaults; arrays are copied. */
typedef struct abut_mesh_def {
    const abut_vec3 *vertices; /**< in the frame of the body */
    size_t vertex_count;       /**< number of vertices */
    size_t vertex_stride;      /**< bytes from one vertex to the next, at least 12; 0: packed. Need not be aligned */
    const uint32_t *indices;   /**< three for each triangle, counter-clockwise seen from its front */
    size_t triangle_count;     /**< ghosts included */
    size_t ghost_count; /**< so many of the last triangles touch nothing, and only count as neighbours: the seam of a
                             chunk of a streamed level has those of the next chunk, so that it is no edge */
    bool two_sided;     /**< triangles are touched from both sides */
    abut_allocator allocator; /**< zero: malloc and free. A copy is kept until abut_mesh_destroy */
} abut_mesh_def;

/** A terrain: a grid of heights. Vertex (i, j) is (i * spacing.x, height * spacing.y, j * spacing.z), computed in
 * double and rounded once; its front is up. Cell (i, j) has the triangles k = 2 (j (columns - 1) + i) with the corners
 * (i, j) (i, j + 1) (i + 1, j), and k + 1 with (i + 1, j) (i, j + 1) (i + 1, j + 1). */
typedef struct abut_mesh_grid_def {
    const float *heights;     /**< rows of columns; NaN removes the triangles around it: a hole */
    uint32_t columns;         /**< vertices along x, at least 2 */
    uint32_t rows;            /**< vertices along z, at least 2 */
    uint32_t row_stride;      /**< floats from one row to the next; 0: columns */
    uint32_t ghost_border;    /**< cells at each side that touch nothing, and only count as neighbours */
    abut_vec3 spacing;        /**< all three > 0 */
    bool two_sided;           /**< triangles are touched from both sides */
    abut_allocator allocator; /**< zero: malloc and free. A copy is kept until abut_mesh_destroy */
} abut_mesh_grid_def;

/** Makes a mesh. Vertices with equal coordinates become one. Triangles without area keep their number and touch
 * nothing. An edge is inner when it belongs, in opposite directions, to exactly two triangles with area (two_sided: in
 * any). The same input gives the same bytes on every machine.
 *
 * ABUT_ERROR_ARGUMENT: null pointers, NaN, infinity, an index out of range, more ghosts than triangles, an allocator
 * with one function; ABUT_ERROR_DEGENERATE: no triangle with area that is not a ghost; ABUT_ERROR_LIMIT: more than
 * ABUT_MESH_MAX_TRIANGLES or 2^32 - 1 vertices, or a coordinate beyond ABUT_MAX_COORDINATE; ABUT_ERROR_MEMORY;
 * ABUT_ERROR_ARITHMETIC (types.h). On any error *mesh is NULL.
 * O(n log n), about 0.3 microseconds a triangle; the block has about 80 bytes a triangle. */
ABUT_API abut_result abut_mesh_create(const abut_mesh_def *def, abut_mesh **mesh);

/** Makes a terrain. Errors as above; also ABUT_ERROR_ARGUMENT for a spacing that is not above 0, fewer than 2 rows or
 * columns, or a stride below the columns. */
ABUT_API abut_result abut_mesh_create_grid(const abut_mesh_grid_def *def, abut_mesh **mesh);

/** Makes a mesh from the bytes of another one (abut_mesh_data). They are copied and need no alignment. Untrusted bytes
 * are safe: ABUT_ERROR_FORMAT for anything that is not exactly a mesh of this version, also for no bytes at all.
 * `allocator` may be NULL: malloc and free. ABUT_ERROR_ARGUMENT for a null `mesh` and an allocator with one function;
 * ABUT_ERROR_MEMORY; ABUT_ERROR_ARITHMETIC (types.h). On any error *mesh is NULL. Costs as much as making it, because
 * it is made again to check the bytes. */
ABUT_API abut_result abut_mesh_load(const void *bytes, size_t size, const abut_allocator *allocator, abut_mesh **mesh);

/** The bytes of the mesh, little-endian on every machine, aligned to 64, valid until the mesh is destroyed. *size
 * becomes their number; `size` may be NULL. NULL and size 0 for NULL. */
ABUT_API const void *abut_mesh_data(const abut_mesh *mesh, size_t *size);

/** A number by which snapshots name a mesh: equal for equal meshes, and different for different ones but for accidents.
 * Not cryptographic. 0 for NULL. O(1). */
ABUT_API uint64_t abut_mesh_digest(const abut_mesh *mesh);

/** Frees a mesh that no body uses any more, and sets *mesh to NULL. Does nothing if `mesh` or *mesh is NULL. */
ABUT_API void abut_mesh_destroy(abut_mesh **mesh);

/** The number of triangles in the input: ghosts, holes and triangles without area count, too. 0 for NULL. */
ABUT_API size_t abut_mesh_triangle_count(const abut_mesh *mesh);

/** The corners of a triangle, as given; NaN for one that a hole of a terrain removed. False, and `out` untouched, for a
 * null pointer and beyond the last triangle. O(1). */
ABUT_API bool abut_mesh_triangle(const abut_mesh *mesh, uint32_t part, abut_vec3 out[3]);

/** A box around all that can be touched: the triangles with area that are not ghosts. NaN for NULL. O(1). */
ABUT_API abut_aabb abut_mesh_bounds(const abut_mesh *mesh);

#ifdef __cplusplus
}
#endif
#endif
