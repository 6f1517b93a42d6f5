/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "surface.h"
#include "exact.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { points_max = 4096 };

/* 1 before, -1 behind, 0 in the plane of (a, b, c): in double where that is certain, else in exact integers. */
static int side_of(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d) {
    const double u[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
    const double v[3] = {(double)c.x - a.x, (double)c.y - a.y, (double)c.z - a.z};
    const double w[3] = {(double)d.x - a.x, (double)d.y - a.y, (double)d.z - a.z};
    double volume = 0.0, size = 0.0;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        volume += w[i] * (u[j] * v[k] - u[k] * v[j]);
        size += fabs(w[i]) * (fabs(u[j] * v[k]) + fabs(u[k] * v[j]));
    }
    if (fabs(volume) > 1e-14 * size && size > 1e-100) { /* errors stay below ten roundings of `size` */
        return volume > 0.0 ? 1 : -1;
    }
    return exact_volume(a, b, c, d).sign;
}

static int side_of_triangle(const surface *s, size_t triangle, abut_vec3 point) {
    const uint16_t *v = s->triangles[triangle].v;
    return side_of(s->points[v[0]], s->points[v[1]], s->points[v[2]], point);
}

/* --- making it: a point outside sees a patch; the patch gives way to a cone --- */

typedef struct maker {
    surface *s;
    uint16_t *owner1; /* [a * n + b]: 1 + the triangle with the side from a to b, 0: none */
    bool *seen;       /* by triangle */
} maker;

static void put(maker *m, size_t at, uint16_t a, uint16_t b, uint16_t c) {
    size_t n = m->s->point_count;
    m->s->triangles[at] = (surface_triangle){{a, b, c}};
    m->owner1[a * n + b] = m->owner1[b * n + c] = m->owner1[c * n + a] = (uint16_t)(at + 1);
}

/* Removes the visible triangles and compacts the others. */
static void close_ranks(maker *m, size_t count) {
    size_t n = m->s->point_count, kept = 0;
    for (size_t i = 0; i < count; ++i) {
        const uint16_t *v = m->s->triangles[i].v;
        if (m->seen[i]) {
            for (int k = 0; k < 3; ++k) {
                size_t side = v[k] * n + v[(k + 1) % 3];
                m->owner1[side] = m->owner1[side] == i + 1 ? 0 : m->owner1[side];
            }
        }
    }
    for (size_t i = 0; i < m->s->triangle_count; ++i) {
        if (i >= count || !m->seen[i]) {
            surface_triangle t = m->s->triangles[i];
            put(m, kept++, t.v[0], t.v[1], t.v[2]);
        }
    }
    m->s->triangle_count = kept;
}

static void add_point(maker *m, uint16_t p) {
    surface *s = m->s;
    size_t n = s->point_count, count = s->triangle_count;
    bool any = false;
    for (size_t i = 0; i < count; ++i) {
        m->seen[i] = side_of_triangle(s, i, s->points[p]) > 0;
        any = any || m->seen[i];
    }
    for (size_t i = 0; any && i < count; ++i) {
        for (int k = 0; k < 3 && m->seen[i]; ++k) {
            uint16_t a = s->triangles[i].v[k], b = s->triangles[i].v[(k + 1) % 3];
            size_t beyond = m->owner1[b * n + a];
            if (beyond == 0 || beyond > count || !m->seen[beyond - 1]) {
                put(m, s->triangle_count++, a, b, p);
            }
        }
    }
    if (any) {
        close_ranks(m, count);
    }
}

/* No three corners of a hull are collinear, so any three can begin. */
static bool begin(maker *m, uint16_t *fourth) {
    const abut_vec3 *p = m->s->points;
    for (size_t i = 3; i < m->s->point_count; ++i) {
        int side = side_of(p[0], p[1], p[2], p[i]);
        if (side != 0) {
            uint16_t b = side < 0 ? 1 : 2, c = side < 0 ? 2 : 1, d = (uint16_t)i;
            put(m, 0, 0, b, c);
            put(m, 1, 0, d, b);
            put(m, 2, b, d, c);
            put(m, 3, c, d, 0);
            m->s->triangle_count = 4;
            *fourth = d;
            return true;
        }
    }
    return false;
}

static bool is_flat(const maker *m, uint16_t a, uint16_t b) {
    size_t n = m->s->point_count;
    const uint16_t *left = m->s->triangles[m->owner1[a * n + b] - 1].v;
    size_t right = (size_t)(m->owner1[b * n + a] - 1);
    uint16_t tip = left[0] != a && left[0] != b ? left[0] : left[1] != a && left[1] != b ? left[1] : left[2];
    return side_of_triangle(m->s, right, m->s->points[tip]) == 0;
}

