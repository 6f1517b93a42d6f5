/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "shape/hull/check.h"
#include "base/spatial.h"
#include "shape/hull/exact.h"
#include "support/quad.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPECT(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "check_hull: not so: %s\n", #condition);                                                         \
      return false;                                                                                                    \
    }                                                                                                                  \
  } while (0)

/* The loops of the facets, put together from the edges. */
typedef struct loops {
    uint16_t *vertex;
    uint32_t *first;
} loops;

static const abut_hull_edge *edges_of(const abut_hull *h) {
    return abut_hull_at(h, h->edges);
}

static const abut_vec3 *vertices_of(const abut_hull *h) {
    return abut_hull_at(h, h->vertices);
}

static bool find_loops(const abut_hull *h, loops *out) {
    const abut_hull_edge *edge = edges_of(h);
    uint16_t(*next)[2] = calloc(2 * h->edge_count, sizeof *next); /* (start, end), by facet */
    uint32_t *fill = calloc(h->facet_count, sizeof *fill);
    for (uint32_t e = 0; e < h->edge_count; e++) {
        out->first[edge[e].f[0] + 1]++;
        out->first[edge[e].f[1] + 1]++;
    }
    for (uint32_t f = 0; f < h->facet_count; f++) {
        out->first[f + 1] += out->first[f];
    }
    for (uint32_t e = 0; e < h->edge_count; e++) {
        for (int s = 0; s < 2; s++) {
            uint16_t *half = next[out->first[edge[e].f[s]] + fill[edge[e].f[s]]++];
            half[0] = edge[e].v[s];
            half[1] = edge[e].v[1 - s];
        }
    }
    bool good = true;
    for (uint32_t f = 0; f < h->facet_count; f++) {
        uint32_t first = out->first[f], count = out->first[f + 1] - first;
        uint16_t at = next[first][0];
        good = good && count >= 3;
        for (uint32_t i = 0; good && i < count; i++) {
            uint32_t k = first;
            while (k < first + count && next[k][0] != at) {
                k++;
            }
            good = k < first + count && (i == 0 || at != out->vertex[first]);
            out->vertex[first + i] = at;
            at = good ? next[k][1] : at;
        }
        good = good && at == out->vertex[first];
    }
    free(next);
    free(fill);
    return good;
}

static bool check_edges(const abut_hull *h) {
    const abut_hull_edge *edge = edges_of(h);
    EXPECT(h->vertex_count + h->facet_count == h->edge_count + 2);
    for (uint32_t e = 0; e < h->edge_count; e++) {
        EXPECT(edge[e].v[0] < edge[e].v[1] && edge[e].v[1] < h->vertex_count);
        EXPECT(edge[e].f[0] != edge[e].f[1] && edge[e].f[0] < h->facet_count && edge[e].f[1] < h->facet_count);
        EXPECT(e == 0 || edge[e - 1].v[0] < edge[e].v[0] ||
               (edge[e - 1].v[0] == edge[e].v[0] && edge[e - 1].v[1] < edge[e].v[1]));
    }
    return true;
}

/* Convex at every corner, seen from outside; all points behind or in the plane; its vertices are all those in it. */
static bool check_facet(const abut_hull *h, const loops *l, uint32_t f, const abut_vec3 *points, size_t n) {
    const abut_vec3 *v = vertices_of(h);
    const uint16_t *loop = l->vertex + l->first[f];
    uint32_t count = l->first[f + 1] - l->first[f], in_plane = 0;
    abut_vec3 a = v[loop[0]], b = v[loop[1]], c = v[loop[2]];
    uint32_t behind = h->vertex_count;
    for (uint32_t i = 0; i < h->vertex_count; i++) {
        int sign = exact_volume(a, b, c, v[i]).sign;
        EXPECT(sign <= 0);
        in_plane += sign == 0;
        behind = sign < 0 ? i : behind;
    }
    EXPECT(behind < h->vertex_count);
    EXPECT(in_plane == count);
    for (uint32_t i = 0; i < count; i++) {
        EXPECT(exact_volume(v[loop[i]], v[loop[(i + 1) % count]], v[loop[(i + 2) % count]], v[behind]).sign < 0);
        EXPECT(exact_volume(a, b, c, v[loop[i]]).sign == 0);
    }
    for (size_t i = 0; i < n; i++) {
        EXPECT(exact_volume(a, b, c, points[i]).sign <= 0);
    }
    return true;
}

static bool check_plane(const abut_hull *h, const abut_hull_plane *plane, double slack) {
    const abut_vec3 *v = vertices_of(h);
    double most = -INFINITY, rounding = 1e-14 * h->radius;
    for (uint32_t i = 0; i < h->vertex_count; i++) {
        double height = plane->n[0] * v[i].x + plane->n[1] * v[i].y + plane->n[2] * v[i].z;
        most = fmax(most, height);
    }
    const double *n = plane->n;
    EXPECT(fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-14);
    EXPECT(most <= plane->w + rounding + slack);
    EXPECT(most >= plane->w - rounding);
    return true;
}

