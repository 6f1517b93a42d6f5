/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh/triangle.h"
#include "narrowphase/convex/convex.h"
#include "narrowphase/mesh/normal.h"
#include "narrowphase/round/round.h"

#define AT(member) ((uint32_t)offsetof(abut_np_triangle, member) - (uint32_t)offsetof(abut_np_triangle, hull))

/* A prism without height: corners 0 to 2 are those of its front, 3 to 5 the same of its back. Face 0 is the front, 1
 * the back, 2 + k the side from corner k to the next. Its digest is 1, which no hull from abut_hull_create has. */
static const abut_np_triangle prism = {
    .hull = {.vertex_count = 6,
             .facet_count = 5,
             .edge_count = 9,
             .face_count = 5,
             .face_edge_count = 9,
             .loop_count = 18,
             .digest = 1,
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
    .edges = {{{0, 1}, {0, 2}},
              {{0, 2}, {4, 0}},
              {{0, 3}, {2, 4}},
              {{1, 2}, {0, 3}},
              {{1, 4}, {3, 2}},
              {{2, 5}, {4, 3}},
              {{3, 4}, {2, 1}},
              {{3, 5}, {1, 4}},
              {{4, 5}, {3, 1}}},
    .loop = {0, 1, 2, 3, 5, 4, 3, 4, 1, 0, 4, 5, 2, 1, 5, 3, 0, 2},
    .sides = {0, 3, 1, 7, 8, 6, 6, 4, 0, 2, 8, 5, 3, 4, 7, 2, 1, 5},
    .face_of = {0, 1, 2, 3, 4},
    .facet_edges_first = {0, 3, 6, 10, 14, 18},
    .facet_edges = {0, 1, 3, 6, 7, 8, 0, 2, 4, 6, 3, 4, 5, 8, 1, 2, 5, 7},
    .vertex_edges_first = {0, 3, 6, 9, 12, 15, 18},
    .vertex_edges = {0, 1, 2, 0, 3, 4, 1, 3, 5, 2, 6, 7, 4, 6, 8, 5, 7, 8},
};

/* Planes through the corners: two along the triangle, three across its sides. */
static void set_planes(const abut_d3 corner[3], abut_d3 normal, abut_np_triangle *out) {
    for (uint32_t f = 0; f < 5; f++) {
        abut_d3 n = f == 0 ? normal : abut_d3_negate(normal), at = corner[0];
        if (f >= 2) {
            at = corner[f - 2];
            n = abut_d3_cross(abut_d3_sub(corner[(f - 1) % 3], at), normal);
            (void)abut_d3_normalise_scaled(&n);
        }
        out->plane[f] = (abut_hull_plane){{n.x[0], n.x[1], n.x[2]}, abut_d3_dot(n, at)};
        out->faces[f] = (abut_hull_polygon){out->plane[f], f < 2 ? 3 * f : 4 * f - 2, f < 2 ? 3 : 4};
    }
    for (uint32_t i = 0; i < ABUT_HULL_PAD; i++) {
        const abut_hull_plane *plane = &out->plane[i < 5 ? i : 0];
        for (int k = 0; k < 3; k++) {
            out->plane_floats[k][i] = (float)plane->n[k];
        }
        out->plane_floats[3][i] = (float)plane->w;
    }
}

void abut_np_triangle_make(const abut_collider *mesh, uint32_t part, abut_np_triangle *out) {
    abut_d3 corner[3], sum = {{0, 0, 0}};
    double most2 = 0;
    *out = prism;
    for (uint32_t k = 0; k < 3; k++) {
        corner[k] = abut_mesh_corner(mesh->mesh, part, k);
        sum = abut_d3_along(sum, 1, corner[k]);
        most2 = abut_max_d(most2, abut_d3_dot(corner[k], corner[k]));
    }
    for (int k = 0; k < 3; k++) {
        double low = corner[0].x[k], high = low;
        for (uint32_t i = 0; i < ABUT_HULL_PAD; i++) {
            double x = corner[i < 6 ? i % 3 : 0].x[k];
            out->coordinate[k][i] = (float)x;
            low = abut_min_d(low, x), high = abut_max_d(high, x);
        }
        const float middle = (float)((low + high) / 2); /* rounded, far from the mesh's origin by much */
        (&out->hull.obb.center.x)[k] = middle;
        (&out->hull.obb.half.x)[k] =
            abut_bits_round_up(abut_max_d(high - (double)middle, (double)middle - low) * (1 + 0x1p-22));
    }
    out->hull.obb.rotation.w = 1;
    out->hull.radius = abut_bits_round_up(sqrt(most2) * (1 + 0x1p-50));
    out->hull.centroid = abut_vec3_round((abut_d3){{sum.x[0] / 3, sum.x[1] / 3, sum.x[2] / 3}});
    set_planes(corner, abut_np_mesh_normal(mesh->mesh, part), out);
    out->collider = abut_collider_unplaced(NULL, &out->hull, (abut_vec3){0, 0, 0}, 0);
    out->collider.center = mesh->center;
    out->collider.rotation = mesh->rotation;
}

/* The cells of hulls in the table of pairs. */
bool abut_np_triangle_overlap(const abut_np_triangle *triangle, const abut_collider *convex) {
    return convex->radius > 0 ? abut_np_cores_overlap(&triangle->collider, convex, NULL)
                              : abut_np_convex_overlap(&triangle->collider, convex, NULL);
}
