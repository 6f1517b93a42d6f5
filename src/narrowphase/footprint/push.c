/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "narrowphase/footprint/footprint.h"
#include "shape/shape.h"

/* The shortest way out: over all separating axes, the least by which the rectangle must move along one so that it
 * parts the two. It is found in double and then lengthened until the exact test says so. */

typedef abut_np_footprint_way way;

static void offer(way *best, double depth, double x, double y) {
    if (depth < best->depth) {
        *best = (way){.depth = depth, .direction = {x, y}};
    }
}

static double dot2(const double a[2], double x, double y) {
    return a[0] * x + a[1] * y;
}

/* Out of a zonogon along the unit axis (x, y): away from its centre. */
static void offer_zonogon(way *best, const abut_np_shadow *s, const double half[2], const double reach[3], double x,
                          double y) {
    double along = dot2(s->base, x, y), radius = half[0] * fabs(x) + half[1] * fabs(y);
    for (int k = 0; k < 3; k++) {
        radius += reach[k] * fabs(s->x[k] * x + s->y[k] * y);
    }
    double sense = along > 0 ? -1 : 1;
    offer(best, radius - fabs(along), sense * x, sense * y);
}

/* All that is added up along any axis is at most this. */
static double extent_of(const abut_np_footprint *plot, const abut_collider *collider, const abut_np_shadow *s) {
    double own = fabs(s->base[0]) + fabs(s->base[1]) + (plot->half[0] + plot->half[1]);
    return own + ((double)collider->half.x + collider->half.y + collider->half.z);
}

way abut_np_footprint_way_out_of_box(const abut_np_footprint *plot, const abut_collider *collider,
                                     const abut_np_shadow *s) {
    const double reach[3] = {collider->half.x, collider->half.y, collider->half.z};
    way best = {.depth = INFINITY, .direction = {1, 0}};
    offer_zonogon(&best, s, plot->half, reach, 1, 0);
    offer_zonogon(&best, s, plot->half, reach, 0, 1);
    for (int k = 0; k < 3; k++) {
        double length = sqrt(s->x[k] * s->x[k] + s->y[k] * s->y[k]);
        if (length > 0) {
            offer_zonogon(&best, s, plot->half, reach, s->y[k] / length, -s->x[k] / length);
        }
    }
    best.overlaps = best.depth > 0x1p-36 * extent_of(plot, collider, s);
    return best;
}

static void place(const abut_np_shadow *s, abut_vec3 local, double out[2]) {
    out[0] = s->base[0] + ((s->x[0] * local.x + s->x[1] * local.y) + s->x[2] * local.z);
    out[1] = s->base[1] + ((s->y[0] * local.x + s->y[1] * local.y) + s->y[2] * local.z);
}

/* How far the shadow reaches along (x, y) from the rectangle's centre. */
static double reach_of(const abut_np_shadow *s, const abut_hull *hull, double x, double y) {
    const abut_vec3 *vertex = abut_hull_vertices(hull);
    double most = -INFINITY;
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        double p[2];
        place(s, vertex[v], p);
        most = abut_max_d(most, dot2(p, x, y));
    }
    return most;
}

static void offer_hull(way *best, const abut_np_shadow *s, const double half[2], const abut_hull *hull, double x,
                       double y) {
    double radius = half[0] * fabs(x) + half[1] * fabs(y);
    offer(best, reach_of(s, hull, x, y) + radius, x, y);
}

/* A facet looks up or down, or neither for certain. */
static int looks(const abut_hull_plane *plane, const double up[3]) {
    double height = plane->n[0] * up[0] + plane->n[1] * up[1] + plane->n[2] * up[2];
    return (height > 0x1p-40) - (height < -0x1p-40);
}

/* Whether the edge lies on the outline for all that double can tell, and how deep the rectangle then is in its side.
 * Edges that stand nearly upright are too short to matter. */
