/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/hull_oracle.h"
#include <math.h>
#include <string.h>

/* Columns are the body's axes in the world: R(q)/|q|^2. */
static void matrix_from(abut_quat q, quad m[3][3]) {
    if (q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0) {
        q.w = 1;
    }
    quad x = q.x, y = q.y, z = q.z, w = q.w, scale = 2 / (x * x + y * y + z * z + w * w);
    m[0][0] = 1 - scale * (y * y + z * z);
    m[1][1] = 1 - scale * (x * x + z * z);
    m[2][2] = 1 - scale * (x * x + y * y);
    m[0][1] = scale * (x * y - w * z);
    m[1][0] = scale * (x * y + w * z);
    m[0][2] = scale * (x * z + w * y);
    m[2][0] = scale * (x * z - w * y);
    m[1][2] = scale * (y * z - w * x);
    m[2][1] = scale * (y * z + w * x);
}

static void turn(quad m[3][3], const quad v[3], quad out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    }
}

/* One body in the world. */
typedef struct body {
    const convex *shape;
    quad point[CONVEX_POINTS][3], along[CONVEX_EDGES][3];
    double normal[CONVEX_FACETS][3], edge[CONVEX_EDGES][3], length2[CONVEX_EDGES];
    double radius;
} body;

static void place_points(const convex *shape, abut_quat rotation, const quad at[3], body *out) {
    quad m[3][3];
    matrix_from(rotation, m);
    out->shape = shape;
    out->radius = 0;
    for (uint32_t i = 0; i < shape->count; i++) {
        const quad v[3] = {shape->point[i].x, shape->point[i].y, shape->point[i].z};
        double x = (double)v[0], y = (double)v[1], z = (double)v[2];
        out->radius = fmax(out->radius, sqrt(x * x + y * y + z * z));
        turn(m, v, out->point[i]);
        for (int k = 0; k < 3; k++) {
            out->point[i][k] += at[k];
        }
    }
}

static void place_axes(abut_quat rotation, body *out) {
    quad m[3][3], v[3], to[3];
    matrix_from(rotation, m);
    for (uint32_t f = 0; f < out->shape->facet_count; f++) {
        for (int k = 0; k < 3; k++) {
            v[k] = out->shape->normal[f][k];
        }
        turn(m, v, to);
        for (int k = 0; k < 3; k++) {
            out->normal[f][k] = (double)to[k];
        }
    }
    for (uint32_t e = 0; e < out->shape->edge_count; e++) {
        turn(m, out->shape->along[e], out->along[e]);
        out->length2[e] = 0;
        for (int k = 0; k < 3; k++) {
            out->edge[e][k] = (double)out->along[e][k];
            out->length2[e] += out->edge[e][k] * out->edge[e][k];
        }
    }
}

typedef struct oracle {
    body body[2];
    hull_placed placed;
    hull_truth truth;
    uint32_t support[2][2]; /* points that bound other axes: of the best axis, of the best facet */
} oracle;

static void place_pair(const convex *a, const abut_pose *pose_a, const convex *b, const abut_pose *pose_b, oracle *j) {
    const float *from = &pose_a->position.x, *to = &pose_b->position.x;
    const quad zero[3] = {0, 0, 0}, d[3] = {(quad)to[0] - from[0], (quad)to[1] - from[1], (quad)to[2] - from[2]};
    place_points(a, pose_a->rotation, zero, &j->body[0]);
    place_points(b, pose_b->rotation, d, &j->body[1]);
    j->placed.size = j->body[0].radius + j->body[1].radius;
    for (int k = 0; k < 3; k++) {
        j->placed.size += fabs((double)d[k]);
    }
    for (int s = 0; s < 2; s++) {
        j->placed.count[s] = j->body[s].shape->count;
        for (uint32_t i = 0; i < j->placed.count[s]; i++) {
            for (int k = 0; k < 3; k++) {
                j->placed.point[s][i][k] = (double)j->body[s].point[i][k];
            }
        }
    }
}

hull_placed hull_place(const convex *a, const abut_pose *pose_a, const convex *b, const abut_pose *pose_b) {
    oracle j;
    place_pair(a, pose_a, b, pose_b, &j);
    return j.placed;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double measure(const hull_placed *p, const double n[3], uint32_t support[2]) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < p->count[0]; i++) {
        double h = dot(p->point[0][i], n);
        support[0] = h > high ? i : support[0];
        high = h > high ? h : high;
    }
    for (uint32_t i = 0; i < p->count[1]; i++) {
        double h = dot(p->point[1][i], n);
        support[1] = h < low ? i : support[1];
        low = h < low ? h : low;
    }
    return low - high;
}

double hull_separation(const hull_placed *p, const double n[3]) {
    uint32_t support[2] = {0, 0};
    return measure(p, n, support);
}

