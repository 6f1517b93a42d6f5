/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/polyhedron.h"
#include "base/compiler.h"
#include "base/dd.h"
#include "base/radix.h"
#include "shape/few/few.h"
#include <assert.h>

#define NONE ABUT_SURFACE_NONE

/* A facet or an edge, with the two vertices that it is sorted by. */
typedef struct entry {
    uint32_t vertex[2], value;
} entry;

/* Coplanar triangles, merged into facets that are not in order yet. A half edge is one of the surface. */
typedef struct patches {
    abut_surface *surface;
    uint32_t *patch_of; /* by triangle: its facet */
    uint32_t *begin;    /* by facet: the half edge that begins its loop */
    uint32_t *degree;   /* by point: how many facets have it on their boundary; then scratch of sort() */
    uint32_t *number;   /* by point: its index as a vertex; NONE: it is not extreme */
    uint32_t *position; /* by half edge that begins an edge: its position in the loops */
    uint32_t *last;     /* by position in the loops: the half edge that ends the edge from there */
    entry *items, *spare;
    uint32_t facet_count, vertex_count, loop_count;
    void *memory;
    size_t bytes;
} patches;

static bool patches_alloc(patches *p, abut_surface *surface, const abut_allocator *allocator) {
    size_t places = surface->used, triangles = places - surface->unused_count, points = surface->point_count;
    size_t items = 3 * triangles / 2; /* as many as edges */
    *p = (patches){.surface = surface};
    p->bytes = 2 * items * sizeof *p->items + (5 * places + 4 * triangles + 2 * points) * sizeof *p->patch_of;
    p->memory = abut_memory_alloc(allocator, p->bytes);
    if (!p->memory) {
        return false;
    }
    p->items = p->memory;
    p->spare = p->items + items;
    p->patch_of = (uint32_t *)(void *)(p->spare + items);
    p->position = p->patch_of + places;
    p->begin = p->position + 4 * places;
    p->last = p->begin + triangles;
    p->degree = p->last + 3 * triangles;
    p->number = p->degree + points;
    return true;
}

/* Sorts items by their two vertices, of which each is a digit. */
static void sort(patches *p, uint32_t count) {
    entry *from = p->items, *to = p->spare;
    for (int digit = 1; digit >= 0; digit--) {
        memset(p->degree, 0, p->vertex_count * sizeof *p->degree);
        for (uint32_t i = 0; i < count; i++) {
            p->degree[from[i].vertex[digit]]++;
        }
        (void)abut_radix_starts(p->degree, p->vertex_count);
        for (uint32_t i = 0; i < count; i++) {
            to[p->degree[from[i].vertex[digit]]++] = from[i];
        }
        entry *swap = from;
        from = to;
        to = swap;
    }
}

/* The corner of the triangle of half edge h that is not on h. */
static uint32_t opposite(const abut_surface *s, uint32_t h) {
    return abut_surface_start(s, abut_surface_next(abut_surface_next(h)));
}

/* Puts t and all triangles coplanar with it into one facet. It walks from triangle to triangle across edges, which
 * suffices: coplanar triangles of a convex surface are connected. */
static void flood(patches *p, uint32_t t, uint32_t facet) {
    abut_surface *s = p->surface;
    uint32_t last = t;
    p->patch_of[t] = facet;
    s->triangle[t].next = NONE;
    for (; t != NONE; t = s->triangle[t].next) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t twin = s->triangle[t].link[k], other = twin >> 2;
            double height;
            if (p->patch_of[other] == NONE &&
                abut_orient_side(&s->triangle[t].plane, s->point[opposite(s, twin)], &height) == 0) {
                p->patch_of[other] = facet;
                s->triangle[other].next = NONE;
                s->triangle[last].next = other;
                last = other;
            }
        }
    }
}

static bool is_boundary(const patches *p, uint32_t h) {
    return p->patch_of[h >> 2] != p->patch_of[abut_surface_twin(p->surface, h) >> 2];
}

/* The next half edge after *h, around the same facet, that is on the boundary and starts at an extreme point. *h
 * becomes the last one before it that is on the boundary. */
static ABUT_INLINE uint32_t boundary_next(const patches *p, uint32_t *h) {
    uint32_t next = *h;
    do {
        *h = next;
        next = abut_surface_next(next);
        while (!is_boundary(p, next)) {
            next = abut_surface_next(abut_surface_twin(p->surface, next));
        }
    } while (p->number[abut_surface_start(p->surface, next)] == NONE);
    return next;
}

