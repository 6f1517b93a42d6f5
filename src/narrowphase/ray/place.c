/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "narrowphase/ray/kernels.h"
#include "narrowphase/ray/ray.h"

/* As rotation_matrix of base/lanes/vector.h. */
static void matrix_of(abut_dquat q, double m[3][3]) {
    double s = 2 / ((q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w)), xs = q.x * s, ys = q.y * s, zs = q.z * s;
    double xx = q.x * xs, yy = q.y * ys, zz = q.z * zs, xy = q.x * ys, xz = q.x * zs, yz = q.y * zs;
    double wx = q.w * xs, wy = q.w * ys, wz = q.w * zs;
    m[0][0] = 1 - (yy + zz);
    m[0][1] = xy - wz;
    m[0][2] = xz + wy;
    m[1][0] = xy + wz;
    m[1][1] = 1 - (xx + zz);
    m[1][2] = yz - wx;
    m[2][0] = xz - wy;
    m[2][1] = yz + wx;
    m[2][2] = 1 - (xx + yy);
}

void abut_np_place_ray(const abut_np_ray *ray, const abut_collider *collider, abut_np_placed_ray *out) {
    const abut_d3 apart = abut_d3_sub(abut_d3_load(ray->origin), abut_d3_from(collider->center));
    const abut_d3 half = abut_d3_from(collider->half);
    double extent = collider->hull ? (double)collider->hull->radius : abut_d3_norm1(half);
    matrix_of(abut_dquat_from(collider->rotation), out->m);
    out->origin = abut_d3_unrotate(out->m, apart);
    out->along = abut_d3_unrotate(out->m, abut_d3_load(ray->translation));
    out->slack = ABUT_NP_RAY_SLACK * (abut_d3_norm1(apart) + extent + collider->radius);
}
