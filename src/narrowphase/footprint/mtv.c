/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "narrowphase/footprint/footprint.h"
#include "shape/shape.h"

/* The minimum translation that separates a rectangle from a shadow, to within rounding: the least depth over all
 * separating axes. */

typedef abut_np_footprint_mtv mtv;

/* The first of equal depths stays. */
static void keep_shorter(mtv *best, double depth, double x, double y) {
    if (depth < best->depth) {
        *best = (mtv){.depth = depth, .direction = {x, y}};
    }
}

static double dot2(const double a[2], double x, double y) {
    return a[0] * x + a[1] * y;
}

/* Along the unit axis (x, y), away from the centre of a zonogon. */
static void try_zonogon(mtv *best, const abut_np_shadow *s, const double half[2], const double extent[3], double x,
                        double y) {
    double along = dot2(s->base, x, y), radius = half[0] * fabs(x) + half[1] * fabs(y);
    for (int k = 0; k < 3; k++) {
        radius += extent[k] * fabs(s->x[k] * x + s->y[k] * y);
    }
    double sense = along > 0 ? -1 : 1;
    keep_shorter(best, radius - fabs(along), sense * x, sense * y);
}

mtv abut_np_footprint_mtv_box(const abut_np_footprint *footprint, const abut_collider *collider,
                              const abut_np_shadow *s, const double *also) {
    const double extent[3] = {collider->half.x, collider->half.y, collider->half.z};
    mtv best = {.depth = INFINITY};
    try_zonogon(&best, s, footprint->half, extent, 1, 0);
    try_zonogon(&best, s, footprint->half, extent, 0, 1);
    for (int k = 0; k < 3; k++) {
        double length = sqrt(s->x[k] * s->x[k] + s->y[k] * s->y[k]);
        if (length > 0) {
            try_zonogon(&best, s, footprint->half, extent, s->y[k] / length, -s->x[k] / length);
        }
    }
    if (also) {
        try_zonogon(&best, s, footprint->half, extent, also[0], also[1]);
    }
    return best;
}

static void project(const abut_np_shadow *s, abut_vec3 local, double out[2]) {
    out[0] = s->base[0] + ((s->x[0] * local.x + s->x[1] * local.y) + s->x[2] * local.z);
    out[1] = s->base[1] + ((s->y[0] * local.x + s->y[1] * local.y) + s->y[2] * local.z);
}

/* The shadow's support along (x, y), measured from the rectangle's centre. */
static double support_of(const abut_np_shadow *s, const abut_hull *hull, double x, double y) {
    const abut_vec3 *vertex = abut_hull_vertices(hull);
    double most = -INFINITY;
    for (uint32_t v = 0; v < hull->vertex_count; v++) {
        double p[2];
        project(s, vertex[v], p);
        most = abut_max_d(most, dot2(p, x, y));
    }
    return most;
}

static void try_hull(mtv *best, const abut_np_shadow *s, const double half[2], const abut_hull *hull, double x,
                     double y) {
    double radius = half[0] * fabs(x) + half[1] * fabs(y);
    keep_shorter(best, support_of(s, hull, x, y) + radius, x, y);
}

/* 1 for a facet that certainly faces up, -1 for one that certainly faces down, else 0. */
static int facing(const abut_hull_plane *plane, const double up[3]) {
    double height = abut_d3_dot(abut_d3_load(plane->n), abut_d3_load(up));
    return (height > 0x1p-40) - (height < -0x1p-40);
}

/* Whether the edge may lie on the shadow's outline, as far as double can decide, and the rectangle's depth behind it.
 * Edges that are nearly vertical are too short to matter. */
static bool outline_side(const abut_np_shadow *s, const double half[2], const abut_hull *hull,
                         const abut_hull_edge *edge, const double up[3], mtv *side) {
    const abut_hull_plane *planes = abut_hull_planes(hull);
    const abut_vec3 *vertex = abut_hull_vertices(hull);
    if (facing(&planes[edge->f[0]], up) * facing(&planes[edge->f[1]], up) > 0) {
        return false;
    }
    double a[2], b[2], middle[2];
    project(s, vertex[edge->v[0]], a);
    project(s, vertex[edge->v[1]], b);
    project(s, hull->centroid, middle);
    double x = b[1] - a[1], y = a[0] - b[0], length = sqrt(x * x + y * y);
    if (!(length > 0x1p-26 * (double)hull->radius)) {
        return false;
    }
    double sense = (middle[0] - a[0]) * x + (middle[1] - a[1]) * y > 0 ? -1 : 1;
    x *= sense / length;
    y *= sense / length;
    *side = (mtv){.depth = dot2(a, x, y) + (half[0] * fabs(x) + half[1] * fabs(y)), .direction = {x, y}};
    return true;
}

/* The up direction in the hull's frame: matrix row `axis` of R(q). */
static void up_of(abut_quat rotation, int axis, double up[3]) {
    double m[3][3];
    abut_dquat_matrix(abut_dquat_from(rotation), m);
    for (int k = 0; k < 3; k++) {
        up[k] = m[axis][k];
    }
}

mtv abut_np_footprint_mtv_hull(const abut_np_footprint *footprint, const abut_collider *collider,
                               const abut_np_shadow *s, const double *also) {
    const abut_hull_edge *edges = abut_hull_edges(collider->hull);
    const double *half = footprint->half;
    double up[3];
    mtv best = {.depth = INFINITY}, least = best, side;
    up_of(collider->rotation, 3 - footprint->ground[0] - footprint->ground[1], up);
    try_hull(&best, s, half, collider->hull, 1, 0);
    try_hull(&best, s, half, collider->hull, -1, 0);
    try_hull(&best, s, half, collider->hull, 0, 1);
    try_hull(&best, s, half, collider->hull, 0, -1);
    for (uint32_t e = 0; e < collider->hull->edge_count; e++) {
        if (outline_side(s, half, collider->hull, &edges[e], up, &side)) {
            keep_shorter(&least, side.depth, side.direction[0], side.direction[1]);
        }
    }
    if (least.depth < best.depth) {
        try_hull(&best, s, half, collider->hull, least.direction[0], least.direction[1]);
    }
    if (also) {
        try_hull(&best, s, half, collider->hull, also[0], also[1]);
    }
    return best;
}
