/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/near_hulls.h"
#include "support/test.h"
#include <math.h>
#include <string.h>

enum { LATTICE = 9, BOX = 8 };

typedef struct v3 {
    double x[3];
} v3;

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *u, const double *v, double *out) {
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = u[l] * v[m] - u[m] * v[l];
    }
}

static void matrix_of(abut_quat q, double m[3][3]) {
    double x = q.x, y = q.y, z = q.z, w = q.w, n = x * x + y * y + z * z + w * w;
    if (!(n > 0)) {
        w = n = 1;
    }
    const double matrix[3][3] = {
        {(w * w + x * x - y * y - z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n},
        {2 * (x * y + w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z - w * x) / n},
        {2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, (w * w - x * x - y * y + z * z) / n},
    };
    memcpy(m, matrix, sizeof matrix);
}

static v3 turned(double m[3][3], const double *v) {
    return (v3){{dot(m[0], v), dot(m[1], v), dot(m[2], v)}};
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

/* Two rings of `sides` points; `jitter` moves them off the circle. */
static uint32_t rings(rng *r, uint32_t sides, double jitter, abut_vec3 *out) {
    for (uint32_t i = 0; i < sides; i++) {
        double angle = 6.283185307179586 * (i + jitter * rng_range(r, -0.4, 0.4)) / sides;
        float x = (float)cos(angle), y = (float)sin(angle);
        out[i] = (abut_vec3){x, y, -1};
        out[sides + i] = (abut_vec3){x, y, 1};
    }
    return 2 * sides;
}

static uint32_t scattered(rng *r, uint32_t family, uint32_t n, abut_vec3 *out) {
    for (uint32_t i = 0; i < n; i++) {
        abut_vec3 v = family == 0 ? rng_vec3(r, -1, 1) : rng_direction(r);
        if (family == 2) {
            v = rng_vec3(r, -1, 1);
            *(&v.x + rng_below(r, 3)) = rng_sign(r);
        } else if (family == LATTICE) {
            v = (abut_vec3){(float)rng_below(r, 5), (float)rng_below(r, 5), (float)rng_below(r, 5)};
        }
        out[i] = v;
    }
    return n;
}

static void stretch(abut_vec3 *points, uint32_t n, double x, double y, double z) {
    for (uint32_t i = 0; i < n; i++) {
        points[i] = (abut_vec3){(float)(points[i].x * x), (float)(points[i].y * y), (float)(points[i].z * z)};
    }
}

static uint32_t shape_points(rng *r, uint32_t family, abut_vec3 *out) {
    uint32_t n = rng_chance(r, 0.07) ? 16 + rng_below(r, CONVEX_POINTS - 15) : 4 + rng_below(r, 13);
    double flat = rng_log_range(r, 1e-3, 1);
    switch (family) {
    case 0: /* in a cube */
    case 1: /* on a sphere */
    case 2: /* on a cube */
    case LATTICE:
        return scattered(r, family, n, out);
    case 3: /* prisms, regular and not */
        n = rings(r, 3 + rng_below(r, 8), rng_chance(r, 0.5) ? 0 : 1, out);
        break;
    case 4: /* cylinders */
        n = rings(r, rng_chance(r, 0.2) ? CONVEX_POINTS / 2 : 12, 0, out);
        break;
    case 5: /* plates */
        n = rings(r, 3 + rng_below(r, 8), 1, out);
        stretch(out, n, 1, rng_log_range(r, 0.1, 1), flat);
        return n;
    case 6: /* wedges */
        out[0] = (abut_vec3){1, 0, -1};
        out[1] = (abut_vec3){1, 0, (float)rng_range(r, 0.2, 2)};
        for (uint32_t i = 2; i < 6; i++) {
            out[i] = (abut_vec3){-1, (float)(i & 1 ? flat : -flat), (float)(i & 2 ? 1 : rng_range(r, -1, 0))};
        }
        return 6;
    case 7: /* needles */
        n = scattered(r, 1, 4 + rng_below(r, 4), out);
        stretch(out, n, 1, flat, flat);
        return n;
    case BOX: /* the eight corners of a box */
        for (n = 0; n < 8; n++) {
            out[n] = (abut_vec3){n & 1 ? 1 : -1, n & 2 ? 1 : -1, n & 4 ? 1 : -1};
        }
        stretch(out, 8, 1, rng_range(r, 0.1, 1), flat);
        return 8;
    case 10: /* ellipsoids */
        n = scattered(r, 1, n, out);
        stretch(out, n, 1, rng_log_range(r, 1e-3, 1), flat);
        return n;
    default: /* long prisms */
        n = rings(r, 3 + rng_below(r, 4), 0, out);
        stretch(out, n, flat, flat, 1);
        return n;
    }
    stretch(out, n, 1, 1, rng_log_range(r, 0.1, 10));
    return n;
}

/* Moves the points so that one of them is the origin. */
static void anchor(convex *c, uint32_t on) {
    abut_vec3 o = c->point[on];
    for (uint32_t i = 0; i < c->count; i++) {
        abut_vec3 p = c->point[i];
        c->point[i] = (abut_vec3){p.x - o.x, p.y - o.y, p.z - o.z};
    }
}

static void turn_points(convex *c, abut_quat q) {
    double m[3][3];
    matrix_of(q, m);
    for (uint32_t i = 0; i < c->count; i++) {
        const double p[3] = {c->point[i].x, c->point[i].y, c->point[i].z};
        v3 v = turned(m, p);
        c->point[i] = (abut_vec3){(float)v.x[0], (float)v.x[1], (float)v.x[2]};
    }
}

static void make_shape(rng *r, uint32_t family, double size, convex *c) {
    do {
        c->count = shape_points(r, family, c->point);
        if (family != LATTICE) {
            stretch(c->point, c->count, size, size, size);
            if (rng_chance(r, 0.5)) {
                turn_points(c, rng_rotation(r));
            }
        } else { /* a power of two keeps whole numbers whole */
            double unit = ldexp(1, (int)floor(log2(size)));
            stretch(c->point, c->count, unit, unit, unit);
        }
    } while (!convex_build(c));
}

static void random_rotations(rng *r, bool whole, abut_quat *a, abut_quat *b) {
    static const abut_quat one = {0, 0, 0, 1};
    double way = rng_unit(r);
    *a = way < 0.2 || whole ? one : rng_rotation(r);
    if (whole || way < 0.3) {
        *b = rng_chance(r, 0.5) ? *a : product(*a, cube_rotation(r));
    } else if (way < 0.6) {
        double angle = rng_log_range(r, 1e-8, 1), s = sin(angle / 2);
        abut_vec3 axis = {0, 0, 1};
        if (rng_chance(r, 0.6)) {
            axis = rng_direction(r);
        }
        abut_quat turn = {(float)(axis.x * s), (float)(axis.y * s), (float)(axis.z * s), (float)cos(angle / 2)};
        *b = product(*a, turn);
    } else {
        *b = rng_rotation(r);
    }
    if (rng_chance(r, 0.2)) {
        *a = scaled(*a, rng_log_range(r, 1e-3, 1e3));
        *b = scaled(*b, rng_log_range(r, 1e-3, 1e3));
    }
}

/* A pair while it is being made. */
typedef struct sketch {
    rng *r;
    near_hulls *pair;
    double m[2][3][3];
    double n[3]; /* the chosen axis, from a to b */
} sketch;

/* The points of a body (0: a, 1: b) that are extreme along the axis, to within 1e-9 of its extent: a random one, or
 * somewhere among them. */
static v3 support_of(sketch *s, int body, bool among, uint32_t *vertex) {
    const convex *c = body ? &s->pair->b : &s->pair->a;
    double best = -INFINITY, low = INFINITY, height[CONVEX_POINTS], weight[CONVEX_POINTS], sum = 0;
    v3 placed[CONVEX_POINTS], out = {{0, 0, 0}};
    for (uint32_t i = 0; i < c->count; i++) {
        const double p[3] = {c->point[i].x, c->point[i].y, c->point[i].z};
        placed[i] = turned(s->m[body], p);
        height[i] = (body ? -1 : 1) * dot(placed[i].x, s->n);
        best = fmax(best, height[i]);
        low = fmin(low, height[i]);
    }
    *vertex = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        weight[i] = height[i] >= best - 1e-9 * (best - low) ? 1 + (double)rng_below(s->r, 4) : 0;
        if (weight[i] > weight[*vertex]) {
            *vertex = i;
        }
        sum += weight[i];
    }
    for (uint32_t i = 0; i < c->count && among; i++) {
        for (int k = 0; k < 3; k++) {
            out.x[k] += weight[i] / sum * placed[i].x[k];
        }
    }
    return among ? out : placed[*vertex];
}

static bool has_vertex(const convex *c, uint32_t facet, uint32_t vertex) {
    return c->corners[facet] >> vertex & 1;
}

/* A random facet of a body, with a given vertex if that is below the count, as a direction out of it. */
static void facet_direction(sketch *s, int body, uint32_t vertex, double n[3]) {
    const convex *c = body ? &s->pair->b : &s->pair->a;
    uint32_t start = rng_below(s->r, c->facet_count), f = start;
    for (uint32_t k = 0; k < c->facet_count; k++) {
        f = (start + k) % c->facet_count;
        if (vertex >= c->count || has_vertex(c, f, vertex)) {
            break;
        }
    }
    memcpy(n, turned(s->m[body], c->normal[f]).x, 3 * sizeof n[0]);
}

/* Searches, for a limited time, an edge pair whose cross product is an axis along which both edges are extreme. */
static void edge_direction(sketch *s, double direction[3]) {
    const convex *a = &s->pair->a, *b = &s->pair->b;
    for (int tries = 0; tries < 60; tries++) {
        uint32_t e = rng_below(s->r, a->edge_count), f = rng_below(s->r, b->edge_count), v, sign = rng_below(s->r, 2);
        const double u[3] = {(double)a->along[e][0], (double)a->along[e][1], (double)a->along[e][2]};
        const double w[3] = {(double)b->along[f][0], (double)b->along[f][1], (double)b->along[f][2]};
        v3 ue = turned(s->m[0], u), we = turned(s->m[1], w);
        double n[3];
        cross(ue.x, we.x, n);
        double length = sqrt(dot(n, n)) * (sign ? -1 : 1);
        if (!(fabs(length) > 1e-12 * sqrt(dot(u, u) * dot(w, w)))) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            direction[k] = s->n[k] = n[k] /= length;
        }
        const double p[3] = {a->point[a->from[e]].x, a->point[a->from[e]].y, a->point[a->from[e]].z};
        const double q[3] = {b->point[b->from[f]].x, b->point[b->from[f]].y, b->point[b->from[f]].z};
        v3 on_a = support_of(s, 0, false, &v), on_b = support_of(s, 1, false, &v), pa = turned(s->m[0], p);
        v3 pb = turned(s->m[1], q);
        double far = sqrt(dot(pa.x, pa.x)) + sqrt(dot(pb.x, pb.x));
        if (dot(on_a.x, n) - dot(pa.x, n) < 1e-9 * far && dot(pb.x, n) - dot(on_b.x, n) < 1e-9 * far) {
            return;
        }
    }
}

