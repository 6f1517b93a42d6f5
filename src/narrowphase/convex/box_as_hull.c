/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/convex/box_as_hull.h"

#define AT(member) ((uint32_t)offsetof(abut_np_box_as_hull, member))

/* The surface of a box, numbered as feature.h numbers it: bit k of a vertex is the end along axis k. */
static const abut_np_box_as_hull unit_box = {
    .hull = {.vertex_count = 8,
             .facet_count = 6,
             .edge_count = 12,
             .face_count = 6,
             .face_edge_count = 12,
             .loop_count = 24,
             .coordinate = {AT(coordinate[0]), AT(coordinate[1]), AT(coordinate[2])},
             .plane = AT(plane),
             .plane_floats = {AT(plane_floats[0]), AT(plane_floats[1]), AT(plane_floats[2]), AT(plane_floats[3])},
             .edges = AT(edges),
             .faces = AT(faces),
             .loop = AT(loop),
             .sides = AT(sides),
             .face_of = AT(face_of),
             .facet_edges_first = AT(facet_edges_first),
             .facet_edges = AT(facet_edges),
             .vertex_edges_first = AT(vertex_edges_first),
             .vertex_edges = AT(vertex_edges)},
    .plane_floats = {{-1, 1, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}, {0, 0, -1, 1}, {0, 0, 0, 0, -1, 1}},
    .plane =
        {{.n = {-1, 0, 0}}, {.n = {1, 0, 0}}, {.n = {0, -1, 0}}, {.n = {0, 1, 0}}, {.n = {0, 0, -1}}, {.n = {0, 0, 1}}},
    .edges = {{{0, 1}, {2, 4}},
              {{2, 3}, {4, 3}},
              {{4, 5}, {5, 2}},
              {{6, 7}, {3, 5}},
              {{0, 2}, {4, 0}},
              {{4, 6}, {0, 5}},
              {{1, 3}, {1, 4}},
              {{5, 7}, {5, 1}},
              {{0, 4}, {0, 2}},
              {{1, 5}, {2, 1}},
              {{2, 6}, {3, 0}},
              {{3, 7}, {1, 3}}},
    .loop = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6},
    .sides = {8, 5, 10, 4, 6, 11, 7, 9, 0, 9, 2, 8, 10, 3, 11, 1, 4, 1, 6, 0, 2, 7, 3, 5},
    .face_of = {0, 1, 2, 3, 4, 5},
    .facet_edges_first = {0, 4, 8, 12, 16, 20, 24},
    .facet_edges = {4, 5, 8, 10, 6, 7, 9, 11, 0, 2, 8, 9, 1, 3, 10, 11, 0, 1, 4, 6, 2, 3, 5, 7},
    .vertex_edges_first = {0, 3, 6, 9, 12, 15, 18, 21, 24},
    .vertex_edges = {0, 4, 8, 0, 6, 9, 1, 4, 10, 1, 6, 11, 2, 5, 8, 2, 7, 9, 3, 5, 10, 3, 7, 11},
};

void abut_np_box_as_hull_make(abut_vec3 half, abut_np_box_as_hull *out) {
    const float size[3] = {half.x, half.y, half.z};
    *out = unit_box;
    for (int i = 0; i < ABUT_HULL_PAD; i++) {
        for (int k = 0; k < 3; k++) {
            out->coordinate[k][i] = i < 8 && i >> k & 1 ? size[k] : -size[k];
        }
        out->plane_floats[3][i] = size[i < 6 ? i / 2 : 0];
    }
    for (uint32_t f = 0; f < 6; f++) {
        out->plane[f].w = size[f / 2];
        out->faces[f] = (abut_hull_polygon){out->plane[f], 4 * f, 4};
    }
    double x = half.x, y = half.y, z = half.z;
    out->hull.radius = abut_bits_round_up(sqrt(x * x + y * y + z * z) * (1 + 0x1p-50));
    out->hull.obb.half = half;
}

bool abut_np_box_as_hull_is_flat(const abut_hull *hull) {
    const abut_vec3 half = hull->obb.half;
    return hull->digest == 0 && (half.x == 0 || half.y == 0 || half.z == 0);
}

bool abut_np_box_as_hull_has_area(const abut_hull *box, uint32_t face) {
    const float *half = &box->obb.half.x;
    return half[(face / 2 + 1) % 3] > 0 && half[(face / 2 + 2) % 3] > 0;
}

/* The first edge between these two corners. */
static uint32_t edge_between(uint32_t low, uint32_t high) {
    uint32_t e = 0;
    while (unit_box.edges[e].v[0] != low || unit_box.edges[e].v[1] != high) {
        e++;
    }
    return e;
}

uint32_t abut_np_box_as_hull_feature_at(const abut_hull *hull, abut_d3 point, double near) {
    const float *half = &hull->obb.half.x;
    uint32_t corner = 0, within = 0;
    for (uint32_t k = 0; k < 3; k++) {
        bool at_end = fabs(point.x[k]) >= half[k] - near;
        corner |= half[k] > 0 && at_end && point.x[k] > 0 ? 1u << k : 0;
        within |= half[k] > 0 && !at_end ? 1u << k : 0;
    }
    uint32_t vertices = unit_box.hull.vertex_count, edges = unit_box.hull.edge_count;
    if (within == 0) {
        return corner;
    }
    if ((within & (within - 1)) == 0) {
        return vertices + edge_between(corner, corner | within);
    }
    return vertices + edges + (within == 6 ? 0 : within == 5 ? 2 : 4); /* the plate itself */
}
