/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/assemble.h"
#include "base/bytes.h"
#include "base/compiler.h"
#include "shape/box/fit.h"
#include "shape/hull/mass.h"

/* Gives an array of `bytes` bytes the next offset. */
static void place(uint64_t *at, uint32_t *offset, size_t bytes) {
    *offset = (uint32_t)*at;
    *at += (bytes + 63) / 64 * 64;
}

bool abut_hull_lay_out(abut_hull *h) {
    const uint32_t limit = ABUT_HULL_MAX_VERTICES;
    if (h->vertex_count < 4 || h->vertex_count > limit || h->facet_count > 2 * limit || h->edge_count > 3 * limit ||
        h->face_count > h->facet_count || h->face_edge_count > h->edge_count) {
        return false;
    }
    uint64_t at = 0;
    uint32_t header;
    h->loop_count = 2 * h->face_edge_count;
    place(&at, &header, sizeof *h);
    place(&at, &h->vertices, h->vertex_count * sizeof(abut_vec3));
    for (int k = 0; k < 3; k++) {
        place(&at, &h->coordinate[k], abut_hull_padded(h->vertex_count) * sizeof(float));
    }
    place(&at, &h->plane, h->facet_count * sizeof(abut_hull_plane));
    for (int k = 0; k < 4; k++) {
        place(&at, &h->plane_floats[k], abut_hull_padded(h->facet_count) * sizeof(float));
    }
    place(&at, &h->edges, h->edge_count * sizeof(abut_hull_edge));
    place(&at, &h->faces, h->face_count * sizeof(abut_hull_polygon));
    place(&at, &h->loop, h->loop_count * sizeof(uint16_t));
    place(&at, &h->sides, h->loop_count * sizeof(uint16_t));
    place(&at, &h->face_of, h->facet_count * sizeof(uint16_t));
    place(&at, &h->facet_edges_first, (h->facet_count + 1) * sizeof(uint16_t));
    place(&at, &h->facet_edges, 2 * h->edge_count * sizeof(uint16_t));
    place(&at, &h->vertex_edges_first, (h->vertex_count + 1) * sizeof(uint16_t));
    place(&at, &h->vertex_edges, 2 * h->edge_count * sizeof(uint16_t));
    h->size = (uint32_t)at;
    return true;
}

/* FNV-1a by words of 64 bits, with the high half brought down after each. The digest is kept in two parts, of which the
 * first meets the next word while the second is still being shifted. */
typedef struct running_digest {
    uint64_t product, shifted;
} running_digest;

static const running_digest digest_begin = {UINT64_C(0xcbf29ce484222325), 0};

static inline running_digest digest_words(running_digest d, const unsigned char *bytes, uint32_t from, uint32_t end) {
    for (uint32_t i = from; i < end; i += 8) {
        uint64_t part = d.product ^ abut_bytes_u64(bytes + i);
        ABUT_OPAQUE(part);
        d.product = (part ^ d.shifted) * UINT64_C(0x100000001b3);
        d.shifted = d.product >> 29;
    }
    return d;
}

uint64_t abut_hull_compute_digest(const void *bytes, uint32_t size) {
    static const unsigned char none[8] = {0};
    const uint32_t own = offsetof(abut_hull, digest);
    running_digest d = digest_words(digest_begin, bytes, 0, own);
    d = digest_words(d, none, 0, 8);
    d = digest_words(d, bytes, own + 8, size);
    return d.product ^ d.shifted;
}

void abut_hull_reverse_header(abut_hull *header) {
    enum { BEFORE = offsetof(abut_hull, digest) / 4, AFTER = sizeof *header / 4 - BEFORE - 2 };
    abut_bytes_reverse(header, BEFORE, "4");
    abut_bytes_reverse(&header->digest, 1, "8");
    abut_bytes_reverse(&header->digest + 1, AFTER, "4");
}

/* The bytes of the block, little-endian, with the digest 0. */
static void write_little_endian(const abut_hull *hull, unsigned char *bytes) {
    memcpy(bytes, hull, hull->size);
    abut_hull_reverse_header((abut_hull *)(void *)bytes);
    abut_bytes_reverse(bytes + hull->vertices, (hull->plane - hull->vertices) / 4, "4");
    abut_bytes_reverse(bytes + hull->plane, (hull->plane_floats[0] - hull->plane) / 8, "8");
    abut_bytes_reverse(bytes + hull->plane_floats[0], (hull->edges - hull->plane_floats[0]) / 4, "4");
    abut_bytes_reverse(bytes + hull->edges, (hull->faces - hull->edges) / 2, "2");
    abut_bytes_reverse(bytes + hull->faces, hull->face_count, "888844");
    abut_bytes_reverse(bytes + hull->loop, (hull->size - hull->loop) / 2, "2");
}

