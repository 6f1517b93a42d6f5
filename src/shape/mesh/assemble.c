/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/mesh/assemble.h"
#include "base/bits.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "shape/mesh/edges.h"
#include "shape/mesh/tree.h"

/* Gives an array of `bytes` bytes the next offset. */
static void place(uint64_t *at, uint64_t *offset, uint64_t bytes) {
    *offset = *at;
    *at += (bytes + 63) / 64 * 64;
}

void abut_mesh_lay_out(abut_mesh *h) {
    uint64_t at = 0, header, triangles = h->triangle_count;
    uint32_t nodes = 0;
    h->leaf_count = (h->solid_count + ABUT_MESH_LEAF - 1) / ABUT_MESH_LEAF;
    h->levels = 0;
    for (uint32_t children = h->leaf_count; h->levels == 0 || children > 1; h->levels++) {
        h->level_first[h->levels] = nodes;
        children = (children + ABUT_MESH_WIDE - 1) / ABUT_MESH_WIDE;
        nodes += children;
    }
    for (uint32_t l = h->levels; l < ABUT_MESH_LEVELS; l++) {
        h->level_first[l] = 0;
    }
    place(&at, &header, sizeof *h);
    place(&at, &h->vertices, h->vertex_count * (uint64_t)sizeof(abut_vec3));
    place(&at, &h->indices, 3 * triangles * sizeof(uint32_t));
    place(&at, &h->sides, 3 * triangles * sizeof(uint32_t));
    place(&at, &h->solid, abut_soup_words(h->triangle_count) * sizeof(uint32_t));
    place(&at, &h->nodes, nodes * (uint64_t)sizeof(abut_mesh_node));
    place(&at, &h->leaves, h->leaf_count * (uint64_t)sizeof(abut_mesh_leaf));
    h->size = at;
}

/* FNV-1a by words of 64 bits, with the high half brought down after each; four words side by side, because each step
 * waits for the one before. */
uint64_t abut_mesh_compute_digest(const void *bytes, uint64_t size) {
    enum { STREAMS = 4 };
    uint64_t digest[STREAMS], all = 0;
    for (uint64_t k = 0; k < STREAMS; k++) {
        digest[k] = UINT64_C(0xcbf29ce484222325) + k;
    }
    for (uint64_t i = 0; i < size; i += 8 * STREAMS) {
        for (uint64_t k = 0; k < STREAMS; k++) {
            uint64_t at = i + 8 * k;
            uint64_t word = at == offsetof(abut_mesh, digest) ? 0 : abut_bytes_u64((const unsigned char *)bytes + at);
            digest[k] = (digest[k] ^ word) * UINT64_C(0x100000001b3);
            digest[k] ^= digest[k] >> 29;
        }
    }
    for (int k = 0; k < STREAMS; k++) {
        all = abut_hash_mix(all, digest[k]);
    }
    return all;
}

void abut_mesh_reverse_header(abut_mesh *header) {
    enum { NUMBERS = (offsetof(abut_mesh, vertices) - offsetof(abut_mesh, vertex_count)) / 4 };
    abut_bytes_reverse(header, 1, "4488");
    abut_bytes_reverse(&header->vertex_count, NUMBERS, "4");
    abut_bytes_reverse(&header->vertices, 6, "8");
}

/* As for hulls. All that follows the header are numbers of 4 bytes. */
static void sign(abut_mesh *mesh) {
    if (abut_bytes_little_endian()) {
        mesh->digest = abut_mesh_compute_digest(mesh, mesh->size);
        return;
    }
    unsigned char *bytes = (unsigned char *)mesh + mesh->size;
    memcpy(bytes, mesh, (size_t)mesh->size);
    abut_mesh_reverse_header((abut_mesh *)(void *)bytes);
    abut_bytes_reverse(bytes + mesh->vertices, (size_t)(mesh->size - mesh->vertices) / 4, "4");
    mesh->digest = abut_mesh_compute_digest(bytes, mesh->size);
    uint64_t digest = abut_bytes_u64(&mesh->digest);
    memcpy(bytes + offsetof(abut_mesh, digest), &digest, sizeof digest);
}

const void *abut_mesh_bytes(const abut_mesh *mesh) {
    return (const unsigned char *)mesh + (abut_bytes_little_endian() ? 0 : mesh->size);
}

static void *at(abut_mesh *mesh, uint64_t offset) {
    return (unsigned char *)mesh + offset;
}

static abut_mesh *allocate(const abut_mesh *header, const abut_allocator *allocator) {
    const uint64_t seams = header->ghost_count > 0 ? abut_soup_words(header->vertex_count) * sizeof(uint32_t) : 0;
    if (abut_mesh_copies_size(header) + seams > SIZE_MAX - sizeof(abut_mesh_prefix)) {
        return NULL;
    }
    size_t bytes = sizeof(abut_mesh_prefix) + (size_t)(abut_mesh_copies_size(header) + seams);
    abut_mesh_prefix *prefix = abut_memory_alloc(allocator, bytes);
    if (!prefix) {
        return NULL;
    }
    memset((void *)prefix, 0, bytes);
    prefix->of.allocator = *allocator;
    prefix->of.bytes = bytes;
    abut_mesh *mesh = (abut_mesh *)(void *)(prefix + 1);
    memcpy(mesh, header, sizeof *header);
    return mesh;
}

void abut_mesh_release(abut_mesh *mesh) {
    abut_mesh_prefix *prefix = (abut_mesh_prefix *)(void *)mesh - 1;
    abut_allocator allocator = prefix->of.allocator;
    abut_memory_release(&allocator, prefix, prefix->of.bytes);
}