static void choose_direction(sketch *s) {
    abut_vec3 any = rng_direction(s->r);
    double n[3] = {any.x, any.y, any.z};
    if (s->pair->kind == NEAR_HULLS_EDGES) {
        edge_direction(s, n);
    } else if (s->pair->kind != NEAR_HULLS_VERTICES) {
        facet_direction(s, s->pair->kind == NEAR_HULLS_FACE_B, UINT32_MAX, n);
    }
    double sign = (s->pair->kind == NEAR_HULLS_FACE_B ? -1 : 1) / sqrt(dot(n, n));
    for (int k = 0; k < 3; k++) {
        s->n[k] = sign * n[k];
    }
}

/* Moves the origins to where the bodies meet. That rounds the points again, so the facets are computed again. */
static void anchor_both(sketch *s) {
    near_hulls *pair = s->pair;
    uint32_t v[2];
    support_of(s, 0, false, &v[0]);
    support_of(s, 1, false, &v[1]);
    convex a = pair->a, b = pair->b;
    anchor(&a, v[0]);
    anchor(&b, v[1]);
    if (!convex_build(&a) || !convex_build(&b)) {
        return;
    }
    pair->a = a;
    pair->b = b;
    int body = pair->kind == NEAR_HULLS_FACE_B;
    if (pair->kind == NEAR_HULLS_FACE_A || pair->kind == NEAR_HULLS_FACE_B) {
        const convex *c = body ? &pair->b : &pair->a;
        double closest = -2;
        v3 best = {{s->n[0], s->n[1], s->n[2]}};
        for (uint32_t f = 0; f < c->facet_count; f++) { /* the facet that it was before */
            v3 n = turned(s->m[body], c->normal[f]);
            double cosine = (body ? -1 : 1) * dot(n.x, s->n);
            if (cosine > closest && has_vertex(c, f, v[body])) {
                closest = cosine;
                best = (v3){{body ? -n.x[0] : n.x[0], body ? -n.x[1] : n.x[1], body ? -n.x[2] : n.x[2]}};
            }
        }
        memcpy(s->n, best.x, sizeof s->n);
    }
}