/* Sets the digest where the machine is big-endian: the little-endian bytes follow the block. */
static void sign_copy(abut_hull *hull) {
    unsigned char *bytes = (unsigned char *)hull + hull->size;
    write_little_endian(hull, bytes);
    hull->digest = abut_hull_compute_digest(bytes, hull->size);
    uint64_t word = abut_bytes_u64(&hull->digest);
    memcpy(bytes + offsetof(abut_hull, digest), &word, sizeof word);
}

const void *abut_hull_bytes(const abut_hull *hull) {
    return (const unsigned char *)hull + (abut_bytes_little_endian() ? 0 : hull->size);
}

static void *at(abut_hull *hull, uint32_t offset) {
    return (unsigned char *)hull + offset;
}

/* Fills a padded array with every stride-th number. */
static void fill_padded(float *array, uint32_t count, uint32_t stride, const float *from) {
    for (uint32_t i = 0; i < abut_hull_padded(count); i++) {
        array[i] = from[i < count ? (size_t)i * stride : 0];
    }
}

static void fill_vertices(abut_hull *hull, const abut_polyhedron *p) {
    memcpy(at(hull, hull->vertices), p->vertex, p->vertex_count * sizeof *p->vertex);
    for (int k = 0; k < 3; k++) {
        fill_padded(at(hull, hull->coordinate[k]), p->vertex_count, 3, &p->vertex->x + k);
    }
}

static void fill_planes(abut_hull *hull, const abut_faces *faces) {
    abut_hull_plane *plane = at(hull, hull->plane);
    for (uint32_t f = 0; f < hull->facet_count; f++) {
        plane[f] = faces->facet_plane[f];
    }
    for (int k = 0; k < 4; k++) {
        float *floats = at(hull, hull->plane_floats[k]);
        for (uint32_t f = 0; f < abut_hull_padded(hull->facet_count); f++) {
            const abut_hull_plane *from = &plane[f < hull->facet_count ? f : 0];
            floats[f] = (float)(k < 3 ? from->n[k] : from->w);
        }
    }
}

static void fill_edges(abut_hull *hull, const abut_polyhedron *p) {
    abut_hull_edge *edge = at(hull, hull->edges);
    for (uint32_t e = 0; e < p->edge_count; e++) {
        for (int i = 0; i < 2; i++) {
            edge[e].v[i] = (uint16_t)p->edge[e].v[i];
            edge[e].f[i] = (uint16_t)p->edge[e].f[i];
        }
    }
}

/* The edges of each facet, or of each vertex, in ascending order: a counting sort of the numbers in the edges. An edge
 * is four numbers, of which the two from `from` on count; list r becomes list[first[r]] .. list[first[r + 1] - 1]. */
static void fill_edge_lists(const uint16_t *end, uint32_t from, uint32_t edge_count, uint32_t lists, uint16_t *first,
                            uint16_t *list) {
    for (uint32_t e = 0; e < edge_count; e++) {
        first[end[4 * e + from] + 1]++;
        first[end[4 * e + from + 1] + 1]++;
    }
    for (uint32_t r = 0; r < lists; r++) {
        first[r + 1] = (uint16_t)(first[r + 1] + first[r]);
    }
    for (uint32_t e = edge_count; e-- > 0;) { /* each list from its end, so that first[r + 1] becomes its start */
        list[--first[end[4 * e + from] + 1]] = (uint16_t)e;
        list[--first[end[4 * e + from + 1] + 1]] = (uint16_t)e;
    }
    memmove(first, first + 1, lists * sizeof *first);
    first[lists] = (uint16_t)(2 * edge_count);
}

static void fill_facet_edges(abut_hull *hull) {
    _Static_assert(sizeof(abut_hull_edge) == 4 * sizeof(uint16_t), "an edge is four numbers: two vertices, two facets");
    fill_edge_lists(abut_hull_indices(hull, hull->edges), 2, hull->edge_count, hull->facet_count,
                    at(hull, hull->facet_edges_first), at(hull, hull->facet_edges));
}

static void fill_vertex_edges(abut_hull *hull) {
    fill_edge_lists(abut_hull_indices(hull, hull->edges), 0, hull->edge_count, hull->vertex_count,
                    at(hull, hull->vertex_edges_first), at(hull, hull->vertex_edges));
}

