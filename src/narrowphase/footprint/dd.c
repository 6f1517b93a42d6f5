/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/spatial.h"
#include "narrowphase/footprint/footprint.h"

/* a x + b y */
static abut_dd dot(double a, abut_dd x, double b, abut_dd y) {
    return abut_dd_add(abut_dd_scaled(x, a), abut_dd_scaled(y, b));
}

/* Products of floats are exact in double. */
static abut_dd length(abut_vec2 v) {
    return abut_dd_sqrt(abut_dd_two_sum((double)v.x * v.x, (double)v.y * v.y));
}

/* |q|^2 R(q): every entry is a sum of exact doubles. Returns |q|^2. */
static abut_dd matrix_of(abut_quat given, abut_dd m[3][3]) {
    abut_dquat q = abut_dquat_from(given);
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, ww = q.w * q.w;
    double xy = 2 * q.x * q.y, xz = 2 * q.x * q.z, yz = 2 * q.y * q.z;
    double wx = 2 * q.w * q.x, wy = 2 * q.w * q.y, wz = 2 * q.w * q.z;
    m[0][0] = abut_dd_sum4(ww, -zz, xx, -yy);
    m[1][1] = abut_dd_sum4(ww, -xx, yy, -zz);
    m[2][2] = abut_dd_sum4(ww, -yy, zz, -xx);
    m[0][1] = abut_dd_two_sum(xy, -wz), m[1][0] = abut_dd_two_sum(xy, wz);
    m[0][2] = abut_dd_two_sum(xz, wy), m[2][0] = abut_dd_two_sum(xz, -wy);
    m[1][2] = abut_dd_two_sum(yz, -wx), m[2][1] = abut_dd_two_sum(yz, wx);
    return abut_dd_sum4(xx, yy, zz, ww);
}

/* The whole shadow is scaled by |axis| |q|^2. */
void abut_np_shadow_dd_of(const abut_np_footprint *footprint, const abut_collider *collider,
                          abut_np_shadow_dd *shadow) {
    const float *center = &collider->center.x;
    const abut_obb2 *own = &footprint->rectangle;
    int i = footprint->ground[0], j = footprint->ground[1];
    double ux = own->axis.x, uy = own->axis.y;
    abut_dd m[3][3], norm = matrix_of(collider->rotation, m), scale = abut_dd_mul(norm, length(own->axis));
    abut_dd dx = abut_dd_mul(norm, abut_dd_two_sum(center[i], -(double)own->center.x));
    abut_dd dy = abut_dd_mul(norm, abut_dd_two_sum(center[j], -(double)own->center.y));
    shadow->base[0] = dot(ux, dx, uy, dy);
    shadow->base[1] = dot(ux, dy, -uy, dx);
    shadow->half[0] = abut_dd_scaled(scale, own->half.x);
    shadow->half[1] = abut_dd_scaled(scale, own->half.y);
    shadow->grow = abut_dd_mul(scale, abut_dd_two_sum(footprint->clearance, collider->radius));
    for (int k = 0; k < 3; k++) {
        shadow->x[k] = dot(ux, m[i][k], uy, m[j][k]);
        shadow->y[k] = dot(ux, m[j][k], -uy, m[i][k]);
    }
}

/* The whole shadow is scaled by |a.axis| |b.axis|. */
void abut_np_shadow_dd_of_rectangle(const abut_obb2 *a, const abut_obb2 *b, abut_np_shadow_dd *shadow) {
    double ux = a->axis.x, uy = a->axis.y, vx = b->axis.x, vy = b->axis.y;
    abut_dd own = length(b->axis), scale = abut_dd_mul(length(a->axis), own);
    abut_dd dx = abut_dd_mul(own, abut_dd_two_sum(b->center.x, -(double)a->center.x));
    abut_dd dy = abut_dd_mul(own, abut_dd_two_sum(b->center.y, -(double)a->center.y));
    abut_dd c = abut_dd_two_sum(ux * vx, uy * vy), s = abut_dd_two_sum(ux * vy, -(uy * vx)), none = {0, 0};
    *shadow = (abut_np_shadow_dd){
        .base = {dot(ux, dx, uy, dy), dot(ux, dy, -uy, dx)},
        .half = {abut_dd_scaled(scale, a->half.x), abut_dd_scaled(scale, a->half.y)},
        .x = {c, abut_dd_negate(s), none},
        .y = {s, c, none},
    };
}

static double magnitude(const abut_np_shadow_dd *s, int k) {
    return fabs(s->x[k].hi) + fabs(s->y[k].hi);
}

/* The gap along the rectangle's axis i. */
static double own_gap(const abut_np_shadow_dd *s, const float *extent, int i) {
    const abut_dd *generator = i == 0 ? s->x : s->y;
    abut_dd radius = s->half[i];
    for (int k = 0; k < 3; k++) {
        if (extent[k] != 0) {
            radius = abut_dd_add(radius, abut_dd_scaled(abut_dd_abs(generator[k]), extent[k]));
        }
    }
    return abut_dd_sub(abut_dd_abs(s->base[i]), radius).hi;
}

/* The gap along the normal of generator k, abut_dd_scaled the length of that generator. */
static double side_gap(const abut_np_shadow_dd *s, const float *extent, int k) {
    abut_dd x = s->y[k], y = abut_dd_negate(s->x[k]);
    abut_dd along = abut_dd_add(abut_dd_mul(s->base[0], x), abut_dd_mul(s->base[1], y));
    abut_dd radius = abut_dd_add(abut_dd_mul(s->half[0], abut_dd_abs(x)), abut_dd_mul(s->half[1], abut_dd_abs(y)));
    for (int l = 0; l < 3; l++) {
        if (l != k && extent[l] != 0) {
            abut_dd across = abut_dd_add(abut_dd_mul(s->x[l], x), abut_dd_mul(s->y[l], y));
            radius = abut_dd_add(radius, abut_dd_scaled(abut_dd_abs(across), extent[l]));
        }
    }
    return abut_dd_sub(abut_dd_abs(along), radius).hi;
}

bool abut_np_zonogon_free(const abut_np_shadow_dd *s, const float *extent, uint32_t axes, abut_touch touch) {
    double size = fabs(s->base[0].hi) + fabs(s->base[1].hi) + s->half[0].hi + s->half[1].hi;
    for (int k = 0; k < 3; k++) {
        size += (double)extent[k] * magnitude(s, k);
    }
    double band = ABUT_NP_FOOTPRINT_BAND * size;
    for (int k = 0; k < 3; k++) {
        /* The normal of a generator along one axis of the rectangle is the other axis. */
        bool own = s->x[k].hi == 0 || s->y[k].hi == 0;
        if (axes >> (k + 2) & 1 && !own && abut_np_clear(side_gap(s, extent, k), band * magnitude(s, k), touch)) {
            return true;
        }
    }
    return (axes & 1 && abut_np_clear(own_gap(s, extent, 0), band, touch)) ||
           (axes & 2 && abut_np_clear(own_gap(s, extent, 1), band, touch));
}
