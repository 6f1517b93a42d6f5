/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/faces.h"
#include "base/radix.h"
#include "shape/kernels.h"

#define NONE UINT32_MAX

/* The faces while they grow. A half edge is a position in the polyhedron's loops. While faces grow, a face is named
 * after one of its facets. */
typedef struct merger {
    const abut_polyhedron *p;
    abut_faces *faces;
    uint32_t *next, *prev; /* by half edge: its neighbours around the face */
    uint32_t *owner;       /* by half edge: the face; NONE for a removed edge */
    uint32_t *begin,
        *size; /* by face: one of its half edges, NONE if it was merged into another face; how many it has */
    uint32_t *degree, *mark; /* by vertex: how many faces meet there; the stamp of the last test that met it */
    uint32_t stamp;
    double size_of_all; /* no vertex is farther from zero, in the L1 norm */
    abut_radix_item *items, *spare;
} merger;

/* Of its arrays, which come after those of the faces. */
static size_t merger_bytes(const abut_polyhedron *p) {
    const merger *m; /* for sizes alone */
    return 2 * (size_t)p->loop_count * sizeof *m->items +
           (3 * (size_t)p->loop_count + 2 * (size_t)p->facet_count + 2 * (size_t)p->vertex_count) * sizeof *m->next;
}

static void merger_place(merger *m, const abut_polyhedron *p, abut_faces *faces, void *memory) {
    *m = (merger){.p = p, .faces = faces, .items = memory};
    m->spare = m->items + p->loop_count;
    m->next = (uint32_t *)(void *)(m->spare + p->loop_count);
    m->prev = m->next + p->loop_count;
    m->owner = m->prev + p->loop_count;
    m->begin = m->owner + p->loop_count;
    m->size = m->begin + p->facet_count;
    m->degree = m->size + p->facet_count;
    m->mark = m->degree + p->vertex_count;
}

static abut_d3 vertex_at(const merger *m, uint32_t half_edge) {
    return abut_d3_from(m->p->vertex[m->p->loop[half_edge]]);
}

/* The facets' planes and areas. */
static void measure(merger *m) {
    const abut_polyhedron *p = m->p;
    for (uint32_t i = 0; i < p->vertex_count; i++) {
        m->size_of_all = abut_max_d(m->size_of_all, abut_d3_norm1(abut_d3_from(p->vertex[i])));
    }
    const bool triangles = p->loop_count == 3 * p->facet_count;
    if (triangles) { /* writes past the ends, where nothing is yet */
        abut_shape_kernels_active()->measure(p, m->faces->facet_plane, m->faces->face_area);
    }
    for (uint32_t f = 0; f < p->facet_count; f++) {
        abut_hull_plane *plane = &m->faces->facet_plane[f];
        double length = triangles ? m->faces->face_area[f] : -1;
        /* The direction of a sliver's own sum may be all rounding; that of its plane is not. */
        length = length >= 0 ? length : abut_polyhedron_measure(p, f, plane);
        for (int k = 0; k < 3; k++) {
            m->faces->area[f][k] = plane->n[k] * length;
        }
    }
}

/* Makes every facet a face of its own. */
static void begin(merger *m) {
    const abut_polyhedron *p = m->p;
    memset(m->degree, 0, p->vertex_count * sizeof *m->degree);
    memset(m->mark, 0, p->vertex_count * sizeof *m->mark);
    for (uint32_t f = 0; f < p->facet_count; f++) {
        uint32_t first = p->first[f], end = p->first[f + 1];
        for (uint32_t h = first; h < end; h++) {
            m->next[h] = h + 1 < end ? h + 1 : first;
            m->prev[h] = h > first ? h - 1 : end - 1;
            m->owner[h] = f;
            m->degree[p->loop[h]]++;
        }
        m->begin[f] = first;
        m->size[f] = end - first;
        m->faces->face_of[f] = f;
    }
}

/* Whether two faces share the two ends of one edge and no other vertex. Once they are one, no edge has it on both
 * sides. */
static bool share_one_edge(merger *m, uint32_t a, uint32_t b) {
    uint32_t common = 0, stamp = ++m->stamp;
    for (uint32_t i = 0, h = m->begin[a]; i < m->size[a]; i++, h = m->next[h]) {
        m->mark[m->p->loop[h]] = stamp;
    }
    for (uint32_t i = 0, h = m->begin[b]; i < m->size[b]; i++, h = m->next[h]) {
        common += m->mark[m->p->loop[h]] == stamp;
    }
    return common == 2;
}

