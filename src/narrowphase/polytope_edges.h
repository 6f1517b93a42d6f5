/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* For the kernel in polytope_axis.c: the axes of edge pairs. */
#ifndef ABUT_NARROWPHASE_POLYTOPE_EDGES_H
#define ABUT_NARROWPHASE_POLYTOPE_EDGES_H

#include "narrowphase/polytope_kernels.h"
#include "narrowphase/polytope_support.h"

enum { ABUT_NP_EDGE_BLOCK = 64 };

/* Some edges of one polytope. */
typedef struct abut_np_edge_list {
    uint16_t edge[ABUT_NP_EDGE_BLOCK + 1]; /* one more than it holds, for writing before counting */
    uint32_t count;
} abut_np_edge_list;

/* The same as a's frame sees them, in columns. From a facet normal n the arc of an edge goes to n + h; for b's edges
 * both are turned round, since an axis from a to b points into b. */
typedef struct abut_np_arcs {
    double along[3][ABUT_NP_EDGE_BLOCK]; /* from one end to the other */
    double n[3][ABUT_NP_EDGE_BLOCK], h[3][ABUT_NP_EDGE_BLOCK];
    double p[3][ABUT_NP_EDGE_BLOCK]; /* one end */
    uint32_t count;
} abut_np_arcs;

typedef struct abut_np_edge_choice {
    double separation;
    abut_d3 normal;
    uint32_t edge[2];
} abut_np_edge_choice;

static inline abut_d3 abut_np_normal(const abut_hull *p, uint32_t facet) {
    const abut_hull_plane *plane = &abut_hull_planes(p)[facet];
    return (abut_d3){{plane->n[0], plane->n[1], plane->n[2]}};
}

static inline void abut_np_arc_put(abut_np_arcs *arcs, abut_d3 along, abut_d3 n, abut_d3 m, abut_d3 p) {
    uint32_t at = arcs->count++;
    for (int i = 0; i < 3; i++) {
        arcs->along[i][at] = along.x[i];
        arcs->n[i][at] = n.x[i];
        arcs->h[i][at] = m.x[i] - n.x[i];
        arcs->p[i][at] = p.x[i];
    }
}

static inline void abut_np_arcs_of_a(const abut_hull *a, const abut_np_edge_list *list, abut_np_arcs *arcs) {
    arcs->count = 0;
    for (uint32_t k = 0; k < list->count; k++) {
        const abut_hull_edge *e = &abut_hull_edges(a)[list->edge[k]];
        abut_d3 p = abut_np_vertex(a, e->v[0]);
        abut_np_arc_put(arcs, abut_d3_sub(abut_np_vertex(a, e->v[1]), p), abut_np_normal(a, e->f[0]),
                        abut_np_normal(a, e->f[1]), p);
    }
}

/* Padded to whole loads with arcs that cross nothing. */
static inline void abut_np_arcs_of_b(const abut_np_polytope_pair *pair, const abut_np_edge_list *list,
                                     abut_np_arcs *arcs) {
    const abut_np_side *side = &pair->side[0];
    const abut_hull *b = side->other;
    const abut_d3 zero = {{0, 0, 0}};
    arcs->count = 0;
    for (uint32_t k = 0; k < list->count; k++) {
        const abut_hull_edge *e = &abut_hull_edges(b)[list->edge[k]];
        abut_d3 p = abut_np_vertex(b, e->v[0]), along = abut_d3_sub(abut_np_vertex(b, e->v[1]), p);
        abut_d3 n = abut_np_turned_back(side, abut_np_normal(b, e->f[0]));
        abut_d3 m = abut_np_turned_back(side, abut_np_normal(b, e->f[1]));
        abut_np_arc_put(arcs, abut_np_turned_back(side, along), abut_d3_along(zero, -1, n), abut_d3_along(zero, -1, m),
                        abut_np_point_back(side, p));
    }
    uint32_t count = arcs->count;
    while (arcs->count % ABUT_VD_LANES != 0) {
        abut_np_arc_put(arcs, zero, zero, zero, zero);
    }
    arcs->count = count;
}

static inline abut_d3 abut_np_column(const double column[3][ABUT_NP_EDGE_BLOCK], uint32_t k) {
    return (abut_d3){{column[0][k], column[1][k], column[2][k]}};
}

