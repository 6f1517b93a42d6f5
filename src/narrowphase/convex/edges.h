/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* For the kernel in polytope_axis.c: the axes of edge pairs. */
#ifndef ABUT_NARROWPHASE_CONVEX_EDGES_H
#define ABUT_NARROWPHASE_CONVEX_EDGES_H

#include "narrowphase/convex/kernels.h"
#include "narrowphase/convex/support.h"

enum { ABUT_NP_EDGE_BLOCK = 64 };

/* Some edges of one polytope. */
typedef struct abut_np_edge_list {
    uint16_t edge[ABUT_NP_EDGE_BLOCK + 1]; /* one more than it holds, for writing before counting */
    uint32_t count;
} abut_np_edge_list;

/* An edge on the Gauss map, in a's frame: its arc runs from facet normal n to n + h. Those of b are turned round, since
 * an axis from a to b points into b. */
typedef struct abut_np_arc {
    abut_d3 along; /* from one end of the edge to the other */
    abut_d3 n, h;
    abut_d3 p; /* one end */
} abut_np_arc;

typedef struct abut_np_edge_choice {
    double separation;
    abut_d3 normal;
    uint32_t edge[2];
} abut_np_edge_choice;

static inline abut_np_arc abut_np_arc_of(const abut_hull *own, uint32_t edge) {
    const abut_hull_edge *e = &abut_hull_edges(own)[edge];
    const double *n = abut_hull_planes(own)[e->f[0]].n, *m = abut_hull_planes(own)[e->f[1]].n;
    abut_d3 p = abut_np_vertex(own, e->v[0]);
    return (abut_np_arc){abut_d3_sub(abut_np_vertex(own, e->v[1]), p),
                         {{n[0], n[1], n[2]}},
                         {{m[0] - n[0], m[1] - n[1], m[2] - n[2]}},
                         p};
}

/* An arc of b, from b's frame. */
static inline abut_np_arc abut_np_arc_of_b(const abut_np_side *side, uint32_t edge) {
    abut_np_arc arc = abut_np_arc_of(side->other, edge);
    abut_d3 n = abut_np_turned_back(side, arc.n), h = abut_np_turned_back(side, arc.h);
    return (abut_np_arc){abut_np_turned_back(side, arc.along),
                         {{-n.x[0], -n.x[1], -n.x[2]}},
                         {{-h.x[0], -h.x[1], -h.x[2]}},
                         abut_np_point_back(side, arc.p)};
}

/* Of an arc that is half a circle, as blades have it, the middle is a difference that is all rounding: it is taken for
 * either of the two directions across both edges. */
static const double SAME = 0x1p-44, BLADE = 0x1p-40;

/* The axis of a crossing pair, unit length; `either`: its sense is not known. The point where the arcs cross is well
 * conditioned however parallel the edges are, unless the arc is nearly a half circle; then the cross product of the
 * edges is. */
static inline abut_d3 abut_np_arc_axis(const abut_np_arc *a, const abut_np_arc *b, bool *either) {
    abut_d3 cross = abut_d3_cross(a->along, b->along);
    abut_d3 n = abut_d3_along(a->n, -abut_d3_dot(a->n, b->along) / abut_d3_dot(a->h, b->along), a->h);
    double n2 = abut_d3_dot(n, n), middle2 = n2, cross2 = abut_d3_dot(cross, cross);
    if (cross2 > n2 * (abut_d3_dot(a->along, a->along) * abut_d3_dot(b->along, b->along))) {
        double sign = abut_d3_dot(cross, n) < 0 ? -1 : 1;
        n = (abut_d3){{sign * cross.x[0], sign * cross.x[1], sign * cross.x[2]}};
        n2 = cross2;
    }
    *either = middle2 < BLADE * BLADE;
    double length = sqrt(n2);
    return (abut_d3){{n.x[0] / length, n.x[1] / length, n.x[2] / length}};
}

/* The separation along a unit axis in a's frame, from all vertices of both. */
static inline double abut_np_separation_along(const abut_np_convex_pair *pair, abut_d3 n) {
    const abut_np_side *side = &pair->side[0];
    abut_d3 in_b = abut_np_turned(side, n), back = {{-n.x[0], -n.x[1], -n.x[2]}};
    return abut_d3_dot(n, side->origin) + abut_np_lowest_along(side->other, &in_b).value +
           abut_np_lowest_along(side->own, &back).value;
}

/* Whether two arcs cross, and may show a separation of `least`. The two edges are then supports along their common
 * normal. */
static inline bool abut_np_arcs_cross(const abut_np_arc *a, const abut_np_arc *b, double least, double slack) {
    double nv = abut_d3_dot(a->n, b->along), hv = abut_d3_dot(a->h, b->along);
    if (!(nv * (nv + hv) <= 0)) {
        return false;
    }
    double mu = abut_d3_dot(b->n, a->along), ku = abut_d3_dot(b->h, a->along);
    if (!(mu * (mu + ku) <= 0)) {
        return false;
    }
    abut_d3 on_a = abut_d3_along(a->n, -(nv / hv), a->h), on_b = abut_d3_along(b->n, -(mu / ku), b->h);
    double gap = abut_d3_dot(on_a, abut_d3_sub(b->p, a->p));
    return abut_d3_dot(on_a, on_b) > -SAME && least * sqrt(abut_d3_dot(on_a, on_a)) <= gap + slack;
}

/* Measures all crossing pairs that may show more than best->separation. Equal ones are taken in order of the numbers.
 */
static inline void abut_np_search_arcs(const abut_np_convex_pair *pair, double slack, const abut_np_edge_list *list_a,
                                       const abut_np_edge_list *list_b, abut_np_edge_choice *best) {
    abut_np_arc b[ABUT_NP_EDGE_BLOCK];
    for (uint32_t j = 0; j < list_b->count; j++) {
        b[j] = abut_np_arc_of_b(&pair->side[0], list_b->edge[j]);
    }
    for (uint32_t i = 0; i < list_a->count; i++) {
        abut_np_arc a = abut_np_arc_of(pair->side[0].own, list_a->edge[i]);
        for (uint32_t j = 0; j < list_b->count; j++) {
            if (!abut_np_arcs_cross(&a, &b[j], best->separation, slack)) {
                continue;
            }
            bool either;
            abut_d3 n = abut_np_arc_axis(&a, &b[j], &either), back = {{-n.x[0], -n.x[1], -n.x[2]}};
            double s = abut_np_separation_along(pair, n), t = either ? abut_np_separation_along(pair, back) : -INFINITY;
            n = t > s ? back : n;
            s = t > s ? t : s;
            uint32_t ea = list_a->edge[i], eb = list_b->edge[j];
            bool earlier = ea < best->edge[0] || (ea == best->edge[0] && eb < best->edge[1]);
            if (s > best->separation || (s == best->separation && earlier)) {
                *best = (abut_np_edge_choice){s, n, {ea, eb}};
            }
        }
    }
}

#endif
