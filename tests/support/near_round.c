/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/near_round.h"
#include "support/near_hulls.h"
#include "support/rng.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pair while it is being made. */
typedef struct sketch {
    rng r;
    round_pair *pair;
    const round_hulls *hulls;
    double m[2][3][3];
    double n[3]; /* the chosen direction, unit, from a to b */
} sketch;

static round_body *body_of(sketch *s, int side) {
    return side ? &s->pair->b : &s->pair->a;
}

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool make_unit(double *v) {
    double length = sqrt(dot(v, v));
    for (int k = 0; k < 3; k++) {
        v[k] /= length;
    }
    return length > 0 && isfinite(length);
}

static void matrix_of(abut_quat q, double m[3][3]) {
    double x = q.x, y = q.y, z = q.z, w = q.w, n = x * x + y * y + z * z + w * w;
    const double matrix[3][3] = {
        {(w * w + x * x - y * y - z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n},
        {2 * (x * y + w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z - w * x) / n},
        {2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, (w * w - x * x - y * y + z * z) / n},
    };
    memcpy(m, matrix, sizeof matrix);
}

static abut_quat product(abut_quat p, abut_quat q) {
    double px = p.x, py = p.y, pz = p.z, pw = p.w, qx = q.x, qy = q.y, qz = q.z, qw = q.w;
    return (abut_quat){(float)(pw * qx + px * qw + py * qz - pz * qy), (float)(pw * qy - px * qz + py * qw + pz * qx),
                       (float)(pw * qz + px * qy - py * qx + pz * qw), (float)(pw * qw - px * qx - py * qy - pz * qz)};
}

static abut_quat scaled(abut_quat q, double factor) {
    return (abut_quat){(float)(q.x * factor), (float)(q.y * factor), (float)(q.z * factor), (float)(q.w * factor)};
}

/* One of the rotations of a cube, as integers. */
static abut_quat cube_rotation(rng *r) {
    static const abut_quat turns[] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 0, 1},
                                      {0, 1, 0, 1}, {0, 0, 1, 1}, {1, 1, 1, 1}, {1, 1, 0, 0}, {-1, 1, 1, 1}};
    uint32_t count = sizeof turns / sizeof turns[0];
    return product(turns[rng_below(r, count)], turns[rng_below(r, count)]);
}

/* Hulls */

static void scale_points(const abut_vec3 *from, uint32_t n, float factor, abut_vec3 *to) {
    for (uint32_t i = 0; i < n; i++) {
        to[i] = (abut_vec3){from[i].x * factor, from[i].y * factor, from[i].z * factor};
    }
}

/* False for points that are flat, or whose scaled ones are too far away for a hull. */
static bool make_hull(uint32_t index, convex *points, round_hulls *out) {
    abut_vec3 larger[CONVEX_POINTS];
    if (!core_of_points(points->point, points->count, &out->core[index])) {
        return false;
    }
    scale_points(points->point, points->count, (float)(1 << ROUND_SCALE), larger);
    abut_result scaled = abut_hull_create(larger, points->count, NULL, &out->scaled[index]);
    if (scaled == ABUT_ERROR_LIMIT) {
        return false;
    }
    if (scaled || abut_hull_create(points->point, points->count, NULL, &out->hull[index])) {
        abort();
    }
    return true;
}

round_hulls *round_hulls_make(uint64_t seed) {
    round_hulls *out = malloc(sizeof *out);
    if (!out) {
        abort();
    }
    uint64_t stream = 0;
    for (uint32_t i = 0; i < ROUND_HULLS; stream++) {
        convex points;
        rng r = rng_make(seed ^ 0x5011d, stream);
        if (i < ROUND_LATTICE_HULLS) {
            points.count = 5 + rng_below(&r, 8);
            for (uint32_t k = 0; k < points.count; k++) {
                points.point[k] =
                    (abut_vec3){(float)rng_below(&r, 7) - 3, (float)rng_below(&r, 7) - 3, (float)rng_below(&r, 7) - 3};
            }
        } else {
            near_hulls made;
            near_hulls_pair(seed, stream, &made);
            points = made.b;
        }
        i += make_hull(i, &points, out);
    }
    return out;
}

void round_hulls_release(round_hulls *hulls) {
    for (uint32_t i = 0; i < ROUND_HULLS; i++) {
        abut_hull_destroy(&hulls->hull[i]);
        abut_hull_destroy(&hulls->scaled[i]);
    }
    free(hulls);
}

/* Bodies */

