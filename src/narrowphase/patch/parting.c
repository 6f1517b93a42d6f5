/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/patch/parting.h"
#include "narrowphase/cast/cast.h"
#include "narrowphase/mesh/triangle.h"

/* The way back, as that of a cast. */
void abut_np_parting_of(const abut_np_seat *seat, uint32_t part, abut_d3 in_mesh, double enough, abut_np_parting *out) {
    const abut_d3 back = {{-enough * in_mesh.x[0], -enough * in_mesh.x[1], -enough * in_mesh.x[2]}};
    abut_np_triangle triangle;
    abut_np_moving moving;
    abut_np_nearest nearest;
    abut_np_closest closest;
    abut_np_triangle_make(seat->ground, part, &triangle);
    abut_np_moving_place_at_end(seat->convex, back, &triangle.collider, &moving);
    const double fraction = abut_min_d(abut_np_cast_stepped(&moving, 0, 1, NULL), 1);
    abut_np_moving_nearest(&moving, fraction, &nearest);
    abut_np_nearest_report(&moving.cores, &nearest, &closest);
    out->way = enough * (1 - fraction);
    out->on = abut_np_seat_into(
        seat, abut_d3_sub(abut_d3_unrotate((double(*)[3])seat->ground_axes, closest.on_a), seat->center));
}
