/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/sweep/sweep.h"

static const abut_dpose identity = {.rotation = {0, 0, 0, 1}};

static void place(const abut_collider *shape, const abut_dpose *local, abut_np_way *way) {
    way->shape = *shape;
    way->local = local->position;
    way->turned = local->rotation;
    way->reach = abut_d3_length(way->local) + abut_shape_of(shape)->extent(shape);
}

static bool is_point(const abut_collider *shape) {
    return !shape->hull && !shape->mesh && shape->half.x == 0 && shape->half.y == 0 && shape->half.z == 0;
}

void abut_np_way_of(const abut_collider *shape, const abut_dpose *local, const abut_pose *from, const abut_pose *to,
                    abut_np_way *way) {
    place(shape, local ? local : &identity, way);
    way->from = abut_d3_from(from->position);
    way->translation = abut_d3_sub(abut_d3_from(to->position), way->from);
    way->turn = abut_turn_between(from->rotation, to->rotation);
    way->angle = way->turn.angle;
    if (is_point(shape) && abut_d3_norm1(way->local) == 0) { /* balls that roll */
        way->turn.angle = 0;
    }
}

void abut_np_way_still(const abut_collider *collider, abut_np_way *way) {
    place(collider, &identity, way);
    way->from = abut_d3_from(collider->center);
    way->translation = (abut_d3){{0, 0, 0}};
    way->turn = (abut_turn){.from = abut_dquat_from(collider->rotation), .axis = {{1, 0, 0}}};
    way->angle = 0;
}

/* The ends of the core along the world's axes, from the frame's origin. */
static void ends_at(const abut_np_way *way, double time, abut_d3 *low, abut_d3 *high) {
    const abut_dquat frame = abut_turn_at(&way->turn, time);
    double of_frame[3][3], m[3][3];
    abut_dquat_matrix_quick(frame, of_frame);
    abut_dquat_matrix_quick(abut_dquat_multiply(frame, way->turned), m);
    const abut_d3 arm = abut_d3_rotate(of_frame, way->local);
    for (int i = 0; i < 3; i++) {
        const abut_d3 axis = {{m[i][0], m[i][1], m[i][2]}};
        const abut_shape_class *shape = abut_shape_of(&way->shape);
        low->x[i] = arm.x[i] + abut_d3_dot(axis, shape->support(&way->shape, abut_d3_negate(axis)));
        high->x[i] = arm.x[i] + abut_d3_dot(axis, shape->support(&way->shape, axis));
    }
}

/* e is at most 1e-6 (S + L), and S below 4.5 times both extents, plus L. */
static double more_than_tolerance(const abut_np_way *way, double extent) {
    double own = abut_shape_of(&way->shape)->extent(&way->shape);
    double length = abut_d3_norm1(way->translation) + way->angle * way->reach;
    return 0x1p-19 * (5 * (own + extent) + 2 * length);
}

double abut_np_way_room(const abut_np_way *way, double extent) {
    return more_than_tolerance(way, extent) + 0x1p-44 * way->reach;
}

/* A point that turns stays within the height of its arc of the chord between its places at both ends, and that height
 * is at most 1 - cos (angle / 2) of its distance from the axis: below an eighth of the angle's square. */
void abut_np_way_line(const abut_np_way *way, double extent, double begin, double end, abut_np_line *line) {
    const double span = end - begin, angle = span * way->turn.angle;
    double arc = angle > 0 ? angle * angle / 8 * way->reach : 0;
    double more = way->shape.radius + arc + more_than_tolerance(way, extent) + 0x1p-44 * way->reach;
    abut_d3 low[2], high[2];
    ends_at(way, begin, &low[0], &high[0]);
    ends_at(way, end, &low[1], &high[1]);
    for (int i = 0; i < 3; i++) {
        double least = abut_min_d(low[0].x[i], low[1].x[i]), most = abut_max_d(high[0].x[i], high[1].x[i]);
        line->origin[i] = way->from.x[i] + begin * way->translation.x[i] + (least + most) / 2;
        line->translation[i] = span * way->translation.x[i];
        line->half[i] = (most - least) / 2 + more + 0x1p-50 * (fabs(line->origin[i]) + fabs(line->translation[i]));
    }
}