/* The same in 113 bits; only its sign is used. */
static quad exact_separation(const oracle *j, const double n[3]) {
    quad low = 0, high = 0;
    for (int s = 0; s < 2; s++) {
        for (uint32_t i = 0; i < j->placed.count[s]; i++) {
            const quad *p = j->body[s].point[i];
            quad h = p[0] * n[0] + p[1] * n[1] + p[2] * n[2];
            if (s == 0) {
                high = i == 0 || h > high ? h : high;
            } else {
                low = i == 0 || h < low ? h : low;
            }
        }
    }
    return low - high;
}

/* Keeps the axis if it shows more than all before. */
static double try_axis(oracle *j, const double n[3], double *kind_best, int which) {
    uint32_t support[2] = {0, 0};
    double s = measure(&j->placed, n, support);
    *kind_best = fmax(*kind_best, s);
    if (s > j->truth.gap) {
        j->truth.gap = s;
        memcpy(j->truth.normal, n, 3 * sizeof n[0]);
        memcpy(j->support[which], support, sizeof support);
    }
    return s;
}

static void try_facets(oracle *j) {
    for (int s = 0; s < 2; s++) {
        for (uint32_t f = 0; f < j->body[s].shape->facet_count; f++) {
            const double *n = j->body[s].normal[f];
            const double out[3] = {s ? -n[0] : n[0], s ? -n[1] : n[1], s ? -n[2] : n[2]};
            try_axis(j, out, &j->truth.face, 0);
        }
    }
    memcpy(j->support[1], j->support[0], sizeof j->support[0]);
    j->truth.own = j->truth.face;
}

/* The unit cross product of two edges; false when they are parallel. */
static bool cross_of(const oracle *j, uint32_t e, uint32_t f, double n[3]) {
    const double *u = j->body[0].edge[e], *v = j->body[1].edge[f];
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        n[k] = u[l] * v[m] - u[m] * v[l];
    }
    double edges2 = j->body[0].length2[e] * j->body[1].length2[f], length2 = dot(n, n);
    if (length2 < 1e-8 * edges2) {
        const quad *x = j->body[0].along[e], *y = j->body[1].along[f];
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            n[k] = (double)(x[l] * y[m] - x[m] * y[l]);
        }
        length2 = dot(n, n);
    }
    double length = sqrt(length2);
    for (int k = 0; k < 3; k++) {
        n[k] /= length;
    }
    return length2 > 1e-50 * edges2;
}

/* How far point q of b lies in front of point p of a, along n. */
static double point_separation(const oracle *j, const double n[3], uint32_t p, uint32_t q) {
    return dot(j->placed.point[1][q], n) - dot(j->placed.point[0][p], n);
}

/* No axis shows more than the distance along it between any point of b and any of a, so two points reject most axes. */
static void try_edge_axis(oracle *j, const double n[3], uint32_t p, uint32_t q) {
    double at_edges = point_separation(j, n, p, q);
    if (at_edges < j->truth.own || point_separation(j, n, j->support[0][0], j->support[0][1]) < j->truth.own ||
        point_separation(j, n, j->support[1][0], j->support[1][1]) < j->truth.own) {
        return;
    }
    double s = try_axis(j, n, &j->truth.edge, 0);
    if (s >= at_edges - 1e-12 * j->placed.size) {
        j->truth.own = fmax(j->truth.own, s);
    }
}

static void try_edges(oracle *j) {
    for (uint32_t e = 0; e < j->body[0].shape->edge_count; e++) {
        for (uint32_t f = 0; f < j->body[1].shape->edge_count; f++) {
            double n[3];
            if (!cross_of(j, e, f, n)) {
                continue;
            }
            for (int sign = 0; sign < 2; sign++) {
                const double out[3] = {sign ? -n[0] : n[0], sign ? -n[1] : n[1], sign ? -n[2] : n[2]};
                try_edge_axis(j, out, j->body[0].shape->from[e], j->body[1].shape->from[f]);
            }
        }
    }
}

hull_truth hull_truth_of(const convex *a, const abut_pose *pose_a, const convex *b, const abut_pose *pose_b) {
    oracle j;
    memset(j.support, 0, sizeof j.support);
    place_pair(a, pose_a, b, pose_b, &j);
    place_axes(pose_a->rotation, &j.body[0]);
    place_axes(pose_b->rotation, &j.body[1]);
    j.truth =
        (hull_truth){.gap = -INFINITY, .face = -INFINITY, .edge = -INFINITY, .own = -INFINITY, .size = j.placed.size};
    try_facets(&j);
    try_edges(&j);
    j.truth.apart = exact_separation(&j, j.truth.normal) > 0;
    return j.truth;
}
