/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Cores for support/ray_oracle.h: vertices, edges and facets with unit directions in 113 bits. Hulls grow point by
 * point; all facets that a new point sees, or whose planes hold it, make way for a fan of triangles around it. */

#include "support/ray_oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FACES = 4 * RAY_POINTS };

typedef struct triangle {
    uint16_t corner[3];
    bool alive, visible;
    double normal[3], terms[3]; /* rough; what the absolute terms of each part add up to */
} triangle;

typedef struct builder {
    const abut_vec3 *point;
    uint32_t count, face_count;
    triangle face[FACES];
    uint16_t left[RAY_POINTS][RAY_POINTS]; /* the triangle to the left of the edge from i to j */
} builder;

static const float *at(const abut_vec3 *points, uint32_t i) {
    return &points[i].x;
}

static quad dotq(const quad a[3], const quad b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void difference(const float *a, const float *b, quad out[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = (quad)a[k] - b[k];
    }
}

static void cross(const quad a[3], const quad b[3], quad out[3]) {
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = a[l] * b[m] - a[m] * b[l];
    }
}

/* The length before. Parts are divided by the largest first, so that no square vanishes in the start of the root. */
static quad make_unit(quad v[3]) {
    quad largest = 0;
    for (int k = 0; k < 3; k++) {
        largest = quad_abs(v[k]) > largest ? quad_abs(v[k]) : largest;
    }
    if (largest == 0) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        v[k] /= largest;
    }
    quad square = dotq(v, v), length = quad_sqrt(square, sqrt((double)square));
    for (int k = 0; k < 3; k++) {
        v[k] /= length;
    }
    return length * largest;
}

static void cross_of(const abut_vec3 *points, const uint16_t corner[3], quad out[3]) {
    quad u[3], v[3];
    difference(at(points, corner[1]), at(points, corner[0]), u);
    difference(at(points, corner[2]), at(points, corner[0]), v);
    cross(u, v, out);
}

/* 1 in front of the triangle, 0 on its plane, -1 behind it. */
static int side_of(const builder *b, const triangle *t, uint32_t i) {
    double height = 0, terms = 0;
    for (int k = 0; k < 3; k++) {
        double d = (double)at(b->point, i)[k] - at(b->point, t->corner[0])[k];
        height += t->normal[k] * d;
        terms += t->terms[k] * fabs(d);
    }
    if (fabs(height) > 1e-14 * terms) {
        return height > 0 ? 1 : -1;
    }
    quad n[3], d[3];
    cross_of(b->point, t->corner, n);
    difference(at(b->point, i), at(b->point, t->corner[0]), d);
    quad exact = dotq(n, d);
    return quad_abs(exact) <= 1e-31 * (quad)terms ? 0 : exact > 0 ? 1 : -1;
}

static void add_face(builder *b, uint32_t i, uint32_t j, uint32_t k) {
    if (b->face_count == FACES) {
        uint32_t kept = 0;
        for (uint32_t f = 0; f < FACES; f++) {
            if (b->face[f].alive) {
                const uint16_t *c = b->face[f].corner;
                b->left[c[0]][c[1]] = b->left[c[1]][c[2]] = b->left[c[2]][c[0]] = (uint16_t)kept;
                b->face[kept++] = b->face[f];
            }
        }
        b->face_count = kept;
    }
    uint32_t f = b->face_count++;
    triangle *t = &b->face[f];
    *t = (triangle){.corner = {(uint16_t)i, (uint16_t)j, (uint16_t)k}, .alive = true};
    b->left[i][j] = b->left[j][k] = b->left[k][i] = (uint16_t)f;
    const float *p = at(b->point, i), *q = at(b->point, j), *r = at(b->point, k);
    for (int x = 0; x < 3; x++) {
        int y = (x + 1) % 3, z = (x + 2) % 3;
        double s = ((double)q[y] - p[y]) * ((double)r[z] - p[z]), u = ((double)q[z] - p[z]) * ((double)r[y] - p[y]);
        t->normal[x] = s - u;
        t->terms[x] = fabs(s) + fabs(u);
    }
}