/* Numbers the facets, and counts for each point the facets that have it on their boundary. */
static void find_facets(patches *p) {
    const abut_surface *s = p->surface;
    memset(p->patch_of, 0xff, s->used * sizeof *p->patch_of);
    memset(p->degree, 0, s->point_count * sizeof *p->degree);
    for (uint32_t t = 0; t < s->used; t++) {
        if (s->triangle[t].v[0] != NONE && p->patch_of[t] == NONE) {
            flood(p, t, p->facet_count++);
        }
    }
    for (uint32_t t = 0; t < s->used; t++) {
        for (uint32_t k = 0; s->triangle[t].v[0] != NONE && k < 3; k++) {
            p->degree[s->triangle[t].v[k]] += is_boundary(p, 4 * t + k);
        }
    }
}

/* A point is extreme if at least three facets have it on their boundary. With two it lies inside an edge, with none
 * inside a facet. */
static void find_vertices(patches *p) {
    for (uint32_t i = 0; i < p->surface->point_count; i++) {
        bool extreme = p->degree[i] >= 3;
        p->number[i] = extreme ? p->vertex_count : NONE;
        p->vertex_count += extreme;
        p->loop_count += extreme ? p->degree[i] : 0;
    }
}

/* Finds where the loops of the facets begin: at their least vertices. */
static void find_begins(patches *p) {
    const abut_surface *s = p->surface;
    for (uint32_t f = 0; f < p->facet_count; f++) {
        p->items[f] = (entry){{NONE, NONE}, f};
    }
    for (uint32_t t = 0; t < s->used; t++) {
        uint32_t least = NONE, begin = 0;
        if (s->triangle[t].v[0] == NONE) {
            continue;
        }
        for (uint32_t k = 0; k < 3; k++) { /* which corner it is cannot be predicted: no branch */
            uint32_t vertex = is_boundary(p, 4 * t + k) ? p->number[s->triangle[t].v[k]] : NONE;
            begin = vertex < least ? 4 * t + k : begin;
            least = vertex < least ? vertex : least;
        }
        entry *facet = &p->items[p->patch_of[t]];
        if (least < facet->vertex[0]) {
            facet->vertex[0] = least;
            p->begin[facet->value] = begin;
        }
    }
}

/* Writes the facets to items[].value in their final order. */
static void sort_facets(patches *p) {
    find_begins(p);
    for (uint32_t f = 0; f < p->facet_count; f++) {
        uint32_t last = p->begin[f];
        p->items[f].vertex[1] = p->number[abut_surface_start(p->surface, boundary_next(p, &last))];
    }
    sort(p, p->facet_count);
}

static void write_vertices(abut_polyhedron *out, const patches *p) {
    const abut_surface *s = p->surface;
    for (uint32_t i = 0; i < s->point_count; i++) {
        if (p->number[i] != NONE) {
            out->vertex[p->number[i]] = s->point[i];
        }
    }
}

static void write_loops(abut_polyhedron *out, const patches *p) {
    const abut_surface *s = p->surface;
    uint32_t at = 0;
    for (uint32_t f = 0; f < p->facet_count; f++) {
        uint32_t begin = p->begin[p->items[f].value], h = begin;
        out->first[f] = at;
        do {
            out->loop[at] = p->number[abut_surface_start(s, h)];
            p->position[h] = at;
            uint32_t next = boundary_next(p, &h);
            p->last[at++] = h;
            h = next;
        } while (h != begin);
    }
    out->first[p->facet_count] = at;
}

/* --- surfaces of which no two triangles are coplanar: every triangle is a facet, and every corner extreme --- */

/* Whether the surface is one. Each edge is asked once; the edges are listed first, because which of its two half edges
 * comes first cannot be predicted. */