static void fill_faces(abut_hull *hull, const abut_faces *faces) {
    uint16_t *loop = at(hull, hull->loop), *side = at(hull, hull->sides), *face_of = at(hull, hull->face_of);
    memcpy(at(hull, hull->faces), faces->face, faces->count * sizeof *faces->face);
    for (uint32_t i = 0; i < faces->loop_count; i++) {
        loop[i] = (uint16_t)faces->loop[i];
        side[i] = (uint16_t)faces->side[i];
    }
    for (uint32_t f = 0; f < hull->facet_count; f++) {
        face_of[f] = (uint16_t)faces->face_of[f];
    }
}

/* Writes the arrays and the digest. Words of the digest wait for each other, so those of one array are added while the
 * next one is being written; not right after their own array, whose numbers, narrower than words, are on their way to
 * memory then. */
static void fill(abut_hull *hull, const abut_polyhedron *p, const abut_faces *faces) {
    const unsigned char *bytes = (const unsigned char *)hull;
    fill_vertices(hull, p);
    running_digest d = digest_words(digest_begin, bytes, 0, hull->vertices); /* of which the digest is still 0 */
    fill_planes(hull, faces);
    d = digest_words(d, bytes, hull->vertices, hull->plane);
    fill_edges(hull, p);
    d = digest_words(d, bytes, hull->plane, hull->edges);
    fill_faces(hull, faces);
    d = digest_words(d, bytes, hull->edges, hull->faces);
    fill_facet_edges(hull);
    d = digest_words(d, bytes, hull->faces, hull->facet_edges_first);
    fill_vertex_edges(hull);
    d = digest_words(d, bytes, hull->facet_edges_first, hull->size);
    hull->digest = d.product ^ d.shifted;
    if (!abut_bytes_little_endian()) {
        sign_copy(hull);
    }
}

/* Above 0 even where the volume is too small for a float. It is below 2^93: ABUT_MAX_COORDINATE. */
static float volume_of(double volume) {
    float rounded = (float)volume;
    return rounded > 0 ? rounded : 0x1p-149f;
}

static float radius_of(const abut_polyhedron *p) {
    double largest = 0;
    for (uint32_t i = 0; i < p->vertex_count; i++) {
        abut_d3 v = abut_d3_from(p->vertex[i]);
        largest = abut_max_d(largest, abut_d3_dot(v, v));
    }
    return abut_bits_round_up(sqrt(largest) * (1 + 0x1p-50));
}

static abut_hull *allocate(const abut_hull *header, const abut_allocator *allocator) {
    size_t bytes = sizeof(abut_hull_prefix) + (abut_bytes_little_endian() ? 1u : 2u) * (size_t)header->size;
    abut_hull_prefix *prefix = abut_memory_alloc(allocator, bytes);
    if (!prefix) {
        return NULL;
    }
    memset((void *)prefix, 0, bytes);
    prefix->of.allocator = *allocator;
    prefix->of.bytes = bytes;
    abut_hull *hull = (abut_hull *)(void *)(prefix + 1);
    memcpy(hull, header, sizeof *header);
    return hull;
}

abut_result abut_hull_assemble(const abut_polyhedron *p, float tolerance, const abut_allocator *allocator,
                               abut_hull **out) {
    if (p->vertex_count > ABUT_HULL_MAX_VERTICES) {
        return ABUT_ERROR_LIMIT;
    }
    abut_faces faces;
    abut_result result = abut_faces_make(&faces, p, tolerance);
    if (result != ABUT_OK) {
        return result;
    }
    abut_mass mass = abut_mass_of(p);
    abut_hull header;
    memset(&header, 0, sizeof header);
    header.magic = ABUT_HULL_MAGIC;
    header.version = ABUT_HULL_VERSION;
    header.vertex_count = p->vertex_count;
    header.facet_count = p->facet_count;
    header.edge_count = p->edge_count;
    header.face_count = faces.count;
    header.face_edge_count = faces.edge_count;
    header.volume = volume_of(mass.volume);
    header.centroid = abut_vec3_round(mass.centroid);
    header.obb = abut_fit_hull(p, &faces);
    header.radius = radius_of(p);
    header.coplanar_tolerance = tolerance;
    (void)abut_hull_lay_out(&header); /* true: by Euler's formula a polyhedron with so many vertices fits */
    abut_hull *hull = allocate(&header, allocator);
    if (hull) {
        fill(hull, p, &faces);
    }
    abut_faces_release(&faces, p->allocator);
    *out = hull;
    return hull ? ABUT_OK : ABUT_ERROR_MEMORY;
}