static void add_point(builder *b, uint32_t i) {
    bool outside = false;
    for (uint32_t f = 0; f < b->face_count; f++) {
        if (b->face[f].alive) {
            int side = side_of(b, &b->face[f], i);
            b->face[f].visible = side >= 0;
            outside |= side > 0;
        }
    }
    static uint16_t horizon[FACES][2];
    uint32_t count = 0;
    for (uint32_t f = 0; f < b->face_count && outside; f++) {
        triangle *t = &b->face[f];
        for (int k = 0; k < 3 && t->alive && t->visible; k++) {
            uint16_t from = t->corner[k], to = t->corner[(k + 1) % 3];
            if (!b->face[b->left[to][from]].visible) {
                horizon[count][0] = from;
                horizon[count++][1] = to;
            }
        }
    }
    for (uint32_t f = 0; f < b->face_count && outside; f++) {
        b->face[f].alive &= !b->face[f].visible;
    }
    for (uint32_t k = 0; k < count; k++) {
        add_face(b, horizon[k][0], horizon[k][1], i);
    }
}

/* How far point i is from the first of `known` points, from the line through two, from the plane through three: a
 * number that grows with it. */
static double spread(const builder *b, const uint32_t first[4], uint32_t known, uint32_t i) {
    quad d[3] = {0, 0, 0}, n[3];
    difference(at(b->point, i), at(b->point, first[0]), d);
    if (known == 1) {
        return (double)dotq(d, d);
    }
    quad u[3], v[3];
    difference(at(b->point, first[1]), at(b->point, first[0]), u);
    if (known == 2) {
        cross(u, d, n);
        return (double)dotq(n, n);
    }
    difference(at(b->point, first[2]), at(b->point, first[0]), v);
    cross(u, v, n);
    return (double)quad_abs(dotq(n, d));
}

/* Four points that span some volume. */
static bool start(const builder *b, uint32_t first[4]) {
    first[0] = 0;
    for (uint32_t known = 1; known < 4; known++) {
        double most = 0;
        for (uint32_t i = 0; i < b->count; i++) {
            double much = spread(b, first, known, i);
            first[known] = much > most ? i : first[known];
            most = fmax(most, much);
        }
        if (!(most > 0)) {
            return false;
        }
    }
    return true;
}

static bool build(builder *b) {
    uint32_t first[4] = {0, 0, 0, 0};
    b->face_count = 0;
    if (!start(b, first)) {
        return false;
    }
    add_face(b, first[0], first[1], first[2]);
    bool flip = side_of(b, &b->face[0], first[3]) > 0;
    b->face_count = 0;
    uint32_t i = first[0], j = first[flip ? 2 : 1], k = first[flip ? 1 : 2], l = first[3];
    add_face(b, i, j, k);
    add_face(b, i, l, j);
    add_face(b, j, l, k);
    add_face(b, k, l, i);
    for (uint32_t p = 0; p < b->count; p++) {
        add_point(b, p);
    }
    for (uint32_t f = 0; f < b->face_count; f++) { /* it is convex and holds every point */
        for (uint32_t p = 0; p < b->count && b->face[f].alive; p++) {
            if (side_of(b, &b->face[f], p) > 0) {
                return false;
            }
        }
    }
    return true;
}

static void measure(ray_core *c) {
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < c->count; i++) {
            low = fmin(low, (double)at(c->point, i)[k]);
            high = fmax(high, (double)at(c->point, i)[k]);
        }
        c->middle[k] = (low + high) / 2;
        c->half[k] = (high - low) / 2;
    }
}

/* The middle of some corners and how far the farthest is from it. */
static void enclose(const ray_core *c, const uint32_t *corner, uint32_t corners, double middle[3], double *reach) {
    *reach = 0;
    for (int k = 0; k < 3; k++) {
        middle[k] = 0;
        for (uint32_t i = 0; i < corners; i++) {
            middle[k] += (double)at(c->point, corner[i])[k] / corners;
        }
    }
    for (uint32_t i = 0; i < corners; i++) {
        const float *p = at(c->point, corner[i]);
        double x = p[0] - middle[0], y = p[1] - middle[1], z = p[2] - middle[2];
        *reach = fmax(*reach, sqrt(x * x + y * y + z * z));
    }
}