static bool is_all_apart(patches *p) {
    const abut_surface *s = p->surface;
    uint32_t *half = p->last, count = 0;
    for (uint32_t t = 0; t < s->used; t++) {
        if (s->triangle[t].v[0] == NONE) {
            continue;
        }
        for (uint32_t k = 0; k < 3; k++) {
            half[count] = 4 * t + k;
            count += 4 * t + k < s->triangle[t].link[k];
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t twin = abut_surface_twin(s, half[i]);
        double height;
        if (abut_orient_side(&s->triangle[half[i] >> 2].plane, s->point[opposite(s, twin)], &height) == 0) {
            return false;
        }
    }
    return true;
}

/* Numbers the vertices, and lists the triangles in items[], each with the half edge at its least vertex as its value.
 */
static void find_triangles(patches *p) {
    const abut_surface *s = p->surface;
    memset(p->number, 0xff, s->point_count * sizeof *p->number);
    for (uint32_t t = 0; t < s->used; t++) {
        for (uint32_t k = 0; s->triangle[t].v[0] != NONE && k < 3; k++) {
            p->number[s->triangle[t].v[k]] = 0;
        }
    }
    for (uint32_t i = 0; i < s->point_count; i++) {
        bool extreme = p->number[i] == 0;
        p->number[i] = extreme ? p->vertex_count : NONE;
        p->vertex_count += extreme;
    }
    for (uint32_t t = 0; t < s->used; t++) {
        const uint32_t *v = s->triangle[t].v;
        if (v[0] == NONE) {
            continue;
        }
        const uint32_t a = p->number[v[0]], b = p->number[v[1]], c = p->number[v[2]], around[4] = {a, b, c, a};
        uint32_t least = a < b ? a : b, k = b < a; /* no branch: which corner is the least cannot be predicted */
        k = c < least ? 2 : k;
        p->items[p->facet_count++] = (entry){{around[k], around[k + 1]}, 4 * t + k};
    }
    p->loop_count = 3 * p->facet_count;
}

static void write_triangles(abut_polyhedron *out, const patches *p) {
    for (uint32_t f = 0; f < p->facet_count; f++) {
        uint32_t h = p->items[f].value;
        out->first[f] = 3 * f;
        for (uint32_t at = 3 * f; at < 3 * f + 3; at++, h = abut_surface_next(h)) {
            out->loop[at] = p->number[abut_surface_start(p->surface, h)];
            p->position[h] = at;
            p->last[at] = h;
        }
    }
    out->first[p->facet_count] = p->loop_count;
}

/* --- edges --- */

/* Each edge is found where a facet runs along it from its lesser vertex. The other facet comes from where it ends. */
static void write_edges(abut_polyhedron *out, patches *p) {
    uint32_t count = 0;
    for (uint32_t f = 0; f < out->facet_count; f++) {
        for (uint32_t h = out->first[f]; h < out->first[f + 1]; h++) {
            uint32_t a = out->loop[h], b = out->loop[h + 1 < out->first[f + 1] ? h + 1 : out->first[f]];
            out->edge_of[h] = f;                  /* until the edges are in order */
            p->items[count] = (entry){{a, b}, h}; /* no branch; the one too many is in `spare` */
            count += a < b;
        }
    }
    sort(p, count);
    for (uint32_t e = 0; e < count; e++) {
        const entry *item = &p->items[e];
        uint32_t h = item->value, twin = p->position[abut_surface_twin(p->surface, p->last[h])];
        out->edge[e] = (abut_polyhedron_edge){
            {item->vertex[0], item->vertex[1]}, {out->edge_of[h], out->edge_of[twin]}, {h, twin}};
    }
    for (uint32_t e = 0; e < count; e++) {
        out->edge_of[out->edge[e].h[0]] = out->edge_of[out->edge[e].h[1]] = e;
    }
}

abut_result abut_polyhedron_make(abut_polyhedron *out, const abut_vec3 *points, size_t n,
                                 const abut_allocator *allocator) {
    abut_cloud cloud;
    abut_surface surface = {.allocator = allocator};
    patches p = {0};
    *out = (abut_polyhedron){.allocator = allocator};
    abut_result result = abut_cloud_make(&cloud, points, n, allocator);
    bool made = false;
    if (result == ABUT_OK) {
        result = abut_few_make(out, &cloud, &made);
    }
    if (result == ABUT_OK && !made) {
        result = abut_surface_make(&surface, &cloud, allocator);
    }
    if (result != ABUT_OK || made) {
        goto done;
    }
    result = ABUT_ERROR_MEMORY;
    if (!patches_alloc(&p, &surface, allocator)) {
        goto done;
    }
    bool all_apart = is_all_apart(&p);
    if (all_apart) {
        find_triangles(&p);
    } else {
        find_facets(&p);
        find_vertices(&p);
    }
    out->vertex_count = p.vertex_count;
    out->facet_count = p.facet_count;
    if (abut_polyhedron_reserve(out, p.loop_count) != ABUT_OK) {
        goto done;
    }
    write_vertices(out, &p);
    if (all_apart) {
        sort(&p, p.facet_count);
        write_triangles(out, &p);
    } else {
        sort_facets(&p);
        write_loops(out, &p);
    }
    write_edges(out, &p);
    result = ABUT_OK;
done:
    abut_memory_release(allocator, p.memory, p.bytes);
    abut_surface_release(&surface);
    abut_cloud_release(&cloud, allocator);
    return result;
}

void abut_polyhedron_release(abut_polyhedron *polyhedron) {
    abut_memory_release(polyhedron->allocator, polyhedron->memory, polyhedron->bytes);
    *polyhedron = (abut_polyhedron){.allocator = polyhedron->allocator};
}

void abut_polyhedron_bounds(const abut_polyhedron *p, double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = abut_d3_from(p->vertex[0]).x[k];
        for (uint32_t i = 1; i < p->vertex_count; i++) {
            double x = abut_d3_from(p->vertex[i]).x[k];
            low[k] = abut_min_d(x, low[k]);
            high[k] = abut_max_d(x, high[k]);
        }
    }
}

