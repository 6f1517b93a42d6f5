/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/polytope.h"

/* The surface of a box, numbered as feature.h does: vertex bit k is the end along axis k. */
static const abut_hull_edge box_edges[12] = {{{0, 1}, {2, 4}}, {{2, 3}, {4, 3}}, {{4, 5}, {5, 2}}, {{6, 7}, {3, 5}},
                                             {{0, 2}, {4, 0}}, {{4, 6}, {0, 5}}, {{1, 3}, {1, 4}}, {{5, 7}, {5, 1}},
                                             {{0, 4}, {0, 2}}, {{1, 5}, {2, 1}}, {{2, 6}, {3, 0}}, {{3, 7}, {1, 3}}};
static const uint16_t box_loop[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
static const uint16_t box_sides[24] = {8, 5, 10, 4, 6, 11, 7, 9, 0, 9, 2, 8, 10, 3, 11, 1, 4, 1, 6, 0, 2, 7, 3, 5};
static const uint16_t box_face_of[6] = {0, 1, 2, 3, 4, 5};
static const uint16_t box_rim_first[7] = {0, 4, 8, 12, 16, 20, 24};

/* Plane and rough copies of facet `f`, or of facet 0 for the padding. */
static void fill_box_facet(abut_np_box_arrays *arrays, const float half[3], int f) {
    int facet = f < 6 ? f : 0, axis = facet / 2;
    float sign = facet % 2 ? 1.0f : -1.0f;
    for (int i = 0; i < 3; i++) {
        arrays->rough[i][f] = i == axis ? sign : 0.0f;
    }
    arrays->rough[3][f] = half[axis];
    if (f < 6) {
        arrays->plane[f] =
            (abut_hull_plane){{arrays->rough[0][f], arrays->rough[1][f], arrays->rough[2][f]}, half[axis]};
        arrays->faces[f] = (abut_hull_face){arrays->plane[f], 4 * (uint32_t)f, 4};
    }
}

static abut_np_polytope polytope_of_box(const abut_np_row *row, abut_np_box_arrays *arrays) {
    const float half[3] = {row->half.x, row->half.y, row->half.z};
    for (int f = 0; f < ABUT_HULL_PAD; f++) {
        fill_box_facet(arrays, half, f);
        for (int i = 0; i < 3; i++) {
            arrays->coordinate[i][f] = f < 8 && f >> i & 1 ? half[i] : -half[i];
        }
    }
    abut_d3 corner = abut_d3_from(row->half);
    abut_np_polytope out = {.plane = arrays->plane,
                            .edges = box_edges,
                            .faces = arrays->faces,
                            .loop = box_loop,
                            .sides = box_sides,
                            .face_of = box_face_of,
                            .rim_first = box_rim_first,
                            .rim = box_sides,
                            .vertex_count = 8,
                            .facet_count = 6,
                            .edge_count = 12,
                            .radius = sqrt(abut_d3_dot(corner, corner)),
                            .extent = corner.x[0] + corner.x[1] + corner.x[2]};
    for (int i = 0; i < 3; i++) {
        out.coordinate[i] = arrays->coordinate[i];
    }
    for (int i = 0; i < 4; i++) {
        out.rough[i] = arrays->rough[i];
    }
    return out;
}

static abut_np_polytope polytope_of_hull(const abut_hull *hull) {
    abut_np_polytope out = {.plane = abut_hull_at(hull, hull->plane),
                            .edges = abut_hull_at(hull, hull->edges),
                            .faces = abut_hull_at(hull, hull->faces),
                            .loop = abut_hull_at(hull, hull->loop),
                            .sides = abut_hull_at(hull, hull->sides),
                            .face_of = abut_hull_at(hull, hull->face_of),
                            .rim_first = abut_hull_at(hull, hull->rim_first),
                            .rim = abut_hull_at(hull, hull->rim),
                            .vertex_count = hull->vertex_count,
                            .facet_count = hull->facet_count,
                            .edge_count = hull->edge_count,
                            .center = abut_d3_from(hull->centroid),
                            .radius = hull->radius,
                            .extent = (double)hull->obb.half.x + hull->obb.half.y + hull->obb.half.z};
    for (int i = 0; i < 3; i++) {
        out.coordinate[i] = abut_hull_at(hull, hull->coordinate[i]);
    }
    for (int i = 0; i < 4; i++) {
        out.rough[i] = abut_hull_at(hull, hull->rough[i]);
    }
    return out;
}

abut_np_polytope abut_np_polytope_of(const abut_np_row *row, abut_np_box_arrays *arrays) {
    return row->shape == ABUT_NP_BOX ? polytope_of_box(row, arrays) : polytope_of_hull(row->hull);
}

void abut_np_polytope_pair_build(const abut_np_row *row_a, const abut_np_polytope *a, const abut_np_row *row_b,
                                 const abut_np_polytope *b, abut_np_polytope_pair *pair) {
    abut_np_side *of_a = &pair->side[0], *of_b = &pair->side[1];
    abut_dquat qa = abut_dquat_from(row_a->rotation), qb = abut_dquat_from(row_b->rotation);
    double m[3][3];
    /* As for boxes, one matrix from the relative quaternion: a true rotation. */
    abut_dquat_matrix(abut_dquat_multiply(abut_dquat_conjugate(qa), qb), of_b->turn);
    abut_dquat_matrix(qa, m);
    abut_d3 d = abut_d3_sub(abut_d3_from(row_b->center), abut_d3_from(row_a->center));
    of_a->own = of_b->other = a;
    of_b->own = of_a->other = b;
    of_a->origin = abut_d3_unrotate(m, d);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            of_a->turn[i][j] = of_b->turn[j][i];
        }
    }
    abut_d3 back = abut_np_turned(of_a, of_a->origin);
    of_b->origin = (abut_d3){{-back.x[0], -back.x[1], -back.x[2]}};
    pair->size = fabs(d.x[0]) + fabs(d.x[1]) + fabs(d.x[2]) + a->radius + b->radius;
}