static bool is_hull(round_kind kind) {
    return kind == ROUND_HULL || kind == ROUND_ROUNDED_HULL;
}

static bool is_rounded(round_kind kind) {
    return kind != ROUND_BOX && kind != ROUND_HULL;
}

static void random_half(rng *r, bool may_be_point, double size, float half[3]) {
    half[0] = (float)size;
    half[1] = (float)(size * rng_log_range(r, 1e-3, 1));
    half[2] = (float)(size * rng_range(r, 0.01, 1));
    if (rng_chance(r, 0.25)) {
        half[rng_below(r, 3)] = 0;
        half[rng_below(r, 3)] *= rng_chance(r, 0.5) ? 0.0f : 1.0f;
    }
    if (half[0] + half[1] + half[2] == 0 && !may_be_point) {
        half[2] = (float)size;
    }
    uint32_t other = rng_below(r, 3);
    float first = half[0];
    half[0] = half[other];
    half[other] = first;
}

static void make_core(rng *r, const round_hulls *hulls, double size, round_body *out) {
    float half[3] = {0, 0, 0};
    out->shape = abut_point();
    if (is_hull(out->kind)) {
        out->core = &hulls->core[out->hull];
        out->shape.hull = hulls->hull[out->hull];
        return;
    }
    if (out->kind == ROUND_CAPSULE) {
        half[rng_chance(r, 0.8) ? 1 : rng_below(r, 3)] = (float)size;
    } else if (out->kind != ROUND_SPHERE) {
        random_half(r, out->kind == ROUND_BOX && rng_chance(r, 0.3), size, half);
    }
    out->shape.half = (abut_vec3){half[0], half[1], half[2]};
    core_of_box(out->shape.half, &out->own);
    out->core = &out->own;
}

static void make_radius(rng *r, double size, round_body *out) {
    double factor = rng_chance(r, 0.7) ? rng_log_range(r, 0.01, 10) : rng_log_range(r, 1e-6, 1e6);
    factor = out->kind == ROUND_SPHERE ? 1 : factor;
    out->shape.radius = is_rounded(out->kind) ? (float)(size * factor) : 0;
}

static double core_size(const core *c) {
    return fmax(c->half[0], fmax(c->half[1], c->half[2]));
}

void near_round_body(const round_hulls *hulls, uint64_t seed, uint64_t index, round_kind kind, double size,
                     round_body *out) {
    rng r = rng_make(seed, index);
    out->kind = kind;
    out->hull = rng_below(&r, ROUND_HULLS);
    make_core(&r, hulls, size, out);
    double extent = is_hull(kind) ? core_size(out->core) : size;
    out->shape.radius = kind == ROUND_SPHERE ? (float)size
                        : is_rounded(kind)   ? (float)(extent * rng_log_range(&r, 0.05, 2))
                                             : 0;
    out->pose = (abut_pose){{0, 0, 0}, rng_rotation(&r)};
}

static void choose_bodies(sketch *s) {
    rng *r = &s->r;
    double size = rng_log_range(r, 1e-4, 1e5);
    for (int side = 0; side < 2; side++) {
        round_body *body = body_of(s, side);
        body->kind = (round_kind)rng_below(r, ROUND_KINDS);
        body->hull = rng_below(r, ROUND_HULLS);
        for (int tries = 0; tries < 6 && is_hull(body->kind) && side && is_hull(s->pair->a.kind); tries++) {
            double ratio = core_size(&s->hulls->core[body->hull]) / size;
            if (ratio > 0.01 && ratio < 100) {
                break;
            }
            body->hull = rng_below(r, ROUND_HULLS);
        }
        if (is_hull(body->kind)) {
            size = core_size(&s->hulls->core[body->hull]);
        }
    }
    for (int side = 0; side < 2; side++) {
        double own = side && rng_chance(r, 0.7) ? size * rng_log_range(r, 0.01, 100) : size;
        make_core(r, s->hulls, own, body_of(s, side));
        make_radius(r, is_hull(body_of(s, side)->kind) ? core_size(body_of(s, side)->core) : own, body_of(s, side));
    }
    if (rng_chance(r, 0.4)) { /* the smaller the other radius, the finer is the sum of both */
        float *first = &s->pair->a.shape.radius, *second = &s->pair->b.shape.radius;
        *second = fminf(*second, (float)(*first > 0 ? *first * rng_log_range(r, 1e-9, 1e-3) : *second));
    }
    if (s->pair->a.kind == s->pair->b.kind && rng_chance(r, 0.15)) { /* twins */
        s->pair->b.shape = s->pair->a.shape;
        s->pair->b.hull = s->pair->a.hull;
        s->pair->b.own = s->pair->a.own;
        s->pair->b.core = is_hull(s->pair->a.kind) ? s->pair->a.core : &s->pair->b.own;
    }
}