static bool check_planes(const abut_hull *h, const loops *l) {
    const abut_hull_plane *plane = abut_hull_at(h, h->plane);
    const abut_vec3 *v = vertices_of(h);
    for (uint32_t f = 0; f < abut_hull_padded(h->facet_count); f++) {
        uint32_t from = f < h->facet_count ? f : 0;
        for (int k = 0; k < 4; k++) {
            const float *floats = abut_hull_at(h, h->plane_floats[k]);
            EXPECT(floats[f] == (float)(k < 3 ? plane[from].n[k] : plane[from].w));
        }
    }
    for (uint32_t f = 0; f < h->facet_count; f++) {
        if (!check_plane(h, &plane[f], 0)) {
            return false;
        }
        for (uint32_t i = l->first[f]; i < l->first[f + 1]; i++) {
            abut_vec3 p = v[l->vertex[i]];
            const double *n = plane[f].n;
            EXPECT(fabs(n[0] * p.x + n[1] * p.y + n[2] * p.z - plane[f].w) <= 1e-14 * h->radius);
        }
    }
    return true;
}

static bool equal_points(abut_vec3 a, abut_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Exactly. Most are so far within that rounding cannot matter. */
static bool is_within(abut_vec3 v, float radius) {
    const double square = (double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z, limit = (double)radius * radius;
    if (square < limit * (1 - 1e-15)) {
        return true;
    }
    exact sum = exact_mul(exact_from(radius), exact_from(radius));
    for (int k = 0; k < 3; k++) {
        const exact x = exact_from((&v.x)[k]);
        sum = exact_sub(sum, exact_mul(x, x));
    }
    return sum.sign >= 0;
}

static bool check_vertices(const abut_hull *h, const loops *l, const abut_vec3 *points, size_t n, bool reduced) {
    const abut_vec3 *v = vertices_of(h);
    for (uint32_t i = 0; i < h->vertex_count; i++) {
        bool found = reduced, ascending = i == 0 || v[i - 1].x < v[i].x ||
                                          (v[i - 1].x == v[i].x &&
                                           (v[i - 1].y < v[i].y || (v[i - 1].y == v[i].y && v[i - 1].z < v[i].z)));
        uint32_t facets = 0;
        for (size_t k = 0; !found && k < n; k++) {
            found = equal_points(v[i], points[k]);
        }
        for (uint32_t k = 0; k < 2 * h->edge_count; k++) {
            facets += l->vertex[k] == i;
        }
        EXPECT(found);
        EXPECT(ascending);
        EXPECT(facets >= 3);
        EXPECT(!signbit(v[i].x) || v[i].x != 0);
        EXPECT(is_within(v[i], h->radius));
    }
    for (int k = 0; k < 3; k++) {
        const float *coordinate = abut_hull_at(h, h->coordinate[k]);
        for (uint32_t i = 0; i < abut_hull_padded(h->vertex_count); i++) {
            EXPECT(coordinate[i] == (&v[i < h->vertex_count ? i : 0].x)[k]);
        }
    }
    return true;
}

static double tolerance_of(const abut_hull *h) {
    double largest = 0;
    for (int k = 0; k < 3; k++) {
        const float *x = abut_hull_at(h, h->coordinate[k]);
        float low = x[0], high = x[0];
        for (uint32_t i = 0; i < h->vertex_count; i++) {
            low = fminf(low, x[i]);
            high = fmaxf(high, x[i]);
        }
        largest = fmax(largest, (double)high - low);
    }
    return h->coplanar_tolerance > 0 ? h->coplanar_tolerance : largest * 0x1p-18;
}

static bool check_face(const abut_hull *h, const abut_hull_polygon *face, uint8_t *mark, uint8_t *used,
                       uint32_t *degree) {
    const abut_hull_edge *edge = edges_of(h);
    const uint16_t *loop = abut_hull_at(h, h->loop), *side = abut_hull_at(h, h->sides);
    const abut_vec3 *v = vertices_of(h);
    double tolerance = tolerance_of(h);
    EXPECT(face->count >= 3 && face->first + face->count <= h->loop_count);
    for (uint32_t i = 0; i < face->count; i++) {
        uint16_t a = loop[face->first + i], b = loop[face->first + (i + 1) % face->count], e = side[face->first + i];
        EXPECT(a < h->vertex_count && !mark[a]);
        EXPECT(i == 0 || a > loop[face->first]);
        EXPECT(e < h->edge_count && edge[e].v[a > b] == a && edge[e].v[a < b] == b);
        EXPECT(!(used[e] & (1 << (a > b))));
        const double *n = face->plane.n;
        EXPECT(n[0] * v[a].x + n[1] * v[a].y + n[2] * v[a].z >= face->plane.w - tolerance - 1e-14 * h->radius);
        used[e] = (uint8_t)(used[e] | (1 << (a > b)));
        mark[a] = 1;
        degree[a]++;
    }
    for (uint32_t i = 0; i < face->count; i++) {
        mark[loop[face->first + i]] = 0;
    }
    return check_plane(h, &face->plane, 0);
}

static bool check_faces(const abut_hull *h) {
    const abut_hull_polygon *face = abut_hull_at(h, h->faces);
    const abut_hull_edge *edge = edges_of(h);
    const uint16_t *face_of = abut_hull_at(h, h->face_of), *loop = abut_hull_at(h, h->loop);
    uint8_t *mark = calloc(h->vertex_count, 1), *used = calloc(h->edge_count, 1);
    uint32_t *degree = calloc(h->vertex_count, sizeof *degree), edges = 0;
    bool good = true;
    EXPECT(h->vertex_count + h->face_count == h->face_edge_count + 2);
    EXPECT(h->loop_count == 2 * h->face_edge_count);
    for (uint32_t f = 0; good && f < h->face_count; f++) {
        good =
            check_face(h, &face[f], mark, used, degree) &&
            (f == 0 || loop[face[f - 1].first] < loop[face[f].first] ||
             (loop[face[f - 1].first] == loop[face[f].first] && loop[face[f - 1].first + 1] < loop[face[f].first + 1]));
    }
    for (uint32_t e = 0; good && e < h->edge_count; e++) {
        good = (used[e] == 3) == (face_of[edge[e].f[0]] != face_of[edge[e].f[1]]) && (used[e] == 0 || used[e] == 3);
        edges += used[e] == 3;
    }
    for (uint32_t i = 0; good && i < h->vertex_count; i++) {
        good = degree[i] >= 3;
    }
    free(mark);
    free(used);
    free(degree);
    EXPECT(good);
    EXPECT(edges == h->face_edge_count);
    return true;
}

/* Six times the volume, exactly, then rounded. */
static bool check_volume(const abut_hull *h, const loops *l) {
    const abut_vec3 *v = vertices_of(h);
    exact sum = {0};
    for (uint32_t f = 0; f < h->facet_count; f++) {
        for (uint32_t i = l->first[f] + 1; i + 1 < l->first[f + 1]; i++) {
            sum = exact_add(sum, exact_volume(v[0], v[l->vertex[l->first[f]]], v[l->vertex[i]], v[l->vertex[i + 1]]));
        }
    }
    double volume = exact_to_double(sum, 3) / 6;
    EXPECT(h->volume > 0);
    if (volume > 1e-37 && volume < 1e38) {
        EXPECT(fabs(h->volume - volume) <= volume * 0x1.01p-24);
    }
    const abut_hull_plane *plane = abut_hull_at(h, h->plane);
    abut_vec3 c = h->centroid;
    for (uint32_t f = 0; f < h->facet_count; f++) {
        const double *n = plane[f].n;
        EXPECT(n[0] * c.x + n[1] * c.y + n[2] * c.z <= plane[f].w + 0x1p-23 * h->radius);
    }
    return true;
}

bool check_contains(const abut_hull *hull, const abut_vec3 *points, size_t n) {
    loops l = {calloc(2 * hull->edge_count, sizeof *l.vertex), calloc(hull->facet_count + 1, sizeof *l.first)};
    bool good = find_loops(hull, &l);
    for (uint32_t f = 0; good && f < hull->facet_count; f++) {
        good = check_facet(hull, &l, f, points, n);
    }
    free(l.vertex);
    free(l.first);
    return good;
}

bool check_hull(const abut_hull *hull, const abut_vec3 *points, size_t n, bool reduced) {
    loops l = {calloc(2 * hull->edge_count, sizeof *l.vertex), calloc(hull->facet_count + 1, sizeof *l.first)};
    bool good = check_edges(hull) && find_loops(hull, &l) && check_contains(hull, points, n) &&
                check_planes(hull, &l) && check_vertices(hull, &l, points, n, reduced) && check_faces(hull) &&
                check_volume(hull, &l) && check_box_contains(&hull->obb, vertices_of(hull), hull->vertex_count);
    free(l.vertex);
    free(l.first);
    return good;
}

bool check_box_contains(const abut_obb *box, const abut_vec3 *points, size_t n) {
    quad x = box->rotation.x, y = box->rotation.y, z = box->rotation.z, w = box->rotation.w;
    quad length2 = x * x + y * y + z * z + w * w;
    /* In pairs, whose roundings are alike where the sum of both is 0. */
    const quad axis[3][3] = {{(w * w - z * z) + (x * x - y * y), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                             {2 * (x * y - w * z), (w * w - x * x) + (y * y - z * z), 2 * (y * z + w * x)},
                             {2 * (x * z + w * y), 2 * (y * z - w * x), (w * w - y * y) + (z * z - x * x)}};
    for (size_t i = 0; QUAD_AVAILABLE && i < n; i++) {
        quad d[3] = {(quad)points[i].x - box->center.x, (quad)points[i].y - box->center.y,
                     (quad)points[i].z - box->center.z};
        for (int k = 0; k < 3; k++) {
            quad along = axis[k][0] * d[0] + axis[k][1] * d[1] + axis[k][2] * d[2];
            EXPECT(quad_abs(along) <= (quad)(&box->half.x)[k] * length2);
        }
    }
    return true;
}