static abut_vec3 random_place(rng *r, double size) {
    double way = rng_unit(r);
    abut_vec3 at = rng_direction(r);
    double distance = way < 0.6 ? 0 : way < 0.85 ? rng_log_range(r, 1e-3, 10) * size : rng_log_range(r, 1e-4, 1e6);
    return (abut_vec3){(float)(at.x * distance), (float)(at.y * distance), (float)(at.z * distance)};
}

static void place(sketch *s, bool anchored, double size) {
    near_hulls *pair = s->pair;
    v3 p = {{0, 0, 0}}, q = {{0, 0, 0}};
    uint32_t v;
    if (!anchored) {
        p = support_of(s, 0, true, &v);
        q = support_of(s, 1, true, &v);
    }
    double gap = rng_chance(s->r, 0.15) ? 0 : (double)rng_sign(s->r) * rng_log_range(s->r, 1e-16, 1e-2) * size;
    if (rng_chance(s->r, 0.08)) {
        gap = -rng_range(s->r, 0, 1) * size;
    }
    pair->pose_a.position = random_place(s->r, size);
    const float *from = &pair->pose_a.position.x;
    float *to = &pair->pose_b.position.x;
    for (int k = 0; k < 3; k++) {
        to[k] = (float)(from[k] + (p.x[k] - q.x[k] + gap * s->n[k]));
    }
    pair->exact = anchored && gap == 0;
}