/* u[j] v[k] - u[k] v[j], as good as exact: where coordinates differ by more than double-double can tell. */
static double exact_component(const abut_dd u[3], const abut_dd v[3], int j, int k) {
    const abut_dd left[2] = {u[j], abut_dd_negate(u[k])}, right[2] = {v[k], v[j]};
    double parts[16], error;
    int n = 0;
    for (int side = 0; side < 2; side++) {
        const double a[2] = {left[side].hi, left[side].lo}, b[2] = {right[side].hi, right[side].lo};
        for (int i = 0; i < 4; i++) {
            abut_dd product = abut_dd_two_product(a[i & 1], b[i >> 1]);
            parts[n++] = product.hi;
            parts[n++] = product.lo;
        }
    }
    abut_dd sum = abut_dd_distil(parts, n, &error);
    return sum.hi + sum.lo;
}

/* The same of all components, in double-double where that suffices: it keeps the digits that `slack`, the errors of the
 * products in double, are beyond. */
static ABUT_NOINLINE abut_d3 cross_precisely(abut_vec3 a, abut_vec3 b, abut_vec3 c, double slack) {
    const abut_dd u[3] = {abut_dd_two_sum(b.x, -a.x), abut_dd_two_sum(b.y, -a.y), abut_dd_two_sum(b.z, -a.z)};
    const abut_dd v[3] = {abut_dd_two_sum(c.x, -a.x), abut_dd_two_sum(c.y, -a.y), abut_dd_two_sum(c.z, -a.z)};
    abut_d3 n;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        n.x[i] = abut_dd_sub(abut_dd_mul(u[j], v[k]), abut_dd_mul(u[k], v[j])).hi;
    }
    if (abut_d3_dot(n, n) <=
        slack * slack * 0x1p-92) { /* slack is 2^-49 of the products: less than 2^-95 of them is left */
        for (int i = 0; i < 3; i++) {
            n.x[i] = exact_component(u, v, (i + 1) % 3, (i + 2) % 3);
        }
    }
    return n;
}

/* (b - a) x (c - a), every component good to a few units in the last place of the largest: in double-double where
 * double cancels, as it does in slivers, and exactly where that cancels, too. */
static ABUT_INLINE abut_d3 cross_of(abut_vec3 a, abut_vec3 b, abut_vec3 c) {
    abut_orient_plane plane = abut_orient_plane_of(a, b, c);
    double slack = plane.slack[0] + plane.slack[1] + plane.slack[2];
    abut_d3 n = abut_d3_load(plane.n);
    return slack * slack <= abut_d3_dot(n, n) * 0x1p-92 ? n : cross_precisely(a, b, c, slack);
}

/* The plane through the largest triangle of the fan from the loop's first vertex. */
abut_hull_plane abut_polyhedron_plane(const abut_polyhedron *p, uint32_t facet) {
    const uint32_t *loop = p->loop + p->first[facet];
    uint32_t count = p->first[facet + 1] - p->first[facet];
    abut_d3 normal = cross_of(p->vertex[loop[0]], p->vertex[loop[1]], p->vertex[loop[2]]);
    double largest = abut_d3_dot(normal, normal);
    for (uint32_t i = 2; i + 1 < count; i++) {
        abut_d3 n = cross_of(p->vertex[loop[0]], p->vertex[loop[i]], p->vertex[loop[i + 1]]);
        double square = abut_d3_dot(n, n);
        if (square > largest) {
            largest = square;
            normal = n;
        }
    }
    (void)abut_d3_normalise(&normal);
    abut_hull_plane plane = {{normal.x[0] + 0.0, normal.x[1] + 0.0, normal.x[2] + 0.0}, 0};
    for (uint32_t i = 0; i < count; i++) {
        double height = abut_d3_dot(abut_d3_load(plane.n), abut_d3_from(p->vertex[loop[i]]));
        plane.w = i == 0 || height > plane.w ? height : plane.w;
    }
    plane.w += 0.0;
    return plane;
}

double abut_polyhedron_measure(const abut_polyhedron *p, uint32_t facet, abut_hull_plane *plane) {
    const uint32_t *loop = p->loop + p->first[facet];
    uint32_t count = p->first[facet + 1] - p->first[facet];
    abut_d3 origin = abut_d3_from(p->vertex[loop[0]]), sum = {{0}};
    abut_d3 here = abut_d3_sub(abut_d3_from(p->vertex[loop[1]]), origin);
    for (uint32_t i = 2; i < count; i++) {
        abut_d3 next = abut_d3_sub(abut_d3_from(p->vertex[loop[i]]), origin);
        sum = abut_d3_along(sum, 1, abut_d3_cross(here, next));
        here = next;
    }
    *plane = abut_polyhedron_plane(p, facet);
    return abut_d3_length(sum);
}
