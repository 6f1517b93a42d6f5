/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/few/few.h"
#include "base/compiler.h"
#include "shape/kernels.h"

/* With n vertices there are 2 n - 4 triangles. */
enum { TRIANGLES = 2 * ABUT_FEW - 4 };

/* The hull so far. The two tables are of half edges, from one point to another. */
typedef struct build {
    abut_few_front_kernel *front;
    uint32_t triangle_count;
    abut_few_points points;
    abut_few_triangle triangle[TRIANGLES];
    uint8_t of[ABUT_FEW][ABUT_FEW];    /* the triangle that it runs around */
    uint8_t third[ABUT_FEW][ABUT_FEW]; /* its third corner */
    uint16_t position[ABUT_FEW][ABUT_FEW];
    uint32_t neighbours[ABUT_FEW];
    uint8_t number[ABUT_FEW]; /* by point: its number as a vertex */
} build;

/* False if it is not certain which points are in front. */
static bool set_triangle(build *b, uint32_t t, uint32_t u, uint32_t v, uint32_t w) {
    abut_few_triangle *triangle = &b->triangle[t];
    triangle->v[0] = u, triangle->v[1] = v, triangle->v[2] = w;
    b->of[u][v] = b->of[v][w] = b->of[w][u] = (uint8_t)t;
    b->third[u][v] = (uint8_t)w;
    b->third[v][w] = (uint8_t)u;
    b->third[w][u] = (uint8_t)v;
    return b->front(&b->points, triangle);
}

/* Of some points the one farthest from a triangle's plane, up to rounding. */
static uint32_t farthest(const build *b, const uint32_t v[3], uint32_t points) {
    if ((points & (points - 1)) == 0) {
        return ABUT_LOWEST_BIT(points);
    }
    const abut_vec3 *p = b->points.point;
    const abut_orient_plane plane = abut_orient_plane_of(p[v[0]], p[v[1]], p[v[2]]);
    uint32_t best = 0;
    double greatest = -1;
    for (; points != 0; points &= points - 1) {
        const uint32_t i = ABUT_LOWEST_BIT(points);
        const abut_d3 at = abut_d3_sub(abut_d3_from(b->points.point[i]), abut_d3_from(plane.a));
        const double height = fabs(abut_d3_dot(abut_d3_load(plane.n), at));
        best = height > greatest ? i : best;
        greatest = abut_max_d(greatest, height);
    }
    return best;
}

/* The point farthest from the line through the first and the last one, up to rounding. */
static uint32_t find_third(const build *b, uint32_t last) {
    const abut_d3 origin = abut_d3_from(b->points.point[0]),
                  along = abut_d3_sub(abut_d3_from(b->points.point[last]), origin);
    uint32_t best = 1;
    double greatest = -1;
    for (uint32_t i = 1; i < last; i++) {
        const abut_d3 n = abut_d3_cross(along, abut_d3_sub(abut_d3_from(b->points.point[i]), origin));
        const double square = abut_d3_dot(n, n);
        best = square > greatest ? i : best;
        greatest = abut_max_d(greatest, square);
    }
    return best;
}

static bool make_tetrahedron(build *b) {
    const uint32_t last = b->points.count - 1, u = 0, third = find_third(b, last);
    if (!set_triangle(b, 0, u, last, third)) {
        return false;
    }
    const uint32_t front = b->triangle[0].front, corners = 1u | 1u << last | 1u << third;
    const bool turned = front != 0;
    const uint32_t v = turned ? third : last, w = turned ? last : third;
    const uint32_t x = farthest(b, b->triangle[0].v, turned ? front : ~corners << (31 - last) >> (31 - last));
    b->triangle_count = 4;
    return set_triangle(b, 0, u, v, w) && set_triangle(b, 1, v, u, x) && set_triangle(b, 2, w, v, x) &&
           set_triangle(b, 3, u, w, x);
}

/* Adds a point that lies in front of some triangle. All triangles that it sees make room for those around it, two more;
 * *first becomes the first of them. */
