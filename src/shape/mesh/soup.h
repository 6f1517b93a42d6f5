/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The first stage of a mesh: triangles as they come in, checked and copied; then their vertices made one where their
 * coordinates are equal. */
#ifndef ABUT_SHAPE_MESH_SOUP_H
#define ABUT_SHAPE_MESH_SOUP_H

#include "base/memory.h"
#include "shape/mesh/mesh.h"

typedef struct abut_soup {
    const abut_allocator *allocator;
    uint32_t vertex_count, triangle_count;
    bool two_sided;
    abut_vec3 *vertex; /* finite, within ABUT_MAX_COORDINATE and never -0, where a triangle uses them */
    uint32_t *corner;  /* three for each triangle; ABUT_MESH_NONE three times for a hole */
    uint32_t *ghost;   /* a bit for each triangle */
    size_t bytes;      /* of the allocation, which begins with the vertices */
} abut_soup;

/* The number of words of 32 bits that hold a bit for each of `count`. */
static inline size_t abut_soup_words(uint32_t count) {
    return ((size_t)count + 31) / 32;
}

static inline bool abut_soup_bit(const uint32_t *bits, size_t i) {
    return bits[i / 32] >> i % 32 & 1;
}

static inline void abut_soup_set_bit(uint32_t *bits, size_t i) {
    bits[i / 32] |= UINT32_C(1) << i % 32;
}

/* Allocates the arrays for so many vertices and triangles; `ghost` is zero. ABUT_ERROR_MEMORY. */
abut_result abut_soup_make_room(abut_soup *soup, size_t vertex_count, uint32_t triangle_count,
                                const abut_allocator *allocator);

void abut_soup_release(abut_soup *soup);

/* ABUT_ERROR_ARGUMENT for a coordinate that is not finite, else ABUT_ERROR_LIMIT beyond ABUT_MAX_COORDINATE. */
abut_result abut_soup_check(abut_vec3 vertex);

/* Leaves one of the vertices with equal coordinates, and only those that triangles use, in the order of their first
 * use. Does nothing to a soup whose vertices already are so. ABUT_ERROR_MEMORY. */
abut_result abut_soup_weld(abut_soup *soup);

#endif