/* Widens low .. high to the heights of a face's vertices along n. */
static void heights(const merger *m, uint32_t face, abut_d3 n, double *low, double *high) {
    for (uint32_t i = 0, h = m->begin[face]; i < m->size[face]; i++, h = m->next[h]) {
        double height = abut_d3_dot(n, vertex_at(m, h));
        *low = abut_min_d(height, *low);
        *high = abut_max_d(height, *high);
    }
}

/* The greatest height of all vertices along n. */
static double support(const abut_polyhedron *p, abut_d3 n) {
    double high = abut_d3_dot(n, abut_d3_from(p->vertex[0]));
    for (uint32_t i = 1; i < p->vertex_count; i++) {
        high = abut_max_d(high, abut_d3_dot(n, abut_d3_from(p->vertex[i])));
    }
    return high;
}

/* Whether a face with two vertices so far apart along n, of any length, is certainly less flat than the tolerance: what
 * is so of nearly all pairs of faces, without a root. Heights are good to a few roundings of the largest coordinates.
 */
static bool is_bent(const merger *m, double height, abut_d3 n) {
    double most = m->faces->tolerance * (1 + 0x1p-20) + m->size_of_all * 0x1p-46;
    return height * height > most * most * abut_d3_dot(n, n);
}

/* The vertex of a facet that follows the end of half edge h. */
static abut_d3 vertex_beyond(const merger *m, uint32_t facet, uint32_t h) {
    uint32_t first = m->p->first[facet], size = m->p->first[facet + 1] - first, at = h - first + 2;
    return vertex_at(m, first + (at < size ? at : at - size));
}

/* Whether the two facets of some edge may be merged: for most hulls none. Two vertices beside the edge tell. */
static bool some_may_merge(const merger *m) {
    const abut_polyhedron *p = m->p;
    for (uint32_t e = 0; e < p->edge_count; e++) {
        const uint32_t *f = p->edge[e].f, *h = p->edge[e].h;
        abut_d3 n = abut_d3_along(abut_d3_load(m->faces->area[f[0]]), 1, abut_d3_load(m->faces->area[f[1]]));
        double height = abut_d3_dot(n, vertex_at(m, h[0]));
        double fall = height - abut_d3_dot(n, vertex_beyond(m, f[0], h[0]));
        double other = height - abut_d3_dot(n, vertex_beyond(m, f[1], h[1]));
        if (!is_bent(m, abut_max_d(fall, other), n)) {
            return true;
        }
    }
    return false;
}

/* Whether the union of two faces lies within the tolerance of its plane, whose normal is *normal. */
static bool is_flat(const merger *m, uint32_t a, uint32_t b, abut_d3 *normal) {
    abut_d3 u = abut_d3_load(m->faces->area[a]), v = abut_d3_load(m->faces->area[b]), n = abut_d3_along(u, 1, v);
    double low = abut_d3_dot(n, vertex_at(m, m->begin[a])), high = low, tolerance = m->faces->tolerance;
    heights(m, a, n, &low, &high);
    heights(m, b, n, &low, &high);
    if (is_bent(m, high - low, n)) {
        return false;
    }
    double uu = abut_d3_dot(u, u), vv = abut_d3_dot(v, v), uv = abut_d3_dot(u, v);
    /* The two sides of a body thinner than the tolerance are not one face. */
    if (!(uv >= 0.25 * sqrt(uu) * sqrt(vv)) || !abut_d3_normalise(&n)) {
        return false;
    }
    low = high = abut_d3_dot(n, vertex_at(m, m->begin[a]));
    heights(m, a, n, &low, &high);
    heights(m, b, n, &low, &high);
    *normal = n;
    return high - low <= tolerance && support(m->p, n) - low <= tolerance;
}

/* Whether the corner between half edge `in` and the one after it, `out`, stays convex: it lies at most the tolerance
 * inside the line between its neighbours. */
static bool is_convex(const merger *m, uint32_t in, uint32_t out, abut_d3 n) {
    abut_d3 a = vertex_at(m, in), b = vertex_at(m, out), c = vertex_at(m, m->next[out]), past = abut_d3_sub(c, a);
    double turn = abut_d3_dot(n, abut_d3_cross(abut_d3_sub(b, a), past));
    return turn >= -m->faces->tolerance * sqrt(abut_d3_dot(past, past));
}

