/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh/travel.h"

/* A box around the core. */
static void place_box(const abut_np_seat *seat, abut_np_slanted *s) {
    double turn[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    s->center = seat->center;
    if (seat->hull) {
        abut_dquat_matrix_quick(abut_dquat_from(seat->hull->obb.rotation), turn);
        s->center = abut_d3_along(s->center, 1, abut_np_seat_out(seat, abut_d3_from(seat->hull->obb.center)));
    }
    for (int k = 0; k < 3; k++) {
        s->half[k] = seat->hull ? (double)(&seat->hull->obb.half.x)[k] : seat->half[k];
        s->axis[k] = abut_np_seat_out(seat, (abut_d3){{turn[0][k], turn[1][k], turn[2][k]}});
    }
}

void abut_np_slanted_of(const abut_np_seat *seat, const abut_np_bounds *around, double slack, abut_np_slanted *s) {
    double volume = 1, of_around = 1;
    place_box(seat, s);
    for (int k = 0; k < 3; k++) {
        volume *= s->half[k] + seat->reach;
        of_around *= (around->max[k] - around->min[k]) / 2;
        s->half[k] += seat->reach + slack;
    }
    s->holds = seat->size > 0 && 2 * volume < of_around;
}

void abut_np_slanted_span(const abut_np_slanted *s, int k, const abut_np_bounds *bounds, double *low, double *high) {
    double to = 0, reach = s->half[k];
    for (int i = 0; i < 3; i++) {
        to += s->axis[k].x[i] * ((bounds->min[i] + bounds->max[i]) / 2 - s->center.x[i]);
        reach += fabs(s->axis[k].x[i]) * ((bounds->max[i] - bounds->min[i]) / 2);
    }
    *low = to - reach;
    *high = to + reach;
}

void abut_np_travel_of(const float min[3], const float max[3], abut_d3 way, double share, abut_np_travel *travel) {
    double size = abut_d3_norm1(way);
    travel->share = share;
    for (int i = 0; i < 3; i++) {
        size += fabs((double)min[i]) + fabs((double)max[i]);
    }
    travel->grown = share * size;
    travel->slanted.holds = false;
    for (int i = 0; i < 3; i++) {
        travel->box.min[i] = min[i] - travel->grown;
        travel->box.max[i] = max[i] + travel->grown;
        travel->way[i] = way.x[i];
    }
}

/* Narrows a span of time to that in which something is between both, if it moves so far in all. */
static void narrow(double low, double high, double way, double *enter, double *leave) {
    if (way < 0 || way > 0) {
        double p = low / way, q = high / way;
        *enter = abut_max_d(*enter, abut_min_d(p, q));
        *leave = abut_min_d(*leave, abut_max_d(p, q));
    } else if (low > 0 || high < 0) {
        *enter = INFINITY;
    }
}

double abut_np_travel_enters(const abut_np_travel *t, const abut_np_bounds *bounds) {
    double enter = 0, leave = 1, more = 0;
    for (int i = 0; i < 3; i++) {
        more += t->share * (bounds->max[i] - bounds->min[i]);
    }
    for (int i = 0; i < 3; i++) {
        narrow(bounds->min[i] - more - t->box.max[i], bounds->max[i] + more - t->box.min[i], t->way[i], &enter, &leave);
    }
    for (int k = 0; k < 3 && t->slanted.holds; k++) {
        double low, high;
        abut_np_slanted_span(&t->slanted, k, bounds, &low, &high);
        narrow(low - more, high + more, abut_d3_dot(t->slanted.axis[k], abut_d3_load(t->way)), &enter, &leave);
    }
    return enter <= leave + 0x1p-40 ? enter * (1 - 0x1p-40) : INFINITY;
}
