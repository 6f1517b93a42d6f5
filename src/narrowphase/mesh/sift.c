/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh/sift.h"

void abut_np_sieve_of(const abut_np_seat *seat, abut_np_sieve *s) {
    abut_d3 axis[3], center, middle = {{0, 0, 0}};
    abut_np_seat_box(seat, &center, axis, s->half);
    if (seat->hull) {
        const abut_obb *box = &seat->hull->obb;
        double turn[3][3];
        abut_dquat_matrix_quick(abut_dquat_from(box->rotation), turn);
        middle = abut_d3_unrotate(turn, abut_d3_sub(seat->middle, abut_d3_from(box->center)));
    }
    for (int i = 0; i < 3; i++) {
        s->center[i] = center.x[i];
        s->middle[i] = middle.x[i];
        for (int k = 0; k < 3; k++) {
            s->axes[i][k] = axis[k].x[i];
        }
    }
    s->reach = seat->reach;
    s->size = seat->size + seat->reach;
    s->place = abut_d3_norm1(seat->center) + seat->mesh->radius;
    s->two_sided = seat->mesh->two_sided != 0;
}

/* Rounding of places as abut_np_seat_bounds allows for it. */
void abut_np_sieve_open(const abut_np_sieve *s, const abut_mesh *mesh, abut_mesh_walk *walk, abut_slant *slant) {
    double reach = s->reach + 0x1p-42 * (s->size + s->place);
    abut_mesh_walk_open(mesh, walk);
    if (!walk->opened && abut_slant_of(s->center, s->axes[0], s->half, reach, walk->min, walk->max, slant)) {
        walk->slant = slant;
    }
}