static bool add_point(build *b, uint32_t p, uint32_t *first) {
    uint8_t seen[TRIANGLES + 1];
    uint8_t from[3 * TRIANGLES + 1], to[3 * TRIANGLES + 1]; /* of the edges that end what it sees; no branches, so
                                                               there is room for one too many */
    uint32_t count = 0, edges = 0;
    for (uint32_t t = 0; t < b->triangle_count; t++) {
        seen[count] = (uint8_t)t;
        count += b->triangle[t].front >> p & 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *v = b->triangle[seen[i]].v;
        for (int k = 0; k < 3; k++) {
            const uint32_t u = v[k], w = v[k == 2 ? 0 : k + 1];
            from[edges] = (uint8_t)u;
            to[edges] = (uint8_t)w;
            edges += ~b->triangle[b->of[w][u]].front >> p & 1;
        }
    }
    *first = seen[0];
    bool certain = true;
    for (uint32_t i = 0; i < edges; i++) {
        const uint32_t t = i < count ? seen[i] : b->triangle_count++;
        certain = set_triangle(b, t, from[i], to[i], p) && certain;
    }
    return certain;
}

static bool make_triangles(build *b) {
    bool certain = make_tetrahedron(b);
    for (uint32_t t = 0; certain && t < b->triangle_count;) {
        const uint32_t front = b->triangle[t].front;
        if (front == 0) {
            t++;
        } else {
            certain = add_point(b, farthest(b, b->triangle[t].v, front), &t);
        }
    }
    return certain;
}

static void write_vertices(build *b, abut_polyhedron *out) {
    uint32_t count = 0;
    memset(b->neighbours, 0, b->points.count * sizeof *b->neighbours);
    for (uint32_t t = 0; t < b->triangle_count; t++) {
        const uint32_t *v = b->triangle[t].v;
        b->neighbours[v[0]] |= 1u << v[1];
        b->neighbours[v[1]] |= 1u << v[2];
        b->neighbours[v[2]] |= 1u << v[0];
    }
    for (uint32_t i = 0; i < b->points.count; i++) {
        if (b->neighbours[i] != 0) {
            b->number[i] = (uint8_t)count;
            out->vertex[count++] = b->points.point[i];
        }
    }
}

/* The neighbours that come after the point itself. */
static uint32_t later(const build *b, uint32_t i) {
    return b->neighbours[i] >> i >> 1 << i << 1;
}

/* A facet is met at its least vertex. */
static void write_facets(build *b, abut_polyhedron *out) {
    uint32_t at = 0, facet = 0;
    for (uint32_t u = 0; u < b->points.count; u++) {
        for (uint32_t bits = later(b, u); bits != 0; bits &= bits - 1) {
            const uint32_t v = ABUT_LOWEST_BIT(bits), w = b->third[u][v];
            if (w < u) {
                continue;
            }
            const uint32_t corner[4] = {u, v, w, u};
            out->first[facet++] = at;
            for (int k = 0; k < 3; k++) {
                out->loop[at] = b->number[corner[k]];
                b->position[corner[k]][corner[k + 1]] = (uint16_t)at++;
            }
        }
    }
    out->first[facet] = at;
}

static void write_edges(const build *b, abut_polyhedron *out) {
    uint32_t e = 0;
    for (uint32_t u = 0; u < b->points.count; u++) {
        for (uint32_t bits = later(b, u); bits != 0; bits &= bits - 1, e++) {
            const uint32_t v = ABUT_LOWEST_BIT(bits), h = b->position[u][v], twin = b->position[v][u];
            out->edge[e] = (abut_polyhedron_edge){{b->number[u], b->number[v]}, {h / 3, twin / 3}, {h, twin}};
            out->edge_of[h] = out->edge_of[twin] = e;
        }
    }
}

abut_result abut_few_make(abut_polyhedron *out, const abut_cloud *cloud, bool *made) {
    build b;
    *made = false;
    if (!ABUT_FEW_USED || cloud->count < 4 || cloud->count > ABUT_FEW) {
        return ABUT_OK;
    }
    b.points.point = cloud->point;
    b.points.count = cloud->count;
    b.front = abut_shape_kernels_active()->few_front;
    for (uint32_t i = 0; i < cloud->count || i % 8 != 0; i++) { /* whole registers of all instruction sets */
        const abut_d3 x = abut_d3_from(cloud->point[i < cloud->count ? i : 0]);
        b.points.x[0][i] = x.x[0], b.points.x[1][i] = x.x[1], b.points.x[2][i] = x.x[2];
    }
    if (!make_triangles(&b)) {
        return ABUT_OK;
    }
    *made = true;
    out->facet_count = b.triangle_count;
    out->vertex_count = b.triangle_count / 2 + 2;
    abut_result result = abut_polyhedron_reserve(out, 3 * out->facet_count);
    if (result == ABUT_OK) {
        write_vertices(&b, out);
        write_facets(&b, out);
        write_edges(&b, out);
    }
    return result;
}
