/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/arithmetic.h"
#include "base/bytes.h"
#include "base/workers/fpmode.h"
#include "shape/mesh/assemble.h"

/* Whether the header is of this version, describes `size` bytes and has the offsets that follow from its counts. */
static bool is_plausible(const abut_mesh *header, size_t size) {
    const uint32_t most = ABUT_MESH_MAX_TRIANGLES;
    abut_mesh expected = *header;
    if (header->magic != ABUT_MESH_MAGIC || header->version != ABUT_MESH_VERSION || header->size != size ||
        header->triangle_count > most || header->vertex_count < 3 || header->vertex_count > 3 * most ||
        header->two_sided > 1 || header->solid_count == 0 || header->solid_count > header->triangle_count ||
        header->ghost_count > header->triangle_count - header->solid_count) {
        return false;
    }
    abut_mesh_lay_out(&expected);
    return memcmp(&expected, header, sizeof expected) == 0;
}

/* Within the limits, and no coordinate is -0, which would be a second form of the same mesh. */
static bool is_vertex(abut_vec3 v) {
    const abut_vec3 usual = abut_vec3_positive_zeros(v);
    return abut_soup_check(v) == ABUT_OK && memcmp(&usual, &v, sizeof v) == 0;
}

/* Whether the copied vertices and corners may be welded. */
static bool is_sound(const abut_soup *soup) {
    bool sound = true;
    for (uint32_t v = 0; v < soup->vertex_count; v++) {
        sound = sound && is_vertex(soup->vertex[v]);
    }
    for (size_t i = 0; i < 3 * (size_t)soup->triangle_count; i += 3) {
        const uint32_t *v = soup->corner + i;
        bool hole = v[0] == ABUT_MESH_NONE && v[1] == ABUT_MESH_NONE && v[2] == ABUT_MESH_NONE;
        sound =
            sound && (hole || (v[0] < soup->vertex_count && v[1] < soup->vertex_count && v[2] < soup->vertex_count));
    }
    return sound;
}

/* Vertices, triangles and which of them are ghosts determine every other byte. So the mesh is made again from them, and
 * the given bytes must be the same: nothing else in them is trusted. A triangle that is not solid counts as ghost; to
 * those without area that makes no difference. */
static abut_result rebuild(const unsigned char *bytes, const abut_mesh *header, const abut_allocator *allocator,
                           abut_mesh **mesh) {
    abut_soup soup;
    abut_result result = abut_soup_make_room(&soup, header->vertex_count, header->triangle_count, allocator);
    if (result == ABUT_OK) {
        size_t words = abut_soup_words(header->triangle_count);
        memcpy(soup.vertex, bytes + header->vertices, header->vertex_count * sizeof *soup.vertex);
        memcpy(soup.corner, bytes + header->indices, 3 * (size_t)header->triangle_count * sizeof *soup.corner);
        memcpy(soup.ghost, bytes + header->solid, words * sizeof *soup.ghost);
        if (!abut_bytes_little_endian()) {
            abut_bytes_reverse(soup.vertex, 3 * (size_t)header->vertex_count, "4");
            abut_bytes_reverse(soup.corner, 3 * (size_t)header->triangle_count, "4");
            abut_bytes_reverse(soup.ghost, words, "4");
        }
        for (size_t i = 0; i < words; i++) {
            soup.ghost[i] = ~soup.ghost[i];
        }
        soup.two_sided = header->two_sided != 0;
        result = is_sound(&soup) ? abut_mesh_assemble(&soup, mesh) : ABUT_ERROR_FORMAT;
    }
    abut_soup_release(&soup);
    return result;
}

static abut_result load_mesh(const void *bytes, size_t size, const abut_allocator *wanted, abut_mesh **mesh) {
    static const abut_allocator none = {0};
    abut_allocator allocator;
    abut_mesh header;
    if (!mesh) {
        return ABUT_ERROR_ARGUMENT;
    }
    *mesh = NULL;
    if (!abut_arithmetic_is_exact()) {
        return ABUT_ERROR_ARITHMETIC;
    }
    if (!abut_memory_init(&allocator, wanted ? wanted : &none)) {
        return ABUT_ERROR_ARGUMENT;
    }
    if (!bytes || size < sizeof header) {
        return ABUT_ERROR_FORMAT;
    }
    memcpy(&header, bytes, sizeof header);
    if (!abut_bytes_little_endian()) {
        abut_mesh_reverse_header(&header);
    }
    if (!is_plausible(&header, size)) {
        return ABUT_ERROR_FORMAT;
    }
    abut_result result = rebuild(bytes, &header, &allocator, mesh);
    if (result == ABUT_OK && ((*mesh)->size != size || memcmp(abut_mesh_bytes(*mesh), bytes, size) != 0)) {
        abut_mesh_destroy(mesh);
        result = ABUT_ERROR_FORMAT;
    }
    return result == ABUT_OK || result == ABUT_ERROR_MEMORY ? result : ABUT_ERROR_FORMAT;
}

abut_result abut_mesh_load(const void *bytes, size_t size, const abut_allocator *wanted, abut_mesh **mesh) {
    abut_fpmode mode = abut_fpmode_enter();
    abut_result result = load_mesh(bytes, size, wanted, mesh);
    abut_fpmode_leave(mode);
    return result;
}
