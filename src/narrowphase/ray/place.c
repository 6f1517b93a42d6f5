/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the abut authors */

#include "base/dd.h"
#include "narrowphase/ray/kernels.h"
#include "narrowphase/ray/ray.h"

/* The rotation matrix in double-double. */
static void accurate_matrix(abut_quat q, abut_dd m[3][3]) {
    const double v[4] = {q.x, q.y, q.z, q.w};
    abut_dd over = abut_dd_div(abut_dd_from(2), abut_dd_sum4(v[0] * v[0], v[1] * v[1], v[2] * v[2], v[3] * v[3]));
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        abut_dd squares = abut_dd_two_sum(v[k] * v[k], v[l] * v[l]);
        m[i][i] = abut_dd_sub(abut_dd_from(1), abut_dd_mul(over, squares));
        m[i][k] = abut_dd_mul(over, abut_dd_two_sum(v[i] * v[k], -(v[3] * v[l])));
        m[k][i] = abut_dd_mul(over, abut_dd_two_sum(v[i] * v[k], v[3] * v[l]));
    }
}

/* The origin good to the rounding of its own length, for hulls that lie far from the centre of their frame. */
static abut_d3 accurate_origin(const abut_np_ray *ray, const abut_collider *collider) {
    const abut_d3 center = abut_d3_from(collider->center);
    abut_dd m[3][3], apart[3];
    abut_d3 out;
    accurate_matrix(collider->rotation, m);
    for (int i = 0; i < 3; i++) {
        apart[i] = abut_dd_two_sum(ray->origin[i], -center.x[i]);
    }
    for (int j = 0; j < 3; j++) {
        abut_dd two = abut_dd_add(abut_dd_mul(m[0][j], apart[0]), abut_dd_mul(m[1][j], apart[1]));
        out.x[j] = abut_dd_add(two, abut_dd_mul(m[2][j], apart[2])).hi;
    }
    return out;
}

void abut_np_place_ray(const abut_np_ray *ray, const abut_collider *collider, abut_np_placed_ray *out) {
    const abut_d3 apart = abut_d3_sub(abut_d3_load(ray->origin), abut_d3_from(collider->center));
    const abut_hull *hull = collider->hull;
    abut_dquat_matrix_quick(abut_dquat_from(collider->rotation), out->m);
    out->origin = abut_d3_unrotate(out->m, apart);
    out->along = abut_d3_unrotate(out->m, abut_d3_load(ray->translation));
    out->size = abut_d3_norm1(apart) + abut_d3_norm1(abut_d3_from(collider->half)) + collider->radius;
    out->slack = ABUT_NP_RAY_SLACK * out->size;
    if (hull) {
        double extent = 2 * abut_d3_norm1(abut_d3_from(hull->obb.half)) + collider->radius;
        const abut_d3 middle = abut_d3_from(hull->centroid);
        out->size = abut_d3_norm1(abut_d3_sub(out->origin, middle)) + extent;
        if (abut_d3_norm1(apart) > 2 * out->size) {
            out->origin = accurate_origin(ray, collider);
            out->size = abut_d3_norm1(abut_d3_sub(out->origin, middle)) + extent;
        }
        out->slack = ABUT_NP_RAY_SLACK * out->size + ABUT_NP_RAY_SLACK / 8 * hull->radius;
    }
}
