/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/round/measure.h"
#include "narrowphase/convex/ordered.h"
#include "narrowphase/kernels.h"
#include "narrowphase/ray/ray.h"
#include "narrowphase/round/round.h"
#include "narrowphase/tolerance.h"

static bool is_point(const abut_collider *c) {
    return !c->hull && c->half.x == 0 && c->half.y == 0 && c->half.z == 0;
}

/* A pair in an order that does not depend on the caller's. */
typedef struct measured_pair {
    const abut_collider *first, *second;
    bool closed; /* the first is a point and the second a box: a closed form measures them */
    double radii;
} measured_pair;

static measured_pair pair_of(const abut_collider *a, const abut_collider *b) {
    bool point_a = is_point(a), point_b = is_point(b), closed = !a->hull && !b->hull && (point_a || point_b);
    bool swap = closed && point_a != point_b ? point_b : !abut_np_comes_first(a, b);
    return (measured_pair){swap ? b : a, swap ? a : b, closed, (double)a->radius + b->radius};
}

/* A point at `along` on the way from the closest point of the first core to that of the second, in the world. */
static abut_d3 point_on_way(const measured_pair *p, const abut_np_closest *c, double along) {
    return abut_d3_along(abut_d3_from(p->first->center), 1, abut_d3_along(c->on_a, along, c->normal));
}

/* Two touching shapes share this point: midway between the grown surfaces, but not beyond the cores. */
static abut_d3 shared_point(const measured_pair *p, const abut_np_closest *c) {
    double along = ((double)p->first->radius + c->distance - p->second->radius) / 2;
    return point_on_way(p, c, abut_max_d(0, abut_min_d(along, c->distance)));
}

static abut_d3 point_of_second(const measured_pair *p, const abut_np_closest *c) {
    return abut_d3_along(abut_d3_from(p->first->center), 1,
                         abut_d3_along(c->on_b, -(double)p->second->radius, c->normal));
}

/* Far from a touch the distance decides whether the shapes touch; else the one predicate does. */
static bool touches(const measured_pair *p, const abut_np_closest *c) {
    double unclear = ABUT_NP_MEASURE_UNCLEAR * c->size;
    return c->distance < p->radii - unclear || (c->lower <= p->radii + unclear && abut_np_overlap(p->first, p->second));
}

/* Cores can be too near each other for a direction though they do not touch: then that of the least depth counts. */
static abut_d3 normal_of(const measured_pair *p, const abut_np_closest *c) {
    abut_manifold m = {.normal = {0, 0, 0}};
    float margin = abut_bits_round_up(ABUT_NP_MEASURE_UNCLEAR * c->size);
    if (!c->overlap) {
        return c->normal;
    }
    (void)abut_np_collide(p->first, p->second, margin, &m); /* true: such a margin is far above what was left open */
    return abut_d3_from(m.normal);
}

/* Over this the distance is not computed. It is over `limit` by so much that rounding cannot matter: whether a distance
 * is computed must not depend on the limits of others. */
static double reach_of(const measured_pair *p, double limit) {
    return limit + p->radii + ABUT_NP_MEASURE_UNCLEAR * abut_np_size_of(p->first, p->second);
}

/* As point_box.c relates them, operation for operation. */
void abut_np_closest_of_point(const abut_collider *point, const abut_collider *box, abut_np_closest *out) {
    const abut_d3 half = abut_d3_from(box->half);
    const abut_d3 apart = abut_d3_sub(abut_d3_from(point->center), abut_d3_from(box->center));
    const double extent = abut_d3_norm1(half);
    abut_d3 excess = apart, away = apart;
    if (extent > 0) {
        const abut_np_ray still = {.origin = {point->center.x, point->center.y, point->center.z}};
        abut_np_placed_ray placed;
        abut_np_place_ray(&still, box, &placed);
        excess = placed.origin;
        for (int i = 0; i < 3; i++) {
            excess.x[i] -= abut_max_d(abut_min_d(excess.x[i], half.x[i]), -half.x[i]);
        }
        away = abut_d3_rotate(placed.m, excess);
    }
    *out = (abut_np_closest){
        .distance = abut_d3_length(excess), .on_b = abut_d3_negate(away), .size = abut_d3_norm1(apart) + extent};
    out->overlap = out->distance == 0;
    out->lower = out->distance - ABUT_NP_ROUND_SLACK * out->size;
    for (int i = 0; i < 3 && !out->overlap; i++) {
        out->normal.x[i] = out->on_b.x[i] / out->distance;
    }
}

bool abut_np_measure(const abut_collider *a, const abut_collider *b, double limit, abut_np_measured *out) {
    const measured_pair p = pair_of(a, b);
    abut_np_closest closest;
    if (p.closed) {
        abut_np_closest_of_point(p.first, p.second, &closest);
    } else if (abut_np_farther_than(p.first, p.second, reach_of(&p, limit), &closest)) {
        return false;
    }
    bool swap = p.first != a;
    if (touches(&p, &closest)) {
        abut_d3 shared = shared_point(&p, &closest);
        *out = (abut_np_measured){.on = {shared, shared}};
        return true;
    }
    abut_d3 normal = normal_of(&p, &closest);
    out->distance = abut_max_d(closest.distance - p.radii, 0x1p-60 * closest.size);
    out->on[swap] = point_on_way(&p, &closest, p.first->radius);
    out->on[!swap] = point_of_second(&p, &closest);
    out->normal = swap ? abut_d3_negate(normal) : normal;
    return true;
}

double abut_np_nearest_point(const abut_collider *shape, const abut_collider *body, abut_vec3 *position,
                             abut_vec3 *normal) {
    abut_np_measured m;
    (void)abut_np_measure(body, shape, INFINITY, &m);
    *position = abut_vec3_round(m.on[0]);
    *normal = abut_vec3_round(m.normal);
    return m.distance;
}

void abut_np_distance_many(const abut_collider *shape, const abut_collider *collider, const uint32_t *index, size_t n,
                           double limit, double *distance) {
    bool point = is_point(shape);
    abut_np_measured m;
    if (point) {
        abut_np_round_kernels_active()->point_boxes(shape, collider, index, n, distance);
    }
    for (size_t k = 0; k < n; k++) {
        const abut_collider *body = &collider[index[k]];
        if (!point || distance[k] < 0 || body->hull) {
            distance[k] = abut_np_measure(shape, body, limit, &m) ? m.distance : INFINITY;
        }
    }
}
