/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "support/convex.h"
#include <math.h>
#include <stdlib.h>

/* The plane through three points: its direction in double, what the absolute terms of each part add up to, and the
 * direction in full once it is asked for. */
typedef struct plane {
    quad n[3];
    double rough[3], terms[3];
    const float *point[3];
    bool exact;
} plane;

static plane plane_through(const float *a, const float *b, const float *c) {
    plane p = {.point = {a, b, c}, .exact = false};
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double s = ((double)b[i] - a[i]) * ((double)c[j] - a[j]), t = ((double)b[j] - a[j]) * ((double)c[i] - a[i]);
        p.rough[k] = s - t;
        p.terms[k] = fabs(s) + fabs(t);
    }
    return p;
}

static void make_exact(plane *p) {
    const float *a = p->point[0], *b = p->point[1], *c = p->point[2];
    for (int k = 0; k < 3 && !p->exact; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        p->n[k] = ((quad)b[i] - a[i]) * ((quad)c[j] - a[j]) - ((quad)b[j] - a[j]) * ((quad)c[i] - a[i]);
        p->rough[k] = (double)p->n[k];
    }
    p->exact = true;
}

/* 1 in front of the plane, -1 behind it, 0 on it. Double decides where it can. */
static int side_of(plane *p, const float *v) {
    double height = 0, terms = 0;
    for (int k = 0; k < 3; k++) {
        double d = (double)v[k] - p->point[0][k];
        height += p->rough[k] * d;
        terms += p->terms[k] * fabs(d);
    }
    if (fabs(height) > 1e-14 * terms) {
        return height > 0 ? 1 : -1;
    }
    if (v == p->point[0] || v == p->point[1] || v == p->point[2]) {
        return 0;
    }
    make_exact(p);
    quad exact = 0;
    for (int k = 0; k < 3; k++) {
        exact += p->n[k] * ((quad)v[k] - p->point[0][k]);
    }
    return quad_abs(exact) <= 1e-31 * (quad)terms ? 0 : exact > 0 ? 1 : -1;
}

static const float *at(const convex *c, uint32_t i) {
    return &c->point[i].x;
}

static bool known(const convex *c, uint64_t corners) {
    for (uint32_t f = 0; f < c->facet_count; f++) {
        if ((c->corners[f] & corners) == corners) {
            return true;
        }
    }
    return false;
}

/* Adds the facet through three points if their plane is one. */
static void try_facet(convex *c, uint32_t i, uint32_t j, uint32_t k) {
    plane p = plane_through(at(c, i), at(c, j), at(c, k));
    bool before = false, behind = false;
    uint64_t corners = 0;
    for (uint32_t v = 0; v < c->count && !(before && behind); v++) {
        int side = side_of(&p, at(c, v));
        before |= side > 0;
        behind |= side < 0;
        corners |= side == 0 ? UINT64_C(1) << v : 0;
    }
    if (before == behind) {
        return;
    }
    make_exact(&p);
    double length2 = 0, largest = fmax(fmax(fabs(p.rough[0]), fabs(p.rough[1])), fabs(p.rough[2]));
    if (c->facet_count == CONVEX_FACETS) {
        abort();
    }
    double *n = c->normal[c->facet_count];
    for (int x = 0; x < 3; x++) {
        n[x] = p.rough[x] / largest;
        length2 += n[x] * n[x];
    }
    for (int x = 0; x < 3; x++) {
        n[x] *= (before ? -1 : 1) / sqrt(length2);
    }
    c->corners[c->facet_count++] = corners;
}

/* The two common corners of two facets that lie farthest apart: points may lie between them, or be repeated. */
static void try_edge(convex *c, uint64_t common) {
    uint32_t end[2] = {0, 0};
    double longest = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        for (uint32_t j = 0; j < i && common >> i & 1; j++) {
            double length2 = 0;
            for (int k = 0; k < 3 && common >> j & 1; k++) {
                double d = (double)at(c, j)[k] - at(c, i)[k];
                length2 += d * d;
            }
            if (length2 > longest) {
                longest = length2;
                end[0] = i;
                end[1] = j;
            }
        }
    }
    if (!(longest > 0)) {
        return;
    }
    if (c->edge_count == CONVEX_EDGES) {
        abort();
    }
    for (int k = 0; k < 3; k++) {
        c->along[c->edge_count][k] = (quad)at(c, end[1])[k] - at(c, end[0])[k];
    }
    c->from[c->edge_count++] = end[0];
}

bool convex_build(convex *c) {
    c->facet_count = c->edge_count = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        for (uint32_t j = i + 1; j < c->count; j++) {
            for (uint32_t k = j + 1; k < c->count; k++) {
                if (!known(c, UINT64_C(1) << i | UINT64_C(1) << j | UINT64_C(1) << k)) {
                    try_facet(c, i, j, k);
                }
            }
        }
    }
    for (uint32_t f = 0; f < c->facet_count; f++) {
        for (uint32_t g = 0; g < f; g++) {
            uint64_t common = c->corners[f] & c->corners[g];
            if (common & (common - 1)) {
                try_edge(c, common);
            }
        }
    }
    return c->facet_count >= 4;
}

void convex_box(abut_vec3 half, convex *c) {
    *c = (convex){.count = 8, .facet_count = 6, .edge_count = 12};
    for (uint32_t i = 0; i < 8; i++) {
        c->point[i] = (abut_vec3){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t facet = 2 * k + (i >> k & 1);
            c->corners[facet] |= UINT64_C(1) << i;
            c->normal[facet][k] = i >> k & 1 ? 1 : -1;
        }
    }
    for (uint32_t e = 0; e < 12; e++) {
        uint32_t k = e / 4, low = e & 1, high = e >> 1 & 1;
        c->from[e] = low << (k + 1) % 3 | high << (k + 2) % 3;
        c->along[e][k] = (k == 0 ? half.x : k == 1 ? half.y : half.z) > 0; /* an edge without length has no direction */
    }
}