static inline abut_d3 abut_d3_cross(abut_d3 a, abut_d3 b) {
    return (abut_d3){
        {a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

/* The axis of a crossing pair, unit length. The point where the arcs cross is well conditioned however parallel the
 * edges are, unless the arc is nearly a half circle; then the cross product of the edges is. */
static inline abut_d3 abut_np_arc_axis(const abut_np_arcs *a, uint32_t i, const abut_np_arcs *b, uint32_t j) {
    abut_d3 u = abut_np_column(a->along, i), v = abut_np_column(b->along, j);
    abut_d3 n = abut_np_column(a->n, i), h = abut_np_column(a->h, i), cross = abut_d3_cross(u, v);
    double t = -abut_d3_dot(n, v) / abut_d3_dot(h, v);
    n = abut_d3_along(n, t, h);
    double n2 = abut_d3_dot(n, n), cross2 = abut_d3_dot(cross, cross), edges2 = abut_d3_dot(u, u) * abut_d3_dot(v, v);
    if (cross2 > n2 * edges2) {
        double sign = abut_d3_dot(cross, n) < 0 ? -1 : 1;
        n = (abut_d3){{sign * cross.x[0], sign * cross.x[1], sign * cross.x[2]}};
        n2 = cross2;
    }
    double length = sqrt(n2);
    return (abut_d3){{n.x[0] / length, n.x[1] / length, n.x[2] / length}};
}

/* The separation along a unit axis in a's frame, from all vertices of both. */
static inline double abut_np_separation_along(const abut_np_polytope_pair *pair, abut_d3 n) {
    const abut_np_side *side = &pair->side[0];
    abut_d3 in_b = abut_np_turned(side, n), back = {{-n.x[0], -n.x[1], -n.x[2]}};
    return abut_d3_dot(n, side->origin) + abut_np_lowest_along(side->other, &in_b).value +
           abut_np_lowest_along(side->own, &back).value;
}

/* Of lanes j .. j + lanes - 1 of b's arcs: which cross arc i of a, and may show a separation of `least`. The two edges
 * are then supports along their common normal. */
static inline uint32_t abut_np_crossing_lanes(const abut_np_arcs *a, uint32_t i, const abut_np_arcs *b, uint32_t j,
                                              double least, double slack) {
    const abut_vd zero = abut_vd_set(0);
    abut_vd ux = abut_vd_set(a->along[0][i]), uy = abut_vd_set(a->along[1][i]), uz = abut_vd_set(a->along[2][i]);
    abut_vd nx = abut_vd_set(a->n[0][i]), ny = abut_vd_set(a->n[1][i]), nz = abut_vd_set(a->n[2][i]);
    abut_vd hx = abut_vd_set(a->h[0][i]), hy = abut_vd_set(a->h[1][i]), hz = abut_vd_set(a->h[2][i]);
    abut_vd vx = abut_vd_load(b->along[0] + j), vy = abut_vd_load(b->along[1] + j), vz = abut_vd_load(b->along[2] + j);
    abut_vd mx = abut_vd_load(b->n[0] + j), my = abut_vd_load(b->n[1] + j), mz = abut_vd_load(b->n[2] + j);
    abut_vd kx = abut_vd_load(b->h[0] + j), ky = abut_vd_load(b->h[1] + j), kz = abut_vd_load(b->h[2] + j);
    abut_vd nv = abut_np_dot_vd(nx, ny, nz, vx, vy, vz), hv = abut_np_dot_vd(hx, hy, hz, vx, vy, vz);
    abut_vd mu = abut_np_dot_vd(mx, my, mz, ux, uy, uz), ku = abut_np_dot_vd(kx, ky, kz, ux, uy, uz);
    abut_md crossing = abut_md_and(abut_vd_le(abut_vd_mul(nv, abut_vd_add(nv, hv)), zero),
                                   abut_vd_le(abut_vd_mul(mu, abut_vd_add(mu, ku)), zero));
    if (!abut_md_bits(crossing)) {
        return 0;
    }
    abut_vd t = abut_vd_div(nv, hv), s = abut_vd_div(mu, ku);
    abut_vd x = abut_vd_sub(nx, abut_vd_mul(t, hx)), y = abut_vd_sub(ny, abut_vd_mul(t, hy));
    abut_vd z = abut_vd_sub(nz, abut_vd_mul(t, hz));
    abut_vd same = abut_np_dot_vd(x, y, z, abut_vd_sub(mx, abut_vd_mul(s, kx)), abut_vd_sub(my, abut_vd_mul(s, ky)),
                                  abut_vd_sub(mz, abut_vd_mul(s, kz)));
    abut_vd gap = abut_np_dot_vd(x, y, z, abut_vd_sub(abut_vd_load(b->p[0] + j), abut_vd_set(a->p[0][i])),
                                 abut_vd_sub(abut_vd_load(b->p[1] + j), abut_vd_set(a->p[1][i])),
                                 abut_vd_sub(abut_vd_load(b->p[2] + j), abut_vd_set(a->p[2][i])));
    abut_vd length = abut_vd_sqrt(abut_np_dot_vd(x, y, z, x, y, z));
    abut_md enough = abut_vd_le(abut_vd_mul(abut_vd_set(least), length), abut_vd_add(gap, abut_vd_set(slack)));
    return abut_md_bits(abut_md_and(abut_md_and(crossing, abut_vd_lt(zero, same)), enough));
}

/* Measures all crossing pairs that may show more than best->separation. Equal ones are taken in order of the numbers.
 */
static inline void abut_np_search_arcs(const abut_np_polytope_pair *pair, double slack, const abut_np_edge_list *list_a,
                                       const abut_np_edge_list *list_b, abut_np_edge_choice *best) {
    abut_np_arcs a, b;
    abut_np_arcs_of_a(pair->side[0].own, list_a, &a);
    abut_np_arcs_of_b(pair, list_b, &b);
    for (uint32_t i = 0; i < a.count; i++) {
        for (uint32_t j = 0; j < b.count; j += ABUT_VD_LANES) {
            uint32_t lanes = abut_np_crossing_lanes(&a, i, &b, j, best->separation, slack);
            for (uint32_t l = 0; lanes >> l; l++) {
                if (!(lanes >> l & 1) || j + l >= b.count) {
                    continue;
                }
                abut_d3 n = abut_np_arc_axis(&a, i, &b, j + l);
                double s = abut_np_separation_along(pair, n);
                uint32_t ea = list_a->edge[i], eb = list_b->edge[j + l];
                bool earlier = ea < best->edge[0] || (ea == best->edge[0] && eb < best->edge[1]);
                if (s > best->separation || (s == best->separation && earlier)) {
                    *best = (abut_np_edge_choice){s, n, {ea, eb}};
                }
            }
        }
    }
}

#endif
