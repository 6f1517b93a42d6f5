/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/round/gap.h"
#include "narrowphase/convex/clip.h"
#include "narrowphase/convex/manifold.h"
#include "narrowphase/tolerance.h"

/* The cosine of 2 degrees: faces count as facing the gap to within this. */
static const double COSINE = 0x1.ffb0278bf0567p-1;

/* A face of the first is used unless one of the second faces the gap better by this: the choice must not flicker. */
static const double BETTER = 0x1p-20;

/* A face, and the cosine of its normal with the way across the gap. */
typedef struct facing {
    uint32_t facet;
    double cosine;
} facing;

static void face_better(const abut_hull *hull, abut_d3 way, uint32_t facet, facing *best) {
    double cosine = abut_d3_dot(abut_d3_load(abut_hull_planes(hull)[facet].n), way);
    if (cosine > best->cosine || (cosine == best->cosine && facet < best->facet)) {
        *best = (facing){facet, cosine};
    }
}

/* The facet at the closest point that faces the gap best. A box may be a plate or a rod, whose corners coincide, so all
 * of its faces count. */
static facing facing_of(const abut_hull *hull, abut_d3 way, const uint16_t *corner, uint32_t count) {
    const abut_hull_edge *edge = abut_hull_edges(hull);
    facing best = {0, -2};
    if (hull->digest == 0) {
        for (uint32_t f = 0; f < hull->facet_count; f++) {
            face_better(hull, way, f, &best);
        }
        return best;
    }
    const uint16_t *first = abut_hull_indices(hull, hull->vertex_edges_first);
    const uint16_t *edges = abut_hull_indices(hull, hull->vertex_edges);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = first[corner[i]]; k < first[corner[i] + 1]; k++) {
            face_better(hull, way, edge[edges[k]].f[0], &best);
            face_better(hull, way, edge[edges[k]].f[1], &best);
        }
    }
    return best;
}

/* The vertex of a hull that lies lowest along d. */
static uint32_t lowest(const abut_hull *hull, abut_d3 d) {
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        double along = abut_d3_dot(abut_np_vertex(hull, v), d);
        best = along < least ? v : best;
        least = along < least ? along : least;
    }
    return best;
}

/* The axis of the face that faces the gap; false if none does. */
static bool facing_axis(const abut_np_convex_pair *pair, const abut_np_closest *closest, abut_d3 way_a,
                        abut_np_axis *axis) {
    const abut_np_side *of_a = &pair->side[0], *of_b = &pair->side[1];
    const abut_d3 way_b = abut_d3_negate(abut_np_turned(of_a, way_a));
    const facing a = facing_of(of_a->own, way_a, closest->corner_a, closest->count_a);
    const facing b = facing_of(of_b->own, way_b, closest->corner_b, closest->count_b);
    bool on_b = b.cosine > a.cosine + BETTER;
    if ((on_b ? b : a).cosine < COSINE) {
        return false;
    }
    const abut_np_side *side = on_b ? of_b : of_a;
    uint32_t facet = on_b ? b.facet : a.facet;
    uint32_t face = abut_hull_indices(side->own, side->own->face_of)[facet];
    const abut_d3 n = abut_d3_load(abut_hull_faces(side->own)[face].plane.n);
    uint32_t vertex = lowest(side->other, abut_np_turned(side, n));
    *axis = (abut_np_axis){.separation = -INFINITY,
                           .kind = on_b ? ABUT_NP_FACET_OF_B : ABUT_NP_FACET_OF_A,
                           .of_a = on_b ? vertex : facet,
                           .of_b = on_b ? facet : vertex};
    return true;
}

/* The number of the feature that these corners span, as abut_np_convex_points numbers features: a vertex, an edge, or,
 * for more corners, the first face at the first of them. */