static void choose_rotations(sketch *s) {
    rng *r = &s->r;
    double way = rng_unit(r);
    abut_quat a = way < 0.2 ? (abut_quat){0, 0, 0, 1} : rng_rotation(r), b = rng_rotation(r);
    if (way < 0.35) {
        b = rng_chance(r, 0.5) ? a : product(a, cube_rotation(r));
    } else if (way < 0.65) {
        double angle = rng_log_range(r, 1e-8, 1), half = sin(angle / 2);
        abut_vec3 axis = rng_direction(r);
        b = product(a, (abut_quat){(float)(axis.x * half), (float)(axis.y * half), (float)(axis.z * half),
                                   (float)cos(angle / 2)});
    }
    if (rng_chance(r, 0.2)) {
        a = scaled(a, rng_log_range(r, 1e-3, 1e3));
        b = scaled(b, rng_log_range(r, 1e-3, 1e3));
    }
    s->pair->a.pose.rotation = a;
    s->pair->b.pose.rotation = b;
    matrix_of(a, s->m[0]);
    matrix_of(b, s->m[1]);
}

/* Directions */

static void turned(sketch *s, int side, const double *v, double *out) {
    for (int k = 0; k < 3; k++) {
        out[k] = dot(s->m[side][k], v);
    }
}

static void random_edge(sketch *s, int side, double out[3]) {
    const core *c = body_of(s, side)->core;
    const uint32_t *e = c->edge[rng_below(&s->r, c->edge_count)];
    const float *p = &c->point[e[0]].x, *q = &c->point[e[1]].x;
    const double v[3] = {(double)q[0] - p[0], (double)q[1] - p[1], (double)q[2] - p[2]};
    turned(s, side, v, out);
}

static bool facet_direction(sketch *s, int side, double n[3]) {
    const core *c = body_of(s, side)->core;
    if (c->facet_count == 0) {
        return false;
    }
    uint32_t f = rng_below(&s->r, c->facet_count);
    const double v[3] = {(double)c->normal[f][0], (double)c->normal[f][1], (double)c->normal[f][2]};
    turned(s, side, v, n);
    double sign = (c->facet_count == 1 ? (double)rng_sign(&s->r) : 1) * (side ? -1 : 1);
    for (int k = 0; k < 3; k++) {
        n[k] *= sign;
    }
    return make_unit(n);
}

static void support_of(sketch *s, int side, double among, double out[3]);

/* Whether the direction, square to an edge, has that edge's end among the highest points. */
static bool is_extreme(sketch *s, int side, const double edge[3]) {
    double p[3], q[3], length = 0, n[3] = {s->n[0], s->n[1], s->n[2]};
    double tilt = 1e-7;
    for (int turn = 0; turn < 2; turn++) { /* tilting along the edge changes the highest point by its length */
        for (int k = 0; k < 3; k++) {
            s->n[k] = n[k] + (turn ? -tilt : tilt) * edge[k];
        }
        support_of(s, side, 0, turn ? q : p);
    }
    memcpy(s->n, n, sizeof n);
    for (int k = 0; k < 3; k++) {
        length += (p[k] - q[k]) * (p[k] - q[k]);
    }
    return length > 0;
}

/* Square to one edge, or to one of each. */
static bool edge_direction(sketch *s) {
    bool on[2] = {s->pair->meeting != ROUND_EDGE_B, s->pair->meeting != ROUND_EDGE_A};
    for (int tries = 0; tries < 12; tries++) {
        double u[3], v[3];
        abut_vec3 any = rng_direction(&s->r);
        random_edge(s, on[0] ? 0 : 1, u);
        random_edge(s, 1, v);
        if (!on[0] || !on[1] || rng_chance(&s->r, 0.1)) {
            v[0] = any.x;
            v[1] = any.y;
            v[2] = any.z;
        }
        bool usable = make_unit(u) && make_unit(v);
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            s->n[k] = u[l] * v[m] - u[m] * v[l];
        }
        if (usable && dot(s->n, s->n) < 1e-20) { /* parallel: any direction square to both */
            s->n[0] = u[1] * any.z - u[2] * any.y;
            s->n[1] = u[2] * any.x - u[0] * any.z;
            s->n[2] = u[0] * any.y - u[1] * any.x;
        }
        if (usable && make_unit(s->n) && (!on[0] || is_extreme(s, 0, u)) &&
            (!on[1] || is_extreme(s, 1, on[0] ? v : u))) {
            return true;
        }
    }
    return false;
}

