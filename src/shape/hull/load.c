/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/arithmetic.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "base/workers/fpmode.h"
#include "shape/hull/assemble.h"

/* The vertices and the tolerance determine every other byte. So the hull is made again from them, and the given bytes
 * must be the same: nothing else in them is trusted. */
static abut_result rebuild(const unsigned char *bytes, const abut_hull *header, const abut_allocator *allocator,
                           abut_hull **hull) {
    abut_arena arena;
    abut_polyhedron polyhedron;
    size_t vertex_bytes = header->vertex_count * sizeof(abut_vec3);
    abut_vec3 *vertices = abut_memory_alloc(allocator, vertex_bytes);
    if (!vertices) {
        return ABUT_ERROR_MEMORY;
    }
    abut_result result = abut_arena_begin(&arena, allocator, abut_polyhedron_scratch(header->vertex_count));
    if (result != ABUT_OK) {
        abut_memory_release(allocator, vertices, vertex_bytes);
        return result;
    }
    memcpy(vertices, bytes + header->vertices, vertex_bytes);
    if (!abut_bytes_little_endian()) {
        abut_bytes_reverse(vertices, vertex_bytes / 4, "4");
    }
    result = abut_polyhedron_make(&polyhedron, vertices, header->vertex_count, &arena.pieces);
    if (result == ABUT_OK &&
        (polyhedron.vertex_count != header->vertex_count || polyhedron.facet_count != header->facet_count)) {
        result = ABUT_ERROR_FORMAT;
    }
    if (result == ABUT_OK) {
        result = abut_hull_assemble(&polyhedron, header->coplanar_tolerance, allocator, hull);
    }
    abut_polyhedron_release(&polyhedron);
    abut_arena_end(&arena);
    abut_memory_release(allocator, vertices, vertex_bytes);
    return result;
}

/* Finite, and not negative: nor is it -0, which would be a second form of the same hull. */
static bool is_tolerance(float tolerance) {
    return abut_bits_of_float(tolerance) < 0x7f800000u;
}

/* Whether the header is of this version, describes `size` bytes and has the offsets that follow from its counts. */
static bool is_plausible(const abut_hull *header, size_t size) {
    abut_hull expected = *header;
    return header->magic == ABUT_HULL_MAGIC && header->version == ABUT_HULL_VERSION && header->size == size &&
           abut_hull_lay_out(&expected) && memcmp(&expected, header, sizeof expected) == 0 &&
           is_tolerance(header->coplanar_tolerance);
}

static abut_result load_hull(const void *bytes, size_t size, const abut_hull_def *def, abut_hull **hull) {
    static const abut_hull_def none = {0};
    abut_allocator allocator;
    abut_hull header;
    if (!hull) {
        return ABUT_ERROR_ARGUMENT;
    }
    *hull = NULL;
    if (!abut_arithmetic_is_exact()) {
        return ABUT_ERROR_ARITHMETIC;
    }
    if (!bytes || !abut_memory_init(&allocator, def ? &def->allocator : &none.allocator)) {
        return ABUT_ERROR_ARGUMENT;
    }
    if (size < sizeof header) {
        return ABUT_ERROR_FORMAT;
    }
    memcpy(&header, bytes, sizeof header);
    if (!abut_bytes_little_endian()) {
        abut_hull_reverse_header(&header);
    }
    if (!is_plausible(&header, size)) {
        return ABUT_ERROR_FORMAT;
    }
    abut_result result = rebuild(bytes, &header, &allocator, hull);
    if (result == ABUT_OK && ((*hull)->size != size || memcmp(abut_hull_bytes(*hull), bytes, size) != 0)) {
        abut_hull_destroy(hull);
        result = ABUT_ERROR_FORMAT;
    }
    return result == ABUT_OK || result == ABUT_ERROR_MEMORY ? result : ABUT_ERROR_FORMAT;
}

abut_result abut_hull_load(const void *bytes, size_t size, const abut_hull_def *def, abut_hull **hull) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = load_hull(bytes, size, def, hull);
    abut_fpmode_leave(mode);
    return result;
}