/* Sets the bits of triangles with area, and of those that are no ghosts, too. */
static void classify(const abut_soup *soup, uint32_t *area, uint32_t *solid, abut_mesh *header) {
    for (uint32_t t = 0; t < soup->triangle_count; t++) {
        if (abut_edges_has_area(soup, t)) {
            abut_soup_set_bit(area, t);
            if (abut_soup_bit(soup->ghost, t)) {
                header->ghost_count++;
            } else {
                abut_soup_set_bit(solid, t);
                header->solid_count++;
            }
        }
    }
}

static void box_of(const abut_soup *soup, uint32_t t, float min[3], float max[3]) {
    for (int k = 0; k < 3; k++) {
        const float *x = &soup->vertex[soup->corner[3 * (size_t)t + (size_t)k]].x;
        for (int i = 0; i < 3; i++) {
            min[i] = k == 0 || x[i] < min[i] ? x[i] : min[i];
            max[i] = k == 0 || x[i] > max[i] ? x[i] : max[i];
        }
    }
}

/* Fills the items of the tree from the solid triangles; computes bounds and radius. */
static void gather(const abut_soup *soup, abut_mesh *mesh, abut_tree_item *item) {
    float *lowest = &mesh->bounds.min.x, *highest = &mesh->bounds.max.x;
    double farthest = 0;
    uint32_t n = 0;
    for (uint32_t t = 0; t < soup->triangle_count; t++) {
        float min[3], max[3];
        if (!abut_mesh_is_solid(mesh, t)) {
            continue;
        }
        box_of(soup, t, min, max);
        for (int i = 0; i < 3; i++) {
            item[n].middle[i] = min[i] + max[i];
            lowest[i] = n == 0 || min[i] < lowest[i] ? min[i] : lowest[i];
            highest[i] = n == 0 || max[i] > highest[i] ? max[i] : highest[i];
        }
        for (uint32_t k = 0; k < 3; k++) {
            abut_d3 v = abut_mesh_corner(mesh, t, k);
            farthest = abut_max_d(farthest, abut_d3_dot(v, v));
        }
        item[n++].number = t;
    }
    mesh->radius = abut_bits_round_up(sqrt(farthest) * (1 + 0x1p-50));
}

/* See abut_mesh_has_ghost_at. */
static void mark_seams(const abut_soup *soup, const uint32_t *area, abut_mesh *mesh) {
    uint32_t *bits = at(mesh, abut_mesh_copies_size(mesh));
    for (uint32_t t = 0; t < soup->triangle_count; t++) {
        if (abut_soup_bit(area, t) && !abut_mesh_is_solid(mesh, t)) {
            for (size_t k = 0; k < 3; k++) {
                abut_soup_set_bit(bits, soup->corner[3 * (size_t)t + k]);
            }
        }
    }
}

static abut_result fill(const abut_soup *soup, const uint32_t *area, const uint32_t *solid, abut_mesh *mesh) {
    memcpy(at(mesh, mesh->vertices), soup->vertex, soup->vertex_count * sizeof *soup->vertex);
    memcpy(at(mesh, mesh->indices), soup->corner, 3 * (size_t)soup->triangle_count * sizeof *soup->corner);
    memcpy(at(mesh, mesh->solid), solid, abut_soup_words(soup->triangle_count) * sizeof *solid);
    abut_result result = abut_edges_make(soup, area, at(mesh, mesh->sides));
    if (result != ABUT_OK) {
        return result;
    }
    size_t bytes = mesh->solid_count * sizeof(abut_tree_item);
    abut_tree_item *item = abut_memory_alloc(soup->allocator, bytes);
    if (!item) {
        return ABUT_ERROR_MEMORY;
    }
    gather(soup, mesh, item);
    abut_tree_sort(item, mesh->solid_count);
    abut_tree_fill(mesh, item, at(mesh, mesh->leaves), at(mesh, mesh->nodes));
    abut_memory_release(soup->allocator, item, bytes);
    sign(mesh);
    if (mesh->ghost_count > 0) {
        mark_seams(soup, area, mesh);
    }
    return ABUT_OK;
}

static abut_result assemble_welded(abut_soup *soup, uint32_t *area, uint32_t *solid, abut_mesh **mesh) {
    abut_mesh header;
    memset(&header, 0, sizeof header);
    header.magic = ABUT_MESH_MAGIC;
    header.version = ABUT_MESH_VERSION;
    header.vertex_count = soup->vertex_count;
    header.triangle_count = soup->triangle_count;
    header.two_sided = soup->two_sided;
    classify(soup, area, solid, &header);
    if (header.solid_count == 0) {
        return ABUT_ERROR_DEGENERATE;
    }
    abut_mesh_lay_out(&header);
    *mesh = allocate(&header, soup->allocator);
    abut_result result = *mesh ? fill(soup, area, solid, *mesh) : ABUT_ERROR_MEMORY;
    if (result != ABUT_OK && *mesh) {
        abut_mesh_release(*mesh);
        *mesh = NULL;
    }
    return result;
}

abut_result abut_mesh_assemble(abut_soup *soup, abut_mesh **mesh) {
    abut_result result = abut_soup_weld(soup);
    size_t words = abut_soup_words(soup->triangle_count), bytes = 2 * words * sizeof(uint32_t);
    *mesh = NULL;
    if (result != ABUT_OK) {
        return result;
    }
    uint32_t *area = abut_memory_alloc(soup->allocator, bytes);
    if (!area) {
        return ABUT_ERROR_MEMORY;
    }
    memset(area, 0, bytes);
    result = assemble_welded(soup, area, area + words, mesh);
    abut_memory_release(soup->allocator, area, bytes);
    return result;
}