/* Merges face b into face a: half edge h of a and its twin, of b, are removed. */
static void unite(merger *m, uint32_t a, uint32_t b, uint32_t h, uint32_t twin) {
    for (uint32_t i = 0, at = m->begin[b]; i < m->size[b]; i++, at = m->next[at]) {
        m->owner[at] = a;
    }
    m->begin[a] = m->next[h];
    m->begin[b] = NONE;
    m->faces->face_of[b] = a;
    m->size[a] += m->size[b] - 2;
    m->next[m->prev[h]] = m->next[twin];
    m->prev[m->next[twin]] = m->prev[h];
    m->next[m->prev[twin]] = m->next[h];
    m->prev[m->next[h]] = m->prev[twin];
    m->owner[h] = m->owner[twin] = NONE;
    m->degree[m->p->loop[h]]--;
    m->degree[m->p->loop[twin]]--;
    for (int k = 0; k < 3; k++) {
        m->faces->area[a][k] += m->faces->area[b][k];
    }
}

/* Removes edge e if the rules in faces.h allow it; returns whether it did. */
static bool try_edge(merger *m, uint32_t e) {
    uint32_t h = m->p->edge[e].h[0], twin = m->p->edge[e].h[1], a = m->owner[h], b = m->owner[twin];
    abut_d3 n;
    if (a == NONE || m->degree[m->p->loop[h]] <= 3 || m->degree[m->p->loop[twin]] <= 3 || !is_flat(m, a, b, &n) ||
        !is_convex(m, m->prev[h], m->next[twin], n) || !is_convex(m, m->prev[twin], m->next[h], n) ||
        !share_one_edge(m, a, b)) {
        return false;
    }
    bool swap = m->size[a] < m->size[b];
    unite(m, swap ? b : a, swap ? a : b, swap ? twin : h, swap ? h : twin);
    return true;
}

/* Tries all edges, the flattest first, until a whole round removes none. */
static void merge(merger *m) {
    const abut_polyhedron *p = m->p;
    for (uint32_t e = 0; e < p->edge_count; e++) {
        const double *u = m->faces->facet_plane[p->edge[e].f[0]].n, *v = m->faces->facet_plane[p->edge[e].f[1]].n;
        double x = u[0] - v[0], y = u[1] - v[1], z = u[2] - v[2];
        m->items[e] = (abut_radix_item){abut_bits_of_float((float)(x * x + y * y + z * z)), e};
    }
    abut_radix_sort(m->items, m->spare, p->edge_count);
    bool merged = true;
    while (merged) {
        merged = false;
        for (uint32_t i = 0; i < p->edge_count; i++) {
            merged = try_edge(m, m->items[i].value) || merged;
        }
    }
}

/* Lists the faces in items[].value, ordered by the first two vertices of their loops, as facets are. */
static void sort_faces(merger *m) {
    const uint32_t *loop = m->p->loop;
    for (uint32_t f = 0; f < m->p->facet_count; f++) {
        if (m->begin[f] == NONE) {
            continue;
        }
        for (uint32_t i = 0, h = m->begin[f]; i < m->size[f]; i++, h = m->next[h]) {
            m->begin[f] = loop[h] < loop[m->begin[f]] ? h : m->begin[f];
        }
        m->items[m->faces->count++] = (abut_radix_item){loop[m->next[m->begin[f]]], f};
    }
    abut_radix_sort(m->items, m->spare, m->faces->count);
    for (uint32_t i = 0; i < m->faces->count; i++) {
        m->items[i].key = loop[m->begin[m->items[i].value]];
    }
    abut_radix_sort(m->items, m->spare, m->faces->count);
}

static abut_hull_plane face_plane(const merger *m, uint32_t f) {
    const double *a = m->faces->area[f];
    abut_d3 n = abut_d3_load(a);
    double length = sqrt(abut_d3_dot(n, n));
    for (int k = 0; k < 3; k++) {
        n.x[k] = n.x[k] / length + 0.0;
    }
    return (abut_hull_plane){{n.x[0], n.x[1], n.x[2]}, support(m->p, n) + 0.0};
}

static void write_faces(merger *m) {
    abut_faces *out = m->faces;
    const abut_polyhedron *p = m->p;
    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t f = m->items[i].value;
        bool alone = m->size[f] == p->first[f + 1] - p->first[f];
        out->face[i] = (abut_hull_polygon){alone ? out->facet_plane[f] : face_plane(m, f), out->loop_count, m->size[f]};
        for (uint32_t k = 0, h = m->begin[f]; k < m->size[f]; k++, h = m->next[h]) {
            out->loop[out->loop_count] = p->loop[h];
            out->side[out->loop_count++] = p->edge_of[h];
        }
        const double *area = out->area[f];
        out->face_area[i] = sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
        m->begin[f] = i;
    }
    for (uint32_t f = 0; f < p->facet_count; f++) {
        uint32_t root = f;
        while (out->face_of[root] != root) {
            root = out->face_of[root];
        }
        m->size[f] = m->begin[root];
    }
    memcpy(out->face_of, m->size, p->facet_count * sizeof *m->size);
    out->edge_count = out->loop_count / 2;
}

