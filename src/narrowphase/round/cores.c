/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/convex/manifold.h"
#include "narrowphase/kernels.h"
#include "narrowphase/round/gap.h"
#include "narrowphase/round/round.h"
#include "narrowphase/tolerance.h"

double abut_np_size_of(const abut_collider *a, const abut_collider *b) {
    const abut_d3 d = abut_d3_sub(abut_d3_from(b->center), abut_d3_from(a->center));
    return abut_d3_norm1(d) + abut_shape_of(a)->extent(a) + abut_shape_of(b)->extent(b);
}

static double radii_of(const abut_collider *a, const abut_collider *b) {
    return (double)a->radius + b->radius;
}

/* The one predicate: whether the distance of the cores, a before b, is at most `reach`. If not, *closest holds no
 * points. */
static bool within(const abut_collider *a, const abut_collider *b, double reach, abut_np_closest *closest) {
    return !abut_np_farther_than(a, b, reach + ABUT_NP_ROUND_SLACK * abut_np_size_of(a, b), closest);
}

/* How far the origin of a core's frame may be from the core. A hull holds its centroid, but for its rounding. */
static double off_center(const abut_collider *collider) {
    const abut_hull *hull = collider->hull;
    return hull ? abut_d3_norm1(abut_d3_from(hull->centroid)) + 0x1p-20 * hull->radius : 0;
}

/* What is certain from the distance of the centres alone, which decides most pairs with a large radius: 1, they touch;
 * 0, they are apart; -1, neither. */
static int touch_by_centers(const abut_collider *a, const abut_collider *b) {
    const abut_d3 way = abut_d3_sub(abut_d3_from(b->center), abut_d3_from(a->center));
    double distance = sqrt(abut_d3_dot(way, way)) * (1 + 0x1p-40);
    if (distance + off_center(a) + off_center(b) <= radii_of(a, b)) {
        return 1;
    }
    double reach = (abut_shape_of(a)->extent(a) + abut_shape_of(b)->extent(b)) * (1 + 0x1p-30);
    return distance > reach ? 0 : -1;
}

bool abut_np_cores_overlap(const abut_collider *a, const abut_collider *b, abut_np_hint *hint) {
    abut_np_closest closest;
    int certain = touch_by_centers(a, b);
    (void)hint;
    if (certain >= 0) {
        return certain;
    }
    bool swap = !abut_np_comes_first(a, b);
    return within(swap ? b : a, swap ? a : b, radii_of(a, b), &closest);
}

/* The points of cores that overlap, or nearly so: what the separating axes find for shapes without radii. */
static void overlap_points(const abut_np_ordered_pair *o, double limit, abut_np_points *out) {
    const abut_np_side *side = &o->pair.side[0];
    const abut_np_convex_kernels *kernels =
        abut_np_convex_kernels_for(side->own->vertex_count, side->other->vertex_count);
    abut_np_axis axis;
    out->count = 0;
    if (kernels->find_axis(&o->pair, limit, NULL, &axis)) {
        abut_np_convex_points(&o->pair, o->collider[0], o->collider[1], limit, &axis, out);
    }
}

/* The same for two boxes. */
static void overlap_points_of_boxes(const abut_np_ordered_pair *o, double limit, abut_np_points *out) {
    static const uint32_t first = 0;
    abut_manifold m;
    const abut_np_box_pairs pair = {
        .a = o->collider[0], .b = o->collider[1], .index_a = &first, .index_b = &first, .n = 1};
    const abut_np_manifold_output to = {&m, 0, &first};
    abut_np_box_kernels_of_one()->manifolds(&pair, abut_bits_round_up(limit), false, &to);
    out->normal = abut_d3_from(m.normal);
    out->count = m.count;
    for (uint32_t i = 0; i < m.count; i++) {
        const abut_contact_point *p = &m.points[i];
        out->point[i] = (abut_np_point){abut_d3_from(p->position), p->separation, p->feature};
    }
}

/* Moves the points of the cores midway between the grown surfaces, and drops those that are farther apart than the
 * margin, but for the deepest. */
static void grow(const abut_collider *first, const abut_collider *second, double margin, bool overlap,
                 abut_np_points *p) {
    double a = first->radius, b = second->radius;
    uint32_t deepest = abut_np_points_deepest(p), kept = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        abut_np_point x = p->point[i];
        x.position = abut_d3_along(x.position, (a - b) / 2, p->normal);
        x.separation -= a + b;
        if (i == deepest) {
            x.separation = abut_min_d(x.separation, overlap ? 0 : margin);
        }
        if (x.separation <= margin) {
            p->point[kept++] = x;
        }
    }
    p->count = kept;
}

bool abut_np_cores_collide(const abut_collider *a, const abut_collider *b, float margin, abut_np_hint *hint,
                           abut_manifold *manifold) {
    abut_np_ordered_pair o;
    abut_np_closest closest;
    abut_np_points points;
    double radii = radii_of(a, b), reach = radii + margin;
    (void)hint;
    bool swap = !abut_np_comes_first(a, b);
    if (!within(swap ? b : a, swap ? a : b, reach, &closest)) {
        return false;
    }
    abut_np_order(a, b, &o);
    points.count = 0;
    if (closest.distance <= ABUT_NP_ROUND_NEAREST * closest.size) {
        bool boxes = !a->hull && !b->hull;
        (boxes ? overlap_points_of_boxes : overlap_points)(&o, reach, &points);
    }
    if (points.count == 0) {
        abut_np_gap_points(&o, &closest, reach, &points);
    }
    grow(o.collider[0], o.collider[1], margin, closest.distance <= radii + ABUT_NP_ROUND_SLACK * closest.size, &points);
    if (o.swapped) {
        points.normal = abut_d3_negate(points.normal);
    }
    abut_np_points_round(&points, manifold);
    return true;
}

static double extent_of(const abut_collider *collider) {
    const abut_vec3 half = collider->hull ? collider->hull->obb.half : collider->half;
    return (double)half.x + half.y + half.z;
}

static abut_vec3 negated(abut_vec3 v) {
    return (abut_vec3){0.0f - v.x, 0.0f - v.y, 0.0f - v.z};
}

bool abut_np_gap_collide(const abut_collider *a, const abut_collider *b, float margin, abut_manifold *manifold) {
    abut_np_closest closest;
    abut_np_points points;
    bool swap = !abut_np_comes_first(a, b);
    if (!within(swap ? b : a, swap ? a : b, margin, &closest)) {
        return false;
    }
    if (closest.distance <= abut_np_next_to(closest.size, extent_of(a) + extent_of(b))) {
        return true;
    }
    const abut_collider *first = swap ? b : a, *second = swap ? a : b;
    abut_manifold found = *manifold;
    found.normal = swap ? negated(found.normal) : found.normal;
    if (!abut_np_gap_from_found(first, second, &closest, &found, &points)) {
        abut_np_ordered_pair o;
        abut_np_order(first, second, &o);
        abut_np_gap_points(&o, &closest, margin, &points);
    }
    grow(first, second, margin, false, &points);
    points.normal = swap ? abut_d3_negate(points.normal) : points.normal;
    abut_np_points_round(&points, manifold);
    return true;
}