static void choose_direction(sketch *s) {
    abut_vec3 any = rng_direction(&s->r);
    bool found = false;
    if (s->pair->meeting <= ROUND_FACE_B) {
        found = facet_direction(s, s->pair->meeting == ROUND_FACE_B, s->n);
    } else if (s->pair->meeting < ROUND_CORNERS) {
        found = edge_direction(s);
    }
    if (!found) {
        s->n[0] = any.x;
        s->n[1] = any.y;
        s->n[2] = any.z;
        s->pair->meeting = ROUND_CORNERS;
    } else if (rng_chance(&s->r, 0.15)) { /* nearly so */
        double off = rng_log_range(&s->r, 1e-9, 1e-2);
        s->n[0] += off * any.x;
        s->n[1] += off * any.y;
        s->n[2] += off * any.z;
    }
    make_unit(s->n);
}

/* A point of the core that is extreme along the direction, to within 1e-9 of its extent: `among` 1: anywhere among
 * them, 0: the highest. */
static void support_of(sketch *s, int side, double among, double out[3]) {
    const core *c = body_of(s, side)->core;
    double placed[CORE_POINTS][3], height[CORE_POINTS], best = -INFINITY, low = INFINITY, sum = 0;
    uint32_t top = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const double p[3] = {c->point[i].x, c->point[i].y, c->point[i].z};
        turned(s, side, p, placed[i]);
        height[i] = (side ? -1 : 1) * dot(placed[i], s->n);
        top = height[i] > best ? i : top;
        best = fmax(best, height[i]);
        low = fmin(low, height[i]);
    }
    memcpy(out, placed[top], 3 * sizeof out[0]);
    if (!(among > 0)) {
        return;
    }
    double mixed[3] = {0, 0, 0};
    for (uint32_t i = 0; i < c->count; i++) {
        if (height[i] >= best - 1e-9 * (best - low)) {
            double weight = 0.001 + rng_below(&s->r, 4);
            sum += weight;
            for (int k = 0; k < 3; k++) {
                mixed[k] += weight * placed[i][k];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        out[k] = mixed[k] / sum;
    }
}

/* Places */

static abut_vec3 random_place(rng *r, double size) {
    double way = rng_unit(r);
    abut_vec3 at = rng_direction(r);
    double distance = way < 0.5 ? 0 : way < 0.8 ? rng_log_range(r, 1e-3, 10) * size : rng_log_range(r, 1e-4, 1e6);
    return (abut_vec3){(float)(at.x * distance), (float)(at.y * distance), (float)(at.z * distance)};
}

/* Gives what rounding has taken to the radii, the second one last: it is as fine as it is small. */
static void absorb(sketch *s, double target) {
    round_body *first = &s->pair->a, *second = &s->pair->b;
    if (first->shape.radius < second->shape.radius) {
        first = &s->pair->b;
        second = &s->pair->a;
    }
    double radius = target - second->shape.radius;
    if (!(first->shape.radius > 0) || !(radius > 0.5 * first->shape.radius)) {
        return;
    }
    first->shape.radius = (float)radius;
    double rest = target - first->shape.radius;
    if (second->shape.radius > 0 && rest > 0.5 * second->shape.radius) {
        second->shape.radius = (float)rest;
    }
}

static void place(sketch *s, round_spread spread) {
    rng *r = &s->r;
    round_pair *pair = s->pair;
    double p[3], q[3], radii = (double)pair->a.shape.radius + pair->b.shape.radius;
    double size = 2 * (core_size(pair->a.core) + core_size(pair->b.core) + radii);
    support_of(s, 0, rng_chance(r, 0.5), p);
    support_of(s, 1, rng_chance(r, 0.5), q);
    double gap = rng_chance(r, 0.1) ? 0 : (double)rng_sign(r) * rng_log_range(r, 1e-16, 1e-2) * size;
    if (spread == ROUND_APART) {
        gap = rng_log_range(r, 1e-9, 1e3) * size;
    } else if (rng_chance(r, 0.1)) {
        gap = -rng_range(r, 0, 1.2) * size / 2;
    }
    pair->a.pose.position = random_place(r, size);
    const float *from = &pair->a.pose.position.x;
    float *to = &pair->b.pose.position.x;
    double along = 0;
    for (int k = 0; k < 3; k++) {
        to[k] = (float)(from[k] + (p[k] - q[k] + (radii + gap) * s->n[k]));
        along += ((double)to[k] - from[k] - (p[k] - q[k])) * s->n[k];
    }
    if (spread == ROUND_NEAR && rng_chance(r, 0.6)) {
        absorb(s, along - gap);
    }
}

/* Whole numbers: corners that lie along the diagonal of a block whose diagonal is whole, too. */

static void whole_body(sketch *s, int side, float unit) {
    round_body *body = body_of(s, side);
    rng *r = &s->r;
    float half[3] = {0, 0, 0};
    body->kind = (round_kind)rng_below(r, ROUND_KINDS);
    body->hull = rng_below(r, ROUND_LATTICE_HULLS);
    if (unit != 1 && is_hull(body->kind)) {
        body->kind = ROUND_ROUNDED_BOX;
    }
    body->shape = abut_point();
    body->pose.rotation = cube_rotation(r);
    matrix_of(body->pose.rotation, s->m[side]);
    if (is_hull(body->kind)) {
        body->shape.hull = s->hulls->hull[body->hull];
        body->core = &s->hulls->core[body->hull];
        return;
    }
    for (int k = 0; k < 3; k++) {
        bool counts = body->kind == ROUND_CAPSULE ? k == 1 : body->kind != ROUND_SPHERE;
        half[k] = counts ? unit * (float)(1 + rng_below(r, 5)) : 0;
    }
    if (body->kind == ROUND_ROUNDED_BOX && rng_chance(r, 0.3)) {
        half[rng_below(r, 3)] = 0;
    }
    body->shape.half = (abut_vec3){half[0], half[1], half[2]};
    core_of_box(body->shape.half, &body->own);
    body->core = &body->own;
}

static void exact_pair(sketch *s) {
    static const int blocks[][4] = {{0, 0, 1, 1}, {0, 3, 4, 5},  {1, 2, 2, 3},  {2, 3, 6, 7},   {1, 4, 8, 9},
                                    {4, 4, 7, 9}, {2, 6, 9, 11}, {6, 6, 7, 11}, {3, 4, 12, 13}, {0, 5, 12, 13}};
    rng *r = &s->r;
    round_pair *pair = s->pair;
    const int *block = blocks[rng_below(r, sizeof blocks / sizeof blocks[0])];
    float unit = rng_chance(r, 0.5) ? 1 : ldexpf(1, (int)rng_below(r, 24) - 12), first = (float)rng_below(r, 3);
    double p[3], q[3], length = 0;
    whole_body(s, 0, unit);
    whole_body(s, 1, unit);
    bool a = is_rounded(pair->a.kind), b = is_rounded(pair->b.kind);
    uint32_t times = a || b ? 1 + rng_below(r, 40) : 0, start = rng_below(r, 3);
    length = (double)unit * times * block[3];
    for (uint32_t k = 0; k < 3; k++) {
        s->n[k] = (double)rng_sign(r) * block[(k + start) % 3];
    }
    double share = a && b ? (first + 1) / 4 : a;
    pair->a.shape.radius = (float)(length * share);
    pair->b.shape.radius = (float)(length * (1 - share));
    support_of(s, 0, 0, p);
    support_of(s, 1, 0, q);
    float far = rng_chance(r, 0.3) ? unit * 4096 : 0;
    for (int k = 0; k < 3; k++) {
        float *from = &pair->a.pose.position.x + k, *to = &pair->b.pose.position.x + k;
        *from = far * (float)rng_below(r, 9);
        *to = (float)(*from + p[k] - q[k] + (double)unit * times * s->n[k]);
    }
    pair->meeting = ROUND_CORNERS;
    pair->exact = true;
}

void near_round_pair(const round_hulls *hulls, uint64_t seed, uint64_t index, round_spread spread, round_pair *out) {
    sketch s = {.r = rng_make(seed, index), .pair = out, .hulls = hulls};
    out->exact = false;
    if (spread == ROUND_NEAR && rng_chance(&s.r, 0.14)) {
        exact_pair(&s);
        return;
    }
    choose_bodies(&s);
    choose_rotations(&s);
    out->meeting = (round_meeting)rng_below(&s.r, ROUND_MEETINGS);
    choose_direction(&s);
    place(&s, spread);
}
