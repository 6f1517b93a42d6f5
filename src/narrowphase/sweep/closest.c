/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/kernels.h"
#include "narrowphase/sweep/sweep.h"

static void place_cores(const abut_np_couple *couple, const abut_np_instant *instant, abut_np_cores *cores) {
    const abut_d3 origins = abut_d3_along(couple->apart, instant->time, couple->velocity);
    const abut_d3 apart = abut_d3_along(origins, 1, abut_d3_sub(instant->arm[1], instant->arm[0]));
    abut_np_cores_place_at(&couple->way[0]->shape, instant->rotation[0], &couple->way[1]->shape, instant->rotation[1],
                           apart, cores);
}

/* The corners of both cores that the closest points are made of, from their frames' origins, and how fast they move;
 * and the same of the points themselves. */
typedef struct features {
    uint32_t count;
    abut_d3 place[2][4], speed[2][4];
    abut_d3 middle_speed; /* of the point of b, seen from that of a */
} features;

static void find_features(const abut_np_couple *couple, const abut_np_instant *instant, const abut_np_nearest *nearest,
                          features *f) {
    f->count = nearest->count;
    f->middle_speed = couple->velocity;
    for (uint32_t k = 0; k < f->count; k++) {
        const uint32_t corner[2] = {nearest->corner[k].of_a, nearest->corner[k].of_b};
        for (int i = 0; i < 2; i++) {
            const abut_collider *shape = &couple->way[i]->shape;
            double(*axes)[3] = (double(*)[3])instant->axes[i];
            const abut_d3 point = abut_d3_rotate(axes, abut_shape_of(shape)->corner(shape, corner[i]));
            f->place[i][k] = abut_d3_along(instant->arm[i], 1, point);
            f->speed[i][k] = abut_d3_cross(couple->spin[i], f->place[i][k]);
            f->middle_speed =
                abut_d3_along(f->middle_speed, i ? nearest->weight[k] : -nearest->weight[k], f->speed[i][k]);
        }
    }
}

/* From corner 0 of the difference b - a to corner k; and how fast that grows along n. */
static abut_d3 side(const features *f, uint32_t k, abut_d3 n, double *growth) {
    const abut_d3 speed =
        abut_d3_sub(abut_d3_sub(f->speed[1][k], f->speed[1][0]), abut_d3_sub(f->speed[0][k], f->speed[0][0]));
    *growth = abut_d3_dot(n, speed);
    return abut_d3_sub(abut_d3_sub(f->place[1][k], f->place[1][0]), abut_d3_sub(f->place[0][k], f->place[0][0]));
}

/* Sides of a feature count as two if they are not parallel up to this, squared. */
static const double THIN = 0x1p-16;

/* How the direction must turn to stay perpendicular to the sides. */
static abut_d3 turning_of(const features *f, abut_d3 n) {
    abut_d3 turning = {{0, 0, 0}};
    double g, h;
    if (f->count < 2) {
        return turning;
    }
    abut_d3 e = side(f, 1, n, &g);
    double ee = abut_d3_dot(e, e);
    if (f->count > 2) {
        const abut_d3 d = side(f, 2, n, &h);
        double dd = abut_d3_dot(d, d), de = abut_d3_dot(d, e), area2 = dd * ee - de * de;
        if (area2 > THIN * dd * ee) {
            turning = abut_d3_along(turning, (de * h - dd * g) / area2, e);
            return abut_d3_along(turning, (de * g - ee * h) / area2, d);
        }
        if (dd > ee) {
            e = d, ee = dd, g = h;
        }
    }
    return ee > 0 ? abut_d3_along(turning, -g / ee, e) : turning;
}

bool abut_np_gap_at(const abut_np_couple *couple, const abut_np_instant *instant, double limit, abut_np_gap *gap) {
    abut_np_cores cores;
    abut_np_nearest nearest;
    features f;
    place_cores(couple, instant, &cores);
    if (abut_np_distance_kernels_active()->nearest(&cores, couple->radii + limit, &nearest)) {
        return false;
    }
    *gap = (abut_np_gap){.distance = -couple->radii};
    if (!nearest.overlap) {
        gap->distance = sqrt(abut_d3_dot(nearest.point, nearest.point)) - couple->radii;
        gap->direction = abut_d3_rotate(cores.axes_a, nearest.along);
        (void)abut_d3_normalise_scaled(&gap->direction);
        find_features(couple, instant, &nearest, &f);
        gap->turning = turning_of(&f, gap->direction);
        gap->closing = -abut_d3_dot(gap->direction, f.middle_speed);
    }
    return true;
}

abut_vec3 abut_np_point_at(const abut_np_couple *couple, const abut_np_instant *instant) {
    const abut_np_way *a = couple->way[0];
    abut_np_cores cores;
    abut_np_closest c;
    place_cores(couple, instant, &cores);
    (void)abut_np_cores_farther_than(&cores, INFINITY, &c);
    double along = (a->shape.radius + c.distance - couple->way[1]->shape.radius) / 2;
    along = c.overlap ? 0 : abut_max_d(0, abut_min_d(along, c.distance));
    const abut_d3 center = abut_d3_along(abut_d3_along(a->from, instant->time, a->translation), 1, instant->arm[0]);
    return abut_vec3_round(abut_d3_along(center, 1, abut_d3_along(c.on_a, along, c.normal)));
}
