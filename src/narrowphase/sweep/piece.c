/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/sweep/sweep.h"

/* The shape's own box, in the axes of its frame, as it lies in the middle of the piece. */
static void place_box(const abut_np_way *way, double middle, abut_np_piece *piece) {
    const abut_dquat frame = abut_turn_at(&way->turn, middle), shape = abut_dquat_multiply(frame, way->turned);
    abut_collider unplaced = way->shape;
    double of_frame[3][3], of_shape[3][3];
    unplaced.center = (abut_vec3){0, 0, 0};
    unplaced.rotation = (abut_quat){0, 0, 0, 1};
    const abut_obb box = abut_collider_obb(&unplaced);
    abut_dquat_matrix_quick(frame, of_frame);
    abut_dquat_matrix_quick(shape, of_shape);
    abut_dquat_matrix_quick(abut_dquat_multiply(shape, abut_dquat_from(box.rotation)), piece->axes);
    piece->origin = abut_d3_along(way->from, middle, way->translation);
    piece->center = abut_d3_along(piece->origin, 1, abut_d3_rotate(of_frame, way->local));
    piece->center = abut_d3_along(piece->center, 1, abut_d3_rotate(of_shape, abut_d3_from(box.center)));
    for (int k = 0; k < 3; k++) {
        piece->half[k] = (&box.half.x)[k];
    }
}

/* What the own box is rounded to, in float, is far below the tolerance that is added. */
void abut_np_piece_of(const abut_np_way *way, double extent, double begin, double end, abut_np_piece *piece) {
    const double half = (end - begin) / 2;
    double more = abut_np_way_room(way, extent);
    abut_np_way_line(way, extent, begin, end, &piece->line);
    place_box(way, begin + half, piece);
    more += 0x1p-46 * (abut_d3_norm1(piece->center) + abut_d3_norm1(piece->origin));
    for (int k = 0; k < 3; k++) {
        piece->half[k] += more;
    }
    piece->linear = half * abut_d3_length(way->translation) + more;
    piece->angle = half * way->turn.angle;
    piece->reach = way->reach;
}

/* A point of the shape that is in the box at some time of the piece is then no farther from the frame's origin than the
 * box's farthest corner; so it turns by no more than that distance allows until the middle of the piece, and is then in
 * the shape's own box. */
bool abut_np_piece_misses(const abut_np_piece *piece, const float min[3], const float max[3]) {
    double half[3], to[3], square = 0;
    for (int k = 0; k < 3; k++) {
        const double middle = ((double)min[k] + max[k]) / 2;
        half[k] = ((double)max[k] - min[k]) / 2;
        to[k] = middle - piece->center.x[k];
        const double far = fabs(middle - piece->origin.x[k]) + half[k];
        square += far * far;
    }
    const double distance = abut_min_d(sqrt(square) + piece->linear, piece->reach);
    const double moves = piece->linear + piece->angle * distance;
    for (int i = 0; i < 3; i++) {
        double along = 0, apart = piece->half[i] + moves;
        for (int k = 0; k < 3; k++) {
            along += piece->axes[k][i] * to[k];
            apart += fabs(piece->axes[k][i]) * half[k];
        }
        if (fabs(along) > apart) {
            return true;
        }
    }
    return false;
}
