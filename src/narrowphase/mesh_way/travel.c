/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/mesh_way/travel.h"

void abut_np_placed_of(const abut_np_way *way, double time, abut_d3 from, abut_np_placed *out) {
    const abut_dquat frame = abut_turn_at(&way->turn, time);
    double of_frame[3][3];
    abut_dquat_matrix_quick(frame, of_frame);
    abut_dquat_matrix_quick(abut_dquat_multiply(frame, way->turned), out->axes);
    out->origin = abut_d3_along(abut_d3_sub(way->from, from), time, way->translation);
    out->center = abut_d3_along(out->origin, 1, abut_d3_rotate(of_frame, way->local));
}

void abut_np_slanted_of(const abut_np_seat *seat, const abut_np_bounds *around, double slack, abut_np_slanted *s) {
    double volume = 1, of_around = 1;
    abut_np_seat_box(seat, &s->center, s->axis, s->half);
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

/* --- a mesh that turns --- */

/* How far no point of the convex shape gets, as the mesh sees it, in a share of the way around this time. */
static double moves_in(const abut_np_way *mesh, const abut_np_way *convex, const abut_np_placed *m,
                       const abut_np_placed *c, double share) {
    const double linear = abut_d3_length(abut_d3_sub(convex->translation, mesh->translation));
    const double far = abut_d3_length(abut_d3_sub(c->origin, m->origin)) + convex->reach + share * linear;
    return share * (linear + convex->turn.angle * convex->reach + mesh->turn.angle * far);
}

/* How much boxes are grown: rounding and the tolerance of both, as boxes in a world are. */
static double room_of(const abut_np_way *mesh, const abut_np_way *convex) {
    const double of_mesh = abut_shape_of(&mesh->shape)->extent(&mesh->shape);
    const double of_convex = abut_shape_of(&convex->shape)->extent(&convex->shape);
    const double far = abut_d3_norm1(mesh->from) + abut_d3_norm1(mesh->translation) + abut_d3_norm1(convex->from) +
                       abut_d3_norm1(convex->translation);
    return abut_np_way_room(mesh, of_convex) + abut_np_way_room(convex, of_mesh) + 0x1p-46 * far;
}

static void make_box(const abut_np_way *convex, const abut_np_placed *m, const abut_np_placed *c, double more,
                     abut_np_bounds *box) {
    const abut_shape_class *shape = abut_shape_of(&convex->shape);
    const abut_d3 between = abut_d3_sub(c->center, m->center);
    for (int k = 0; k < 3; k++) {
        const abut_d3 axis = {{m->axes[0][k], m->axes[1][k], m->axes[2][k]}};
        const abut_d3 along = abut_d3_unrotate((double(*)[3])c->axes, axis);
        const double at = abut_d3_dot(axis, between);
        box->min[k] = at + abut_d3_dot(along, shape->support(&convex->shape, abut_d3_negate(along))) - more;
        box->max[k] = at + abut_d3_dot(along, shape->support(&convex->shape, along)) + more;
    }
}

/* So many boxes that the shape moves by no more than its own size in each, if that is not too many; a power of two, so
 * that their times are exact. */
static uint32_t boxes_for(const abut_np_way *mesh, const abut_np_way *convex) {
    const double size = abut_shape_of(&convex->shape)->extent(&convex->shape);
    abut_np_placed m, c;
    uint32_t count = 1;
    abut_np_placed_of(mesh, 0.5, mesh->from, &m);
    abut_np_placed_of(convex, 0.5, mesh->from, &c);
    const double moves = moves_in(mesh, convex, &m, &c, 1);
    while (count < ABUT_NP_ORBIT_BOXES && moves > size * count) {
        count *= 2;
    }
    return count;
}

void abut_np_orbit_of(const abut_np_way *mesh, const abut_np_way *convex, abut_np_orbit *orbit) {
    const double room = convex->shape.radius + room_of(mesh, convex);
    orbit->count = boxes_for(mesh, convex);
    orbit->all = (abut_np_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < orbit->count; i++) {
        const double half = 0.5 / orbit->count, middle = (2 * i + 1) * half;
        abut_np_placed m, c;
        abut_np_placed_of(mesh, middle, mesh->from, &m);
        abut_np_placed_of(convex, middle, mesh->from, &c);
        abut_np_bounds *box = &orbit->box[i];
        make_box(convex, &m, &c, room + moves_in(mesh, convex, &m, &c, half), box);
        for (int k = 0; k < 3; k++) {
            orbit->all.min[k] = abut_min_d(orbit->all.min[k], box->min[k]);
            orbit->all.max[k] = abut_max_d(orbit->all.max[k], box->max[k]);
        }
    }
}

static bool overlap(const abut_np_bounds *a, const abut_np_bounds *b) {
    bool apart = false;
    for (int k = 0; k < 3; k++) {
        apart |= a->max[k] < b->min[k] || b->max[k] < a->min[k];
    }
    return !apart;
}

double abut_np_orbit_enters(const abut_np_orbit *orbit, const abut_np_bounds *bounds) {
    for (uint32_t i = 0; i < orbit->count && overlap(&orbit->all, bounds); i++) {
        if (overlap(&orbit->box[i], bounds)) {
            return (double)i / orbit->count;
        }
    }
    return INFINITY;
}
