/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/footprint/closest.h"
#include "shape/shape.h"

/* Two convex polygons that are apart are closest to each other at a corner of one of them and a corner or side of the
 * other. So two kinds of distances are enough: of a point from the rectangle, and of an edge from the corner of the
 * rectangle that its line meets first, where the foot of that corner lies on the edge.
 *
 * An edge is the difference of its projected ends, and these carry all errors: moving the ends of an edge by some
 * amount changes no distance by more, however short the edge is. */

/* Corners are 0 or 1 in each of the bits 0, 1 and 2; the first 1, 4 or 12 edges are those of 2, 4 or 8 corners. */
static const abut_hull_edge box_edges[12] = {{.v = {0, 1}}, {.v = {2, 3}}, {.v = {0, 2}}, {.v = {1, 3}},
                                             {.v = {4, 5}}, {.v = {6, 7}}, {.v = {4, 6}}, {.v = {5, 7}},
                                             {.v = {0, 4}}, {.v = {1, 5}}, {.v = {2, 6}}, {.v = {3, 7}}};

void abut_np_outline_of(const abut_collider *collider, abut_np_outline *outline) {
    if (collider->hull) {
        outline->points = collider->hull->vertex_count;
        outline->edges = collider->hull->edge_count;
        outline->point = abut_hull_vertices(collider->hull);
        outline->edge = abut_hull_edges(collider->hull);
        return;
    }
    const float *half = &collider->half.x;
    uint32_t points = 1, edges = 0;
    outline->corner[0] = (abut_vec3){0, 0, 0};
    for (int k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < points && half[k] > 0; i++) {
            outline->corner[points + i] = outline->corner[i];
            *(&outline->corner[i].x + k) = half[k];
            *(&outline->corner[points + i].x + k) = -half[k];
        }
        edges = half[k] > 0 ? 2 * edges + points : edges;
        points = half[k] > 0 ? 2 * points : points;
    }
    outline->points = points;
    outline->edges = edges;
    outline->point = outline->corner;
    outline->edge = box_edges;
}

static void project(const abut_np_shadow *s, abut_vec3 local, double out[2]) {
    out[0] = s->base[0] + ((s->x[0] * local.x + s->x[1] * local.y) + s->x[2] * local.z);
    out[1] = s->base[1] + ((s->y[0] * local.x + s->y[1] * local.y) + s->y[2] * local.z);
}

static double point_distance(const double half[2], const double p[2]) {
    double x = fabs(p[0]) - half[0], y = fabs(p[1]) - half[1];
    return x > 0 && y > 0 ? sqrt(x * x + y * y) : abut_max_d(abut_max_d(x, y), 0);
}

/* INFINITY where the foot of the corner is not on the edge from a to b. */
static double side_distance(const double half[2], const double a[2], const double b[2]) {
    double x = b[0] - a[0], y = b[1] - a[1], across = a[0] * y - a[1] * x, square = x * x + y * y;
    double sense = across < 0 ? -1 : 1;
    double corner_x = y < 0 ? -sense * half[0] : sense * half[0], corner_y = x < 0 ? sense * half[1] : -sense * half[1];
    double foot = (corner_x - a[0]) * x + (corner_y - a[1]) * y;
    if (!(foot > 0 && foot < square)) {
        return INFINITY;
    }
    return fabs(fabs(across) - (half[0] * fabs(y) + half[1] * fabs(x))) / sqrt(square);
}

/* One bit for each side of the rectangle, grown by `far`, that the point lies beyond. */
static uint8_t sides_beyond(const double half[2], double far, const double p[2]) {
    double x = half[0] + far, y = half[1] + far;
    return (uint8_t)((p[0] > x) | (p[0] < -x) << 1 | (p[1] > y) << 2 | (p[1] < -y) << 3);
}

static void keep_nearer(abut_np_closest_feature *best, double distance, uint32_t feature) {
    if (distance < best->distance) {
        best->distance = distance;
        best->feature = feature;
    }
}

abut_np_closest_feature abut_np_closest_of(const abut_np_outline *outline, const abut_np_shadow *s,
                                           const double half[2], double near, double far) {
    abut_np_closest_feature best = {.distance = INFINITY};
    uint8_t beyond[ABUT_HULL_MAX_VERTICES], all = 15;
    double a[2], b[2];
    for (uint32_t i = 0; i < outline->points && !(best.distance < near); i++) {
        project(s, outline->point[i], a);
        beyond[i] = sides_beyond(half, far, a);
        all &= beyond[i];
        keep_nearer(&best, point_distance(half, a), i);
    }
    if (all) {
        return (abut_np_closest_feature){.distance = INFINITY, .is_separated = !(best.distance < near)};
    }
    for (uint32_t e = 0; e < outline->edges && !(best.distance < near); e++) {
        const uint16_t *v = outline->edge[e].v;
        if (!(beyond[v[0]] & beyond[v[1]])) {
            project(s, outline->point[v[0]], a);
            project(s, outline->point[v[1]], b);
            keep_nearer(&best, side_distance(half, a, b), outline->points + e);
        }
    }
    return best;
}

static abut_dd coordinate(abut_dd base, const abut_dd axis[3], abut_vec3 local) {
    abut_dd sum = abut_dd_add(base, abut_dd_scaled(axis[0], local.x));
    return abut_dd_add(abut_dd_add(sum, abut_dd_scaled(axis[1], local.y)), abut_dd_scaled(axis[2], local.z));
}

