/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* For the kernel in polytope_axis.c: what witnesses say of the facets and edges of one polytope. A witness is a vertex
 * of the other one; how far it lies before a facet bounds the separation that the facet can show. */
#ifndef ABUT_NARROWPHASE_CONVEX_FACETS_H
#define ABUT_NARROWPHASE_CONVEX_FACETS_H

#include "narrowphase/convex/edges.h"
#include "narrowphase/convex/support.h"

enum { FACETS_MAX = 2 * ABUT_HULL_MAX_VERTICES, WITNESSES = 16, FEW = 24, NONE = 0xffff };

/* Up to this many loads of facets times vertices of the other polytope, all its vertices are witnesses at once. */
enum { DENSE = 32 };

/* The best of a side's facets so far. */
typedef struct facet_choice {
    double separation;
    uint32_t facet, vertex; /* vertex: of the other polytope, the support */
} facet_choice;

/* Vertices of the other polytope, in own's frame. The last WITNESSES are kept. */
typedef struct witnesses {
    float point[3][WITNESSES + ABUT_VF_LANES]; /* room for whole stores */
    uint16_t vertex[WITNESSES];
    uint32_t count; /* of all that were ever added */
} witnesses;

/* What is known of the facets of one side. */
typedef struct facets {
    const abut_np_side *side;
    facet_choice best;
    uint32_t known; /* a facet that was measured before the search */
    bool dense;     /* all vertices of the other polytope are witnesses */
    witnesses seen;
    witnesses found;             /* while edges are listed: what was found for single edges */
    float deep;                  /* a witness before a facet by less than this, which is < 0, lies deep behind it */
    uint32_t listed;             /* of the edges, how many are in lists already */
    float *bound;                /* of each facet's separation; only while this side is searched */
    uint8_t (*mark)[FACETS_MAX]; /* sets: which of the first, the last eight witnesses lie deep behind a facet */
} facets;

/* Adds a vertex of the other polytope, and returns its place. */
static uint32_t add_point(const abut_np_side *side, uint32_t vertex, witnesses *w) {
    abut_d3 p = abut_np_point_back(side, abut_np_vertex(side->other, vertex));
    uint32_t at = w->count++ % WITNESSES;
    w->vertex[at] = (uint16_t)vertex;
    for (int i = 0; i < 3; i++) {
        w->point[i][at] = (float)p.x[i];
    }
    return at;
}

static uint32_t add_witness(facets *f, uint32_t vertex) {
    return add_point(f->side, vertex, &f->seen);
}

/* Adds all vertices of the other polytope. */
static void add_all(facets *f) {
    const abut_np_side *side = f->side;
    const abut_hull *other = side->other;
    for (uint32_t v = 0; v < other->vertex_count; v += ABUT_VF_LANES) {
        abut_vf x = abut_vf_load(abut_hull_coordinate(other, 0) + v);
        abut_vf y = abut_vf_load(abut_hull_coordinate(other, 1) + v);
        abut_vf z = abut_vf_load(abut_hull_coordinate(other, 2) + v);
        for (int i = 0; i < 3; i++) {
            abut_vf p = abut_vf_mul(abut_vf_set((float)side->turn[0][i]), x);
            p = abut_vf_add(p, abut_vf_mul(abut_vf_set((float)side->turn[1][i]), y));
            p = abut_vf_add(p, abut_vf_mul(abut_vf_set((float)side->turn[2][i]), z));
            abut_vf_store(f->seen.point[i] + v, abut_vf_add(p, abut_vf_set((float)side->origin.x[i])));
        }
    }
    f->dense = true;
    f->seen.count = other->vertex_count;
}

static abut_d3 normal_of(const abut_hull *p, uint32_t facet) {
    const abut_hull_plane *plane = &abut_hull_planes(p)[facet];
    return (abut_d3){{plane->n[0], plane->n[1], plane->n[2]}};
}

/* The separation that a facet shows, from all vertices of the other polytope. */
static facet_choice measure(const abut_np_side *side, uint32_t facet) {
    abut_d3 n = normal_of(side->own, facet), d = abut_np_turned(side, n);
    abut_np_lowest low = abut_np_lowest_along(side->other, &d);
    double separation = abut_d3_dot(n, side->origin) + low.value - abut_hull_planes(side->own)[facet].w;
    return (facet_choice){separation, facet, low.vertex};
}

static bool better(const facet_choice *a, const facet_choice *b) {
    return a->separation > b->separation || (a->separation == b->separation && a->facet < b->facet);
}

/* How far witness k lies before each of as many facets as there are lanes. */
static abut_vf before_facets(const facets *f, uint32_t k, abut_vf x, abut_vf y, abut_vf z, abut_vf w) {
    abut_vf px = abut_vf_set(f->seen.point[0][k]), py = abut_vf_set(f->seen.point[1][k]);
    abut_vf pz = abut_vf_set(f->seen.point[2][k]);
    return abut_vf_sub(abut_vf_add(abut_vf_add(abut_vf_mul(px, x), abut_vf_mul(py, y)), abut_vf_mul(pz, z)), w);
}