static bool side_of(const abut_np_shadow *s, const double half[2], const abut_hull *hull, const abut_hull_edge *edge,
                    const double up[3], way *side) {
    const abut_hull_plane *planes = abut_hull_planes(hull);
    const abut_vec3 *vertex = abut_hull_vertices(hull);
    if (looks(&planes[edge->f[0]], up) * looks(&planes[edge->f[1]], up) > 0) {
        return false;
    }
    double a[2], b[2], middle[2];
    place(s, vertex[edge->v[0]], a);
    place(s, vertex[edge->v[1]], b);
    place(s, hull->centroid, middle);
    double x = b[1] - a[1], y = a[0] - b[0], length = sqrt(x * x + y * y);
    if (!(length > 0x1p-26 * (double)hull->radius)) {
        return false;
    }
    double sense = (middle[0] - a[0]) * x + (middle[1] - a[1]) * y > 0 ? -1 : 1;
    x *= sense / length;
    y *= sense / length;
    *side = (way){.depth = dot2(a, x, y) + (half[0] * fabs(x) + half[1] * fabs(y)), .direction = {x, y}};
    return true;
}

/* Up in the hull's own frame, of any length: row `axis` of R(q). */
static void up_of(abut_quat rotation, int axis, double up[3]) {
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(rotation), m);
    for (int k = 0; k < 3; k++) {
        up[k] = m[axis][k];
    }
}

way abut_np_footprint_way_out_of_hull(const abut_np_footprint *plot, const abut_collider *collider,
                                      const abut_np_shadow *s) {
    const abut_hull_edge *edges = abut_hull_edges(collider->hull);
    const double *half = plot->half;
    double up[3];
    way best = {.depth = INFINITY, .direction = {1, 0}}, least = best, side;
    up_of(collider->rotation, 3 - plot->ground[0] - plot->ground[1], up);
    offer_hull(&best, s, half, collider->hull, 1, 0);
    offer_hull(&best, s, half, collider->hull, -1, 0);
    offer_hull(&best, s, half, collider->hull, 0, 1);
    offer_hull(&best, s, half, collider->hull, 0, -1);
    for (uint32_t e = 0; e < collider->hull->edge_count; e++) {
        if (side_of(s, half, collider->hull, &edges[e], up, &side)) {
            offer(&least, side.depth, side.direction[0], side.direction[1]);
        }
    }
    if (least.depth < best.depth) {
        offer_hull(&best, s, half, collider->hull, least.direction[0], least.direction[1]);
    }
    return best;
}

/* The float nearest to `value` that is not nearer to 0 than it is. */
static float outward(double value) {
    if (!(fabs(value) < (double)FLT_MAX)) {
        return value < 0 ? -FLT_MAX : FLT_MAX;
    }
    return value < 0 ? abut_bits_round_down(value) : abut_bits_round_up(value);
}

/* What must be added to `from`, so that the float sum is not nearer to it than from + by. A sum of floats rounds
 * monotonously, so what is added to reach the float beyond reaches it. */
static float step_from(float from, double by) {
    if (by == 0) {
        return 0;
    }
    double to = (double)from + by;
    if (!(fabs(to) < (double)FLT_MAX)) {
        to = by < 0 ? -(double)FLT_MAX : (double)FLT_MAX;
    }
    float end = by < 0 ? abut_bits_round_down(to) : abut_bits_round_up(to);
    return outward((double)end - from);
}

abut_vec2 abut_np_footprint_translation(const abut_np_footprint *plot, const abut_collider *collider) {
    abut_np_shadow s;
    abut_np_shadow_of(plot, collider, &s);
    const way out = abut_np_footprint_shapes[collider->type].way_out(plot, collider, &s);
    if (!out.overlaps && !abut_np_footprint_meets(plot, collider)) {
        return (abut_vec2){0, 0};
    }
    const double nx = plot->axis[0] * out.direction[0] - plot->axis[1] * out.direction[1];
    const double ny = plot->axis[1] * out.direction[0] + plot->axis[0] * out.direction[1];
    const abut_vec2 center = plot->rectangle.center;
    double depth = abut_max_d(out.depth, 0);
    double more = 0x1p-46 * (fabs(s.base[0]) + fabs(s.base[1]) + depth) + 0x1p-149;
    abut_np_footprint moved = *plot;
    abut_vec2 push = {0, 0};
    for (double extra = 0; extra<0x1p+132; extra = extra> 0 ? 2 * extra : more) {
        abut_vec2 next = {step_from(center.x, (depth + extra) * nx), step_from(center.y, (depth + extra) * ny)};
        moved.rectangle.center = (abut_vec2){center.x + next.x, center.y + next.y};
        if (!abut_bits_finite(moved.rectangle.center.x) || !abut_bits_finite(moved.rectangle.center.y)) {
            return push;
        }
        push = next;
        if (!abut_np_footprint_meets(&moved, collider)) {
            return push;
        }
    }
    return push;
}