static void make_box(rng *r, double size, near_hulls *out) {
    out->half = (abut_vec3){(float)size, (float)(size * rng_log_range(r, 1e-3, 1)), (float)(size * rng_range(r, 0, 1))};
    float *half = &out->half.x;
    if (rng_chance(r, 0.3)) { /* a plate, a rod, a point */
        half[rng_below(r, 3)] = 0;
        half[rng_below(r, 3)] *= rng_chance(r, 0.5) ? 0.0f : 1.0f;
        half[rng_below(r, 3)] *= rng_chance(r, 0.2) ? 0.0f : 1.0f;
    }
    convex_box(out->half, &out->a);
}

void near_hulls_pair(uint64_t seed, uint64_t index, near_hulls *out) {
    rng r = rng_make(seed, index);
    double size = rng_log_range(&r, 1e-4, 1e5);
    for (int i = 0; i < 2; i++) {
        out->family[i] = rng_below(&r, NEAR_HULLS_FAMILIES);
    }
    out->box_a = rng_chance(&r, 0.2);
    out->kind = (near_hulls_kind)rng_below(&r, NEAR_HULLS_KINDS);
    if (rng_chance(&r, 0.3)) {
        out->family[1] = out->family[0];
    }
    bool lattice = !out->box_a && out->family[0] == LATTICE && out->family[1] == LATTICE;
    if (out->box_a) {
        make_box(&r, size, out);
    } else {
        make_shape(&r, out->family[0], size, &out->a);
    }
    if (!out->box_a && rng_chance(&r, 0.15)) { /* the mirror image */
        out->b = out->a;
        out->family[1] = out->family[0];
        stretch(out->b.point, out->b.count, -1, -1, -1);
        convex_build(&out->b);
    } else {
        make_shape(&r, out->family[1], size * (lattice ? 1 : rng_log_range(&r, 0.1, 10)), &out->b);
    }
    random_rotations(&r, lattice && rng_chance(&r, 0.8), &out->pose_a.rotation, &out->pose_b.rotation);
    sketch s = {.r = &r, .pair = out};
    matrix_of(out->pose_a.rotation, s.m[0]);
    matrix_of(out->pose_b.rotation, s.m[1]);
    choose_direction(&s);
    bool anchored = !out->box_a && rng_chance(&r, 0.7);
    if (anchored) {
        anchor_both(&s);
    }
    place(&s, anchored, size);
}

abut_hull *near_stone(rng *r) {
    enum { POINTS = 16 };
    abut_vec3 point[POINTS];
    abut_hull *hull;
    for (int i = 0; i < POINTS; i++) {
        const abut_vec3 d = rng_direction(r);
        point[i] = (abut_vec3){copysignf(d.x, i & 1 ? 1 : -1) / 2, copysignf(d.y, i & 2 ? 1 : -1) / 2,
                               copysignf(d.z, i & 4 ? 1 : -1) / 2};
    }
    assert_int_equal(abut_hull_create(point, POINTS, NULL, &hull), ABUT_OK);
    return hull;
}