static uint32_t feature_of(const abut_hull *hull, const uint16_t *corner, uint32_t count) {
    const uint16_t *first = abut_hull_indices(hull, hull->vertex_edges_first);
    const uint16_t *edges = abut_hull_indices(hull, hull->vertex_edges);
    for (uint32_t k = first[corner[0]]; count == 2 && k < first[corner[0] + 1]; k++) {
        const abut_hull_edge *e = &abut_hull_edges(hull)[edges[k]];
        if (e->v[0] == corner[1] || e->v[1] == corner[1]) {
            return abut_np_edge_feature(hull, edges[k]);
        }
    }
    uint32_t facet = abut_hull_edges(hull)[edges[first[corner[0]]]].f[0];
    return count == 1 ? corner[0] : abut_np_face_feature(hull, abut_hull_indices(hull, hull->face_of)[facet]);
}

/* The id of the closest points. The bit distinguishes it from those of abut_np_convex_points. Of two equal shapes it
 * does not show which is which, because their order may change from step to step. */
static uint32_t feature_pair(const abut_hull *a, uint32_t of_a, const abut_hull *b, uint32_t of_b) {
    bool equal = a->digest == b->digest && memcmp(&a->obb.half, &b->obb.half, sizeof a->obb.half) == 0;
    bool swap = equal && of_a > of_b;
    return (swap ? of_b : of_a) | (swap ? of_a : of_b) << 16 | UINT32_C(1) << 15;
}

static abut_np_point closest_point(const abut_np_ordered_pair *o, const abut_np_closest *closest) {
    const abut_hull *hull_a = o->pair.side[0].own, *hull_b = o->pair.side[1].own;
    const abut_d3 center = abut_d3_from(o->collider[0]->center);
    const abut_d3 middle = abut_d3_along(closest->on_a, 0.5, abut_d3_sub(closest->on_b, closest->on_a));
    uint32_t a = feature_of(hull_a, closest->corner_a, closest->count_a);
    uint32_t b = feature_of(hull_b, closest->corner_b, closest->count_b);
    return (abut_np_point){abut_d3_along(center, 1, middle), closest->distance, feature_pair(hull_a, a, hull_b, b)};
}

static double distance2(abut_d3 a, abut_d3 b) {
    abut_d3 d = abut_d3_sub(b, a);
    return abut_d3_dot(d, d);
}

/* Makes the closest points one of the points. The point beside them becomes them and keeps its feature. Otherwise one
 * that lies as deep stands for them, or they take a free place, or that of the nearest point. */
static void include_closest(const abut_np_point *closest, double noise, double beside, abut_np_points *out) {
    uint32_t nearest = 0;
    bool shown = false;
    for (uint32_t i = 0; i < out->count; i++) {
        const abut_np_point *p = &out->point[i], *best = &out->point[nearest];
        shown = shown || p->separation <= closest->separation + noise;
        nearest =
            distance2(p->position, closest->position) < distance2(best->position, closest->position) ? i : nearest;
    }
    bool same = out->count > 0 && distance2(out->point[nearest].position, closest->position) <= beside * beside;
    if (same) {
        out->point[nearest].position = closest->position;
        out->point[nearest].separation = closest->separation;
    } else if (!shown) {
        out->point[out->count == 4 ? nearest : out->count++] = *closest;
    }
}

void abut_np_gap_points(const abut_np_ordered_pair *o, const abut_np_closest *closest, double limit,
                        abut_np_points *out) {
    const abut_np_convex_pair *pair = &o->pair;
    const abut_np_point closest_pair = closest_point(o, closest);
    double axes[3][3], noise = 1e-13 * closest->size;
    abut_np_axis axis;
    memcpy(axes, pair->axes_a, sizeof axes);
    out->count = 0;
    if (facing_axis(pair, closest, abut_d3_unrotate(axes, closest->normal), &axis)) {
        abut_np_convex_points(pair, o->collider[0], o->collider[1], limit, &axis, out);
    }
    double extent = abut_min_d(abut_np_extent(pair->side[0].own), abut_np_extent(pair->side[1].own));
    include_closest(&closest_pair, noise, ABUT_NP_RESTING * extent + 0.05 * closest->distance, out);
    out->normal = closest->normal;
    for (uint32_t i = 0; i < out->count; i++) {
        out->point[i].separation = abut_max_d(out->point[i].separation, closest->distance);
    }
}