static void project_dd(const abut_np_shadow_dd *s, abut_vec3 local, abut_dd out[2]) {
    out[0] = coordinate(s->base[0], s->x, local);
    out[1] = coordinate(s->base[1], s->y, local);
}

/* By how much the point is beyond the rectangle's sides; negative: it is not. */
static void excess_of(const abut_np_shadow_dd *s, const abut_dd p[2], abut_dd excess[2]) {
    excess[0] = abut_dd_sub(abut_dd_abs(p[0]), s->half[0]);
    excess[1] = abut_dd_sub(abut_dd_abs(p[1]), s->half[1]);
}

/* The distance of a point less g. */
static double point_excess(const abut_np_shadow_dd *s, const abut_dd p[2]) {
    abut_dd excess[2];
    excess_of(s, p, excess);
    abut_dd far = excess[0].hi > excess[1].hi ? excess[0] : excess[1];
    if (excess[0].hi > 0 && excess[1].hi > 0) {
        far = abut_dd_sqrt(abut_dd_add(abut_dd_mul(excess[0], excess[0]), abut_dd_mul(excess[1], excess[1])));
    }
    return abut_dd_sub(far.hi > 0 ? far : abut_dd_from(0), s->grow).hi;
}

static abut_dd with_sign(abut_dd value, double sign) {
    return sign < 0 ? abut_dd_negate(value) : value;
}

static abut_dd cross(abut_dd ax, abut_dd ay, abut_dd bx, abut_dd by) {
    return abut_dd_sub(abut_dd_mul(ax, by), abut_dd_mul(ay, bx));
}

/* Whether the edge is at least g from its corner of the rectangle, as in side_distance; true where the foot is not on
 * the edge. */
static bool side_clear(const abut_np_shadow_dd *s, const abut_dd a[2], const abut_dd b[2], double band,
                       abut_touch touch) {
    abut_dd x = abut_dd_sub(b[0], a[0]), y = abut_dd_sub(b[1], a[1]), across = cross(a[0], a[1], x, y);
    abut_dd square = abut_dd_add(abut_dd_mul(x, x), abut_dd_mul(y, y));
    double sense = across.hi < 0 ? -1 : 1;
    abut_dd to_x = abut_dd_sub(with_sign(s->half[0], y.hi < 0 ? -sense : sense), a[0]);
    abut_dd to_y = abut_dd_sub(with_sign(s->half[1], x.hi < 0 ? sense : -sense), a[1]);
    abut_dd foot = abut_dd_add(abut_dd_mul(to_x, x), abut_dd_mul(to_y, y));
    if (!(foot.hi > 0 && abut_dd_sub(square, foot).hi > 0)) {
        return true;
    }
    abut_dd radius = abut_dd_add(abut_dd_mul(s->half[0], abut_dd_abs(y)), abut_dd_mul(s->half[1], abut_dd_abs(x)));
    abut_dd gap = abut_dd_abs(abut_dd_sub(abut_dd_abs(across), radius)), length = abut_dd_sqrt(square);
    return abut_np_clear(abut_dd_sub(gap, abut_dd_mul(s->grow, length)).hi, band * length.hi, touch);
}

bool abut_np_closest_clear(const abut_np_outline *outline, const abut_np_shadow *s, const double half[2], double far,
                           const abut_np_shadow_dd *accurate, double band, abut_touch touch) {
    double a[2], b[2];
    abut_dd exact_a[2], exact_b[2];
    for (uint32_t i = 0; i < outline->points; i++) {
        project(s, outline->point[i], a);
        if (point_distance(half, a) <= far) {
            project_dd(accurate, outline->point[i], exact_a);
            if (!abut_np_clear(point_excess(accurate, exact_a), band, touch)) {
                return false;
            }
        }
    }
    for (uint32_t e = 0; e < outline->edges; e++) {
        const abut_vec3 from = outline->point[outline->edge[e].v[0]], to = outline->point[outline->edge[e].v[1]];
        project(s, from, a);
        project(s, to, b);
        if (point_distance(half, a) <= far || point_distance(half, b) <= far || side_distance(half, a, b) <= far) {
            project_dd(accurate, from, exact_a);
            project_dd(accurate, to, exact_b);
            if (!side_clear(accurate, exact_a, exact_b, band, touch)) {
                return false;
            }
        }
    }
    return true;
}

/* A unit vector; {0, 0} for {0, 0}. */
static void normalize(double x, double y, double out[2]) {
    double length = sqrt(x * x + y * y);
    out[0] = length > 0 ? x / length : 0;
    out[1] = length > 0 ? y / length : 0;
}

void abut_np_closest_direction(const abut_np_outline *outline, const abut_np_shadow *s, const double half[2],
                               uint32_t feature, double direction[2]) {
    double a[2], b[2];
    if (feature >= outline->points) {
        const uint16_t *v = outline->edge[feature - outline->points].v;
        project(s, outline->point[v[0]], a);
        project(s, outline->point[v[1]], b);
        double x = b[0] - a[0], y = b[1] - a[1], sense = a[0] * y - a[1] * x < 0 ? 1 : -1;
        normalize(sense * y, -sense * x, direction);
        return;
    }
    project(s, outline->point[feature], a);
    double x = fabs(a[0]) - half[0], y = fabs(a[1]) - half[1];
    normalize(a[0] < 0 ? abut_max_d(x, 0) : -abut_max_d(x, 0), a[1] < 0 ? abut_max_d(y, 0) : -abut_max_d(y, 0),
              direction);
}