static void list_edges(maker *m) {
    size_t n = m->s->point_count;
    for (size_t i = 0; i < m->s->triangle_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            uint16_t a = m->s->triangles[i].v[k], b = m->s->triangles[i].v[(k + 1) % 3];
            if (a < b && m->owner1[b * n + a] != 0 && !is_flat(m, a, b)) {
                m->s->edges[m->s->edge_count++] = (surface_edge){{a, b}};
            }
        }
    }
}

const char *surface_make(surface *s, const abut_vec3 *points, size_t n) {
    *s = (surface){.points = points, .point_count = n};
    if (n < 4 || n > points_max) {
        return n < 4 ? "fewer than four corners" : "too many corners to check";
    }
    /* Some new triangles coexist with the old ones for a moment. */
    size_t most = 6 * n;
    maker m = {.s = s, .owner1 = calloc(n * n, sizeof *m.owner1), .seen = calloc(most, sizeof *m.seen)};
    s->triangles = calloc(most, sizeof *s->triangles);
    s->edges = calloc(most, sizeof *s->edges);
    const char *wrong = NULL;
    uint16_t fourth = 0;
    if (m.owner1 == NULL || m.seen == NULL || s->triangles == NULL || s->edges == NULL) {
        wrong = "out of memory";
    } else if (!begin(&m, &fourth)) {
        wrong = "the corners lie in one plane";
    } else {
        for (size_t i = 3; i < n; ++i) {
            if (i != fourth) {
                add_point(&m, (uint16_t)i);
            }
        }
        list_edges(&m);
    }
    free(m.owner1);
    free(m.seen);
    if (wrong != NULL) {
        surface_destroy(s);
    }
    return wrong;
}

void surface_destroy(surface *s) {
    free(s->triangles);
    free(s->edges);
    *s = (surface){0};
}

/* --- checking it --- */

static int compare_sides(const void *a, const void *b) {
    return memcmp(a, b, 2 * sizeof(uint16_t));
}

/* Each side occurs once, and so does its opposite. */
static bool is_closed(const surface *s) {
    size_t count = 3 * s->triangle_count;
    uint16_t(*sides)[2] = calloc(count == 0 ? 1 : count, sizeof *sides);
    bool closed = sides != NULL;
    for (size_t i = 0; closed && i < count; ++i) {
        sides[i][0] = s->triangles[i / 3].v[i % 3];
        sides[i][1] = s->triangles[i / 3].v[(i + 1) % 3];
    }
    if (closed) {
        qsort(sides, count, sizeof *sides, compare_sides);
    }
    for (size_t i = 0; closed && i < count; ++i) {
        const uint16_t opposite[2] = {sides[i][1], sides[i][0]};
        closed = (i == 0 || compare_sides(sides[i - 1], sides[i]) != 0) &&
                 bsearch(opposite, sides, count, sizeof *sides, compare_sides) != NULL;
    }
    free(sides);
    return closed;
}

/* A corner is a point where at least three bent edges meet; a point with two lies inside an edge. */
static bool has_true_corners(const surface *s) {
    uint8_t *bends = calloc(s->point_count, sizeof *bends);
    for (size_t i = 0; bends != NULL && i < s->edge_count; ++i) {
        for (int k = 0; k < 2; ++k) {
            uint8_t *count = &bends[s->edges[i].v[k]];
            *count = (uint8_t)(*count < 3 ? *count + 1 : 3);
        }
    }
    bool all = bends != NULL;
    for (size_t i = 0; all && i < s->point_count; ++i) {
        all = bends[i] >= 3;
    }
    free(bends);
    return all;
}

const char *surface_check(const surface *s, const abut_vec3 *points, size_t n) {
    if (!is_closed(s)) {
        return "its surface is not closed";
    }
    if (!has_true_corners(s)) {
        return "a vertex is no corner";
    }
    for (size_t i = 0; i < s->triangle_count; ++i) {
        for (size_t k = 0; k < n; ++k) {
            if (side_of_triangle(s, i, points[k]) > 0) {
                return "a point lies outside";
            }
        }
    }
    return NULL;
}

double surface_volume(const surface *s) {
    long double sum = 0.0L;
    abut_vec3 o = s->points[0];
    for (size_t i = 0; i < s->triangle_count; ++i) {
        double d[3][3];
        for (int k = 0; k < 3; ++k) {
            abut_vec3 p = s->points[s->triangles[i].v[k]];
            d[k][0] = (double)p.x - o.x;
            d[k][1] = (double)p.y - o.y;
            d[k][2] = (double)p.z - o.z;
        }
        sum += d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) + d[0][1] * (d[1][2] * d[2][0] - d[1][0] * d[2][2]) +
               d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
    }
    return (double)(sum / 6.0L);
}