/* Faces of which none was merged are the facets, in their order. */
static void write_facets(merger *m) {
    abut_faces *out = m->faces;
    const abut_polyhedron *p = m->p;
    out->count = p->facet_count;
    out->edge_count = p->edge_count;
    out->loop_count = p->loop_count;
    out->loop = p->loop;
    out->side = p->edge_of;
    for (uint32_t f = 0; f < p->facet_count; f++) {
        abut_d3 area = abut_d3_load(out->area[f]);
        out->face[f] = (abut_hull_polygon){out->facet_plane[f], p->first[f], p->first[f + 1] - p->first[f]};
        out->face_area[f] = abut_d3_length(area);
        out->face_of[f] = f;
    }
}

static double default_tolerance(const abut_faces *faces) {
    double largest = 0;
    for (int k = 0; k < 3; k++) {
        largest = abut_max_d(largest, faces->high[k] - faces->low[k]);
    }
    return largest * 0x1p-18;
}

/* Edges in the scratch of abut_fit_hull: whole registers. */
static size_t padded(const abut_polyhedron *p) {
    return ((size_t)p->edge_count + ABUT_OUTLINE_TOGETHER - 1) / ABUT_OUTLINE_TOGETHER * ABUT_OUTLINE_TOGETHER;
}

/* Makes the end of the faces a multiple of 8. */
static size_t faces_bytes(const abut_polyhedron *p) {
    const abut_faces *of; /* for sizes alone */
    size_t facets = p->facet_count, numbers = 2 * (size_t)p->loop_count + facets;
    size_t bytes = facets * (sizeof *of->facet_plane + sizeof *of->face + sizeof *of->area + sizeof *of->face_area) +
                   numbers * sizeof *of->loop;
    return (bytes + 7) / 8 * 8;
}

/* Of the scratch of abut_fit_hull. */
static size_t scratch_bytes(const abut_polyhedron *p) {
    const abut_faces *of; /* for sizes alone */
    return padded(p) * (sizeof *of->along + 1) + p->vertex_count * sizeof *of->shadow + p->facet_count;
}

static void faces_place(abut_faces *faces, const abut_polyhedron *p, void *scratch) {
    faces->facet_plane = faces->memory;
    faces->face = (abut_hull_polygon *)(void *)(faces->facet_plane + p->facet_count);
    faces->area = (double(*)[3])(void *)(faces->face + p->facet_count);
    faces->face_area = (double *)(void *)(faces->area + p->facet_count);
    faces->loop = (uint32_t *)(void *)(faces->face_area + p->facet_count);
    faces->side = faces->loop + p->loop_count;
    faces->face_of = faces->side + p->loop_count;
    faces->along = scratch;
    faces->shadow = (double(*)[2][ABUT_OUTLINE_TOGETHER])(void *)(faces->along + padded(p));
    faces->crossing = (uint8_t *)(faces->shadow + p->vertex_count);
    faces->facing = faces->crossing + padded(p);
}

abut_result abut_faces_make(abut_faces *faces, const abut_polyhedron *p, float tolerance) {
    merger m;
    *faces = (abut_faces){0};
    abut_polyhedron_bounds(p, faces->low, faces->high);
    faces->tolerance = tolerance > 0 ? tolerance : default_tolerance(faces);
    size_t own = faces_bytes(p), merging = merger_bytes(p), fitting = scratch_bytes(p);
    faces->bytes = own + (merging > fitting ? merging : fitting);
    faces->memory = abut_memory_alloc(p->allocator, faces->bytes);
    if (!faces->memory) {
        *faces = (abut_faces){0};
        return ABUT_ERROR_MEMORY;
    }
    void *scratch = (unsigned char *)faces->memory + own;
    faces_place(faces, p, scratch);
    merger_place(&m, p, faces, scratch);
    measure(&m);
    if (p->vertex_count <= ABUT_HULL_MAX_VERTICES && some_may_merge(&m)) {
        begin(&m);
        merge(&m);
        sort_faces(&m);
        write_faces(&m);
    } else {
        write_facets(&m);
    }
    return ABUT_OK;
}

void abut_faces_release(abut_faces *faces, const abut_allocator *allocator) {
    abut_memory_release(allocator, faces->memory, faces->bytes);
    *faces = (abut_faces){0};
}