static void add_edge(ray_core *c, uint32_t from, uint32_t to) {
    ray_edge *e = &c->edge[c->edge_count++];
    e->end[0] = from;
    e->end[1] = to;
    difference(at(c->point, to), at(c->point, from), e->along);
    e->length = make_unit(e->along);
    enclose(c, e->end, 2, e->middle, &e->reach);
}

/* Corners counter-clockwise, seen from outside. */
static void add_facet(ray_core *c, const uint32_t *corner, uint32_t corners) {
    ray_facet *f = &c->facet[c->facet_count++];
    quad u[3], v[3];
    f->corners = corners;
    memcpy(f->corner, corner, corners * sizeof *corner);
    difference(at(c->point, corner[1]), at(c->point, corner[0]), u);
    difference(at(c->point, corner[2]), at(c->point, corner[0]), v);
    cross(u, v, f->normal);
    make_unit(f->normal);
    for (uint32_t i = 0; i < corners; i++) {
        difference(at(c->point, corner[(i + 1) % corners]), at(c->point, corner[i]), u);
        make_unit(u);
        cross(f->normal, u, f->inward[i]);
    }
    enclose(c, corner, corners, f->middle, &f->reach);
}

bool ray_core_of_points(const abut_vec3 *points, uint32_t count, ray_core *out) {
    builder *b = malloc(sizeof *b);
    memset(out, 0, sizeof *out);
    if (!b || count > RAY_POINTS) {
        abort();
    }
    b->point = points;
    b->count = count;
    bool built = build(b);
    uint32_t name[RAY_POINTS];
    memset(name, 0xff, sizeof name);
    for (uint32_t f = 0; f < b->face_count && built; f++) {
        uint32_t corner[3];
        for (int k = 0; k < 3 && b->face[f].alive; k++) {
            uint32_t p = b->face[f].corner[k];
            if (name[p] == UINT32_MAX) {
                name[p] = out->count;
                out->point[out->count++] = points[p];
            }
            corner[k] = name[p];
        }
        if (b->face[f].alive) {
            add_facet(out, corner, 3);
            for (int k = 0; k < 3; k++) {
                if (corner[k] < corner[(k + 1) % 3]) {
                    add_edge(out, corner[k], corner[(k + 1) % 3]);
                }
            }
        }
    }
    free(b);
    out->solid = built;
    measure(out);
    return built;
}

void ray_core_of_box(abut_vec3 half, ray_core *out) {
    const float h[3] = {half.x, half.y, half.z};
    uint32_t axis[3] = {0, 0, 0}, axes = 0;
    out->count = 1;
    out->edge_count = out->facet_count = 0;
    for (uint32_t k = 0; k < 3; k++) {
        if (h[k] > 0) {
            axis[axes++] = k;
            out->count *= 2;
        }
    }
    for (uint32_t i = 0; i < out->count; i++) {
        float *p = &out->point[i].x;
        p[0] = p[1] = p[2] = 0;
        for (uint32_t x = 0; x < axes; x++) {
            p[axis[x]] = i >> x & 1 ? h[axis[x]] : -h[axis[x]];
        }
    }
    for (uint32_t i = 0; i < out->count; i++) {
        for (uint32_t x = 0; x < axes; x++) {
            if (!(i >> x & 1)) {
                add_edge(out, i, i | 1U << x);
            }
        }
    }
    for (uint32_t x = 0; x < 3 && axes == 3; x++) {
        uint32_t y = 1U << (x + 1) % 3, z = 1U << (x + 2) % 3, far = 1U << x;
        add_facet(out, (const uint32_t[4]){far, far | y, far | y | z, far | z}, 4);
        add_facet(out, (const uint32_t[4]){0, z, y | z, y}, 4);
    }
    if (axes == 2) {
        add_facet(out, (const uint32_t[4]){0, 1, 3, 2}, 4);
    }
    out->solid = axes == 3;
    measure(out);
}

void ray_core_of_triangle(const abut_vec3 corner[3], ray_core *out) {
    out->count = 3;
    out->edge_count = out->facet_count = 0;
    out->solid = false;
    memcpy(out->point, corner, 3 * sizeof *corner);
    for (uint32_t k = 0; k < 3; k++) {
        add_edge(out, k, (k + 1) % 3);
    }
    add_facet(out, (const uint32_t[3]){0, 1, 2}, 3);
    measure(out);
}
