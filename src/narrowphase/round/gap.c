/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/round/gap.h"
#include "narrowphase/along.h"
#include "narrowphase/box/box.h"
#include "narrowphase/convex/clip.h"
#include "narrowphase/convex/manifold.h"
#include "narrowphase/tolerance.h"

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

/* The facet at the closest point that faces the gap best. A box may be a plate, whose corners coincide, so all of its
 * faces count. */
static facing facing_of(const abut_hull *hull, abut_d3 way, const uint16_t *corner, uint32_t count) {
    const abut_hull_edge *edge = abut_hull_edges(hull);
    facing best = {0, -2};
    if (hull->digest == 0) {
        for (uint32_t f = 0; f < hull->facet_count; f++) {
            if (abut_np_box_as_hull_has_area(hull, f)) {
                face_better(hull, way, f, &best);
            }
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

/* Whether the core of a capsule is parallel to a face with this normal, to within ABUT_NP_ALONG; true of others. */
static bool lies_along_face(const abut_np_side *side, abut_d3 n) {
    const float *half = &side->other->obb.half.x;
    const int axis = half[0] > 0 ? 0 : half[1] > 0 ? 1 : 2;
    const bool rod = side->other->digest == 0 && half[(axis + 1) % 3] == 0 && half[(axis + 2) % 3] == 0;
    const double rise = abut_np_turned(side, n).x[axis];
    return !rod || rise * rise <= 1 - ABUT_NP_ALONG * ABUT_NP_ALONG;
}

/* The axis of the face that faces the gap; false if none does. */
static bool facing_axis(const abut_np_convex_pair *pair, const abut_np_closest *closest, abut_d3 way_a,
                        abut_np_axis *axis) {
    const abut_np_side *of_a = &pair->side[0], *of_b = &pair->side[1];
    const abut_d3 way_b = abut_d3_negate(abut_np_turned(of_a, way_a));
    const facing a = facing_of(of_a->own, way_a, closest->corner_a, closest->count_a);
    const facing b = facing_of(of_b->own, way_b, closest->corner_b, closest->count_b);
    bool on_b = b.cosine > a.cosine + ABUT_NP_ALONG_BETTER;
    if ((on_b ? b : a).cosine < ABUT_NP_ALONG) {
        return false;
    }
    const abut_np_side *side = on_b ? of_b : of_a;
    uint32_t facet = on_b ? b.facet : a.facet;
    uint32_t face = abut_hull_indices(side->own, side->own->face_of)[facet];
    const abut_d3 n = abut_d3_load(abut_hull_faces(side->own)[face].plane.n);
    if (!lies_along_face(side, n)) {
        return false;
    }
    uint32_t vertex = lowest(side->other, abut_np_turned(side, n));
    *axis = (abut_np_axis){.separation = -INFINITY,
                           .kind = on_b ? ABUT_NP_FACET_OF_B : ABUT_NP_FACET_OF_A,
                           .of_a = on_b ? vertex : facet,
                           .of_b = on_b ? facet : vertex};
    return true;
}

/* A number for the feature that these corners span. */
static uint32_t feature_of(const uint16_t *corner, uint32_t count) {
    uint32_t number = count;
    for (uint32_t i = 0; i < count; i++) {
        number = (number * 4099 + corner[i]) & 0x7fff;
    }
    return number;
}

/* The edge between two corners, or the number of edges for none. */
static uint32_t edge_between(const abut_hull *hull, const uint16_t corner[2]) {
    const uint16_t *first = abut_hull_indices(hull, hull->vertex_edges_first);
    const uint16_t *edges = abut_hull_indices(hull, hull->vertex_edges);
    for (uint32_t k = first[corner[0]]; k < first[corner[0] + 1]; k++) {
        const abut_hull_edge *edge = &abut_hull_edges(hull)[edges[k]];
        if (edge->v[0] == corner[1] || edge->v[1] == corner[1]) {
            return edges[k];
        }
    }
    return hull->edge_count;
}

/* The bit distinguishes the id from those of overlap manifolds. It does not show which feature is whose, because the
 * order of two equal shapes may change from step to step. */
static uint32_t closest_feature(const abut_np_closest *closest) {
    uint32_t a = feature_of(closest->corner_a, closest->count_a), b = feature_of(closest->corner_b, closest->count_b);
    return (a < b ? a : b) | (a < b ? b : a) << 16 | UINT32_C(1) << 15;
}

/* The same, but of two edges that cross the id that these have where they overlap. Plates and rods have edges that
 * coincide. */
static uint32_t single_feature(const abut_np_convex_pair *pair, const abut_np_closest *closest) {
    const abut_hull *a = pair->side[0].own, *b = pair->side[1].own;
    if (closest->count_a == 2 && closest->count_b == 2 && !abut_np_box_as_hull_is_flat(a) &&
        !abut_np_box_as_hull_is_flat(b)) {
        const uint32_t edge_a = edge_between(a, closest->corner_a), edge_b = edge_between(b, closest->corner_b);
        if (edge_a < a->edge_count && edge_b < b->edge_count) {
            return abut_np_crossing(pair, edge_a, edge_b);
        }
    }
    return closest_feature(closest);
}

static abut_np_point closest_point(const abut_collider *first, const abut_np_closest *closest, uint32_t feature) {
    const abut_d3 middle = abut_d3_along(closest->on_a, 0.5, abut_d3_sub(closest->on_b, closest->on_a));
    return (abut_np_point){abut_d3_along(abut_d3_from(first->center), 1, middle), closest->distance, feature};
}

static double distance2(abut_d3 a, abut_d3 b) {
    abut_d3 d = abut_d3_sub(b, a);
    return abut_d3_dot(d, d);
}

/* No point: an index. */
enum { NONE = 4 };

/* The deepest point, if it is as deep as the closest points, nearly; else NONE. `extent`: of the smaller shape. */
static uint32_t as_deep(const abut_np_points *points, const abut_np_closest *closest, double extent) {
    const uint32_t deepest = abut_np_points_deepest(points);
    const double most = closest->distance + ABUT_NP_AS_DEEP * extent + 1e-13 * closest->size;
    return points->count > 0 && points->point[deepest].separation <= most ? deepest : NONE;
}

/* Makes the closest points one of the points, and their way the normal. The point beside them becomes them and keeps
 * its feature. Otherwise the one that is as deep stands for them: which corner of bodies at rest is the deepest changes
 * as they jitter, and which are kept should not. Else they take a free place, or that of the nearest point. No other
 * point is as deep, but those that are to within `noise`. */
static void include_closest(const abut_collider *first, const abut_np_closest *closest, double extent, double noise,
                            uint32_t deep, abut_np_points *out) {
    const abut_np_point exact = closest_point(first, closest, closest_feature(closest));
    double least = INFINITY;
    uint32_t nearest = 0;
    for (uint32_t i = 0; i < out->count; i++) {
        abut_np_point *p = &out->point[i];
        const bool same = fabs(p->separation - closest->distance) <= noise;
        const double away = distance2(p->position, exact.position);
        p->separation = same ? closest->distance : abut_max_d(p->separation, closest->distance * (1 + 0x1p-22));
        nearest = away < least ? i : nearest;
        least = away < least ? away : least;
    }
    /* The surfaces lie above each other along the normal of the face, and the closest points along their own. */
    const double tilt = abut_d3_norm1(abut_d3_sub(out->normal, closest->normal));
    double beside = ABUT_NP_RESTING * extent + (deep == NONE ? 0.05 : 0x1p-11 + tilt) * closest->distance;
    /* A single point may stand for faces that do not lie above each other. */
    if (out->count == 1 || least <= beside * beside) {
        out->point[nearest].position = exact.position;
        out->point[nearest].separation = exact.separation;
    } else if (deep != NONE) {
        out->point[deep].separation = exact.separation;
    } else {
        out->point[out->count == 4 ? nearest : out->count++] = exact;
    }
    out->normal = closest->normal;
}

void abut_np_gap_points(const abut_np_ordered_pair *o, const abut_np_closest *closest, double limit,
                        abut_np_points *out) {
    const abut_np_convex_pair *pair = &o->pair;
    double axes[3][3];
    abut_np_axis axis;
    memcpy(axes, pair->axes_a, sizeof axes);
    out->count = 0;
    out->normal = closest->normal;
    if (facing_axis(pair, closest, abut_d3_unrotate(axes, closest->normal), &axis)) {
        abut_np_convex_points(pair, o->collider[0], o->collider[1], limit, &axis, out);
    }
    if (out->count == 0) {
        out->count = 1;
        out->normal = closest->normal;
        out->point[0] = closest_point(o->collider[0], closest, single_feature(pair, closest));
        return;
    }
    const double extent = abut_min_d(abut_np_extent(pair->side[0].own), abut_np_extent(pair->side[1].own));
    include_closest(o->collider[0], closest, extent, 1e-13 * closest->size, as_deep(out, closest, extent), out);
}

bool abut_np_gap_from_found(const abut_collider *first, const abut_collider *second, const abut_np_closest *closest,
                            const abut_manifold *found, abut_np_points *out) {
    const double extent = abut_min_d(abut_shape_of(first)->extent(first), abut_shape_of(second)->extent(second));
    out->normal = abut_d3_from(found->normal);
    out->count = found->count;
    if (out->count == 0 || abut_d3_dot(out->normal, closest->normal) < ABUT_NP_ALONG) {
        return false;
    }
    for (uint32_t i = 0; i < out->count; i++) {
        const abut_contact_point *p = &found->points[i];
        out->point[i] = (abut_np_point){abut_d3_from(p->position), p->separation, p->feature};
    }
    if (!first->hull && !second->hull) {
        const uint32_t deepest = abut_np_points_deepest(out);
        double *height = &out->point[deepest].separation;
        *height = abut_max_d(*height, abut_np_box_gap_height(first, second, found, deepest));
    }
    const uint32_t deep = as_deep(out, closest, extent);
    if (deep != NONE) {
        include_closest(first, closest, extent, 0x1p-23 * closest->distance + 1e-13 * closest->size, deep, out);
    }
    return deep != NONE;
}