/* The lanes' highest bounds, and the facets that have them. */
typedef struct highest {
    abut_vf bound, facet;
} highest;

static highest highest_of(highest h, abut_vf bound, abut_vf facet) {
    abut_mf higher = abut_vf_lt(h.bound, bound);
    return (highest){abut_vf_select(higher, bound, h.bound), abut_vf_select(higher, facet, h.facet)};
}

/* The first facet of those with the highest bound. */
static uint32_t pick(highest h, float *bound) {
    float facet[ABUT_VF_LANES];
    *bound = -abut_vf_least(abut_vf_neg(h.bound));
    uint32_t lanes = abut_mf_bits(abut_vf_eq(h.bound, abut_vf_set(*bound)));
    abut_vf_store(facet, h.facet);
    float first = facet[ABUT_LOWEST_BIT(lanes)];
    for (lanes &= lanes - 1; lanes; lanes &= lanes - 1) {
        float other = facet[ABUT_LOWEST_BIT(lanes)];
        first = other < first ? other : first;
    }
    return (uint32_t)first;
}

static const float counting[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* What all witnesses so far leave open. The padding, which repeats facet 0, and the known facet stay out. */
static uint32_t bound_facets(facets *f, float *bound) {
    const abut_hull *own = f->side->own;
    const abut_vf step = abut_vf_set(ABUT_VF_LANES), count = abut_vf_set((float)own->facet_count);
    const abut_vf known = abut_vf_set((float)f->known), nothing = abut_vf_set(-INFINITY);
    highest h = {nothing, abut_vf_set(0)};
    abut_vf index = abut_vf_load(counting);
    for (uint32_t i = 0; i < own->facet_count; i += ABUT_VF_LANES) {
        const abut_vf x = abut_vf_load(abut_hull_plane_floats(own, 0) + i),
                      y = abut_vf_load(abut_hull_plane_floats(own, 1) + i);
        const abut_vf z = abut_vf_load(abut_hull_plane_floats(own, 2) + i),
                      w = abut_vf_load(abut_hull_plane_floats(own, 3) + i);
        abut_vf before = abut_vf_set(INFINITY);
        for (uint32_t k = 0; k < f->seen.count; k++) {
            before = abut_vf_min(before, before_facets(f, k, x, y, z, w));
        }
        before = abut_vf_select(abut_vf_lt(index, count), before, nothing);
        before = abut_vf_select(abut_vf_eq(index, known), nothing, before);
        abut_vf_store(f->bound + i, before);
        h = highest_of(h, before, index);
        index = abut_vf_add(index, step);
    }
    return pick(h, bound);
}

/* Lowers every facet's bound to what witness k allows. */
static uint32_t lower_bounds(facets *f, uint32_t k, float *bound) {
    const abut_hull *own = f->side->own;
    const abut_vf step = abut_vf_set(ABUT_VF_LANES);
    highest h = {abut_vf_set(-INFINITY), abut_vf_set(0)};
    abut_vf index = abut_vf_load(counting);
    for (uint32_t i = 0; i < own->facet_count; i += ABUT_VF_LANES) {
        const abut_vf x = abut_vf_load(abut_hull_plane_floats(own, 0) + i),
                      y = abut_vf_load(abut_hull_plane_floats(own, 1) + i);
        const abut_vf z = abut_vf_load(abut_hull_plane_floats(own, 2) + i),
                      w = abut_vf_load(abut_hull_plane_floats(own, 3) + i);
        abut_vf before = abut_vf_min(before_facets(f, k, x, y, z, w), abut_vf_load(f->bound + i));
        abut_vf_store(f->bound + i, before);
        h = highest_of(h, before, index);
        index = abut_vf_add(index, step);
    }
    return pick(h, bound);
}

static void begin(facets *f, const abut_np_side *side, double floor) {
    f->side = side;
    f->best = (facet_choice){floor, NONE, NONE};
    f->known = NONE;
    f->dense = false;
    f->seen.count = 0;
}

static void measure_all(facets *f, double limit) {
    for (uint32_t facet = 0; facet < f->side->own->facet_count && f->best.separation <= limit; facet++) {
        facet_choice next = measure(f->side, facet);
        f->best = better(&next, &f->best) ? next : f->best;
    }
}

/* Finds the facet with the largest separation above the floor, or any that shows more than `limit`. */
static void search_facets(facets *f, double slack, double limit) {
    if (!(slack < INFINITY)) {
        measure_all(f, limit);
        return;
    }
    uint32_t loads = (f->side->own->facet_count + ABUT_VF_LANES - 1) / ABUT_VF_LANES;
    if (f->side->other->vertex_count <= WITNESSES && loads * f->side->other->vertex_count <= DENSE) {
        add_all(f);
    }
    float bound;
    uint32_t facet = bound_facets(f, &bound);
    while (f->best.separation <= limit && (double)bound + slack >= f->best.separation) {
        facet_choice next = measure(f->side, facet);
        f->best = better(&next, &f->best) ? next : f->best;
        f->bound[facet] = -INFINITY;
        uint32_t witness = f->dense ? 0 : add_witness(f, next.vertex);
        facet = lower_bounds(f, witness, &bound);
    }
}

/* Fills mark[half]. The sets are added up as floats. */
static void mark_facets(facets *f, uint32_t half) {
    const abut_hull *own = f->side->own;
    uint32_t first = 8 * half, end = f->seen.count < first + 8 ? f->seen.count : first + 8;
    const abut_vf deep = abut_vf_set(f->deep), nothing = abut_vf_set(0);
    for (uint32_t i = 0; i < own->facet_count; i += ABUT_VF_LANES) {
        const abut_vf x = abut_vf_load(abut_hull_plane_floats(own, 0) + i),
                      y = abut_vf_load(abut_hull_plane_floats(own, 1) + i);
        const abut_vf z = abut_vf_load(abut_hull_plane_floats(own, 2) + i),
                      w = abut_vf_load(abut_hull_plane_floats(own, 3) + i);
        abut_vf set = nothing;
        for (uint32_t k = first; k < end; k++) {
            abut_mf behind = abut_vf_lt(before_facets(f, k, x, y, z, w), deep);
            set = abut_vf_add(set, abut_vf_select(behind, abut_vf_set((float)(UINT32_C(1) << (k - first))), nothing));
        }
        abut_vf_store_bytes(f->mark[half] + i, set);
    }
}

static bool lies_deep(const facets *f, uint32_t k, uint32_t facet) {
    float x = abut_hull_plane_floats(f->side->own, 0)[facet], y = abut_hull_plane_floats(f->side->own, 1)[facet];
    float z = abut_hull_plane_floats(f->side->own, 2)[facet], w = abut_hull_plane_floats(f->side->own, 3)[facet];
    return f->found.point[0][k] * x + f->found.point[1][k] * y + f->found.point[2][k] * z - w < f->deep;
}

/* Whether the vertex that meets the edge rules it out, or one that was found for an edge before it. */
static bool is_ruled_out(facets *f, const abut_hull_edge *e) {
    uint32_t count = f->found.count < WITNESSES ? f->found.count : WITNESSES;
    for (uint32_t k = 0; k < count; k++) {
        if (lies_deep(f, k, e->f[0]) && lies_deep(f, k, e->f[1])) {
            return true;
        }
    }
    abut_d3 middle = abut_d3_along(normal_of(f->side->own, e->f[0]), 1, normal_of(f->side->own, e->f[1]));
    abut_d3 d = abut_np_turned(f->side, middle);
    uint32_t k = add_point(f->side, abut_np_lowest_along(f->side->other, &d).vertex, &f->found);
    return lies_deep(f, k, e->f[0]) && lies_deep(f, k, e->f[1]);
}

/* The next edges, from *from on, that the marks do not rule out. */
static void next_marked(const facets *f, uint32_t *from, abut_np_edge_list *list) {
    const abut_hull_edge *edges = abut_hull_edges(f->side->own);
    const uint8_t *mark = f->mark[0];
    uint32_t count = f->side->own->edge_count, i = *from, kept = 0;
    while (i < count && kept < ABUT_NP_EDGE_BLOCK) {
        uint32_t room = ABUT_NP_EDGE_BLOCK - kept, end = count - i < room ? count : i + room;
        for (; i < end; i++) {
            list->edge[kept] = (uint16_t)i;
            kept += (mark[edges[i].f[0]] & mark[edges[i].f[1]]) == 0;
        }
    }
    *from = i;
    list->count = kept;
    if (f->seen.count > 8) {
        mark = f->mark[1];
        list->count = 0;
        for (uint32_t k = 0; k < kept; k++) {
            const uint16_t *facet = edges[list->edge[k]].f;
            list->edge[list->count] = list->edge[k];
            list->count += (mark[facet[0]] & mark[facet[1]]) == 0;
        }
    }
}

/* The next edges, from *from on, that no single witness rules out. The first few are taken as they are; of large hulls
 * deep inside each other far more are left, and each is worth a witness of its own. */
static void next_edges(facets *f, uint32_t *from, abut_np_edge_list *list) {
    const abut_hull_edge *edges = abut_hull_edges(f->side->own);
    f->listed = *from == 0 ? 0 : f->listed;
    next_marked(f, from, list);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < list->count; k++) {
        if (f->listed < FEW || !is_ruled_out(f, &edges[list->edge[k]])) {
            list->edge[kept++] = list->edge[k];
            f->listed++;
        }
    }
    list->count = kept;
}

#endif
