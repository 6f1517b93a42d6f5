/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/kernels.h"
#include "narrowphase/sweep/sweep.h"

static void place_cores(const abut_np_couple *couple, const abut_np_instant *instant, abut_np_cores *cores) {
    const abut_d3 origins = abut_d3_along(couple->apart, instant->time, couple->velocity);
    const abut_d3 apart = abut_d3_along(origins, 1, abut_d3_sub(instant->arm[1], instant->arm[0]));
    abut_np_cores_place_at(&couple->way[0]->shape, (double(*)[3])instant->axes[0], &couple->way[1]->shape,
                           (double(*)[3])instant->axes[1], apart, cores);
}

bool abut_np_gap_at(const abut_np_couple *couple, const abut_np_instant *instant, double limit, bool again,
                    abut_np_gap *gap) {
    const abut_np_distance_kernels *kernels = abut_np_distance_kernels_active();
    abut_np_nearest *nearest = &gap->nearest;
    place_cores(couple, instant, &gap->cores);
    if ((again ? kernels->nearest_again : kernels->nearest)(&gap->cores, couple->radii + limit, nearest)) {
        return false;
    }
    gap->distance = -couple->radii;
    gap->direction = (abut_d3){{0, 0, 0}};
    if (!nearest->overlap) {
        gap->distance = sqrt(abut_d3_dot(nearest->point, nearest->point)) - couple->radii;
        gap->direction = abut_d3_rotate(gap->cores.axes_a, nearest->along);
        (void)abut_d3_normalise_scaled(&gap->direction);
    }
    return true;
}

/* Of a hull by its coordinates: triangles that are written as hulls have no other vertices. */
static abut_d3 corner_of(const abut_collider *shape, uint32_t i) {
    const abut_hull *hull = shape->hull;
    if (!hull) {
        return abut_shape_of(shape)->corner(shape, i);
    }
    return (abut_d3){
        {abut_hull_coordinate(hull, 0)[i], abut_hull_coordinate(hull, 1)[i], abut_hull_coordinate(hull, 2)[i]}};
}

/* From corner 0 of the difference b - a to another, and how fast that moves. */
typedef struct side {
    abut_d3 place, speed;
} side;

static side side_of(const abut_np_couple *couple, const abut_np_instant *instant, const abut_np_nearest *nearest,
                    uint32_t k) {
    side out = {{{0, 0, 0}}, {{0, 0, 0}}};
    for (int i = 0; i < 2; i++) {
        const abut_collider *shape = &couple->way[i]->shape;
        const abut_np_corner *from = &nearest->corner[0], *to = &nearest->corner[k];
        const uint32_t first = i ? from->of_b : from->of_a, other = i ? to->of_b : to->of_a;
        double(*axes)[3] = (double(*)[3])instant->axes[i], sign = i ? 1 : -1;
        if (other != first) {
            const abut_d3 local = abut_d3_sub(corner_of(shape, other), corner_of(shape, first));
            const abut_d3 place = abut_d3_rotate(axes, local);
            out.place = abut_d3_along(out.place, sign, place);
            out.speed = abut_d3_along(out.speed, sign, abut_d3_cross(couple->spin[i], place));
        }
    }
    return out;
}

/* Makes the second side perpendicular to the first. False if they are parallel, up to some 1 / 256. */
static bool make_perpendicular(const side *first, side *second) {
    double ee = abut_d3_dot(first->place, first->place), dd = abut_d3_dot(second->place, second->place);
    double share = abut_d3_dot(first->place, second->place) / ee;
    second->place = abut_d3_along(second->place, -share, first->place);
    second->speed = abut_d3_along(second->speed, -share, first->speed);
    return abut_d3_dot(second->place, second->place) > 0x1p-16 * dd;
}

/* The part of the turning, at right angles to n, that keeps n perpendicular to a side. */
static abut_d3 turn_with(abut_d3 n, const side *s) {
    double by = -abut_d3_dot(n, s->speed) / abut_d3_dot(s->place, s->place);
    return (abut_d3){{by * s->place.x[0], by * s->place.x[1], by * s->place.x[2]}};
}

/* Turning about the direction itself changes nothing of it: it goes with the shape that has more corners here. */
abut_d3 abut_np_gap_spin(const abut_np_couple *couple, const abut_np_instant *instant, const abut_np_gap *gap) {
    const abut_np_nearest *nearest = &gap->nearest;
    const abut_np_corner *corner = nearest->corner;
    const abut_d3 n = gap->direction;
    abut_d3 turning = {{0, 0, 0}};
    uint32_t other[2] = {0, 0};
    side first = {{{0, 0, 0}}, {{0, 0, 0}}}, second;
    for (uint32_t k = 1; k < nearest->count; k++) {
        other[0] += corner[k].of_a != corner[0].of_a;
        other[1] += corner[k].of_b != corner[0].of_b;
    }
    if (nearest->count > 1) {
        first = side_of(couple, instant, nearest, 1);
        turning = turn_with(n, &first);
    }
    if (nearest->count > 2) {
        second = side_of(couple, instant, nearest, 2);
        if (make_perpendicular(&first, &second)) {
            turning = abut_d3_along(turning, 1, turn_with(n, &second));
        }
    }
    double fastest = 4 * (couple->way[0]->turn.angle + couple->way[1]->turn.angle);
    if (abut_d3_dot(turning, turning) > fastest * fastest) { /* of a side that is short by chance */
        return (abut_d3){{0, 0, 0}};
    }
    return abut_d3_along(abut_d3_cross(n, turning), abut_d3_dot(n, couple->spin[other[1] > other[0]]), n);
}

abut_vec3 abut_np_point_at(const abut_np_couple *couple, const abut_np_instant *instant, const abut_np_gap *gap) {
    const abut_np_way *a = couple->way[0];
    abut_np_closest c;
    abut_np_nearest_report(&gap->cores, &gap->nearest, &c);
    double along = (a->shape.radius + c.distance - couple->way[1]->shape.radius) / 2;
    along = c.overlap ? 0 : abut_max_d(0, abut_min_d(along, c.distance));
    const abut_d3 center = abut_d3_along(abut_d3_along(a->from, instant->time, a->translation), 1, instant->arm[0]);
    return abut_vec3_round(abut_d3_along(center, 1, abut_d3_along(c.on_a, along, c.normal)));
}
