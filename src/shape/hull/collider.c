/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* The hull's entry in the shape table. */
#include "base/hash.h"
#include "shape/arc.h"
#include "shape/hull/hull.h"
#include "shape/kernels.h"
#include "shape/table.h"

static bool valid(const abut_collider *collider) {
    return collider->hull && abut_hull_plausible(collider->hull) && abut_radius_valid(collider->radius);
}

static abut_aabb bounds(const abut_collider *collider) {
    return abut_hull_bounds(collider->hull, collider->center, collider->rotation, collider->radius);
}

static void bounds_many(const abut_collider *collider, const uint32_t *index, size_t n, double more, float (*box)[6]) {
    abut_shape_kernels_active()->hull_bounds(collider, index, n, more, box);
}

static double extent(const abut_collider *collider) {
    return (double)collider->hull->radius + collider->radius;
}

static abut_d3 support(const abut_collider *collider, abut_d3 direction) {
    const abut_vec3 *vertex = abut_hull_vertices(collider->hull);
    uint32_t best = 0;
    double most = -INFINITY;
    for (uint32_t v = 0; v < collider->hull->vertex_count; v++) {
        double along = abut_d3_dot(abut_d3_from(vertex[v]), direction);
        best = along > most ? v : best;
        most = abut_max_d(along, most);
    }
    return abut_d3_from(vertex[best]);
}

static uint32_t corner_count(const abut_collider *collider) {
    return collider->hull->vertex_count;
}

static abut_d3 corner(const abut_collider *collider, uint32_t i) {
    return abut_d3_from(abut_hull_vertices(collider->hull)[i]);
}

/* One side of a face, moved out by the radius. */
typedef struct hull_side {
    const abut_hull *hull;
    uint32_t face;
    uint16_t from, to; /* vertices */
    uint16_t edge;
} hull_side;

static abut_d3 vertex_of(const abut_hull *hull, uint16_t v) {
    return abut_d3_from(abut_hull_vertices(hull)[v]);
}

static void draw_side(const hull_side *s, double radius, abut_shape_edge *visit, void *context) {
    const uint16_t *facet = abut_hull_edges(s->hull)[s->edge].f;
    const uint16_t *face_of = abut_hull_indices(s->hull, s->hull->face_of);
    const abut_hull_polygon *face = abut_hull_faces(s->hull);
    uint32_t other = face_of[facet[0]] == s->face ? face_of[facet[1]] : face_of[facet[0]];
    const abut_d3 from = vertex_of(s->hull, s->from), to = vertex_of(s->hull, s->to);
    const abut_d3 normal = abut_d3_load(face[s->face].plane.n), next = abut_d3_load(face[other].plane.n);
    bool first = s->from < s->to; /* of the edge's two sides */
    if (radius > 0 || first) {
        visit(abut_d3_along(from, radius, normal), abut_d3_along(to, radius, normal), context);
    }
    if (radius > 0 && first) {
        abut_shape_arc(from, radius, normal, next, visit, context);
        abut_shape_arc(to, radius, normal, next, visit, context);
    }
}

/* The edges of faces. Each is in two faces, whose loops run along it in opposite senses. */
static void edges(const abut_collider *collider, abut_shape_edge *visit, void *context) {
    const abut_hull *hull = collider->hull;
    const abut_hull_polygon *face = abut_hull_faces(hull);
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const uint16_t *loop = abut_hull_indices(hull, hull->loop) + face[f].first;
        const uint16_t *sides = abut_hull_indices(hull, hull->sides) + face[f].first;
        for (uint32_t i = 0; i < face[f].count; i++) {
            const hull_side s = {hull, f, loop[i], loop[i + 1 < face[f].count ? i + 1 : 0], sides[i]};
            draw_side(&s, collider->radius, visit, context);
        }
    }
}

static uint64_t hash(const abut_collider *collider, uint64_t hash) {
    return abut_hash_mix(hash, collider->hull->digest);
}

/* A hull scaled by a power of two keeps its place in the order, so digests only show whether two hulls differ. */
static int compare(const abut_collider *collider_a, const abut_collider *collider_b) {
    const abut_hull *a = collider_a->hull, *b = collider_b->hull;
    if (a->digest == b->digest) {
        return abut_bits_compare_floats(&collider_a->radius, &collider_b->radius, 1);
    }
    int order = abut_bits_compare_floats(&a->obb.half.x, &b->obb.half.x, 3);
    if (order == 0 && a->vertex_count != b->vertex_count) {
        return a->vertex_count < b->vertex_count ? -1 : 1;
    }
    for (int k = 0; k < 3 && order == 0; k++) {
        order = abut_bits_compare_floats(abut_hull_coordinate(a, k), abut_hull_coordinate(b, k), (int)a->vertex_count);
    }
    return order ? order : abut_bits_compare_floats(&a->coplanar_tolerance, &b->coplanar_tolerance, 1);
}

static abut_obb local_obb(const abut_collider *collider) {
    return collider->hull->obb;
}

const abut_shape_class abut_shape_hull = {.valid = valid,
                                          .bounds = bounds,
                                          .bounds_many = bounds_many,
                                          .extent = extent,
                                          .support = support,
                                          .corner_count = corner_count,
                                          .corner = corner,
                                          .edges = edges,
                                          .hash = hash,
                                          .compare = compare,
                                          .local_obb = local_obb};
