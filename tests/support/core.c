/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

/* Cores for support/distance_oracle.h: their edges and facets, in their own frame. */

#include "support/distance_oracle.h"
#include <math.h>

static const float *at(const core *c, uint32_t i) {
    return &c->point[i].x;
}

static void measure(core *c) {
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < c->count; i++) {
            low = fmin(low, (double)at(c, i)[k]);
            high = fmax(high, (double)at(c, i)[k]);
        }
        c->middle[k] = (low + high) / 2;
        c->half[k] = (high - low) / 2;
    }
}

/* The edges whose two ends have height 0 over facet f. `among[i]`: point i lies on the facet. */
static void add_facet(core *c, const quad normal[3], const bool *among) {
    uint32_t f = c->facet_count++, first = c->side_first[f], last = first;
    quad inner[3] = {0, 0, 0};
    uint32_t corners = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        corners += among[i];
        c->corner[f] = among[i] ? i : c->corner[f];
        for (int k = 0; k < 3; k++) {
            c->normal[f][k] = normal[k];
            inner[k] += among[i] ? (quad)at(c, i)[k] : 0;
        }
    }
    for (uint32_t e = 0; e < c->edge_count; e++) {
        const float *p = at(c, c->edge[e][0]), *q = at(c, c->edge[e][1]);
        if (!among[c->edge[e][0]] || !among[c->edge[e][1]]) {
            continue;
        }
        quad out = 0;
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            quad across = normal[l] * ((quad)q[m] - p[m]) - normal[m] * ((quad)q[l] - p[l]);
            out += across * (inner[k] / corners - p[k]);
        }
        c->side_flipped[last] = out > 0;
        c->side[last++] = e;
    }
    c->side_first[f + 1] = last;
}

static void box_edges(uint32_t axes, core *out) {
    for (uint32_t i = 0; i < out->count; i++) {
        for (uint32_t x = 0; x < axes; x++) {
            if (!(i >> x & 1)) {
                out->edge[out->edge_count][0] = i;
                out->edge[out->edge_count++][1] = i | 1U << x;
            }
        }
    }
    if (axes == 0) {
        out->edge_count = 1; /* from the point to itself */
    }
}

void core_of_box(abut_vec3 half, core *out) {
    const float h[3] = {half.x, half.y, half.z};
    uint32_t axis[3] = {0, 0, 0}, axes = 0;
    *out = (core){.count = 1};
    for (uint32_t k = 0; k < 3; k++) {
        if (h[k] > 0) {
            axis[axes++] = k;
            out->count *= 2;
        }
    }
    for (uint32_t i = 0; i < out->count; i++) {
        float *p = &out->point[i].x;
        for (uint32_t x = 0; x < axes; x++) {
            p[axis[x]] = i >> x & 1 ? h[axis[x]] : -h[axis[x]];
        }
    }
    box_edges(axes, out);
    for (uint32_t k = 0; k < 6 && axes >= 2; k++) {
        bool among[CORE_POINTS], high = k & 1;
        quad normal[3] = {0, 0, 0};
        if (axes == 2 && (h[k / 2] > 0 || high)) {
            continue; /* a plate has one facet, whose two sides are alike */
        }
        normal[k / 2] = high ? 1 : -1;
        for (uint32_t i = 0; i < out->count; i++) {
            among[i] = axes == 2 || (at(out, i)[k / 2] > 0) == high;
        }
        add_facet(out, normal, among);
    }
    measure(out);
}

static double area_squared(const convex *c, uint32_t i, uint32_t j, uint32_t k) {
    const float *p = &c->point[i].x, *q = &c->point[j].x, *r = &c->point[k].x;
    double sum = 0;
    for (int x = 0; x < 3; x++) {
        int y = (x + 1) % 3, z = (x + 2) % 3;
        double n = ((double)q[y] - p[y]) * ((double)r[z] - p[z]) - ((double)q[z] - p[z]) * ((double)r[y] - p[y]);
        sum += n * n;
    }
    return sum;
}

/* The direction of a facet through the three of its points that span the most. */
static void facet_normal(const convex *c, uint32_t f, quad out[3]) {
    double most = 0;
    uint32_t best[3] = {0, 0, 0};
    uint32_t on[CONVEX_POINTS], n = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        on[n] = i;
        n += c->corners[f] >> i & 1;
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < i; j++) {
            for (uint32_t k = 0; k < j; k++) {
                double area2 = area_squared(c, on[i], on[j], on[k]);
                if (area2 > most) {
                    most = area2;
                    best[0] = on[i];
                    best[1] = on[j];
                    best[2] = on[k];
                }
            }
        }
    }
    const float *p = &c->point[best[0]].x, *q = &c->point[best[1]].x, *r = &c->point[best[2]].x;
    quad cosine = 0;
    for (int x = 0; x < 3; x++) {
        int y = (x + 1) % 3, z = (x + 2) % 3;
        out[x] = ((quad)q[y] - p[y]) * ((quad)r[z] - p[z]) - ((quad)q[z] - p[z]) * ((quad)r[y] - p[y]);
        cosine += out[x] * c->normal[f][x];
    }
    for (int x = 0; x < 3; x++) {
        out[x] = cosine < 0 ? -out[x] : out[x];
    }
}

static void hull_edges(const convex *c, core *out) {
    for (uint32_t e = 0; e < c->edge_count; e++) {
        uint32_t from = c->from[e];
        out->edge[e][0] = out->edge[e][1] = from;
        for (uint32_t i = 0; i < c->count; i++) {
            bool same = true;
            for (int k = 0; k < 3; k++) {
                same &= (quad)at(out, i)[k] - at(out, from)[k] == c->along[e][k];
            }
            out->edge[e][1] = same ? i : out->edge[e][1];
        }
    }
    out->edge_count = c->edge_count;
}

bool core_of_points(const abut_vec3 *points, uint32_t count, core *out) {
    convex c;
    *out = (core){.count = 0};
    c.count = count < CORE_POINTS ? count : CORE_POINTS;
    for (uint32_t i = 0; i < c.count; i++) {
        c.point[i] = points[i];
    }
    if (!convex_build(&c)) {
        return false;
    }
    out->count = c.count;
    for (uint32_t i = 0; i < c.count; i++) {
        out->point[i] = c.point[i];
    }
    hull_edges(&c, out);
    for (uint32_t f = 0; f < c.facet_count; f++) {
        bool among[CORE_POINTS];
        quad normal[3];
        for (uint32_t i = 0; i < c.count; i++) {
            among[i] = c.corners[f] >> i & 1;
        }
        facet_normal(&c, f, normal);
        add_facet(out, normal, among);
    }
    measure(out);
    return true;
}

void core_of_triangle(const abut_vec3 corner[3], core *out) {
    bool among[CORE_POINTS] = {true, true, true};
    quad normal[3];
    *out = (core){.count = 3, .edge_count = 3};
    for (uint32_t k = 0; k < 3; k++) {
        out->point[k] = corner[k];
        out->edge[k][0] = k;
        out->edge[k][1] = (k + 1) % 3;
    }
    const float *p = &corner[0].x, *q = &corner[1].x, *r = &corner[2].x;
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        normal[k] = ((quad)q[l] - p[l]) * ((quad)r[m] - p[m]) - ((quad)q[m] - p[m]) * ((quad)r[l] - p[l]);
    }
    add_facet(out, normal, among);
    measure(out);
}
